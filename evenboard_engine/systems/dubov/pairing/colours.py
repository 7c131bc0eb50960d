"""Decide who gets White (C.04.4.1, article 5, edition 2025)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from evenboard_engine.errors import InvalidTournament
from evenboard_engine.history import WHITE_SIDE
from evenboard_engine.model import Colour
from evenboard_engine.result import Pair

from .field import Shape


class DubovColourRule(StrEnum):
    """The article of C.04.4.1 (2025) that gave a pair its colours."""

    INITIAL = "5.2.1"
    BOTH = "5.2.2"
    STRONGER = "5.2.3"
    ALTERNATE = "5.2.4"
    HIGHER_RANKED = "5.2.5"


class ColouredField(Protocol):
    """The columns of a field on which colours depend."""

    @property
    def ids(self) -> Sequence[int]: ...
    @property
    def score(self) -> Sequence[int]: ...
    @property
    def shape(self) -> Sequence[Shape]: ...
    @property
    def numbers(self) -> Sequence[int]: ...


class ColourAllocator:
    """Gives colours to the pairs of one field. Each two sequences of colours are compared only once.

    Raises InvalidTournament if 5.2.1 needs the initial-colour and there is none.
    """

    def __init__(self, field: ColouredField, initial_colour: Colour | None) -> None:
        self.field, self.initial_colour = field, initial_colour
        self._known: dict[tuple[Shape, Shape], tuple[Colour, DubovColourRule]] = {}

    def pair(self, one: int, other: int) -> Pair:
        """Return the players at two places with their colours, by the first rule of 5.2 that decides."""
        field = self.field
        higher, lower = self.ranked(one, other)
        mine, theirs = field.shape[higher], field.shape[lower]
        decided = self._known.get((mine, theirs))
        if decided is None:
            if not mine.sides and not theirs.sides:
                decided = self._first_game(field.numbers[higher])
            else:
                decided = self._known[mine, theirs] = colour_of_the_higher(mine, theirs)
        colour, rule = decided
        if colour is Colour.WHITE:
            return Pair(field.ids[higher], field.ids[lower], rule)
        return Pair(field.ids[lower], field.ids[higher], rule)

    def ranked(self, one: int, other: int) -> tuple[int, int]:
        """Return the two places, the higher ranked first: more points, then higher in the initial ranking (5.2.1)."""
        score = self.field.score
        if score[one] == score[other]:
            return (one, other) if one < other else (other, one)
        return (one, other) if score[one] > score[other] else (other, one)

    def _first_game(self, number: int) -> tuple[Colour, DubovColourRule]:
        if self.initial_colour is None:
            raise InvalidTournament("initial_colour_missing")
        return self.initial_colour if number % 2 else self.initial_colour.opposite, DubovColourRule.INITIAL


def colour_of_the_higher(higher: Shape, lower: Shape) -> tuple[Colour, DubovColourRule]:
    """Return the colour of the higher ranked player by 5.2.2 to 5.2.5. At least one of the two has played."""
    mine, theirs = higher.due, lower.due
    if mine.colour is not theirs.colour:
        return mine.colour, DubovColourRule.BOTH
    if mine.strength != theirs.strength:
        return (
            mine.colour if mine.strength > theirs.strength else mine.colour.opposite,
            DubovColourRule.STRONGER,
        )
    # GHR 3.4: only played games count, so the sequences are compared from their last games back
    for my_side, their_side in zip(reversed(higher.sides), reversed(lower.sides), strict=False):
        if my_side != their_side:
            return Colour.BLACK if my_side == WHITE_SIDE else Colour.WHITE, DubovColourRule.ALTERNATE
    return mine.colour, DubovColourRule.HIGHER_RANKED
