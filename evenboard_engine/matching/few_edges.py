"""Find a cheapest perfect matching of a graph with so many edges that their costs are not all written down.

The search begins with few edges. The prices of its answer then tell which of the other edges could make it cheaper;
these are added, until there is none. So the answer is the cheapest of all. Source: G. B. Dantzig and P. Wolfe,
Decomposition principle for linear programs (1960).
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from .cardinality import bits, mask_of
from .cheapest import Priced, cheapest_with_prices
from .kinds import Cheapest
from .nested import NestedMatching
from .proof import prove_cheapest

ADDED_AT_ONCE = 8
Edge = tuple[int, int, int]


class Start(NamedTuple):
    """Edges, symmetric: the cost by the other end, for each vertex. They have a perfect matching if all edges have one.

    prices: feasible for these edges; None for zeros.
    """

    edges: list[dict[int, int]]
    prices: list[int] | None = None


class Costs(Protocol):
    """A graph with costs of edges. Vertices are numbered from 0.

    rows: all edges as masks. members: the vertices of each kind, in any order; kinds matter for `alike` alone.
    """

    size: int

    @property
    def rows(self) -> Sequence[int]: ...

    @property
    def members(self) -> Sequence[Sequence[int]]: ...

    def start(self) -> Start | None:
        """Return what the search begins with; None if there is no perfect matching."""

    def cheaper(self, prices: Sequence[int]) -> Iterator[Edge]:
        """Yield all edges whose cost, counted twice, is at most the prices of both ends: lower end, other end, cost.

        Those between the kinds of `alike` are left out.
        """

    def alike(self) -> Iterator[tuple[int, int, int]]:
        """Yield two kinds, which may be the same, all of whose edges have one cost, and this cost; each two once."""


def cheapest_of_many(graph: Costs) -> Cheapest | None:
    """Return a perfect matching of minimum cost and a description of all of them; None if there is none.

    Raises InternalError if the proof of the answer fails: no edge at all is cheaper than its prices, and the edges that
    the search ended with give a dual solution of the same value.
    """
    start = graph.start()
    if start is None:
        return None
    costs, prices = start
    while True:
        priced = cheapest_with_prices(costs, prices=prices)
        if priced is None:
            return None
        tight, missing = _judged(graph, priced)
        if not missing:
            prove_cheapest(costs, priced.mate, priced.prices, priced.odd_sets, ())
            total = sum(costs[v][w] for v, w in enumerate(priced.mate)) // 2
            return Cheapest(
                priced.mate, tight, tuple(mask_of(vertices) for _, vertices in priced.odd_sets), total
            )
        prices = _lowered(priced, missing)
        for _, v, w, cost in missing:
            costs[v][w] = costs[w][v] = cost


def _judged(graph: Costs, priced: Priced) -> tuple[list[int], list[tuple[int, int, int, int]]]:
    """Return masks of the tight edges, and the edges to add: slack, both ends, cost."""
    shared = _Shared(priced)
    tight = [0] * graph.size
    negative: list[list[tuple[int, int, int, int]]] = [[] for _ in tight]
    _judge_one_by_one(graph, priced.prices, shared, tight, negative)
    _judge_alike(graph, priced.prices, shared, tight, negative)
    missing: set[tuple[int, int, int, int]] = set()
    for row in negative:
        missing.update(sorted(row)[:ADDED_AT_ONCE])
    return tight, sorted(missing)


def _judge_one_by_one(
    graph: Costs,
    prices: Sequence[int],
    shared: _Shared,
    tight: list[int],
    negative: list[list[tuple[int, int, int, int]]],
) -> None:
    inner = shared.innermost
    for v, w, cost in graph.cheaper(prices):
        slack = 2 * cost - prices[v] - prices[w]
        if inner[v] >= 0 and inner[w] >= 0:
            slack += 2 * shared.weight(inner[v], inner[w])
        if slack == 0:
            tight[v] |= 1 << w
            tight[w] |= 1 << v
        elif slack < 0:
            for end in (v, w):
                insort(negative[end], (slack, v, w, cost))
                del negative[end][ADDED_AT_ONCE:]


def _judge_alike(
    graph: Costs,
    prices: Sequence[int],
    shared: _Shared,
    tight: list[int],
    negative: list[list[tuple[int, int, int, int]]],
) -> None:
    kinds = _Classes(graph, prices, shared.innermost)
    for kind, other, cost in graph.alike():
        for one, two in {(kind, other), (other, kind)}:
            for v in graph.members[one]:
                mask, cheaper = kinds.judge(v, two, cost, shared)
                tight[v] |= mask
                for slack, w in cheaper:
                    negative[v].append((slack, min(v, w), max(v, w), cost))


class _Classes:
    """The vertices of each kind, as masks by innermost odd set and price, so that edges of one cost need no loop."""

    def __init__(self, graph: Costs, prices: Sequence[int], innermost: Sequence[int]) -> None:
        self._graph, self._prices, self._innermost = graph, prices, innermost
        self._known: dict[int, dict[int, dict[int, int]]] = {}

    def _of(self, kind: int) -> dict[int, dict[int, int]]:
        if kind not in self._known:
            found: dict[int, dict[int, int]] = {}
            for v in self._graph.members[kind]:
                by_price = found.setdefault(self._innermost[v], {})
                by_price[self._prices[v]] = by_price.get(self._prices[v], 0) | 1 << v
            self._known[kind] = found
        return self._known[kind]

    def judge(self, v: int, kind: int, cost: int, shared: _Shared) -> tuple[int, list[tuple[int, int]]]:
        """Return the mask of the tight edges of v to a kind, and the slack and the other end of the cheaper ones."""
        mine, row = self._innermost[v], self._graph.rows[v]
        tight = 0
        cheaper = []
        for odd_set, by_price in self._of(kind).items():
            need = 2 * cost - self._prices[v]
            if mine >= 0 and odd_set >= 0:
                need += 2 * shared.weight(mine, odd_set)
            for price, mask in by_price.items():
                if price == need:
                    tight |= mask & row
                elif price > need:
                    cheaper += [(need - price, w) for w in bits(mask & row)]
        return tight, cheaper


class _Shared:
    """The weight of the odd sets around both ends of an edge. innermost: of each vertex, its smallest set, or -1."""

    def __init__(self, priced: Priced) -> None:
        by_size = sorted(range(len(priced.odd_sets)), key=lambda name: -len(priced.odd_sets[name][1]))
        self.innermost = [-1] * len(priced.prices)
        self._around: dict[int, dict[int, int]] = {}
        for name in by_size:
            weight, vertices = priced.odd_sets[name]
            self._around[name] = {**self._around.get(self.innermost[vertices[0]], {}), name: weight}
            for v in vertices:
                self.innermost[v] = name
        self._known: dict[tuple[int, int], int] = {}

    def weight(self, one: int, other: int) -> int:
        """Return the weight of all sets around two sets, themselves included."""
        if (one, other) not in self._known:
            mine, theirs = self._around[one], self._around[other]
            self._known[one, other] = sum(weight for name, weight in mine.items() if name in theirs)
        return self._known[one, other]


def _lowered(priced: Priced, missing: Sequence[tuple[int, int, int, int]]) -> list[int]:
    """Return prices that are feasible without odd sets, and with the missing edges."""
    prices = priced.prices[:]
    for weight, vertices in priced.odd_sets:
        for v in vertices:
            prices[v] -= weight
    for _, v, w, cost in missing:
        excess = prices[v] + prices[w] - 2 * cost
        if excess > 0:
            prices[v] -= excess
    return prices


class Chooser:
    """Decides which of all cheapest perfect matchings is taken, edge by edge."""

    def __init__(self, best: Cheapest) -> None:
        self.edges = best.edges[:]
        self._matching = NestedMatching(self.edges, best.mate, best.odd_sets)

    def keeps(self, v: int, mask: int) -> bool:
        """Return whether v can be matched with a vertex of the mask, after all that was decided; if so, decide it."""
        former = self.edges[v]
        if not former & mask:
            return False
        removed = former & ~mask
        if not removed:
            return True
        self._set(v, former & mask, removed, present=False)
        if self._matching.repair(v):
            return True
        self._set(v, former, removed, present=True)
        self._matching.repair(v)
        return False

    def _set(self, v: int, row: int, changed: int, *, present: bool) -> None:
        self.edges[v] = row
        bit = 1 << v
        while changed:
            low = changed & -changed
            w = low.bit_length() - 1
            self.edges[w] = self.edges[w] | bit if present else self.edges[w] & ~bit
            changed ^= low
