"""Each value of a tie-break as its parts: the rounds of the player, what each of them counts, and what was cut."""

from __future__ import annotations

from .model import (
    Cut,
    DrawnLot,
    Encounter,
    Fact,
    How,
    KoyaLimit,
    Median,
    Meetings,
    PartRole,
    Perfect,
    Performance,
    RoundPart,
    Separation,
    ValueParts,
    Weights,
    Why,
)
from .sums import Sums, averaged

__all__ = [
    "Cut",
    "DrawnLot",
    "Encounter",
    "Fact",
    "How",
    "KoyaLimit",
    "Median",
    "Meetings",
    "PartRole",
    "Perfect",
    "Performance",
    "RoundPart",
    "Separation",
    "Sums",
    "ValueParts",
    "Weights",
    "Why",
    "averaged",
]
