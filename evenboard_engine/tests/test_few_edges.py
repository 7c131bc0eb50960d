"""Cheapest perfect matchings that begin with few edges, and the choice among all cheapest ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from evenboard_engine.matching import Chooser, Start, cheapest_of_many, mask_of
from evenboard_engine.tests.seeds import for_seeds

Edges = list[dict[int, int]]
Alike = dict[tuple[int, int], int]


class Graph:
    """Edges with costs; the search begins with a few of them.

    kind: of each vertex. alike_cost: the cost of all edges between two kinds, the lower one first, where it is one.
    """

    def __init__(
        self, edges: Edges, begin: Edges, kind: Sequence[int] = (), alike_cost: Alike | None = None
    ) -> None:
        self.size, self.edges, self.begin = len(edges), edges, begin
        self.rows = [mask_of(row) for row in edges]
        self.kind = kind or [0] * self.size
        self.alike_cost = alike_cost or {}
        self.members = [[v for v, one in enumerate(self.kind) if one == kind] for kind in range(3)]

    def start(self) -> Start | None:
        return Start([row.copy() for row in self.begin])

    def cheaper(self, prices: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        for v, row in enumerate(self.edges):
            for w, cost in row.items():
                one, other = sorted((self.kind[v], self.kind[w]))
                if v < w and (one, other) not in self.alike_cost and 2 * cost <= prices[v] + prices[w]:
                    yield v, w, cost

    def alike(self) -> Iterator[tuple[int, int, int]]:
        for (one, other), cost in self.alike_cost.items():
            yield one, other, cost


def graph_of(rng: Random) -> Graph:
    """Return a graph whose costs make odd sets: cliques of odd size that are dear to leave."""
    sizes = rng.choice(((3, 3), (5, 3), (3, 5, 2), (3, 3, 4), (5, 5), (3, 3, 3, 3)))
    part = [number for number, size in enumerate(sizes) for _ in range(size)]
    count = len(part)
    kind = [rng.randrange(3) for _ in part]
    alike = {
        (one, other): rng.randrange(4)
        for one, other in ((0, 0), (0, 1), (1, 1), (1, 2))
        if rng.random() < 0.3
    }
    edges: Edges = [{} for _ in range(count)]
    begin: Edges = [{} for _ in range(count)]
    for v in range(count):
        for w in range(v + 1, count):
            if rng.random() < 0.85:
                cost = rng.randrange(3) + (0 if part[v] == part[w] else 6)
                one, other = sorted((kind[v], kind[w]))
                edges[v][w] = edges[w][v] = alike.get((one, other), cost)
                if rng.random() < 0.4:
                    begin[v][w] = begin[w][v] = edges[v][w]
    return Graph(edges, begin, kind, alike)


def matchings(edges: Edges, left: tuple[int, ...]) -> Iterator[tuple[int, dict[int, int]]]:
    if not left:
        yield 0, {}
        return
    v, *others = left
    for w in others:
        if w in edges[v]:
            for cost, mate in matchings(edges, tuple(one for one in others if one != w)):
                yield cost + edges[v][w], {**mate, v: w, w: v}


@for_seeds(300, in_a_case=300)
def test_answer_is_the_cheapest_and_each_choice_is_possible(seed: int) -> None:
    rng = Random(seed)
    graph = graph_of(rng)
    found = list(matchings(graph.edges, tuple(range(graph.size))))
    for v, w in found[0][1].items() if found else ():
        graph.begin[v][w] = graph.edges[v][w]
    best = cheapest_of_many(graph)
    if best is None:
        assert not found
        return
    least = min(cost for cost, _ in found)
    assert best.cost == least
    left = [mate for cost, mate in found if cost == least]
    chooser = Chooser(best)
    for v in rng.sample(range(graph.size), graph.size):
        for w in rng.sample(range(graph.size), graph.size):
            possible = [mate for mate in left if mate[v] == w]
            assert chooser.keeps(v, 1 << w) == bool(possible)
            if possible:
                left = possible
                break
    assert len(left) == 1


def test_there_is_no_answer_if_three_have_the_same_only_partner() -> None:
    edges: Edges = [{1: 0, 2: 0, 3: 0}, {0: 0}, {0: 0}, {0: 0}]
    assert cheapest_of_many(Graph(edges, [{1: 0}, {0: 0}, {}, {}])) is None


class NoStart(Graph):
    """A graph that knows before any search that it has no perfect matching."""

    def start(self) -> Start | None:
        return None


def test_a_graph_without_a_perfect_matching_needs_no_search() -> None:
    assert cheapest_of_many(NoStart([{1: 1}, {0: 1}, {}], [{1: 1}, {0: 1}, {}])) is None
