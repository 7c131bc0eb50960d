"""One rounding for every place that shows a measure: pages, paper, files, the command line."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def half_up(value: float, decimals: int = 0) -> Decimal:
    """Return a number with so many decimals, halves away from 0, as Django's `floatformat` writes it."""
    return Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
