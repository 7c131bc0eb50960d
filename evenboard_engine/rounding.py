"""One rounding for every place that shows a measure: pages, paper, files, the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal


def half_up(value: float, decimals: int = 0) -> Decimal:
    """Return a number with so many decimals, halves away from 0, as Django's `floatformat` writes it."""
    from decimal import ROUND_HALF_UP, Decimal

    return Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
