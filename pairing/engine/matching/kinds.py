"""Cheapest perfect matchings where the cost of an edge follows from the kinds of its ends, for thousands of vertices.

Sources: J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices (1965); T. Gallai, Maximale Systeme
unabhängiger Kanten (1964). Primal-dual, all exposed vertices at once: a matching of the greatest size on the edges
without slack, then one change of all prices by the decomposition of Gallai and Edmonds, until nobody is exposed.
Vertices of one kind and one price are one bit mask, so a change takes as many steps as there are such groups and
vertices, not edges.
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
    """A graph whose edges cost what the kinds of their ends say.

    adjacency: bit masks. kind: of each vertex. cost: integers by the kinds of both ends, symmetric. prices: a head
    start by kind, even numbers with prices[k] + prices[l] <= 2 * cost[k][l] wherever there are edges.
    """

    adjacency: Sequence[int]
    kind: Sequence[int]
    cost: Sequence[Sequence[int]]
    prices: Sequence[int]


@dataclass(frozen=True, slots=True)
class Cheapest:
    """A cheapest perfect matching, and what all of them have in common.

    edges: masks of the edges without slack, which are the only ones in any of them. odd_sets: masks; exactly one edge
    leaves each of them in any of them. Perfect matchings with both properties are the cheapest ones.
    """

    mate: list[int]
    edges: list[int]
    odd_sets: tuple[int, ...]
    cost: int


def cheapest_by_kind(kinds: Kinds) -> Cheapest | None:
    """A perfect matching of least total cost, or None where there is none at all.

    Raises InternalError if the answer's proof (a dual solution of the same value) does not hold.
    Cost: a search on masks, close to linear, for each change of prices; of those there are a few for each kind.
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


@dataclass(slots=True)
class _Solver:
    """State of the primal-dual method.

    price: of each vertex. groups: mask of the vertices of one kind and price. alike[k]: the sets of kinds that cost the
    same from kind k, with that cost; sets_of[k]: the sets that k is in. priced: for each set its vertices by price, the
    highest first.
    odd: the outermost odd sets by their lowest vertex, their name, which stands for all of the set in `mate`.
    Costs count twice, so that everything stays an integer: all exposed vertices have the same parity of price, since it
    is even at first and they change together.
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

    # --- edges without slack

    def _names(self) -> int:
        """The vertices that stand for themselves or for an odd set."""
        mask = (1 << len(self.mate)) - 1
        for name, odd in self.odd.items():
            mask &= ~odd.mask | 1 << name
        return mask

    def _members(self, names: int) -> int:
        """The vertices that these names stand for."""
        for name, odd in self.odd.items():
            if names >> name & 1:
                names |= odd.mask
        return names

    def _tight(self, group: Group, weight: int = 0) -> int:
        """Whom an edge from this group would lead to without slack, both ends inside odd sets of this weight."""
        kind, price = group
        mask = 0
        for kinds, cost in self.alike[kind]:
            mask |= self.priced[kinds].get(2 * (cost + weight) - price, 0)
        return mask

    def _rows(self) -> list[int]:
        """Masks of the edges without slack, by names."""
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
        """Raise the dispensable vertices and lower their neighbours as far as it goes; False: without an end."""
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
        """Make one odd set of names that are all dispensable and hang together."""
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
        """A set without weight falls apart. Its neighbours fall in price, so it is matched."""
        outside = self.mate[name]
        del self.odd[name]
        odd.seat(self._edge(odd.mask, self._members(1 << outside), 0)[0])
        for part, inner in odd.parts.items():
            if inner is not None:
                self.odd[part] = inner
            self.mate[part] = odd.mates.get(part, outside)
        self.mate[outside] = odd.base

    def _edge(self, one: int, other: int, weight: int) -> tuple[int, int]:
        """An edge without slack between two disjoint sets, both inside odd sets of this weight. There is one."""
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
        """The matching by vertices."""
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
    """The set and all inside it, the outer ones first, with the weight of all sets around what is in them."""
    weight = around + odd.weight
    yield odd, weight
    for inner in odd.parts.values():
        if inner is not None:
            yield from _weights(inner, weight)


def _components(rows: list[int], names: int) -> Iterator[int]:
    """The connected components of these that have more than one."""
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
