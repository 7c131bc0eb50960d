"""The field of one round as any system sees it: who is present, which players may meet, and how colours bind them.

A place is the index of a player in the initial ranking order. `absolute` says for each place which colour a player must
have so strongly that two such players may not meet; 0 for the others.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import compress, count
from typing import TypeVar

from evenboard_engine.errors import InternalError, InvalidTournament
from evenboard_engine.history import NO_ROUNDS, HistoryRules, Past
from evenboard_engine.matching import mask_of
from evenboard_engine.model import Tournament

T = TypeVar("T")
MANY_APART = 20
RUN_FOR_PAIRS = 2
DIGITS = bytes.maketrans(b"01", b"\0\1")
NOT_ABSOLUTE, WHITE_ABSOLUTE, BLACK_ABSOLUTE = 0, 1, 2

# Keep, for the whole field, bit masks of who must not meet whom, and cut the mask of a bracket out of them.
#
# With thousands of forbidden pairs it would be slow to build these masks again for every bracket. All players
# have a seat in one order, and the players of a bracket are a few runs of neighbouring seats.

Run = tuple[int, int, int]  # first seat, mask of as many ones as the run has seats, first index


class ManyPlaces(Collection[int]):
    """Places as one bit mask; as a set, thousands of them would take 500 times as much memory."""

    __slots__ = ("_mask",)

    def __init__(self, places: Collection[int]) -> None:
        digits = bytearray(b"0") * (1 + max(places))
        for place in places:
            digits[~place] = ord("1")
        self._mask = int(digits, 2)

    def __contains__(self, place: object) -> bool:
        return isinstance(place, int) and bool(self._mask >> place & 1)

    def __iter__(self) -> Iterator[int]:
        return compress(count(), f"{self._mask:b}"[::-1].encode().translate(DIGITS))

    def __len__(self) -> int:
        return self._mask.bit_count()


class KeptApart:
    """Gives each of these places a seat, in their order. apart: for each place, the places that it must not meet."""

    def __init__(self, order: Iterable[int], apart: Sequence[Collection[int]]) -> None:
        self._seat = {place: seat for seat, place in enumerate(order)}
        self._places = set(self._seat)
        self._apart = apart
        self._masks: dict[int, int] = {}

    def runs(self, places: Sequence[int]) -> list[Run]:
        """Return the places as runs of neighbouring seats, each run with the index of its first place."""
        runs: list[Run] = []
        begin = length = 0
        for index, place in enumerate(places):
            seat = self._seat[place]
            if length and seat == begin + length:
                length += 1
            else:
                if length:
                    runs.append((begin, (1 << length) - 1, index - length))
                begin, length = seat, 1
        runs.append((begin, (1 << length) - 1, len(places) - length))
        return runs

    def apart(self, place: int, runs: Iterable[Run]) -> int:
        """Return a mask of the indices in these runs that a place must not meet."""
        if place not in self._masks:
            self._masks[place] = mask_of(
                map(self._seat.__getitem__, self._places.intersection(self._apart[place]))
            )
        mask = self._masks[place]
        return sum((mask >> begin & ones) << index for begin, ones, index in runs)


class RoundField:
    """The field of one round, as columns by place. Absent players have a place too.

    present: the places of the players to be paired, ascending. ids, score (the pairing score, reading D15): one entry
    for each place.
    met: places that C1 or a forbidden pair keeps away; -1 may be among them and has no meaning.
    numbers: pairing numbers that decide an initial colour (reading D7). absolute: of each place, set by the system.
    most_met: no player has more players to avoid than this number. seats: None if nobody has MANY_APART to avoid.
    Raises InvalidTournament if the input is wrong. Cost: linear.
    """

    absolute: list[int]

    def __init__(self, tournament: Tournament, rules: HistoryRules) -> None:
        _check(tournament)
        self.round = tournament.round
        self.past = past = Past(tournament, rules)
        place_of = past.place_of
        count = len(past.players)
        away = {place_of[key] for key in tournament.absent}
        away.update(place_of[bye.player] for bye in tournament.byes if bye.round == tournament.round)
        self.ids = [player.id for player in past.players]
        self.score = past.pairing_score
        self.present = [place for place in range(count) if place not in away] if away else list(range(count))
        self.met: list[Collection[int]] = (
            list(zip(*past.opponent_in, strict=True)) if past.opponent_in else [NO_ROUNDS] * count
        )
        self.most_met = len(past.opponent_in)
        if tournament.forbidden:
            self._keep_apart(tournament, place_of)
        self.numbers = past.numbers(away)
        self.seats: KeptApart | None = None
        if self.most_met >= MANY_APART:
            self.seats = KeptApart(
                sorted(self.present, key=lambda place: (-self.score[place], place)), self.met
            )

    def scoregroups(self) -> list[list[int]]:
        """Return the places present by scoregroup, from the highest, each in the order of places."""
        groups: dict[int, list[int]] = {}
        score = self.score
        for place in self.present:
            points = score[place]
            if points in groups:
                groups[points].append(place)
            else:
                groups[points] = [place]
        return [groups[points] for points in sorted(groups, reverse=True)]

    def rank(self, place: int) -> tuple[int, int]:
        """Return the sort key of the ranking: higher score first, then the smaller pairing number."""
        return -self.score[place], place

    def may_meet(self, one: int, other: int) -> bool:
        """Return whether C1, the arbiter and C3 allow that two players meet."""
        return other not in self.met[one] and not (
            self.absolute[one] and self.absolute[one] == self.absolute[other]
        )

    def graph(self, places: Sequence[int]) -> list[int]:
        """Return who may meet whom, as bit masks of the indices in `places`."""
        met, absolute = self.met, self.absolute
        return legal_masks(
            places, [met[place] for place in places], [absolute[place] for place in places], self.seats
        )

    def virtual(self, places: Iterable[int]) -> dict[int, int]:
        """Return the virtual points in the scores of players who have some, by id."""
        if self.score is self.past.score:
            return {}
        lent = ((self.ids[place], self.score[place] - self.past.score[place]) for place in places)
        return {key: points for key, points in lent if points}

    def _keep_apart(self, tournament: Tournament, place_of: Mapping[int, int]) -> None:
        apart: dict[int, array[int]] = defaultdict(lambda: array("I"))
        for first, second in tournament.forbidden:
            one, other = place_of[first], place_of[second]
            apart[one].append(other)
            apart[other].append(one)
        many = max(MANY_APART, len(self.ids) // MANY_APART)
        for place, forbidden in apart.items():
            others = {*forbidden, *self.met[place]} - {-1}
            self.most_met = max(self.most_met, len(others))
            self.met[place] = others if len(others) < many else ManyPlaces(others)


def by_colours(past: Past, made: Callable[[Sequence[int]], T]) -> list[T]:
    """Return what follows from the colours of each place, by round; 0 is a round without a game. Players share it."""
    known: dict[tuple[int, ...], T] = {}
    found = []
    for sides in zip(*past.side_in, strict=True) if past.side_in else [()] * len(past.players):
        one = known.get(sides)
        if one is None:
            one = known[sides] = made(sides)
        found.append(one)
    return found


def _check(tournament: Tournament) -> None:
    if tournament.rounds < 1 or not 1 <= tournament.round <= tournament.rounds:
        raise InvalidTournament(
            "round_outside_the_tournament", round=tournament.round, rounds=tournament.rounds
        )
    ids = {player.id for player in tournament.players}
    if len(ids) != len(tournament.players):
        raise InvalidTournament("player_twice")
    if len({player.tpn for player in tournament.players}) != len(ids):
        raise InvalidTournament("pairing_number_twice")
    for key in tournament.absent.union(*tournament.forbidden):
        if key not in ids:
            raise InvalidTournament("unknown_player", player=key, round=tournament.round)


def legal_masks(
    places: Sequence[int],
    met: Sequence[Collection[int]],
    absolute: Sequence[int],
    seats: KeptApart | None,
) -> list[int]:
    """Return who may meet whom, as bit masks of the indices in `places`. met, absolute: in the order of `places`."""
    everyone = (1 << len(places)) - 1
    due_absolutely = [0, 0, 0]
    for i, due in enumerate(absolute):
        due_absolutely[due] |= 1 << i
    due_absolutely[NOT_ABSOLUTE] = 0
    return [
        everyone & ~(apart | due_absolutely[due] | 1 << i)
        for i, (due, apart) in enumerate(zip(absolute, _kept_apart(places, met, seats), strict=True))
    ]


def _kept_apart(places: Sequence[int], met: Sequence[Collection[int]], seats: KeptApart | None) -> list[int]:
    """Return for each place a mask of those whom C1 or a forbidden pair keeps away.

    The masks are cut from the seats of the field if the players are few runs of seats; else they are built bit by bit.
    """
    if seats is not None and places:
        runs = seats.runs(places)
        if RUN_FOR_PAIRS * len(runs) * len(places) < sum(map(len, met)):
            return [seats.apart(place, runs) for place in places]
    index = {place: i for i, place in enumerate(places)}
    known = set(index)
    return [mask_of(map(index.__getitem__, known.intersection(others))) for others in met]


def surely_pairable(count: int, most_met: int, absolutes: int) -> bool:
    """Return whether Dirac's condition proves that so many players can be paired legally, whoever they are.

    most_met: nobody has more players to avoid. absolutes: no more have the same absolute preference. Condition: each
    player may meet at least half as many players as there are. Source: G. A. Dirac, Some theorems on abstract graphs
    (1952): then there is a Hamiltonian cycle, and so a perfect matching of an even number. False proves nothing.
    """
    if count % 2:
        return False
    return count <= 0 or 2 * (count - 1 - most_met - max(0, absolutes - 1)) >= count


# Check what every round must satisfy, from the history alone. This runs after every pairing.


def check_pairs(field: RoundField, pairs: Sequence[tuple[int, int]], left_over: Sequence[int]) -> None:
    """Check that everyone present is paired once or has the bye, and C1 to C3. Forbidden pairs count like C1.

    pairs, left_over: places. Raises InternalError. Cost: linear.
    """
    placed = [place for pair in pairs for place in pair]
    if len(left_over) > 1 or sorted([*placed, *left_over]) != field.present:
        raise InternalError("not_everyone_once")
    for place in left_over:
        if place in field.past.barred:
            raise InternalError("bye_barred", player=field.ids[place])
    for one, other in pairs:
        if not field.may_meet(one, other) or not field.may_meet(other, one):
            raise InternalError("may_not_meet", white=field.ids[one], black=field.ids[other])
