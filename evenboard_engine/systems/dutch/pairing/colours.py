"""Decide who gets White (C.04.3, article 5, edition of 1 February 2026)."""

from __future__ import annotations

from enum import StrEnum

from evenboard_engine.errors import InvalidTournament
from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE
from evenboard_engine.model import Colour
from evenboard_engine.preference import Strength
from evenboard_engine.result import Pair
from evenboard_engine.systems.colours import other_side

from .field import ColourHistory, DutchField


class DutchColourRule(StrEnum):
    """The article that gave a pair its colours."""

    BOTH = "5.2.1"
    STRONGER = "5.2.2"
    ALTERNATE = "5.2.3"
    HIGHER_RANKED = "5.2.4"
    INITIAL = "5.2.5"


class DutchColourAllocator:
    """Gives colours to the pairs of one field. Each two sequences of colours are compared only once.

    Raises InvalidTournament if 5.2.5 needs the initial-colour and there is none.
    """

    def __init__(self, field: DutchField, initial_colour: Colour | None) -> None:
        self.field, self.initial_colour = field, initial_colour
        self._known: dict[tuple[ColourHistory, ColourHistory], tuple[int, DutchColourRule]] = {}
        self._of_topscorers: dict[tuple[ColourHistory, ColourHistory], tuple[int, int]] = {}

    def pair(self, one: int, other: int) -> Pair:
        """Return the players at two places with their colours, by the first rule of 5.2 that decides."""
        higher, lower = self.ranked(one, other)
        side, rule = self._side_of(higher, lower)
        ids = self.field.ids
        if side == WHITE_SIDE:
            return Pair(ids[higher], ids[lower], rule)
        return Pair(ids[lower], ids[higher], rule)

    def ranked(self, one: int, other: int) -> tuple[int, int]:
        """Return the two places, the higher ranked first (1.2)."""
        rank = self.field.rank
        return (one, other) if rank(one) < rank(other) else (other, one)

    def _side_of(self, higher: int, lower: int) -> tuple[int, DutchColourRule]:
        mine, theirs = self.field.colours[higher], self.field.colours[lower]
        if not mine.sides and not theirs.sides:
            return self._initial(self.field.numbers[higher]), DutchColourRule.INITIAL
        found = self._known.get((mine, theirs))
        if found is None:
            found = self._known[mine, theirs] = side_of_the_higher(mine, theirs)
        return found

    def _initial(self, number: int) -> int:
        if self.initial_colour is None:
            raise InvalidTournament("initial_colour_missing")
        return WHITE_SIDE if (self.initial_colour is Colour.WHITE) is bool(number % 2) else BLACK_SIDE

    def topscorer_misses(self, one: int, other: int) -> tuple[int, int]:
        """Return how many players of a pair would have a difference beyond 2, or one colour three times (C10, C11).

        Only pairs with a topscorer count.
        """
        field = self.field
        if one not in field.topscorers and other not in field.topscorers:
            return 0, 0
        higher, lower = self.ranked(one, other)
        mine, theirs = field.colours[higher], field.colours[lower]
        if not mine.sides and not theirs.sides:
            return 0, 0
        return self.misses_of(mine, theirs)

    def misses_of(self, mine: ColourHistory, theirs: ColourHistory) -> tuple[int, int]:
        """Return what `topscorer_misses` counts. mine: of the higher ranked. At least one of the two has played."""
        found = self._of_topscorers.get((mine, theirs))
        if found is None:
            side, _rule = side_of_the_higher(mine, theirs)
            after = (_after(mine, side), _after(theirs, other_side(side)))
            found = sum(far for far, _ in after), sum(third for _, third in after)
            self._of_topscorers[mine, theirs] = found
        return found


def _after(colours: ColourHistory, side: int) -> tuple[bool, bool]:
    """Return whether the difference is beyond 2 after a game with this side, and whether it is the third in a row."""
    difference = colours.difference + (1 if side == WHITE_SIDE else -1)
    return abs(difference) > 2, colours.sides[-2:] == bytes((side, side))


def side_of_the_higher(higher: ColourHistory, lower: ColourHistory) -> tuple[int, DutchColourRule]:
    """Return the side of the higher ranked player by 5.2.1 to 5.2.4. At least one of the two has played."""
    mine, theirs = higher.due, lower.due
    if mine.side != theirs.side:
        return mine.side or other_side(theirs.side), DutchColourRule.BOTH
    if mine.strength != theirs.strength:
        side = mine.side if mine.strength > theirs.strength else other_side(mine.side)
        return side, DutchColourRule.STRONGER
    wider = abs(higher.difference) - abs(lower.difference)
    if mine.strength is Strength.ABSOLUTE and wider:
        return mine.side if wider > 0 else other_side(mine.side), DutchColourRule.STRONGER
    for my_side, their_side in zip(reversed(higher.sides), reversed(lower.sides), strict=False):
        if my_side != their_side:
            return other_side(my_side), DutchColourRule.ALTERNATE
    return mine.side, DutchColourRule.HIGHER_RANKED
