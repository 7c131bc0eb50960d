"""Each value of a tie-break as its parts: the rounds of the player, what each of them counts, and what was cut."""

from __future__ import annotations

from .model import (
    Cut,
    Drawn,
    Encounter,
    Fact,
    How,
    Limit,
    Median,
    Meetings,
    Part,
    Perfect,
    Performance,
    Role,
    Separation,
    ValueParts,
    Weights,
    Why,
)
from .sums import Sums, averaged

__all__ = [
    "Cut",
    "Drawn",
    "Encounter",
    "Fact",
    "How",
    "Limit",
    "Median",
    "Meetings",
    "Part",
    "Perfect",
    "Performance",
    "Role",
    "Separation",
    "Sums",
    "ValueParts",
    "Weights",
    "Why",
    "averaged",
]
