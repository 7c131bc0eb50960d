"""Find a perfect matching of minimum cost for any costs, and prove that none is cheaper.

Sources: J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices (1965); Z. Galil, Efficient algorithms for
finding maximum matching in graphs (1986). The method is primal-dual, with one exposed vertex at a time. Integers of any
length are used, so that one cost can combine several criteria in lexicographic order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import inf
from typing import NamedTuple

from .cardinality import Matching, bits
from .proof import prove_cheapest

# Find starting prices and a starting matching, so that the search for a cheapest matching has little to do.

Costs = Sequence[Mapping[int, int]]


def tight_graph(costs: Costs, price: Sequence[int]) -> list[int]:
    """Return bit masks of the tight edges: prices of both ends add up to twice the cost."""
    bit = [1 << v for v in range(len(costs))]
    rows = []
    for own, row in zip(price, costs, strict=True):
        mask = 0
        for w, cost in row.items():
            if own + price[w] == 2 * cost:
                mask |= bit[w]
        rows.append(mask)
    return rows


def begin(costs: Costs, price: list[int], optional: Collection[int]) -> list[int]:
    """Raise prices and match along tight edges; return the partners, -1 for none. The prices stay feasible.

    The prices of unmatched vertices that must be matched are raised first all together, then one by one.
    """
    matching = Matching(tight_graph(costs, price))
    matching.maximise()
    exposed = [v for v in bits(matching.exposed) if v not in optional]
    moving = set(exposed)
    steps = [_step(costs[v], v, price, moving) for v in exposed]
    for v, step in zip(exposed, steps, strict=True):
        price[v] += step
    _match_again(matching, costs, price, exposed)
    exposed = [v for v in bits(matching.exposed) if v not in optional]
    for v in exposed:
        price[v] += _step(costs[v], v, price, ())
    _match_again(matching, costs, price, exposed)
    return matching.mate


def _step(row: Mapping[int, int], v: int, price: Sequence[int], moving: Collection[int]) -> int:
    """Return how far v's price can rise while the prices of `moving` rise equally."""
    return min(
        ((2 * cost - price[v] - price[w]) // (2 if w in moving else 1) for w, cost in row.items()), default=0
    )


def _match_again(matching: Matching, costs: Costs, price: Sequence[int], raised: Iterable[int]) -> None:
    """Add the edges that are tight since the prices of these exposed vertices rose, and match along them."""
    rows = matching.adjacency
    for v in raised:
        for w, cost in costs[v].items():
            if price[v] + price[w] == 2 * cost:
                rows[v] |= 1 << w
                rows[w] |= 1 << v
    matching.maximise()


# The search, from this start.


OUTSIDE, OUTER, INNER = 0, 1, 2
GROW, JOIN, EXPAND, LEAVE = 0, 1, 2, 3


@dataclass(slots=True)
class _Blossom:
    """An odd cycle of vertices and blossoms. children[0] contains the base; links[i] joins child i and child i + 1."""

    children: list[int]
    links: list[tuple[int, int]]
    vertices: list[int]
    weight: int = 0


def cheapest_perfect_matching(
    costs: Sequence[Mapping[int, int]], *, prices: Sequence[int] | None = None, optional: Collection[int] = ()
) -> list[int] | None:
    """Return the partners in a matching of minimum total cost in which only optional vertices may be single (-1).

    Returns None if there is no such matching. costs[v][w] == costs[w][v] is the cost of the edge; a missing key is no
    edge. prices: starting prices, one for each vertex, with prices[v] + prices[w] <= 2 * costs[v][w] for every edge and
    none above 0 for an optional vertex (the default, zeros, needs costs that are not negative).
    Cost: about k * n^2 steps; k is the number of vertices that a matching on the tight edges leaves unmatched.
    Raises InternalError if the proof of the answer (a dual solution of the same value) fails.
    """
    solver = _SolverByCost(costs, prices, frozenset(optional))
    mate = solver.solve()
    if mate is not None:
        odd_sets = [(blossom.weight, blossom.vertices) for blossom in solver.blossoms.values()]
        prove_cheapest(costs, mate, solver.price, odd_sets, solver.optional)
    return mate


class Priced(NamedTuple):
    """A perfect matching of minimum cost, with the dual solution that proves it.

    odd_sets: each with its weight, more than 0, and its vertices.
    """

    mate: list[int]
    prices: list[int]
    odd_sets: tuple[tuple[int, tuple[int, ...]], ...]


def cheapest_with_prices(
    costs: Sequence[Mapping[int, int]], *, prices: Sequence[int] | None = None
) -> Priced | None:
    """Return the same matching as `cheapest_perfect_matching`, all vertices matched, with its prices and odd sets.

    The answer is not proved.
    """
    solver = _SolverByCost(costs, prices, frozenset())
    mate = solver.solve()
    if mate is None:
        return None
    odd_sets = tuple(
        (blossom.weight, tuple(blossom.vertices)) for blossom in solver.blossoms.values() if blossom.weight
    )
    return Priced(mate, solver.price, odd_sets)


@dataclass(slots=True)
class _SolverByCost:
    """State of the primal-dual method.

    price[v] is the dual variable of v. While v is in the tree, it is stored relative to `now`: the true value is price
    + now for an outer vertex and price - now for an inner one. The weight of a blossom is stored in the same way.
    soonest[v] is the time when the first edge from an outer vertex to v becomes tight, and that outer vertex. For an
    inner v, whose edges from outer vertices keep their slack, the time is as it was at entered[v]. state[v]: OUTSIDE,
    OUTER or INNER, of the outermost blossom around v. deadline: the latest end of the stage; later events are not
    queued. Costs count twice, so that everything stays an integer.
    """

    costs: Sequence[Mapping[int, int]]
    prices: Sequence[int] | None
    optional: frozenset[int]
    price: list[int] = field(init=False)
    mate: list[int] = field(init=False)
    top: list[int] = field(init=False)
    base: dict[int, int] = field(init=False)
    blossoms: dict[int, _Blossom] = field(default_factory=dict)
    label: dict[int, int] = field(default_factory=dict)
    entry: dict[int, tuple[int, int]] = field(default_factory=dict)
    soonest: dict[int, tuple[int, int]] = field(default_factory=dict)
    entered: dict[int, int] = field(default_factory=dict)
    events: list[tuple[int, int, int, int]] = field(default_factory=list)
    state: bytearray = field(default_factory=bytearray)
    now: int = 0
    deadline: float = inf
    next_name: int = field(init=False)

    def __post_init__(self) -> None:
        n = len(self.costs)
        self.price = list(self.prices) if self.prices is not None else [0] * n
        self.top = list(range(n))
        self.base = {v: v for v in range(n)}
        self.next_name = n
        self.mate = begin(self.costs, self.price, self.optional)

    def solve(self) -> list[int] | None:
        for root in range(len(self.mate)):
            if self.mate[root] < 0 and root not in self.optional and not self._stage(root):
                return None
        return self.mate

    def _vertices(self, name: int) -> Iterable[int]:
        return self.blossoms[name].vertices if name in self.blossoms else (name,)

    # --- one stage: grow a tree of tight edges from an exposed root until it reaches another exposed vertex

    def _stage(self, root: int) -> bool:
        self.now, self.deadline = 0, inf
        self.state = bytearray(len(self.mate))
        self.label, self.entry, self.soonest, self.entered, self.events = {}, {}, {}, {}, []
        self._make_outer(self.top[root])
        found = None
        while self.events and found is None:
            self.now, kind, u, v = heappop(self.events)
            if kind == GROW:
                if self.state[v] == OUTSIDE and self._tight(u, v):
                    found = self._grow(u, v)
            elif kind == JOIN:
                if self.top[u] != self.top[v]:
                    self._contract(u, v)
            elif kind == LEAVE:
                found = u, -1
            elif u in self.blossoms and self.label.get(u) == INNER and self.top[v] == u:
                self._expand(u)
        if found is not None:
            self._augment(*found)
        self._settle()
        return found is not None

    def _tight(self, outer: int, outside: int) -> bool:
        """Return whether the edge is tight. If not, the event is out of date: the vertex was in the tree meanwhile."""
        return self.price[outer] + self.now + self.price[outside] == 2 * self.costs[outer][outside]

    def _settle(self) -> None:
        """Store the true prices and weights of all nodes in the tree."""
        for name, label in self.label.items():
            step = self.now if label == OUTER else -self.now
            for v in self._vertices(name):
                self.price[v] += step
            if name in self.blossoms:
                self.blossoms[name].weight += step

    def _make_outer(self, name: int) -> None:
        self.label[name] = OUTER
        for v in self._vertices(name):
            self.state[v] = OUTER
            self.price[v] -= self.now
        if name in self.blossoms:
            self.blossoms[name].weight -= self.now
        self._scan(name, self._vertices(name))

    def _scan(self, name: int, vertices: Iterable[int]) -> None:
        """Queue the times when edges of new outer vertices become tight, and when an optional one can become single.

        With relative prices, the slack of an edge to an OUTSIDE vertex is the time when it becomes tight. To another
        outer vertex it is twice that time. To an inner vertex it is the slack that remains while the vertex is inner.
        """
        top, state, price, deadline = self.top, self.state, self.price, self.deadline
        soonest, entered, events = self.soonest, self.entered, self.events
        for v in vertices:
            if v in self.optional:
                heappush(events, (-price[v], LEAVE, v, v))
                deadline = min(deadline, -price[v])
            own = price[v]
            for w, cost in self.costs[v].items():
                if top[w] == name:
                    continue
                when = 2 * cost - own - price[w]
                if state[w] == OUTER:
                    when //= 2
                    if when <= deadline:
                        heappush(events, (when, JOIN, v, w))
                    continue
                if state[w] == INNER:
                    when += entered[w]
                if when <= deadline and (w not in soonest or when < soonest[w][0]):
                    soonest[w] = when, v
                    if state[w] == OUTSIDE:
                        heappush(events, (when, GROW, v, w))
                        if self.mate[self.base[top[w]]] < 0:
                            deadline = when
        self.deadline = deadline

    def _make_inner(self, name: int, entry: tuple[int, int]) -> None:
        self.label[name] = INNER
        self.entry[name] = entry
        state, price, entered, now = self.state, self.price, self.entered, self.now
        for v in self._vertices(name):
            state[v] = INNER
            price[v] += now
            entered[v] = now
        if name in self.blossoms:
            blossom = self.blossoms[name]
            blossom.weight += self.now
            heappush(self.events, (blossom.weight, EXPAND, name, blossom.vertices[0]))

    def _grow(self, u: int, v: int) -> tuple[int, int] | None:
        name = self.top[v]
        partner = self.mate[self.base[name]]
        if partner < 0:
            return u, v
        self._make_inner(name, (u, v))
        self._make_outer(self.top[partner])
        return None

    # --- blossoms

    def _path(self, name: int) -> list[tuple[int, tuple[int, int] | None]]:
        """Return the path from an outer node to the root: each node with the edge to the next, (from, to), or None."""
        path: list[tuple[int, tuple[int, int] | None]] = []
        while True:
            v = self.base[name]
            partner = self.mate[v]
            if partner < 0:
                path.append((name, None))
                return path
            path.append((name, (v, partner)))
            inner = self.top[partner]
            parent, inside = self.entry[inner]
            path.append((inner, (inside, parent)))
            name = self.top[parent]

    def _contract(self, u: int, v: int) -> None:
        left, right = self._path(self.top[u]), self._path(self.top[v])
        while len(left) > 1 and len(right) > 1 and left[-2][0] == right[-2][0]:
            left.pop()
            right.pop()
        children = [left[-1][0]]
        links = []
        for name, edge in reversed(left[:-1]):
            assert edge is not None
            links.append((edge[1], edge[0]))
            children.append(name)
        links.append((u, v))
        for name, edge in right[:-1]:
            assert edge is not None
            children.append(name)
            links.append(edge)
        new = self.next_name
        self.next_name += 1
        top, state, price, twice = self.top, self.state, self.price, 2 * self.now
        fresh: list[int] = []
        vertices: list[int] = []
        for name in children:
            inner = self.label.pop(name) == INNER
            if name in self.blossoms:
                self.blossoms[name].weight += -self.now if inner else self.now
            inside = self._vertices(name)
            vertices += inside
            for w in inside:
                top[w] = new
            if inner:
                fresh += inside
                for w in inside:
                    state[w] = OUTER
                    price[w] -= twice
        self.blossoms[new] = _Blossom(children, links, vertices, -self.now)
        self.base[new] = self.base[children[0]]
        self.label[new] = OUTER
        self._scan(new, fresh)

    def _expand(self, name: int) -> None:
        """Replace an inner blossom of weight 0 by its children; those on the path through it stay in the tree."""
        blossom = self.blossoms.pop(name)
        del self.label[name], self.base[name]
        entry = self.entry.pop(name)
        top, state, price, soonest, now = self.top, self.state, self.price, self.soonest, self.now
        for child in blossom.children:
            for v in self._vertices(child):
                top[v] = child
                state[v] = OUTSIDE
                price[v] -= now
                if v in soonest:
                    when, u = soonest[v]
                    soonest[v] = when + now - self.entered[v], u
        count = len(blossom.children)
        index = blossom.children.index(self.top[entry[1]])
        self._make_inner(blossom.children[index], entry)
        on_path = {blossom.children[index]}
        forward, outer = index % 2 == 1, True
        while index:
            if forward:
                near, far = blossom.links[index]
                index = (index + 1) % count
            else:
                index -= 1
                far, near = blossom.links[index]
            child = blossom.children[index]
            on_path.add(child)
            if outer:
                self._make_outer(child)
            else:
                self._make_inner(child, (near, far))
            outer = not outer
        for child in blossom.children:
            if child not in on_path:
                for v in self._vertices(child):
                    if v in self.soonest:
                        when, u = self.soonest[v]
                        heappush(self.events, (when, GROW, u, v))

    # --- augmenting

    def _augment(self, u: int, v: int) -> None:
        """Match the outer u with v, or leave it single (-1), and flip the edges of the path from u to the root."""
        if v >= 0:
            self._rebase(self.top[v], v)
            self.mate[v] = u
        while True:
            name = self.top[u]
            following = self.mate[self.base[name]]
            self._rebase(name, u)
            self.mate[u] = v
            if following < 0:
                return
            inner = self.top[following]
            u, v = self.entry[inner]
            self._rebase(inner, v)
            self.mate[v] = u

    def _rebase(self, name: int, v: int) -> None:
        """Make v the vertex of the blossom that is matched outside."""
        if name not in self.blossoms:
            return
        self.base[name] = v
        blossom = self.blossoms[name]
        index = next(
            i for i, child in enumerate(blossom.children) if child == v or v in self._vertices(child)
        )
        count = len(blossom.children)
        self._rebase(blossom.children[index], v)
        first = index + 1 if index % 2 else 0
        last = count if index % 2 else index
        for i in range(first, last, 2):
            a, b = blossom.links[i]
            self._rebase(blossom.children[i], a)
            self._rebase(blossom.children[(i + 1) % count], b)
            self.mate[a], self.mate[b] = b, a
        blossom.children = blossom.children[index:] + blossom.children[:index]
        blossom.links = blossom.links[index:] + blossom.links[:index]
