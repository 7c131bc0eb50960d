"""Costs of pairs whose ends are of a few kinds, so that most pairs need not be looked at one by one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from evenboard_engine.matching import Kinds, Start, mask_of, started_by_kind

from .colours import ColourState

# Lexicographic costs as single integers: each place of a list of costs gets a weight.


def weights(most: Sequence[int]) -> list[int]:
    """Return a weight for each place, so that sums compare as lists of sums do. most: the largest sum of each place."""
    found = []
    weight = 1
    for bound in reversed(most):
        found.append(weight)
        weight *= bound + 1
    return found[::-1]


Edge = tuple[int, int, int]


class VertexKind(NamedTuple):
    """A kind of vertices: points, colours, side of the group, and whether sizes are plain differences of ratings.

    team, club: if many vertices have it and their pairs cost something or are not allowed; else "".
    floats: natural floaters, whose sizes are measured in another way (4.4).
    """

    level: int
    state: ColourState
    upper: bool
    is_sized: bool
    team: str = ""
    club: str = ""
    floats: bool = False


class Dear(NamedTuple):
    """A vertex with its price, less what it adds of its own, and the ratings that sizes are differences of."""

    worth: int
    v: int
    rating: int
    natural: int


FLAT, SIZED, OTHER = range(3)
NEAREST = 24
"""How many edges of each vertex the search begins with at most, those apart that other vertices ask for."""


def large_codes(codes: Iterable[str]) -> frozenset[str]:
    """Return the codes that more than a quarter of the vertices have: at most three."""
    times = Counter(codes)
    return frozenset(code for code, count in times.items() if code and 4 * count > times.total())


class KindedCosts(ABC):
    """A graph for `cheapest_of_many`. Vertices are numbered in order of rank.

    rows: the edges as masks. kind: of each vertex. members: the vertices of each kind, in order. floor: the least cost
    between two kinds; None if no pair of these kinds is allowed. A pair costs this floor, what `more` says for it, and
    what `special_cost` says, if `has_special`.
    mode: what `more` is between two kinds. FLAT: nothing. SIZED: the smaller of two differences of ratings, in units,
    apart from limits. OTHER: anything that is not below the floor.
    rating, natural: of each vertex, its rating and that of its natural opponent.
    low, high: the limits of sizes. over_low, over_high: what a pair costs more over one limit, and over both.
    interchange: the part of the floor that counts a pair of one side only up to the low limit. unit: the cost of
    one point of rating.
    """

    rating: Sequence[int]
    natural: Sequence[int]
    low: int
    high: int
    over_low: int
    over_high: int
    interchange: int
    unit: int
    has_special: bool

    def __init__(self, kinds: Sequence[VertexKind], rows: Sequence[int]) -> None:
        self.size = len(kinds)
        self.rows = rows
        names: dict[VertexKind, int] = {}
        self.kind = [names.setdefault(kind, len(names)) for kind in kinds]
        self.members: list[list[int]] = [[] for _ in names]
        for v, kind in enumerate(self.kind):
            self.members[kind].append(v)
        self.names = list(names)
        masks = [mask_of(members) for members in self.members]
        self.floor: list[list[int | None]] = []
        for one, members in zip(self.names, self.members, strict=True):
            reach = 0
            for v in members:
                reach |= rows[v]
            self.floor.append(
                [
                    self.least(one, other) if reach & mask else None
                    for other, mask in zip(self.names, masks, strict=True)
                ]
            )
        self.mode = [[self.mode_of(one, other) for other in self.names] for one in self.names]

    @abstractmethod
    def least(self, one: VertexKind, other: VertexKind) -> int | None:
        """Return a bound below the costs of all pairs of two kinds; None if there are none."""

    @abstractmethod
    def mode_of(self, one: VertexKind, other: VertexKind) -> int:
        """Return FLAT, SIZED or OTHER."""

    @abstractmethod
    def more(self, v: int, w: int) -> int:
        """Return what a pair costs above the floor, v before w, without `special_cost`, between kinds of mode OTHER."""

    @abstractmethod
    def special_cost(self, v: int, w: int) -> int:
        """Return what a pair costs that its kinds do not tell."""

    @abstractmethod
    def likely(self, v: int) -> Iterable[tuple[int, int, int]]:
        """Return where good opponents of v are: a kind, the vertex that they are near to, and how many to take."""

    def also_likely(self) -> Iterable[tuple[int, int]]:
        """Return more pairs that the search begins with."""
        return ()

    def is_same_side(self, kind: int, other: int) -> bool:
        """Return whether players of two kinds are on one side of a group."""
        return self.names[kind].upper == self.names[other].upper

    def cost(self, v: int, w: int) -> int | None:
        """Return the cost of a pair, v before w; None if it is not allowed."""
        kind, other = self.kind[v], self.kind[w]
        cost = self.floor[kind][other]
        if cost is None or not self.rows[v] >> w & 1:
            return None
        mode = self.mode[kind][other]
        if mode == SIZED:
            size = min(abs(self.rating[w] - self.natural[v]), abs(self.rating[v] - self.natural[w]))
            cost += self.cost_of_size(size, same_side=self.is_same_side(kind, other))
        elif mode == OTHER:
            cost += self.more(v, w)
        return cost + self.special_cost(v, w) if self.has_special else cost

    def cost_of_size(self, size: int, *, same_side: bool) -> int:
        """Return what the size of a pair of one group adds to the floor."""
        if size <= self.low:
            return self.unit * size
        cost = self.unit * size + (self.over_high if size > self.high else self.over_low)
        return cost - self.interchange if same_side else cost

    def own(self, _kind: int, _other: int) -> Sequence[int] | None:
        """Return what each vertex of a kind adds to the floor of its pairs with another kind, at least; None: 0."""
        return None

    def across(self, _v: int, _other: int) -> tuple[Sequence[int], int] | None:
        """Return what the pairs of v with the vertices of another level cost above the floor, and its first vertex.

        None if the other kind has the level of v. v is of the higher level.
        """
        return None

    def start(self) -> Start | None:
        """Return likely edges, and the answer for the floors alone: a matching of all vertices, and prices."""
        floors = [[floor or 0 for floor in row] for row in self.floor]
        started = started_by_kind(Kinds(self.rows, self.kind, floors, [0] * len(floors)))
        if started is None:
            return None
        mate, prices = started
        edges: list[dict[int, int]] = [{} for _ in range(self.size)]
        for v in range(self.size):
            for kind, near, count in self.likely(v):
                if self.floor[self.kind[v]][kind] is None:
                    continue
                members = self.members[kind]
                at = bisect_left(members, near)
                for w in members[max(0, at - count) : at + count]:
                    self._join(edges, v, w)
        edges = _nearest(edges, prices)
        for v, w in (*self.also_likely(), *enumerate(mate)):
            self._join(edges, v, w)
        return Start(edges, prices)

    def _join(self, rows: Sequence[dict[int, int]], v: int, w: int) -> None:
        if v != w and w not in rows[v]:
            cost = self.cost(min(v, w), max(v, w))
            if cost is not None:
                rows[v][w] = rows[w][v] = cost

    def alike(self) -> Iterator[tuple[int, int, int]]:
        """Yield two kinds, the lower one first, all of whose edges have one cost, and this cost."""
        if not self.has_special:
            for kind, row in enumerate(self.floor):
                for other in range(kind, len(row)):
                    floor = row[other]
                    if floor is not None and self.mode[kind][other] == FLAT:
                        yield kind, other, floor

    def cheaper(self, prices: Sequence[int]) -> Iterator[Edge]:
        dearest: dict[tuple[int, int], list[Dear]] = {}
        for kind, row in enumerate(self.floor):
            for other in range(kind, len(row)):
                floor = row[other]
                if floor is None or (self.mode[kind][other] == FLAT and not self.has_special):
                    continue
                mine, theirs = (
                    dearest.get((one, self.names[two].level))
                    or dearest.setdefault((one, self.names[two].level), self._dearest(prices, one, two))
                    for one, two in ((kind, other), (other, kind))
                )
                if self.mode[kind][other] == SIZED:
                    found = self._near(mine, theirs, floor, kind, other)
                else:
                    found = self._possible(prices, mine, theirs, floor, kind, other)
                rows = self.rows
                for v, w, cost in found:
                    if rows[v] >> w & 1:
                        if self.has_special:
                            cost += self.special_cost(v, w)
                            if 2 * cost > prices[v] + prices[w]:
                                continue
                        yield (v, w, cost) if v < w else (w, v, cost)

    def _dearest(self, prices: Sequence[int], kind: int, other: int) -> list[Dear]:
        """Return the vertices of a kind, the dearest first, for pairs with a kind of this or of another level."""
        members = self.members[kind]
        own = self.own(kind, other) or [0] * len(members)
        return sorted(
            (
                Dear(prices[v] - 2 * more, v, self.rating[v], self.natural[v])
                for v, more in zip(members, own, strict=True)
            ),
            reverse=True,
        )

    def _near(
        self, mine: Sequence[Dear], theirs: Sequence[Dear], floor: int, kind: int, other: int
    ) -> list[Edge]:
        low, high, unit = self.low, self.high, self.unit
        same = kind == other
        less = self.interchange if self.is_same_side(kind, other) else 0
        over_low, over_high = self.over_low - less, self.over_high - less
        found = []
        top = theirs[0].worth
        least = 2 * floor
        for at, (price, v, my_rating, my_natural) in enumerate(mine):
            need = least - price
            if top < need:
                break
            for their_price, w, their_rating, their_natural in theirs[at + 1 :] if same else theirs:
                left = their_price - need
                if left < 0:
                    break
                size = abs(their_rating - my_natural)
                other_size = abs(my_rating - their_natural)
                if other_size < size:
                    size = other_size
                more = unit * size
                if size > low:
                    more += over_high if size > high else over_low
                if 2 * more <= left:
                    found.append((v, w, floor + more))
        return found

    def _possible(
        self,
        prices: Sequence[int],
        mine: Sequence[Dear],
        theirs: Sequence[Dear],
        floor: int,
        kind: int,
        other: int,
    ) -> list[Edge]:
        found = []
        is_flat = self.mode[kind][other] == FLAT
        top = theirs[0].worth
        for at, (price, v, _, _) in enumerate(mine):
            need = 2 * floor - price
            if top < need:
                break
            others = theirs[at + 1 :] if kind == other else theirs
            across = self.across(v, other)
            if across is not None:
                row, start = across
                left = prices[v] - 2 * floor
                for their_price, w, _, _ in others:
                    if their_price < need:
                        break
                    if 2 * row[w - start] <= left + prices[w]:
                        found.append((v, w, floor + row[w - start]))
                continue
            for their_price, w, _, _ in others:
                if their_price < need:
                    break
                cost = floor if is_flat else floor + self.more(*((v, w) if v < w else (w, v)))
                if 2 * cost <= prices[v] + prices[w]:
                    found.append((v, w, cost))
        return found


def _nearest(edges: Sequence[dict[int, int]], prices: Sequence[int]) -> list[dict[int, int]]:
    """Return, of these edges, those that for one of their ends are among the nearest to being tight."""
    kept: list[dict[int, int]] = [{} for _ in edges]
    for v, row in enumerate(edges):
        slacks = sorted((2 * cost - prices[w], w) for w, cost in row.items())
        for _, w in slacks[:NEAREST]:
            kept[v][w] = kept[w][v] = row[w]
    return kept
