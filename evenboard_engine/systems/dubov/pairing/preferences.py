"""Colour preferences and maximum upfloaters (C.04.4.1, 1.5 and 1.7, edition 2025)."""

from __future__ import annotations

from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE, History
from evenboard_engine.model import Colour
from evenboard_engine.preference import Preference, Strength


def preference(history: History) -> Preference:
    """Return the colour that a player should ideally receive next, and how strongly (1.5.2)."""
    return preference_after(
        bytes(WHITE_SIDE if colour is Colour.WHITE else BLACK_SIDE for colour in history.colours)
    )


def preference_after(sides: bytes) -> Preference:
    """Return the preference of a player who has played these sides, oldest first (1.5.2).

    Reading: if a colour difference beyond 1 and the last two games ask for different colours, the difference decides
    (D10). Only pairing by hand can lead to this. Reading: every player has a preference, also without games (1.5.2.4).
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
    """Return MaxT = 2 + [Rnds / 5], where Rnds is the planned number of rounds (1.7.2; reading D13)."""
    return 2 + rounds // 5
