"""Colour preferences and maximum upfloaters (C.04.4.1, 1.5 and 1.7, edition 2025)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from pairing.engine.history import BLACK_SIDE, WHITE_SIDE, History
from pairing.engine.model import Colour


class Strength(IntEnum):
    """Article 1.5.2: a greater value is the stronger preference (5.2.3)."""

    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True)
class Preference:
    """The due colour and how strongly it is due."""

    colour: Colour
    strength: Strength

    @property
    def absolute(self) -> bool:
        return self.strength is Strength.ABSOLUTE


def preference(history: History) -> Preference:
    """The colour that a player should ideally receive next (1.5.2)."""
    return preference_after(
        bytes(WHITE_SIDE if colour is Colour.WHITE else BLACK_SIDE for colour in history.colours)
    )


def preference_after(sides: bytes) -> Preference:
    """The preference of somebody who played these sides, oldest first (1.5.2).

    Reading: where a difference beyond 1 and the last two games point to different colours, which only pairing by
    hand can bring about, the difference decides (D10). Reading: nobody is left without a preference (1.5.2.4).
    """
    difference = 2 * sides.count(WHITE_SIDE) - len(sides)
    balancing = Colour.BLACK if difference > 0 else Colour.WHITE
    if abs(difference) > 1:
        return Preference(balancing, Strength.ABSOLUTE)
    if not sides:
        return Preference(Colour.BLACK, Strength.MILD)
    alternating = Colour.BLACK if sides[-1] == WHITE_SIDE else Colour.WHITE
    if len(sides) >= 2 and sides[-1] == sides[-2]:
        return Preference(alternating, Strength.ABSOLUTE)
    if difference:
        return Preference(balancing, Strength.STRONG)
    return Preference(alternating, Strength.MILD)


def maximum_upfloats(rounds: int) -> int:
    """MaxT = 2 + [Rnds / 5], with the planned number of rounds (1.7.2; reading D13)."""
    return 2 + rounds // 5
