"""A change of all prices in the search for a cheapest perfect matching, as far as trees only grow by it.

Source: J. Edmonds, Maximum matching and a polyhedron with 0,1-vertices (1965). The dispensable vertices rise, their
neighbours fall, all others rest. An edge without slack from a rising vertex to a resting one makes that one fall, and
its partner rise; it needs no new search, and is met at a time that is known once the first of them rises.
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
    """One change of prices. Costs count twice; time is how far the first rising vertices have risen.

    alike[k]: the sets of kinds that cost the same from kind k, with that cost; sets_of[k]: the sets that k is in.
    priced: for each set its vertices by price, the highest first. price: one a vertex. odd, mate: the outermost odd
    sets and the partners, by names.
    limit: when more than growth is needed: an edge between two that rise has no slack, or an odd set no weight.
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
        self.moved: list[tuple[int, int, int]] = []  # mask, 1 if it rises and -1 if it falls, since when
        self.weighed: list[tuple[OddSet, int, int]] = []  # the same for odd sets
        self.rising: list[tuple[int, int, int]] = []  # kind, price when time began, whom it has edges with
        self.risen: list[list[tuple[int, int]]] = [[] for _ in priced]  # -price when time began, mask
        self.events: list[tuple[int, int, int, int, int]] = []

    def go(self, rising: int, falling: int) -> bool:
        """Raise and lower these until more than growth is needed; False: without an end, nothing is changed then."""
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
        """The vertices of a name that begins to move."""
        odd = self.odd.get(name)
        if odd is None:
            return 1 << name
        self._weigh(odd, way)
        return odd.mask

    def _enter(self, v: int) -> None:
        """An edge to a resting vertex has no slack: it falls with its odd set, and the partner rises."""
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
        """These begin to rise; their edges to those who are apart do not count."""
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
        """When an edge between two that rise has no slack."""
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
        """The next edge to a resting vertex of a set of kinds, and when it has no slack."""
        reach, limit = self.rising[index][2] & self.rest, self.limit
        prices = self.priced[number]
        for at in range(begin, len(prices)):
            price, members = prices[at]
            if base - price >= limit:
                break
            if members & reach:
                heappush(self.events, (base - price, index, number, base, at))
                break
