"""The colour that a player is due, and how strongly. Each system decides it by rules of its own."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from .model import Colour


class Strength(IntEnum):
    """How strong a preference is. A greater value is a stronger preference.

    NONE: in a system whose due colours have no strength.
    """

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


class Preference(NamedTuple):
    """The due colour and how strongly it is due."""

    colour: Colour
    strength: Strength = Strength.NONE

    @property
    def absolute(self) -> bool:
        return self.strength is Strength.ABSOLUTE
