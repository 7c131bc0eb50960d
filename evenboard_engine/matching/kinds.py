"""Find a perfect matching of minimum cost for thousands of vertices, if the kinds of its ends give an edge's cost.

Sources: J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices (1965); T. Gallai, Maximale Systeme
unabhängiger Kanten (1964). The method is primal-dual and treats all exposed vertices at once. It repeats two steps
until no vertex is exposed: find a matching of maximum size on the tight edges; change all prices by the Gallai-Edmonds
decomposition of this matching. Vertices of the same kind and price are one bit mask. So the cost of a change depends on
the number of such groups and of vertices, not on the number of edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .cardinality import Matching, bits, mask_of
from .odd_sets import OddSet
from .proof import Group, prove_cheapest_by_kind
from .walk import Walk


@dataclass(frozen=True, slots=True)
class Kinds:
    """A graph in which the kinds of both ends give the cost of an edge.

    adjacency: bit masks. kind: of each vertex. cost: integers by the kinds of both ends, symmetric. prices: feasible
    starting prices by kind, even numbers with prices[k] + prices[l] <= 2 * cost[k][l] for kinds joined by an edge.
    """

    adjacency: Sequence[int]
    kind: Sequence[int]
    cost: Sequence[Sequence[int]]
    prices: Sequence[int]


@dataclass(frozen=True, slots=True)
class Cheapest:
    """A perfect matching of minimum cost, and a description of all of them.

    edges: masks of the tight edges. odd_sets: masks. A perfect matching has minimum cost if and only if all its edges
    are tight and exactly one of them leaves each odd set (complementary slackness).
    """

    mate: list[int]
    edges: list[int]
    odd_sets: tuple[int, ...]
    cost: int


def cheapest_by_kind(kinds: Kinds) -> Cheapest | None:
    """Return a perfect matching of minimum total cost, or None if there is no perfect matching.

    Raises InternalError if the proof of the answer (a dual solution of the same value) fails.
    Cost: for each change of prices one search on masks, close to linear; there are a few changes for each kind.
    """
    solver = _Solver(kinds)
    if not solver.solve():
        return None
    mate = solver.partners()
    prove_cheapest_by_kind(
        kinds.adjacency, kinds.cost, mate, solver.groups, [(odd.weight, odd.mask) for odd in solver.all_odd()]
    )
    return Cheapest(
        mate,
        solver.tight_edges(),
        tuple(odd.mask for odd in solver.all_odd()),
        sum(kinds.cost[kinds.kind[v]][kinds.kind[w]] for v, w in enumerate(mate)) // 2,
    )


def started_by_kind(kinds: Kinds) -> tuple[list[int], list[int]] | None:
    """Return the partners in such a matching, and prices for a search with costs that are equal or higher; or None.

    With these prices no edge is cheaper than its ends, without odd sets.
    """
    solver = _Solver(kinds)
    if not solver.solve():
        return None
    prices = solver.price[:]
    for odd in solver.all_odd():
        for v in bits(odd.mask):
            prices[v] -= odd.weight
    return solver.partners(), prices


@dataclass(slots=True)
class _Solver:
    """State of the primal-dual method.

    price: of each vertex. groups: mask of the vertices of each kind and price. alike[k]: sets of kinds to which an edge
    from kind k has the same cost, each with this cost; sets_of[k]: the sets that contain k. priced: for each set, the
    masks of its vertices by price, highest price first.
    odd: the outermost odd sets by name. The name of an odd set is its lowest vertex; in `mate` it represents the set.
    Costs count twice, so that everything stays an integer: the prices of exposed vertices are even at first and change
    together, so they always have the same parity, and the slack between two of them can be halved.
    """

    kinds: Kinds
    adjacency: Sequence[int] = field(init=False)
    price: list[int] = field(init=False)
    alike: list[list[tuple[int, int]]] = field(init=False)
    sets_of: list[list[int]] = field(init=False)
    groups: dict[Group, int] = field(default_factory=dict)
    priced: list[dict[int, int]] = field(default_factory=list)
    odd: dict[int, OddSet] = field(default_factory=dict)
    mate: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.adjacency = self.kinds.adjacency
        self.mate = [-1] * len(self.adjacency)
        self.price = [self.kinds.prices[kind] for kind in self.kinds.kind]
        self.alike, self.sets_of = _kinds_alike(self.kinds.cost)
        self._regroup()

    def _regroup(self) -> None:
        groups: dict[Group, int] = {}
        for v, group in enumerate(zip(self.kinds.kind, self.price, strict=True)):
            groups[group] = groups.get(group, 0) | 1 << v
        self.groups = groups
        self.priced = [{} for _ in range(1 + max(map(max, self.sets_of)))]
        for (kind, price), members in sorted(groups.items(), key=lambda entry: entry[0][1], reverse=True):
            for number in self.sets_of[kind]:
                masks = self.priced[number]
                masks[price] = masks.get(price, 0) | members

    def solve(self) -> bool:
        while True:
            matching = Matching(self._rows())
            matching.mate = self.mate
            matching.exposed = mask_of(v for v in bits(self._names()) if self.mate[v] < 0)
            dispensable = matching.decompose()
            if not matching.exposed:
                return True
            if not self._reprice(matching.adjacency, dispensable):
                return False

    def all_odd(self) -> Iterator[OddSet]:
        for odd in self.odd.values():
            yield from odd.nested()

    # --- tight edges

    def _names(self) -> int:
        """Return the mask of names: vertices outside all odd sets, and the names of the outermost odd sets."""
        mask = (1 << len(self.mate)) - 1
        for name, odd in self.odd.items():
            mask &= ~odd.mask | 1 << name
        return mask

    def _members(self, names: int) -> int:
        """Return the mask of the vertices that these names represent."""
        for name, odd in self.odd.items():
            if names >> name & 1:
                names |= odd.mask
        return names

    def _tight(self, group: Group, weight: int = 0) -> int:
        """Return the vertices to which an edge from this group is tight, if odd sets of this weight hold both ends."""
        kind, price = group
        mask = 0
        for kinds, cost in self.alike[kind]:
            mask |= self.priced[kinds].get(2 * (cost + weight) - price, 0)
        return mask

    def _rows(self) -> list[int]:
        """Return masks of the tight edges between names."""
        adjacency = self.adjacency
        rows = [0] * len(adjacency)
        for group, members in self.groups.items():
            tight = self._tight(group)
            for v in bits(members):
                rows[v] = adjacency[v] & tight
        for name, odd in self.odd.items():
            union = 0
            for v in bits(odd.mask):
                union |= rows[v]
                rows[v] = 0
            rows[name] = union & ~odd.mask
        for name, odd in self.odd.items():
            inside, bit = odd.mask, 1 << name
            for v, row in enumerate(rows):
                if row & inside:
                    rows[v] = row & ~inside | bit
        return rows

    # --- one change of prices

    def _reprice(self, rows: list[int], even: int) -> bool:
        """Raise the prices of dispensable vertices and lower those of their neighbours, as far as possible.

        Returns False if there is no limit: then the dual is unbounded and no perfect matching exists.
        """
        inner = 0
        for v in bits(even):
            inner |= rows[v]
        inner &= ~even
        for component in _components(rows, even):
            self._contract(rows, component)
        rising, falling = self._members(even & self._names()), self._members(inner)
        walk = Walk(
            adjacency=self.adjacency,
            kind=self.kinds.kind,
            price=self.price,
            alike=self.alike,
            sets_of=self.sets_of,
            priced=self.priced,
            odd=self.odd,
            mate=self.mate,
        )
        if not walk.go(rising, falling):
            return False
        self._regroup()
        for name, odd in list(self.odd.items()):
            if odd.weight == 0:
                self._expand(name, odd)
        return True

    # --- odd sets

    def _contract(self, rows: list[int], component: int) -> None:
        """Make one odd set of a connected component of dispensable names."""
        parts = {v: self.odd.pop(v, None) for v in bits(component)}
        base = next(v for v in parts if self.mate[v] < 0 or not component >> self.mate[v] & 1)
        mask = component
        for inner in parts.values():
            if inner is not None:
                mask |= inner.mask
        mates = {v: self.mate[v] for v in parts if v != base}
        name, outside = min(parts), self.mate[base]
        self.mate[name] = outside
        if outside >= 0:
            self.mate[outside] = name
        self.odd[name] = OddSet(mask, parts, {v: rows[v] & component for v in parts}, mates, base)

    def _expand(self, name: int, odd: OddSet) -> None:
        """Replace an odd set of weight 0 by its parts. It was falling, and falling sets are always matched."""
        outside = self.mate[name]
        del self.odd[name]
        odd.seat(self._edge(odd.mask, self._members(1 << outside), 0)[0])
        for part, inner in odd.parts.items():
            if inner is not None:
                self.odd[part] = inner
            self.mate[part] = odd.mates.get(part, outside)
        self.mate[outside] = odd.base

    def _edge(self, one: int, other: int, weight: int) -> tuple[int, int]:
        """Return a tight edge between two disjoint sets inside odd sets of this weight. There must be one."""
        return next(
            (v, (ends & -ends).bit_length() - 1)
            for group, members in self.groups.items()
            if members & one
            for tight in [self._tight(group, weight) & other]
            for v in bits(members & one)
            if (ends := self.adjacency[v] & tight)
        )

    # --- the answer

    def partners(self) -> list[int]:
        """Return the matching as partners of vertices, without names of odd sets."""
        partner = [-1] * len(self.mate)
        parts = {v: self.odd.get(v) for v in bits(self._names())}
        self._settle(partner, parts, {v: self.mate[v] for v in parts}, 0)
        return partner

    def _settle(
        self, partner: list[int], parts: dict[int, OddSet | None], mates: dict[int, int], weight: int
    ) -> None:
        for v, w in mates.items():
            if v < w:
                one, other = parts[v], parts[w]
                a, b = self._edge(one.mask if one else 1 << v, other.mask if other else 1 << w, weight)
                partner[a], partner[b] = b, a
                if one:
                    one.seat(a)
                if other:
                    other.seat(b)
        for odd in parts.values():
            if odd:
                self._settle(partner, odd.parts, odd.mates, weight + odd.weight)

    def tight_edges(self) -> list[int]:
        rows = [0] * len(self.adjacency)
        inside: list[tuple[OddSet, int]] = []
        for odd in self.odd.values():
            inside += _weights(odd, 0)
        for group, members in self.groups.items():
            tight = self._tight(group)
            for v in bits(members):
                rows[v] = self.adjacency[v] & tight
            for odd, weight in inside:
                tight = self._tight(group, weight) & odd.mask
                for v in bits(members & odd.mask):
                    rows[v] = rows[v] & ~odd.mask | self.adjacency[v] & tight
        return rows


def _kinds_alike(cost: Sequence[Sequence[int]]) -> tuple[list[list[tuple[int, int]]], list[list[int]]]:
    numbers: dict[frozenset[int], int] = {}
    alike = []
    for row in cost:
        by_cost: dict[int, set[int]] = {}
        for kind, value in enumerate(row):
            by_cost.setdefault(value, set()).add(kind)
        alike.append(
            [(numbers.setdefault(frozenset(kinds), len(numbers)), value) for value, kinds in by_cost.items()]
        )
    return alike, [
        [number for kinds, number in numbers.items() if kind in kinds] for kind in range(len(cost))
    ]


def _weights(odd: OddSet, around: int) -> Iterator[tuple[OddSet, int]]:
    """Yield the set and all sets inside it, outer ones first, each with the sum of its own and all outer weights."""
    weight = around + odd.weight
    yield odd, weight
    for inner in odd.parts.values():
        if inner is not None:
            yield from _weights(inner, weight)


def _components(rows: list[int], names: int) -> Iterator[int]:
    """Yield the connected components of these names that have more than one name."""
    while names:
        component = fresh = names & -names
        while fresh:
            reach = 0
            for v in bits(fresh):
                reach |= rows[v]
            fresh = reach & names & ~component
            component |= fresh
        names &= ~component
        if component & component - 1:
            yield component
