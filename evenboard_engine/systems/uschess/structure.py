"""How many pairs there are between any two scoregroups (docs/uschess.md, 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from evenboard_engine.matching import Cheapest, Kinds, Start, cheapest_by_kind, cheapest_of_many, mask_of

from .costs_by_kind import weights
from .field import UsChessField, can_pair, compressed, expanded
from .floaters import Blocks
from .options import MateRule

Gap = tuple[int, int]
"""Points of the higher and of the lower group, in tenths."""


class Spent(NamedTuple):
    """What pairs cost in places 1 to 4 of section 3: drops over the limit, repeated meetings, mates kept apart."""

    far: int
    rematches: int
    teams: int
    clubs: int


NOTHING = Spent(0, 0, 0, 0)


def spent_on(field: UsChessField, pairs: Iterable[tuple[int, int]]) -> Spent:
    """Return what these pairs of places cost in places 1 to 4."""
    settings = field.settings
    far = rematches = teams = clubs = 0
    for one, other in pairs:
        drop = abs(field.points[one] - field.points[other])
        far += settings.max_drop is not None and drop > settings.max_drop
        rematches += field.met[one].get(other, 0)
        teams += settings.team_rule is MateRule.DONT and field.are_teammates(one, other)
        clubs += settings.club_rule is MateRule.DONT and field.are_clubmates(one, other)
    return Spent(far, rematches, teams, clubs)


@dataclass(frozen=True, slots=True)
class Structure:
    """The pairings of least cost by section 3: those on `edges` with exactly one edge out of each odd set.

    pairs_between: the x of the document, for gaps with a pair. edges: masks by place. odd_sets: masks of places; None
    if the edges inside groups and exactly `pairs_between` pairs across gaps describe the pairings.
    spent: what these pairings cost in places 1 to 4.
    """

    pairs_between: Mapping[Gap, int]
    edges: Sequence[int]
    odd_sets: tuple[int, ...] | None
    spent: Spent

    @property
    def is_free(self) -> bool:
        """Return whether the pairings cost nothing in places 1 to 4."""
        return not any(self.spent)

    def chains(self, levels: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the chains of groups that are joined by pairs, each as levels from the highest (4.8)."""
        joined: dict[int, list[int]] = {level: [level] for level in levels}
        for one, other in self.pairs_between:
            if joined[one] is not joined[other]:
                joined[one] += joined[other]
                for level in joined[other]:
                    joined[level] = joined[one]
        for level in levels:
            if level == max(joined[level]):
                yield tuple(sorted(joined[level], reverse=True))


def structure(field: UsChessField, people: Sequence[int]) -> Structure | None:
    """Return the structure of an even number of places; None if they cannot be paired."""
    groups = field.levels(people)
    edges = _free_edges(field, people, groups)
    return (
        _by_parity(field, groups, edges)
        or _by_kind(field, groups, edges)
        or _with_mates(field, groups, people)
        or _by_pair(field, people)
    )


def _free_edges(field: UsChessField, people: Sequence[int], groups: Mapping[int, Sequence[int]]) -> list[int]:
    """Return the edges that cost nothing in places 1 to 4, as masks by place."""
    return _edges_apart_from(field, people, groups, field.kept_apart)


def _edges_apart_from(
    field: UsChessField, people: Sequence[int], groups: Mapping[int, Sequence[int]], apart: Sequence[int]
) -> list[int]:
    """Return the edges of drops within the limit, without those of these masks, as masks by place."""
    present = mask_of(people)
    edges = [0] * len(field.entrants)
    most = field.settings.max_drop
    near = dict.fromkeys(groups, present)
    if most is not None:
        for level in groups:
            near[level] = mask_of(place for place in people if abs(level - field.points[place]) <= most)
    for place in people:
        allowed = near[field.points[place]]
        edges[place] = allowed & ~apart[place] & ~(1 << place)
    return edges


def _by_parity(
    field: UsChessField, groups: Mapping[int, Sequence[int]], edges: Sequence[int]
) -> Structure | None:
    """Try one pair across each gap below an odd number of players, with the natural floaters (section 8, 1)."""
    levels = list(groups)
    between: dict[Gap, int] = {}
    above = 0
    for high, low in pairwise(levels):
        above += len(groups[high])
        if above % 2:
            between[high, low] = 1
    blocks = Blocks(field, groups, between)
    floating = 0
    for gap in between:
        (one,), (other,) = blocks.dropped[gap], blocks.raised[gap]
        if not edges[one] >> other & 1:
            return None
        floating |= 1 << one | 1 << other
    inside = [0] * len(field.entrants)
    for level, group in groups.items():
        mask = mask_of(group)
        if not can_pair([place for place in group if not floating >> place & 1], edges):
            return None
        around = mask
        for high, low in between:
            if level in (high, low):
                around |= mask_of(groups[low if level == high else high])
        for place in group:
            inside[place] = edges[place] & around
    return Structure(between, inside, None, NOTHING)


def _by_kind(
    field: UsChessField,
    groups: Mapping[int, Sequence[int]],
    edges: Sequence[int],
    mates: Mapping[int, tuple[str, str]] | None = None,
) -> Structure | None:
    """Find the structure by one matching in which groups give the costs; None if these edges have no pairing.

    edges: pairs that cost nothing in places 1 to 4. mates: the team and the club of each place, if `edges` also have
    pairs of mates; then these codes give costs too.
    """
    levels = list(groups)
    people = [place for group in groups.values() for place in group]
    rows = compressed(people, [edges[place] for place in people])
    codes = [(field.points[place], *(mates[place] if mates else ("", ""))) for place in people]
    kinds = sorted(set(codes), reverse=True)
    number_of = {code: kind for kind, code in enumerate(kinds)}
    drop = _drop_costs(levels, len(people))
    pairs = len(people) // 2
    of_team, of_club, of_drop = weights([pairs, pairs, pairs * max(drop.values())])
    cost = [
        [
            of_drop * drop[level, other]
            + of_team * (team == other_team != "")
            + of_club * (club == other_club != "")
            for other, other_team, other_club in kinds
        ]
        for level, team, club in kinds
    ]
    kind = [number_of[code] for code in codes]
    best = cheapest_by_kind(Kinds(rows, kind, cost, [0] * len(kinds)))
    if best is None:
        return None
    return _described(field, people, best)


def _with_mates(
    field: UsChessField, groups: Mapping[int, Sequence[int]], people: Sequence[int]
) -> Structure | None:
    """Find the structure where mates must meet, but no game must be repeated; None if this is not so.

    Places 1 and 2 then cost nothing in the best pairings, so the others are those of least cost in places 3 to 7.
    """
    settings = field.settings
    if MateRule.DONT not in (settings.team_rule, settings.club_rule):
        return None
    teams, clubs = (
        _shared(codes) if rule is MateRule.DONT else [""] * len(codes)
        for rule, codes in ((settings.team_rule, field.team), (settings.club_rule, field.club))
    )
    met = [never | mask_of(met) for never, met in zip(field.never, field.met, strict=True)]
    edges = _edges_apart_from(field, people, groups, met)
    return _by_kind(field, groups, edges, dict(enumerate(zip(teams, clubs, strict=True))))


def _shared(codes: Sequence[str]) -> list[str]:
    """Return the codes of more than one player; "" for the others, who have no mates."""
    times = Counter(codes)
    return [code if times[code] > 1 else "" for code in codes]


def _by_pair(field: UsChessField, people: Sequence[int]) -> Structure | None:
    """Find the structure with all places of section 3; None if there is no pairing at all."""
    pairs = _AllPairs(field, people)
    best = cheapest_of_many(pairs)
    if best is None:
        return None
    return _described(field, people, best)


def _described(field: UsChessField, people: Sequence[int], best: Cheapest) -> Structure:
    between: dict[Gap, int] = {}
    edges = [0] * len(field.entrants)
    for place, row in zip(people, expanded(people, best.edges), strict=True):
        edges[place] = row
    for v, w in enumerate(best.mate):
        one, other = people[v], people[w]
        if field.points[one] > field.points[other]:
            gap = field.points[one], field.points[other]
            between[gap] = between.get(gap, 0) + 1
    pairs = [(people[v], people[w]) for v, w in enumerate(best.mate) if v < w]
    return Structure(between, edges, tuple(expanded(people, best.odd_sets)), spent_on(field, pairs))


def _drop_costs(levels: Sequence[int], count: int) -> dict[Gap, int]:
    """Return places 5 to 7 as one integer, by the levels of a pair. levels: from the highest. count: of players."""
    sizes = sorted({high - low for high in levels for low in levels if high > low}, reverse=True)
    drops = [(high, size) for high in levels for size in sizes if high - size in levels]
    pairs = count // 2
    of_points, *others = weights(
        [pairs * (levels[0] - levels[-1]), *(pairs for _ in sizes), *(pairs for _ in drops)]
    )
    of_size = dict(zip(sizes, others, strict=False))
    of_drop = dict(zip(drops, others[len(sizes) :], strict=True))
    costs = {(level, level): 0 for level in levels}
    for high, size in drops:
        cost = size * of_points + of_size[size] + of_drop[high, size]
        costs[high, high - size] = costs[high - size, high] = cost
    return costs


class _AllPairs:
    """The costs of section 3 for every pair. Vertices are indices of `people`."""

    def __init__(self, field: UsChessField, people: Sequence[int]) -> None:
        self.size = len(people)
        self._field, self._people = field, people
        self._levels = [field.points[place] for place in people]
        self._drop = _drop_costs(list(field.levels(people)), self.size)
        pairs = self.size // 2
        met = max((times for row in field.met for times in row.values()), default=0)
        self._weights = weights([pairs, pairs * met, pairs, pairs, pairs * max(self._drop.values())])
        self._rows = [
            {
                w: self._cost(v, w)
                for w, other in enumerate(people)
                if w != v and not field.never[one] >> other & 1
            }
            for v, one in enumerate(people)
        ]
        self.rows = [mask_of(row) for row in self._rows]
        self.members: tuple[Sequence[int], ...] = ()

    def _cost(self, v: int, w: int) -> int:
        places = (
            *spent_on(self._field, [(self._people[v], self._people[w])]),
            self._drop[self._levels[v], self._levels[w]],
        )
        return sum(weight * place for weight, place in zip(self._weights, places, strict=True))

    def start(self) -> Start:
        return Start(self._rows)

    def cheaper(self, prices: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        for v, row in enumerate(self._rows):
            for w, cost in row.items():
                if v < w and 2 * cost <= prices[v] + prices[w]:
                    yield v, w, cost

    def alike(self) -> Iterator[tuple[int, int, int]]:
        return iter(())
