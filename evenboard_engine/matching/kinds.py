"""Find a perfect matching of minimum cost for thousands of vertices, if the kinds of its ends give an edge's cost.

Sources: J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices (1965); T. Gallai, Maximale Systeme
unabhängiger Kanten (1964). The method is primal-dual and treats all exposed vertices at once. It repeats two steps
until no vertex is exposed: find a matching of maximum size on the tight edges; change all prices by the Gallai-Edmonds
decomposition of this matching. Vertices of the same kind and price are one bit mask. So the cost of a change depends on
the number of such groups and of vertices, not on the number of edges.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import inf
from typing import NamedTuple

from .cardinality import Matching, bits, mask_of
from .kind_costs import KindCosts, costs_of_table
from .proof import Group, prove_cheapest_by_kind

# Odd sets of vertices with a weight: the blossoms of J. Edmonds (1965) that remain after a search.


@dataclass(slots=True)
class OddSet:
    """An odd set of vertices. In every perfect matching of minimum cost, exactly one edge leaves it.

    Its parts are an odd number of vertices and smaller odd sets; the name of a part is its lowest vertex. rows: for
    each part, the mask of the parts to which it has a tight edge. mates: partners of all parts except `base`, the part
    that is matched outside. mask: all vertices.
    """

    mask: int
    parts: dict[int, OddSet | None]
    rows: dict[int, int]
    mates: dict[int, int]
    base: int
    weight: int = 0

    def seat(self, v: int) -> None:
        """Make v the vertex that is matched outside."""
        odd: OddSet | None = self
        while odd is not None:
            part = odd.part_of(v)
            odd.rebase(part)
            odd = odd.parts[part]

    def part_of(self, v: int) -> int:
        """Return the name of the part that contains a vertex."""
        return next(
            name
            for name, inner in self.parts.items()
            if name == v or (inner is not None and inner.mask >> v & 1)
        )

    def rebase(self, base: int) -> None:
        """Match all parts except this one. This always succeeds, because an odd set is factor-critical."""
        if base == self.base:
            return
        matching = Matching([self.rows.get(v, 0) & ~(1 << base) for v in range(max(self.parts) + 1)])
        for v, w in self.mates.items():
            matching.mate[v] = w
        alone = self.mates[base]
        matching.mate[alone] = -1
        matching.exposed = 1 << self.base | 1 << alone
        matched = matching.complete()
        assert matched, "every part of an odd set can be the one matched outside"
        self.mates = {v: matching.mate[v] for v in self.parts if v != base}
        self.base = base

    def nested(self) -> Iterator[OddSet]:
        """Yield this set and all sets inside it, outer ones first."""
        yield self
        for inner in self.parts.values():
            if inner is not None:
                yield from inner.nested()


# Change all prices in the search for a cheapest perfect matching, until more than growing trees is needed.
#
# Source: J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices (1965). The prices of dispensable
# (outer) vertices rise, those of their (inner) neighbours fall, all others rest. When an edge from a rising
# vertex to a resting vertex becomes tight, the alternating tree grows: the resting vertex begins to fall and
# its partner to rise. This needs no new search, and its time is known as soon as the first vertex rises.


class Walk:
    """One change of prices. Costs count twice. The time is the amount by which the first rising vertices have risen.

    priced: for each set of kinds, the masks of its vertices by price, less twice what the set adds to the cost of their
    edges. price: one for each vertex. odd, mate: the outermost odd sets and the partners, by names.
    limit: the time when growth ends: an edge between two rising vertices becomes tight, or the weight of a falling odd
    set becomes 0.
    """

    def __init__(
        self,
        *,
        adjacency: Sequence[int],
        kind: Sequence[int],
        price: list[int],
        costs: KindCosts,
        priced: Sequence[Mapping[int, int]],
        odd: Mapping[int, OddSet],
        mate: Sequence[int],
    ) -> None:
        self.adjacency, self.kind, self.price = adjacency, kind, price
        self.reached, self.holding = costs.reached, costs.holding
        self.priced = [sorted(masks.items(), reverse=True) for masks in priced]
        self.mate, self.odd = mate, odd
        self.name_of = {v: name for name, odd_set in odd.items() for v in bits(odd_set.mask)}
        self.rest = (1 << len(mate)) - 1
        self.up = 0
        self.now = 0
        self.limit: float = inf
        self.moved: list[tuple[int, int, int]] = []  # mask, 1 if rising or -1 if falling, start time
        self.weighed: list[tuple[OddSet, int, int]] = []  # odd set, 1 or -1, start time
        self.rising: list[tuple[int, int, int]] = []  # kind, price at time 0, mask of neighbours
        self.risen: list[list[tuple[int, int]]] = [[] for _ in priced]  # less price at time 0, mask
        self.events: list[tuple[int, int, int, int, int]] = []

    def go(self, rising: int, falling: int) -> bool:
        """Raise and lower these until growth ends. If there is no limit, change nothing and return False."""
        self._move(rising, 1)
        self._move(falling, -1)
        for odd in self.odd.values():
            if odd.mask & falling:
                self._weigh(odd, -1)
        single = rising
        for odd in self.odd.values():
            if odd.mask & rising:
                self._weigh(odd, 1)
                self._rise(odd.mask, odd.mask)
                single &= ~odd.mask
        self._rise(single, 0)
        for kind, price, reach in self.rising:
            self._meet_risen(kind, price, reach)
        for index in range(len(self.rising)):
            self._meet_resting(index)
        while self.events and self.events[0][0] < self.limit:
            self.now, index, number, base, at = heappop(self.events)
            for v in bits(self.priced[number][at][1] & self.rising[index][2]):
                if self.rest >> v & 1:
                    self._enter(v)
            self._announce(index, number, base, at + 1)
        if self.limit is inf:
            return False
        self._settle(int(self.limit))
        return True

    def _move(self, mask: int, way: int) -> None:
        self.rest &= ~mask
        if way > 0:
            self.up |= mask
        self.moved.append((mask, way, self.now))

    def _weigh(self, odd: OddSet, way: int) -> None:
        self.weighed.append((odd, way, self.now))
        if way < 0:
            self.limit = min(self.limit, self.now + odd.weight)

    def _settle(self, now: int) -> None:
        for mask, way, since in self.moved:
            step = way * (now - since)
            for v in bits(mask):
                self.price[v] += step
        for odd, way, since in self.weighed:
            odd.weight += way * (now - since)

    def _members(self, name: int, way: int) -> int:
        """Return the vertices of a name whose price begins to change, and start its weight if it is an odd set."""
        odd = self.odd.get(name)
        if odd is None:
            return 1 << name
        self._weigh(odd, way)
        return odd.mask

    def _enter(self, v: int) -> None:
        """Grow the tree by the resting vertex v: it begins to fall with its odd set, and its partner to rise."""
        name = self.name_of.get(v, v)
        self._move(self._members(name, -1), -1)
        partner = self.mate[name]
        members = self._members(partner, 1)
        self._move(members, 1)
        first = len(self.rising)
        self._rise(members, members)
        for index in range(first, len(self.rising)):
            self._meet_risen(*self.rising[index])
            self._meet_resting(index)

    def _rise(self, members: int, apart: int) -> None:
        """Start raising `members`; their edges to vertices in `apart` (the same odd set) do not count."""
        groups: dict[tuple[int, int], list[int]] = {}
        for v in bits(members):
            groups.setdefault((self.kind[v], self.price[v] - self.now), []).append(v)
        for (kind, price), group in groups.items():
            reach = 0
            for v in group:
                reach |= self.adjacency[v]
            self.rising.append((kind, price, reach & ~apart))
            mask = mask_of(group)
            for number, added in self.holding[kind]:
                insort(self.risen[number], (2 * added - price, mask))

    def _meet_risen(self, kind: int, price: int, reach: int) -> None:
        """Lower the limit to the time when an edge between two rising vertices becomes tight."""
        reach &= self.up
        if not reach:
            return
        twice, risen = 2 * self.limit, self.risen
        for number, cost in self.reached[kind]:
            base = 2 * cost - price
            for minus, members in risen[number]:
                if base + minus >= twice:
                    break
                if members & reach:
                    twice = base + minus
                    self.limit = twice // 2
                    break

    def _meet_resting(self, index: int) -> None:
        """Queue the next edge to a resting vertex of each set of kinds, with the time when it becomes tight."""
        kind, own, reach = self.rising[index]
        reach &= self.rest
        if not reach:
            return
        limit, priced, events = self.limit, self.priced, self.events
        for number, cost in self.reached[kind]:
            base = 2 * cost - own
            for at, (price, members) in enumerate(priced[number]):
                if base - price >= limit:
                    break
                if members & reach:
                    heappush(events, (base - price, index, number, base, at))
                    break

    def _announce(self, index: int, number: int, base: int, begin: int) -> None:
        """Queue the next edge to a resting vertex of a set of kinds, from this price on."""
        reach, limit = self.rising[index][2] & self.rest, self.limit
        prices = self.priced[number]
        for at in range(begin, len(prices)):
            price, members = prices[at]
            if base - price >= limit:
                break
            if members & reach:
                heappush(self.events, (base - price, index, number, base, at))
                break


# The search, with maximum matchings on the tight edges and changes of all prices in turn.


class Kinds(NamedTuple):
    """A graph in which the kinds of both ends give the cost of an edge.

    adjacency: bit masks. kind: of each vertex. cost: integers by the kinds of both ends, symmetric. prices: feasible
    starting prices by kind, even numbers with prices[k] + prices[l] <= 2 * cost[k][l] for kinds joined by an edge.
    """

    adjacency: Sequence[int]
    kind: Sequence[int]
    cost: Sequence[Sequence[int]]
    prices: Sequence[int]


class Cheapest(NamedTuple):
    """A perfect matching of minimum cost, and a description of all of them.

    edges: masks of the tight edges. odd_sets: masks. A perfect matching has minimum cost if and only if all its edges
    are tight and exactly one of them leaves each odd set (complementary slackness).
    """

    mate: list[int]
    edges: list[int]
    odd_sets: tuple[int, ...]
    cost: int


class PricedByKind(NamedTuple):
    """A cheapest perfect matching, and the dual solution that proves it: prices by vertex, odd sets with weights."""

    best: Cheapest
    price: list[int]
    odd_sets: list[tuple[int, int]]


def cheapest_by_kind(kinds: Kinds) -> Cheapest | None:
    """Return a perfect matching of minimum total cost, or None if there is no perfect matching.

    Raises InternalError if the proof of the answer (a dual solution of the same value) fails.
    Cost: for each change of prices one search on masks, close to linear; there are a few changes for each kind.
    """
    priced = priced_by_kind(kinds)
    return priced and priced.best


def priced_by_kind(kinds: Kinds) -> PricedByKind | None:
    """Return the same with its prices, which bound the cost of other matchings."""
    prices = [kinds.prices[kind] for kind in kinds.kind]
    return priced_by_costs(kinds.adjacency, kinds.kind, costs_of_table(kinds.cost), prices)


def priced_by_costs(
    adjacency: Sequence[int], kind: Sequence[int], costs: KindCosts, prices: list[int]
) -> PricedByKind | None:
    """Return the same for costs that no table holds, from starting prices by vertex, even numbers."""
    solver = _SolverByKind(adjacency, kind, costs, prices)
    if not solver.solve():
        return None
    mate = solver.partners()
    odd_sets = [(odd.weight, odd.mask) for odd in solver.all_odd()]
    prove_cheapest_by_kind(adjacency, costs, mate, solver.groups, odd_sets)
    cost = sum(costs.between(kind[v], kind[w]) for v, w in enumerate(mate)) // 2
    best = Cheapest(mate, solver.tight_edges(), tuple(mask for _, mask in odd_sets), cost)
    return PricedByKind(best, solver.price, odd_sets)


def started_by_kind(kinds: Kinds) -> tuple[list[int], list[int]] | None:
    """Return the partners in such a matching, and prices for a search with costs that are equal or higher; or None.

    With these prices no edge is cheaper than its ends, without odd sets.
    """
    prices = [kinds.prices[kind] for kind in kinds.kind]
    solver = _SolverByKind(kinds.adjacency, kinds.kind, costs_of_table(kinds.cost), prices)
    if not solver.solve():
        return None
    prices = solver.price[:]
    for odd in solver.all_odd():
        for v in bits(odd.mask):
            prices[v] -= odd.weight
    return solver.partners(), prices


@dataclass(slots=True)
class _SolverByKind:
    """State of the primal-dual method.

    price: of each vertex. groups: mask of the vertices of each kind and price. priced: for each set of kinds, the masks
    of its vertices by price, less twice what the set adds to the cost of their edges.
    odd: the outermost odd sets by name. The name of an odd set is its lowest vertex; in `mate` it represents the set.
    Costs count twice, so that everything stays an integer: the prices of exposed vertices are even at first and change
    together, so they always have the same parity, and the slack between two of them can be halved.
    """

    adjacency: Sequence[int]
    kind: Sequence[int]
    costs: KindCosts
    price: list[int]
    groups: dict[Group, int] = field(default_factory=dict)
    priced: list[dict[int, int]] = field(default_factory=list)
    odd: dict[int, OddSet] = field(default_factory=dict)
    mate: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.mate = [-1] * len(self.adjacency)
        self._regroup()

    def _regroup(self) -> None:
        groups: dict[Group, int] = {}
        for v, group in enumerate(zip(self.kind, self.price, strict=True)):
            groups[group] = groups.get(group, 0) | 1 << v
        self.groups = groups
        self.priced = [{} for _ in range(self.costs.sets)]
        for (kind, price), members in groups.items():
            for number, added in self.costs.holding[kind]:
                masks, less = self.priced[number], price - 2 * added
                masks[less] = masks.get(less, 0) | members

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
        for number, cost in self.costs.reached[kind]:
            mask |= self.priced[number].get(2 * (cost + weight) - price, 0)
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
        for component in components(rows, even):
            self._contract(rows, component)
        rising, falling = self._members(even & self._names()), self._members(inner)
        walk = Walk(
            adjacency=self.adjacency,
            kind=self.kind,
            price=self.price,
            costs=self.costs,
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


def _weights(odd: OddSet, around: int) -> Iterator[tuple[OddSet, int]]:
    """Yield the set and all sets inside it, outer ones first, each with the sum of its own and all outer weights."""
    weight = around + odd.weight
    yield odd, weight
    for inner in odd.parts.values():
        if inner is not None:
            yield from _weights(inner, weight)


def components(rows: Sequence[int], names: int) -> Iterator[int]:
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
