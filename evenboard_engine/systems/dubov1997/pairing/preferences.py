"""The due colour of a player, as all systems tell it (article 1; S1.4)."""

from __future__ import annotations

from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE, History
from evenboard_engine.model import Colour
from evenboard_engine.preference import Preference

from .field import NO_COLOUR, Colours


def preference(history: History) -> Preference | None:
    """Return the due colour, which has no strength in this edition; None before the first game."""
    sides = (WHITE_SIDE if colour is Colour.WHITE else BLACK_SIDE for colour in history.colours)
    shape = Colours.after(sides)
    if shape.due == NO_COLOUR:
        return None
    return Preference(Colour.WHITE if shape.due == WHITE_SIDE else Colour.BLACK)
