"""Colour preferences and maximum upfloaters (C.04.4.1, 1.5 and 1.7, edition 2025)."""

from __future__ import annotations

from evenboard_engine.history import History
from evenboard_engine.model import Colour
from evenboard_engine.preference import Preference, Strength
from evenboard_engine.systems.colours import COLOUR_OF, colour_due


def preference(history: History) -> Preference:
    """Return the colour that a player should ideally receive next, and how strongly (1.5.2)."""
    return preference_after(history.sides)


def preference_after(sides: bytes) -> Preference:
    """Return the preference of a player who has played these sides, oldest first (1.5.2).

    Reading: every player has a preference, also without games (1.5.2.4).
    """
    side, strength = colour_due(sides)
    return Preference(COLOUR_OF[side], strength) if side else Preference(Colour.BLACK, Strength.MILD)


def maximum_upfloats(rounds: int) -> int:
    """Return MaxT = 2 + [Rnds / 5], where Rnds is the planned number of rounds (1.7.2; reading D13)."""
    return 2 + rounds // 5
