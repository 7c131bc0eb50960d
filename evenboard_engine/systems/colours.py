"""Sides and colours: which colour a player is due in the Swiss systems of FIDE."""

from __future__ import annotations

from typing import NamedTuple

from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE
from evenboard_engine.model import Colour
from evenboard_engine.preference import Strength

NO_SIDE = 0
COLOUR_OF = {WHITE_SIDE: Colour.WHITE, BLACK_SIDE: Colour.BLACK}


def other_side(side: int) -> int:
    return WHITE_SIDE + BLACK_SIDE - side


class ColourDue(NamedTuple):
    """The colour that is due (C.04.3, 1.7; C.04.4.1, 1.5.2). side: NO_SIDE without a game."""

    side: int
    strength: Strength


def colour_due(sides: bytes) -> ColourDue:
    """Return the preference after these sides, oldest first.

    If the difference is beyond 1 and the last two games ask for the other colour, the difference decides (D10). Only
    pairing by hand leads to this.
    """
    difference = 2 * sides.count(WHITE_SIDE) - len(sides)
    balancing = BLACK_SIDE if difference > 0 else WHITE_SIDE
    if abs(difference) > 1:
        return ColourDue(balancing, Strength.ABSOLUTE)
    if not sides:
        return ColourDue(NO_SIDE, Strength.NONE)
    alternating = other_side(sides[-1])
    if sides[-2:] == bytes((sides[-1], sides[-1])):
        return ColourDue(alternating, Strength.ABSOLUTE)
    if difference:
        return ColourDue(balancing, Strength.STRONG)
    return ColourDue(alternating, Strength.MILD)
