"""The Dubov System by plain enumeration: the oracle that the engine is tested against.

Written from the text of C.04.4.1 (edition of 1 July 2025) and from the readings in docs/rules.md, so that it can be
compared with the handbook article by article. It shares only the values that describe a tournament with the engine; the
meaning of a result for score, colour and opponent is written here again. Every set, pairing and transposition is tried
in the order of article 4. The only shortcut is a memory of results for sets of players. For up to 14 players.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import TypeVar

from evenboard_engine.model import Colour, Tournament
from evenboard_engine.tests.brute_history import ABSOLUTE, Entrant, is_to_be_paired, read_history

Item = TypeVar("Item")


class NoRound(Exception):
    """No round-pairing is complete (1.8.1), so the arbiter must decide what to do (1.8.3)."""


@dataclass(frozen=True, slots=True)
class BruteBracket:
    """The steps of a bracket, in player ids. upfloaters and shifters are in the order of their sequence numbers."""

    upfloaters: tuple[int, ...]
    first_shift: tuple[int, ...]
    second_shift: tuple[int, ...]
    s1: tuple[int, ...]
    t2: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BruteRound:
    """pairs: (white, black) player ids. bye: the id of the player with the pairing-allocated bye, or None.

    brackets: the steps of each bracket, from the highest score down.
    """

    pairs: frozenset[tuple[int, int]]
    bye: int | None
    brackets: tuple[BruteBracket, ...] = ()


# Article 4: the orders


def upfloater_sets(pool: Sequence[Entrant], size: int) -> list[tuple[Entrant, ...]]:
    """Return the sets of possible upfloaters (4.2), container by container (4.2.3), in each in lexicographic order."""
    numbered = sorted(pool, key=lambda player: (-player.score, player.tpn))
    sets = list(combinations(numbered, size))
    return sorted(sets, key=lowest_scores_first)


def lowest_scores_first(upfloaters: Sequence[Entrant]) -> tuple[int, ...]:
    """Return the value for C6 (3.3.2); smaller is better. The lowest score counts first, then the second lowest, ..."""
    return tuple(-score for score in sorted(player.score for player in upfloaters))


def middle_out(in_order: Sequence[Item]) -> list[Item]:
    """Return the items in the order of 4.3.3: always the middle one of the rest; of two, the one higher in the list."""
    left, numbered = list(in_order), []
    while left:
        numbered.append(left.pop((len(left) - 1) // 2))
    return numbered


def shifter_sets(seekers: Sequence[Entrant], size: int, colour: str) -> Iterator[tuple[Entrant, ...]]:
    """Yield the sets of shifters (4.3). colour: the colour that the subgroup is due (4.3.2)."""
    if colour == "W":
        in_order = sorted(seekers, key=lambda player: (player.aro, player.tpn))
    else:
        in_order = sorted(seekers, key=lambda player: player.tpn)
    return combinations(middle_out(in_order), size)


def transpositions(g2: Sequence[Entrant]) -> Iterator[tuple[Entrant, ...]]:
    """Yield the orders of G2 (4.4), lexicographic in the initial ranking."""
    return permutations(sorted(g2, key=lambda player: player.tpn))


# Article 3: the criteria that depend on pairs


class Field:
    """The players to be paired, with remembered results about sets of them."""

    def __init__(self, tournament: Tournament, players: Sequence[Entrant]) -> None:
        self.tournament = tournament
        self.by_id = {player.id: player for player in players}
        self.preferences = {player.id: player.preference for player in players}
        self.partners = {
            player.id: frozenset(other.id for other in players if self._may_meet(player, other))
            for player in players
        }
        self._completable: dict[frozenset[int], bool] = {}
        self._best: dict[tuple[frozenset[int], frozenset[int]], tuple[int, int] | None] = {}

    def _may_meet(self, one: Entrant, two: Entrant) -> bool:
        """Check C1, C3, and the pairs that the arbiter has forbidden (reading D17)."""
        if one is two or two.id in one.opponents or one.id in two.opponents:
            return False
        if (min(one.id, two.id), max(one.id, two.id)) in self.tournament.forbidden:
            return False
        mine, theirs = self.preferences[one.id], self.preferences[two.id]
        return not (mine == theirs and mine[1] == ABSOLUTE)

    def legal(self, one: Entrant, two: Entrant) -> bool:
        return two.id in self.partners[one.id]

    def misses(self, one: int, two: int) -> int:
        """Return how many of the two do not get their colour preference (C7)."""
        return 1 if self.preferences[one][0] == self.preferences[two][0] else 0

    def completable(self, ids: frozenset[int]) -> bool:
        """Return whether all these players can be paired with each other (C4)."""
        if not ids:
            return True
        if ids not in self._completable:
            first = min(ids)
            self._completable[ids] = any(
                self.completable(ids - {first, other}) for other in ids & self.partners[first]
            )
        return self._completable[ids]

    def best(self, ids: frozenset[int], group: frozenset[int]) -> tuple[int, int] | None:
        """Return the least C7 of all legal pairings of these players, then the least number of pairs in the group."""
        if not ids:
            return 0, 0
        if (ids, group) not in self._best:
            first = min(ids)
            totals = []
            for other in ids & self.partners[first]:
                rest = self.best(ids - {first, other}, group)
                if rest is not None:
                    inside = 1 if first in group and other in group else 0
                    totals.append((rest[0] + self.misses(first, other), rest[1] + inside))
            self._best[ids, group] = min(totals, default=None)
        return self._best[ids, group]

    def best_across(
        self, g1: Sequence[int], g2: frozenset[int], known: dict[frozenset[int], int | None]
    ) -> int | None:
        """Return the least C7 over all legal pairings of G1 with G2. known: results by the rest of G2."""
        if not g1:
            return 0
        if g2 not in known:
            totals = []
            for other in g2 & self.partners[g1[0]]:
                rest = self.best_across(g1[1:], g2 - {other}, known)
                if rest is not None:
                    totals.append(rest + self.misses(g1[0], other))
            known[g2] = min(totals, default=None)
        return known[g2]


def ids_of(players: Sequence[Entrant]) -> frozenset[int]:
    return frozenset(player.id for player in players)


# Article 2: the procedures


def brute_force_round(tournament: Tournament) -> BruteRound:
    """Pair a round (1.8.2). Raises NoRound if no pairing of the round is complete."""
    history = read_history(tournament)
    field = Field(
        tournament,
        [history[player.id] for player in tournament.players if is_to_be_paired(tournament, player)],
    )
    remaining = list(field.by_id.values())
    bye = None
    if len(remaining) % 2 == 1:
        bye = allocated_bye(field, remaining)
        remaining.remove(bye)
    if not field.completable(ids_of(remaining)):
        raise NoRound
    pairs: list[tuple[int, int]] = []
    brackets = []
    while remaining:
        residents, upfloaters = next_bracket(field, remaining)
        record = pair_bracket(field, residents, upfloaters)
        brackets.append(record)
        for one, two in zip(record.s1, record.t2, strict=True):
            pairs.append(colours(tournament, history[one], history[two]))
        remaining = [player for player in remaining if player.id not in record.s1 + record.t2]
    return BruteRound(frozenset(pairs), bye.id if bye else None, tuple(brackets))


def allocated_bye(field: Field, players: Sequence[Entrant]) -> Entrant:
    """Return the player with the pairing-allocated bye (2.1). Games are games played (reading D11)."""
    for player in sorted(players, key=lambda player: (player.score, -len(player.colours), -player.tpn)):
        if not player.barred and field.completable(ids_of(players) - {player.id}):
            return player
    raise NoRound


def next_bracket(field: Field, remaining: Sequence[Entrant]) -> tuple[list[Entrant], tuple[Entrant, ...]]:
    """Return the residents of the highest scoregroup and their best set of upfloaters (2.2.1 and 2.2.2)."""
    top = max(player.score for player in remaining)
    residents = [player for player in remaining if player.score == top]
    pool = [player for player in remaining if player.score < top]
    for size in range(len(pool) + 1):
        possible = []
        for upfloaters in upfloater_sets(pool, size):
            bracket = ids_of(residents) | ids_of(upfloaters)
            if field.completable(bracket) and field.completable(ids_of(remaining) - bracket):
                possible.append(upfloaters)
        if possible:
            return residents, min(possible, key=lambda chosen: bracket_quality(field, residents, chosen))
    raise AssertionError("C4 was broken")


def bracket_quality(
    field: Field, residents: Sequence[Entrant], upfloaters: Sequence[Entrant]
) -> tuple[object, ...]:
    """Return C6 to C10 of the bracket at its best pairing; smaller is better. C5 is equal for all compared sets."""
    tournament = field.tournament
    best = field.best(ids_of(residents) | ids_of(upfloaters), frozenset())
    assert best is not None
    c6, c7 = lowest_scores_first(upfloaters), best[0]
    if tournament.round == tournament.rounds:
        return c6, c7
    max_t = 2 + tournament.rounds // 5
    maximum_upfloaters = [player for player in upfloaters if player.upfloats >= max_t]
    c8 = len(maximum_upfloaters)
    c9 = sum(player.upfloats for player in maximum_upfloaters)
    c10 = sum(1 for player in upfloaters if player.upfloated_last)
    return c6, c7, c8, c9, c10


def pair_bracket(field: Field, residents: Sequence[Entrant], upfloaters: Sequence[Entrant]) -> BruteBracket:
    """Pair a bracket (2.2.3 to 2.2.6)."""
    g1, g2 = subgroups([*residents, *upfloaters])
    first, second = shifts(field, g1, g2)
    shifted = first + second
    new_g1 = [player for player in g1 + g2 if (player in g1) != (player in shifted)]
    new_g2 = [player for player in g1 + g2 if player not in new_g1]
    s1 = sorted(new_g1, key=lambda player: (player.aro, player.tpn))
    t2 = next(order for order in transpositions(new_g2) if all(map(field.legal, s1, order)))
    parts = upfloaters, first, second, s1, t2
    return BruteBracket(*(tuple(player.id for player in part) for part in parts))


def subgroups(bracket: Sequence[Entrant]) -> tuple[list[Entrant], list[Entrant]]:
    """Return G1 and G2 before any shift (2.2.3)."""
    if all(player.colours == "" for player in bracket):
        in_order = sorted(bracket, key=lambda player: player.tpn)
        half = len(in_order) // 2
        return in_order[:half], in_order[half:]
    g1 = [player for player in bracket if player.preference[0] == "W"]
    g2 = [player for player in bracket if player.preference[0] == "B"]
    return g1, g2


def shifts(
    field: Field, g1: list[Entrant], g2: list[Entrant]
) -> tuple[tuple[Entrant, ...], tuple[Entrant, ...]]:
    """Return the players shifted from the smaller subgroup, and those shifted then from the larger one (2.2.4).

    The number of unavoidable pairs inside the smaller subgroup is the least over the legal pairings that are best for
    C7. The second shift takes only players who were in the larger subgroup from the beginning (reading D5). If nobody
    has played, all AROs are 0 and every pair misses one preference: all orders are by initial ranking, and C7 is equal.
    """
    (smaller, smaller_seeks), (larger, larger_seeks) = (g1, "W"), (g2, "B")
    if len(g1) > len(g2):
        (smaller, smaller_seeks), (larger, larger_seeks) = (g2, "B"), (g1, "W")
    best = field.best(ids_of(g1) | ids_of(g2), ids_of(smaller))
    assert best is not None
    c7, first_size = best
    second_size = ((len(larger) + first_size) - (len(smaller) - first_size)) // 2
    for first in shifter_sets(smaller, first_size, smaller_seeks):
        for second in shifter_sets(larger, second_size, larger_seeks):
            new_smaller = [player.id for player in smaller if player not in first] + [p.id for p in second]
            new_larger = (ids_of(larger) - ids_of(second)) | ids_of(first)
            if field.best_across(new_smaller, new_larger, {}) == c7:
                return first, second
    raise AssertionError("no set of shifters yields a legal pairing that is best for C7")


# Article 5: the colours


def colours(tournament: Tournament, one: Entrant, two: Entrant) -> tuple[int, int]:
    """Return the ids of White and Black (5.2)."""
    higher, lower = sorted((one, two), key=lambda player: player.rank)
    higher_colour = colour_of_higher(tournament, higher, lower)
    return (higher.id, lower.id) if higher_colour == "W" else (lower.id, higher.id)


def colour_of_higher(tournament: Tournament, higher: Entrant, lower: Entrant) -> str:
    """Return the colour of the higher ranked player of a pair (5.2.1 to 5.2.5)."""
    opposite = {"W": "B", "B": "W"}
    if higher.colours == "" and lower.colours == "":
        assert tournament.initial_colour is not None
        initial = "W" if tournament.initial_colour is Colour.WHITE else "B"
        return initial if higher.number % 2 == 1 else opposite[initial]
    higher_due, higher_strength = higher.preference
    lower_due, lower_strength = lower.preference
    if higher_due != lower_due:
        return higher_due
    if higher_strength != lower_strength:
        return higher_due if higher_strength > lower_strength else opposite[lower_due]
    for higher_had, lower_had in zip(reversed(higher.colours), reversed(lower.colours), strict=False):
        if higher_had != lower_had:
            return opposite[higher_had]
    return higher_due
