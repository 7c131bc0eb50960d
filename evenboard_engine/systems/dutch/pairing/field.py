"""The players of a round with the figures of article 1 (C.04.3, edition of 1 February 2026), as columns by place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evenboard_engine.history import FLOATED_DOWN, FLOATED_UP, WHITE_SIDE
from evenboard_engine.model import Tournament
from evenboard_engine.preference import Strength
from evenboard_engine.systems.colours import NO_SIDE, ColourDue, colour_due
from evenboard_engine.systems.dutch.options import HISTORY_RULES
from evenboard_engine.systems.field import RoundField, by_colours


@dataclass(frozen=True, slots=True, eq=False)
class ColourHistory:
    """What follows from a sequence of colours; shared by all players who had the same.

    sides: of the games played, oldest first. due: 1.7. difference: games with White less games with Black (1.6).
    """

    sides: bytes
    due: ColourDue
    difference: int

    @classmethod
    def after(cls, rounds: Sequence[int]) -> ColourHistory:
        """Return what follows after these rounds; 0 is a round without a game."""
        sides = bytes(side for side in rounds if side)
        return cls(sides, colour_due(sides), 2 * sides.count(WHITE_SIDE) - len(sides))

    @property
    def absolute(self) -> int:
        return self.due.side if self.due.strength is Strength.ABSOLUTE else NO_SIDE


class DutchField(RoundField):
    """The field of one round with the figures of the Dutch System.

    colours: by place. topscorers: places (1.8). absolute: the absolute preference that counts for C3, which a topscorer
    does not have. downfloats, upfloats: the places that floated in the last round, and in the round before.
    """

    def __init__(self, tournament: Tournament) -> None:
        super().__init__(tournament, HISTORY_RULES)
        past = self.past
        self.last = tournament.round >= tournament.rounds
        self.colours = by_colours(past, ColourHistory.after)
        self.topscorers = self._topscorers(tournament) if self.last else frozenset()
        self.absolute = [colours.absolute for colours in self.colours]
        for place in self.topscorers:
            self.absolute[place] = NO_SIDE
        nobody = bytes(len(self.ids))
        self.floats = [*past.float_in, nobody, nobody][:2]

    def _topscorers(self, tournament: Tournament) -> frozenset[int]:
        """Return who has more than half of the points that could be made so far (1.8)."""
        most = (tournament.round - 1) * max(tournament.points.white_win, tournament.points.black_win)
        return frozenset(place for place in self.present if 2 * self.score[place] > most)

    def unplayed(self, place: int) -> int:
        """Return the number of earlier rounds without a game (C9)."""
        return self.round - 1 - len(self.colours[place].sides)

    def down(self, place: int, before: int) -> bool:
        """Return whether a player floated down in the last round (before: 0) or in the round before (1)."""
        return self.floats[before][place] == FLOATED_DOWN

    def up(self, place: int, before: int) -> bool:
        return self.floats[before][place] == FLOATED_UP

    def missed(self, one: int, other: int) -> tuple[int, int]:
        """Return how many players of a pair miss a preference, and a strong one (C12, C13).

        Two who are due the same colour cannot both get it; article 5 gives it to the stronger preference.
        """
        mine, theirs = self.colours[one].due, self.colours[other].due
        if not mine.side or mine.side != theirs.side:
            return 0, 0
        return 1, int(min(mine.strength, theirs.strength) is Strength.STRONG)
