"""Change all prices in the search for a cheapest perfect matching, until more than growing trees is needed.

Source: J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices (1965). The prices of dispensable (outer)
vertices rise, those of their (inner) neighbours fall, all others rest. When an edge from a rising vertex to a resting
vertex becomes tight, the alternating tree grows: the resting vertex begins to fall and its partner to rise. This needs
no new search, and its time is known as soon as the first vertex rises.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from math import inf

from .cardinality import bits, mask_of
from .odd_sets import OddSet

Alike = Sequence[Sequence[tuple[int, int]]]
Prices = Mapping[int, int]


class Walk:
    """One change of prices. Costs count twice. The time is the amount by which the first rising vertices have risen.

    alike[k]: sets of kinds to which an edge from kind k has the same cost, each with this cost; sets_of[k]: the sets
    that contain k. priced: for each set, the masks of its vertices by price, highest price first. price: one for each
    vertex. odd, mate: the outermost odd sets and the partners, by names.
    limit: the time when growth ends: an edge between two rising vertices becomes tight, or the weight of a falling odd
    set becomes 0.
    """

    def __init__(
        self,
        *,
        adjacency: Sequence[int],
        kind: Sequence[int],
        price: list[int],
        alike: Alike,
        sets_of: Sequence[Sequence[int]],
        priced: Sequence[Prices],
        odd: Mapping[int, OddSet],
        mate: Sequence[int],
    ) -> None:
        self.adjacency, self.kind, self.price = adjacency, kind, price
        self.alike, self.sets_of = alike, sets_of
        self.priced = [list(prices.items()) for prices in priced]
        self.mate, self.odd = mate, odd
        self.name_of = {v: name for name, odd_set in odd.items() for v in bits(odd_set.mask)}
        self.rest = (1 << len(mate)) - 1
        self.up = 0
        self.now = 0
        self.limit: float = inf
        self.moved: list[tuple[int, int, int]] = []  # mask, 1 if rising or -1 if falling, start time
        self.weighed: list[tuple[OddSet, int, int]] = []  # odd set, 1 or -1, start time
        self.rising: list[tuple[int, int, int]] = []  # kind, price at time 0, mask of neighbours
        self.risen: list[list[tuple[int, int]]] = [[] for _ in priced]  # -price at time 0, mask
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
        alike: dict[tuple[int, int], list[int]] = {}
        for v in bits(members):
            alike.setdefault((self.kind[v], self.price[v] - self.now), []).append(v)
        for (kind, price), group in alike.items():
            reach = 0
            for v in group:
                reach |= self.adjacency[v]
            self.rising.append((kind, price, reach & ~apart))
            for number in self.sets_of[kind]:
                insort(self.risen[number], (-price, mask_of(group)))

    def _meet_risen(self, kind: int, price: int, reach: int) -> None:
        """Lower the limit to the time when an edge between two rising vertices becomes tight."""
        reach &= self.up
        if not reach:
            return
        twice, risen = 2 * self.limit, self.risen
        for number, cost in self.alike[kind]:
            base = 2 * cost - price
            for minus, members in risen[number]:
                if base + minus >= twice:
                    break
                if members & reach:
                    twice = base + minus
                    self.limit = twice // 2
                    break

    def _meet_resting(self, index: int) -> None:
        kind, price, reach = self.rising[index]
        if not reach & self.rest:
            return
        for number, cost in self.alike[kind]:
            self._announce(index, number, 2 * cost - price, 0)

    def _announce(self, index: int, number: int, base: int, begin: int) -> None:
        """Queue the next edge to a resting vertex of a set of kinds, with the time when it becomes tight."""
        reach, limit = self.rising[index][2] & self.rest, self.limit
        prices = self.priced[number]
        for at in range(begin, len(prices)):
            price, members = prices[at]
            if base - price >= limit:
                break
            if members & reach:
                heappush(self.events, (base - price, index, number, base, at))
                break
