"""Make addresses from names."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count


def numbered(base: str, taken: Collection[str]) -> str:
    """Return `base`, or the first of base-2, base-3, ... that is not taken."""
    if base not in taken:
        return base
    return next(slug for slug in (f"{base}-{number}" for number in count(2)) if slug not in taken)
