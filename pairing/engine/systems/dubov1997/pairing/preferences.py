"""The due colour of a player, as all systems tell it (article 1; S1.4)."""

from __future__ import annotations

from pairing.engine.history import BLACK_SIDE, WHITE_SIDE, History
from pairing.engine.model import Colour
from pairing.engine.preference import Preference, Strength

from .field import NO_COLOUR, Colours, other_side


def preference(history: History) -> Preference | None:
    """Return the due colour; None before the first game.

    A due colour has no strength in this edition. It is absolute here if 2.3 or 2.4 bar the player from the other one.
    """
    sides = (WHITE_SIDE if colour is Colour.WHITE else BLACK_SIDE for colour in history.colours)
    shape = Colours.after(sides)
    if shape.due == NO_COLOUR:
        return None
    colour = Colour.WHITE if shape.due == WHITE_SIDE else Colour.BLACK
    barred = shape.barred & other_side(shape.due)
    return Preference(colour, Strength.ABSOLUTE if barred else Strength.MILD)
