"""What the pairing notes of a round: the article that gave the colours, and the steps of a bracket."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ColourRule(StrEnum):
    """The article of C.04.4.1 (2025) that gave a pair its colours."""

    INITIAL = "5.2.1"
    BOTH = "5.2.2"
    STRONGER = "5.2.3"
    ALTERNATE = "5.2.4"
    HIGHER_RANKED = "5.2.5"


@dataclass(frozen=True, slots=True)
class BracketRecord:
    """The steps of one bracket, in the order of article 2.2. All players are ids.

    score: of the residents, in tenths. residents: in initial ranking order. upfloaters: in the order of 4.2.
    unplayed: nobody in the bracket has played, so G1 was first the upper half (2.2.3.1).
    shifted_first, shifted_second: the sets of 2.2.4.1 and 2.2.4.2, in the order of 4.3.
    s1, t2: in their final order; players at the same place are paired.
    """

    score: int
    residents: tuple[int, ...]
    upfloaters: tuple[int, ...]
    unplayed: bool
    shifted_first: tuple[int, ...]
    shifted_second: tuple[int, ...]
    s1: tuple[int, ...]
    t2: tuple[int, ...]
