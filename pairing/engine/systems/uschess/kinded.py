"""Costs of pairs whose ends are of a few kinds, so that most pairs need not be looked at one by one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from .colours import ColourState

Edge = tuple[int, int, int]


class SizeLimits(NamedTuple):
    """What a pair costs more if its size is over a limit. over_high: over both."""

    low: int
    high: int
    over_low: int
    over_high: int


class Kind(NamedTuple):
    """A kind of vertices: points, colours, side of the group, and whether sizes are plain differences of ratings.

    team, club: if many vertices have it and their pairs cost something or are not allowed; else "".
    """

    level: int
    state: ColourState
    upper: bool
    is_sized: bool
    team: str = ""
    club: str = ""


def large_codes(codes: Iterable[str]) -> frozenset[str]:
    """Return the codes that more than a quarter of the vertices have: at most three."""
    times = Counter(codes)
    return frozenset(code for code, count in times.items() if code and 4 * count > times.total())


class KindedCosts(ABC):
    """A graph for `cheapest_of_many`. Vertices are numbered in order of rank.

    kind: of each vertex. members: the vertices of each kind, in order. floor: the least cost between two kinds; None if
    no pair of these kinds is allowed.
    rating, natural: of each vertex, its rating and that of its natural opponent. The size of a pair of sized kinds, if
    neither adds anything of its own, is the smaller of the two differences of these ratings; its cost is the floor and
    this size in units, apart from limits and mates.
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

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self.size = len(kinds)
        names: dict[Kind, int] = {}
        self.kind = [names.setdefault(kind, len(names)) for kind in kinds]
        self.members: list[list[int]] = [[] for _ in names]
        for v, kind in enumerate(self.kind):
            self.members[kind].append(v)
        self.floor: list[list[int | None]] = [[self.least(one, other) for other in names] for one in names]
        self.is_sized = [name.is_sized for name in names]
        self.names = list(names)

    @abstractmethod
    def least(self, one: Kind, other: Kind) -> int | None:
        """Return a bound below the costs of all pairs of two kinds; None if there are none."""

    @abstractmethod
    def cost(self, v: int, w: int) -> int | None:
        """Return the cost of a pair, v before w; None if it is not allowed."""

    @abstractmethod
    def likely(self, v: int) -> Iterable[tuple[int, int, int]]:
        """Return where good opponents of v are: a kind, the vertex that they are near to, and how many to take."""

    def is_same_side(self, kind: int, other: int) -> bool:
        """Return whether players of two kinds are on one side of a group."""
        return self.names[kind].upper == self.names[other].upper

    def sized_cost(self, v: int, w: int) -> int:
        """Return the cost of a pair of sized kinds, without mates."""
        kind, other = self.kind[v], self.kind[w]
        cost = self.floor[kind][other]
        assert cost is not None
        return self.with_size(
            cost,
            min(abs(self.rating[w] - self.natural[v]), abs(self.rating[v] - self.natural[w])),
            same_side=self.is_same_side(kind, other),
        )

    def with_size(self, floor: int, size: int, *, same_side: bool) -> int:
        """Return the floor of a pair with what its size adds."""
        if size <= self.low:
            return floor + self.unit * size
        if same_side:
            floor -= self.interchange
        return floor + self.unit * size + (self.over_high if size > self.high else self.over_low)

    def own(self, _kind: int, _other: int) -> Sequence[int] | None:
        """Return what each vertex of a kind adds to the floor of its pairs with another kind, at least; None: 0."""
        return None

    def first(self) -> list[dict[int, int]]:
        rows: list[dict[int, int]] = [{} for _ in range(self.size)]
        for v in range(self.size):
            for kind, near, count in self.likely(v):
                if self.floor[self.kind[v]][kind] is None:
                    continue
                members = self.members[kind]
                at = bisect_left(members, near)
                for w in members[max(0, at - count) : at + count]:
                    self._join(rows, v, w)
        return rows

    def all(self) -> list[dict[int, int]]:
        rows: list[dict[int, int]] = [{} for _ in range(self.size)]
        for v in range(self.size):
            for w in range(v + 1, self.size):
                if self.floor[self.kind[v]][self.kind[w]] is not None:
                    self._join(rows, v, w)
        return rows

    def _join(self, rows: Sequence[dict[int, int]], v: int, w: int) -> None:
        if v != w and w not in rows[v]:
            cost = self.cost(min(v, w), max(v, w))
            if cost is not None:
                rows[v][w] = rows[w][v] = cost

    def cheaper(self, prices: Sequence[int]) -> Iterator[Edge]:
        for kind in range(len(self.members)):
            for other in range(kind, len(self.members)):
                floor = self.floor[kind][other]
                if floor is not None:
                    yield from self._between(prices, kind, other, 2 * floor)

    def _between(self, prices: Sequence[int], kind: int, other: int, least: int) -> Iterator[Edge]:
        mine, theirs = self._dearest(prices, kind, other), self._dearest(prices, other, kind)
        if self.is_sized[kind] and self.is_sized[other] and self.own(kind, other) is None:
            same_side = self.is_same_side(kind, other)
            limits = SizeLimits(
                low=self.low,
                high=self.high,
                over_low=self.over_low - (self.interchange if same_side else 0),
                over_high=self.over_high - (self.interchange if same_side else 0),
            )
            candidates = self._near(mine, theirs, least, limits, same=kind == other)
        else:
            candidates = _possible(mine, theirs, least, same=kind == other)
        cost_of = self.cost
        for v, w in candidates:
            one, two = (v, w) if v < w else (w, v)
            cost = cost_of(one, two)
            if cost is not None and 2 * cost <= prices[v] + prices[w]:
                yield one, two, cost

    def _dearest(self, prices: Sequence[int], kind: int, other: int) -> list[tuple[int, int]]:
        """Return the prices, less what each adds of its own, with the vertices of a kind; the highest first."""
        own = self.own(kind, other)
        if own is None:
            return sorted(((prices[v], v) for v in self.members[kind]), reverse=True)
        return sorted(
            ((prices[v] - 2 * more, v) for v, more in zip(self.members[kind], own, strict=True)), reverse=True
        )

    def _near(
        self,
        mine: Sequence[tuple[int, int]],
        theirs: Sequence[tuple[int, int]],
        least: int,
        limits: SizeLimits,
        *,
        same: bool,
    ) -> list[tuple[int, int]]:
        rating, natural = self.rating, self.natural
        low, high, over_low, over_high = limits
        unit = 2 * self.unit
        found = []
        others = [(price, w, rating[w], natural[w]) for price, w in theirs]
        top = others[0][0]
        for at, (price, v) in enumerate(mine):
            need = least - price
            if top < need:
                break
            my_rating, my_natural = rating[v], natural[v]
            for their_price, w, their_rating, their_natural in others[at + 1 :] if same else others:
                left = their_price - need
                if left < 0:
                    break
                size = abs(their_rating - my_natural)
                other_size = abs(my_rating - their_natural)
                if other_size < size:
                    size = other_size
                if size > low:
                    left -= 2 * (over_high if size > high else over_low)
                if unit * size <= left:
                    found.append((v, w))
        return found


def _possible(
    mine: Sequence[tuple[int, int]], theirs: Sequence[tuple[int, int]], least: int, *, same: bool
) -> list[tuple[int, int]]:
    found = []
    top = theirs[0][0]
    for at, (price, v) in enumerate(mine):
        need = least - price
        if top < need:
            break
        for their_price, w in theirs[at + 1 :] if same else theirs:
            if their_price < need:
                break
            found.append((v, w))
    return found
