"""The players of a round as the pairing needs them, and which of them may meet (C1, C3).

There are two views of the same players. `DubovField` has columns by place in the initial ranking, for work on the whole
field. `DubovEntrant` is one player, for work on a bracket.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from evenboard_engine.errors import InvalidTournament
from evenboard_engine.history import NO_ROUNDS
from evenboard_engine.matching import Matching
from evenboard_engine.model import Colour, Tournament
from evenboard_engine.preference import Preference
from evenboard_engine.systems.dubov.options import history_rules
from evenboard_engine.systems.field import (
    BLACK_ABSOLUTE,
    NOT_ABSOLUTE,
    WHITE_ABSOLUTE,
    KeptApart,
    RoundField,
    by_colours,
    legal_masks,
    surely_pairable,
)

from .preferences import maximum_upfloats, preference_after


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """What follows from a sequence of colours; shared by all players who had the same sequence.

    sides: the colours of the games played, oldest first. absolute: for C3; 0 if the preference is not absolute.
    """

    sides: bytes
    due: Preference
    wants_white: bool
    absolute: int

    @classmethod
    def after(cls, rounds: Sequence[int]) -> Shape:
        """Return the shape after these rounds; 0 is a round without a game."""
        sides = bytes(side for side in rounds if side)
        due = preference_after(sides)
        wants_white = due.colour is Colour.WHITE
        absolute = (WHITE_ABSOLUTE if wants_white else BLACK_ABSOLUTE) if due.absolute else NOT_ABSOLUTE
        return cls(sides, due, wants_white, absolute)


@dataclass(frozen=True, slots=True, eq=False)
class DubovEntrant:
    """A player who takes part in the pairing of this round.

    rank: place in the initial ranking.
    number: the pairing number that counts for 5.2.1; players never taken into account are skipped (reading D7).
    met: ranks of the players whom C1 or a forbidden pair keeps away; -1 may be among them and has no meaning.
    upfloats: how often upfloated. upfloated_last: in the round before this one. maximum: a maximum upfloater (1.7).
    seats: the seats of the field, the same object for all players; None if no player has MANY_APART players to avoid.
    """

    id: int
    rank: int
    number: int
    score: int
    aro: int
    shape: Shape
    met: Collection[int]
    upfloats: int
    upfloated_last: bool
    maximum: bool
    bye_barred: bool
    seats: KeptApart | None = None

    @property
    def due(self) -> Preference:
        return self.shape.due

    @property
    def games(self) -> int:
        return len(self.shape.sides)

    @property
    def wants_white(self) -> bool:
        return self.shape.wants_white


class DubovField(RoundField):
    """The field of one round with the columns that only the Dubov System needs.

    aro, shape, wants_white, absolute: one entry for each place. s1_key: ascending in the order of S1 (2.2.5).
    numbers: for 5.2.1. Raises InvalidTournament if the input is wrong. Cost: linear.
    """

    def __init__(self, tournament: Tournament) -> None:
        super().__init__(tournament, history_rules(tournament))
        _check_rated(tournament)
        past, count = self.past, len(self.ids)
        self.aro = past.aros()
        self.s1_key = [aro * count + place for place, aro in enumerate(self.aro)]
        self.limit = maximum_upfloats(tournament.rounds)
        self.shape = by_colours(past, Shape.after)
        self.wants_white = [shape.wants_white for shape in self.shape]
        self.absolute = [shape.absolute for shape in self.shape]
        self._entrants: dict[int, DubovEntrant] = {}

    def entrant(self, place: int) -> DubovEntrant:
        """Return the player at a place."""
        if place not in self._entrants:
            upfloats = self.past.upfloats.get(place, NO_ROUNDS)
            self._entrants[place] = DubovEntrant(
                id=self.ids[place],
                rank=place,
                number=self.numbers[place],
                score=self.score[place],
                aro=self.aro[place],
                shape=self.shape[place],
                met=self.met[place],
                upfloats=len(upfloats),
                upfloated_last=self.round - 1 in upfloats,
                maximum=len(upfloats) >= self.limit,
                bye_barred=place in self.past.barred,
                seats=self.seats,
            )
        return self._entrants[place]


class Lower:
    """The players below a bracket who are not yet paired, by scoregroups from the highest.

    groups: places. entrant: makes an entrant of a place, only when one is needed. most_met: no player of the field has
    more players to avoid than this number.
    """

    def __init__(
        self,
        groups: list[list[int]],
        entrant: Callable[[int], DubovEntrant],
        absolute: Mapping[int, int] | Sequence[int],
        most_met: int,
    ) -> None:
        self.groups, self.entrant, self.absolute, self.most_met = groups, entrant, absolute, most_met
        self.count = sum(map(len, groups))
        self.due = [_absolutely_due(group, absolute) for group in groups]
        self.whites = sum(whites for whites, _ in self.due)
        self.blacks = sum(blacks for _, blacks in self.due)

    def copy(self) -> Lower:
        """Return a copy: players taken from it stay in the original. Cost: linear."""
        other = Lower.__new__(Lower)
        other.groups = [group[:] for group in self.groups]
        other.entrant, other.absolute, other.most_met = self.entrant, self.absolute, self.most_met
        other.count, other.due = self.count, self.due[:]
        other.whites, other.blacks = self.whites, self.blacks
        return other

    @classmethod
    def of(cls, players: Sequence[DubovEntrant]) -> Lower:
        """Make one from entrants in any order."""
        ordered = sorted(players, key=lambda player: (-player.score, player.rank))
        by_rank = {player.rank: player for player in ordered}
        return cls(
            [
                [player.rank for player in group]
                for _, group in groupby(ordered, key=lambda player: player.score)
            ],
            by_rank.__getitem__,
            {player.rank: player.shape.absolute for player in ordered},
            max((len(player.met) for player in ordered), default=0),
        )

    def pop_group(self) -> list[int]:
        """Remove the highest scoregroup and return it."""
        group = self.groups.pop(0)
        whites, blacks = self.due.pop(0)
        self.count -= len(group)
        self.whites -= whites
        self.blacks -= blacks
        return group

    def remove(self, places: Collection[int]) -> None:
        """Remove single players."""
        for place in places:
            at, group = next((at, group) for at, group in enumerate(self.groups) if place in group)
            group.remove(place)
            self.count -= 1
            white, black = _absolutely_due([place], self.absolute)
            self.whites -= white
            self.blacks -= black
            whites, blacks = self.due[at]
            self.due[at] = whites - white, blacks - black
            if not group:
                del self.groups[at], self.due[at]

    def highest(self, at_least: int) -> list[DubovEntrant]:
        """Return the entrants of the highest scoregroups, of as many as contain this number of players, or of all."""
        taken: list[DubovEntrant] = []
        for group in self.groups:
            if len(taken) >= at_least:
                break
            taken.extend(map(self.entrant, group))
        return taken

    def all(self) -> list[DubovEntrant]:
        return self.highest(self.count)

    def surely_pairable(self, *, without: int = 0) -> bool:
        """Return whether Dirac's condition proves that all can be paired legally after `without` of them are removed.

        It holds whichever players are removed. Only counts are used. False proves nothing. Cost: constant.
        """
        return surely_pairable(self.count - without, self.most_met, max(self.whites, self.blacks))


def _absolutely_due(places: Sequence[int], absolute: Mapping[int, int] | Sequence[int]) -> tuple[int, int]:
    """Return how many of these players have an absolute preference for White, and for Black."""
    due = list(map(absolute.__getitem__, places))
    return due.count(WHITE_ABSOLUTE), due.count(BLACK_ABSOLUTE)


def _check_rated(tournament: Tournament) -> None:
    if min((player.rating for player in tournament.players), default=1) < 1:
        unrated = next(player for player in tournament.players if player.rating < 1)
        raise InvalidTournament("rating_missing", player=unrated.id)


def places_of(players: Iterable[DubovEntrant]) -> list[int]:
    return [player.rank for player in players]


def may_meet(one: DubovEntrant, other: DubovEntrant) -> bool:
    """Return whether C1 (3.1.1), forbidden pairs and C3 (3.1.3) allow that two players meet."""
    return other.rank not in one.met and not (
        one.shape.absolute and other.shape.absolute == one.shape.absolute
    )


def legal_graph(players: Sequence[DubovEntrant]) -> list[int]:
    """Return who may meet whom, as bit masks of the indices in `players`."""
    return legal_masks(
        places_of(players),
        [player.met for player in players],
        [player.shape.absolute for player in players],
        players[0].seats if players else None,
    )


def pairable(players: Sequence[DubovEntrant]) -> bool:
    """Return whether all players can be paired with each other legally. C4 demands this of lower players (3.2.1)."""
    return len(players) % 2 == 0 and Matching(legal_graph(players)).maximise() == 0
