"""Round 1 (article 5; S5)."""

from __future__ import annotations

from .field import Field
from .rows import first_rows


def first_round(field: Field) -> tuple[int | None, list[tuple[int, int]] | None]:
    """Return the bye and the pairs of upper and lower half by seats; no pairs if forbidden pairs allow no order."""
    order = list(range(len(field.ids)))
    bye = order.pop() if len(order) % 2 else None
    half = len(order) // 2
    upper, lower = order[:half], order[half:]
    rows = first_rows(field, upper, lower)
    return bye, None if isinstance(rows, int) else list(zip(upper, rows, strict=True))
