"""Costs of pairs whose ends are of a few kinds, so that most pairs need not be looked at one by one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Hashable, Iterable, Iterator, Sequence

NEAR = 3


class KindedCosts(ABC):
    """A graph for `cheapest_of_many`. Vertices are numbered in order of rank.

    members: the vertices of each kind, in this order. floor: the least cost between two kinds; None if no pair of these
    kinds is allowed.
    """

    def __init__(self, kinds: Sequence[Hashable]) -> None:
        self.size = len(kinds)
        names: dict[Hashable, int] = {}
        self.kind = [names.setdefault(kind, len(names)) for kind in kinds]
        self.members: list[list[int]] = [[] for _ in names]
        for v, kind in enumerate(self.kind):
            self.members[kind].append(v)
        self.floor: list[list[int | None]] = [
            [self.least(one, other) for other in names] for one in names
        ]

    @abstractmethod
    def least(self, one: Hashable, other: Hashable) -> int | None:
        """Return a bound below the costs of all pairs of two kinds; None if there are none."""

    @abstractmethod
    def cost(self, v: int, w: int) -> int | None:
        """Return the cost of a pair, v before w; None if it is not allowed."""

    @abstractmethod
    def likely(self, v: int) -> Iterable[int]:
        """Return vertices near which the best opponents of v are."""

    def first(self) -> list[dict[int, int]]:
        rows: list[dict[int, int]] = [{} for _ in range(self.size)]
        for v in range(self.size):
            for near in self.likely(v):
                for kind, members in enumerate(self.members):
                    if self.floor[self.kind[v]][kind] is None:
                        continue
                    at = bisect_left(members, near)
                    for w in members[max(0, at - NEAR) : at + NEAR]:
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

    def cheaper(self, prices: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        dearest = [sorted(members, key=lambda v: -prices[v]) for members in self.members]
        for kind, members in enumerate(dearest):
            for other in range(kind, len(dearest)):
                floor = self.floor[kind][other]
                if floor is not None:
                    yield from self._between(prices, members, dearest[other], 2 * floor, kind == other)

    def _between(
        self, prices: Sequence[int], members: list[int], others: list[int], least: int, same: bool
    ) -> Iterator[tuple[int, int, int]]:
        cost_of = self.cost
        top = prices[others[0]]
        for at, v in enumerate(members):
            price = prices[v]
            need = least - price
            if top < need:
                break
            for w in others[at + 1 :] if same else others:
                if prices[w] < need:
                    break
                one, two = (v, w) if v < w else (w, v)
                cost = cost_of(one, two)
                if cost is not None and 2 * cost <= price + prices[w]:
                    yield one, two, cost
