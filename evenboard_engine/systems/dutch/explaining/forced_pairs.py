"""The best candidate of a large bracket in which two given players meet, mostly without a new matching.

Prices of a cheapest matching bound the cost of every other one from below (weak duality). A matching that was found,
with the opponents of two or three pairs exchanged, bounds it from above. If both bounds are equal, they are the cost.
Else a new matching decides, and its prices serve the pairs that are asked for next.

All candidates that are as good as the best one have only tight edges (complementary slackness). So the order among them
is asked row by row on these edges: how many of the first rows can stay as they are if the two meet?
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import and_
from typing import NamedTuple

from evenboard_engine.matching import (
    Kinds,
    Matching,
    NestedMatching,
    PricedByKind,
    bits,
    mask_of,
    priced_by_kind,
)
from evenboard_engine.systems.dutch.pairing.costs import Criterion
from evenboard_engine.systems.dutch.pairing.exact import KindsOfBracket, PairedBracket

SETS = 3
"""Odd sets into which two players are put back to improve a bound: the largest ones."""
OddSets = Sequence[tuple[int, int]]


class _Bound(NamedTuple):
    """A cheapest matching in which `pair` meets (with (): any), and prices of the others.

    total: the sum of these prices. back: prices that the pair can have among the others, with the odd sets then.
    """

    mate: Sequence[int]
    cost: int
    price: Sequence[int]
    total: int
    pair: tuple[int, ...]
    back: Sequence[tuple[tuple[int, ...], OddSets]]


class ForcedPairs:
    """Candidates of one bracket in which two of its players meet. graph: of this bracket, without a matching yet."""

    def __init__(self, graph: KindsOfBracket, bracket: PairedBracket) -> None:
        if graph.costs.unplayed and len(bracket.floaters) != 1:
            graph.costs.unplayed = False
            graph.set_edges()
        self._bracket, self._layout = bracket, graph.costs.layout
        self._masks, self._kind, self._cost = graph.masks, graph.kind, graph.cost
        self._places = graph.places[: graph.size]
        self._vertex = {place: v for v, place in enumerate(self._places)}
        best = self._cheapest(self._masks)
        taken = self._cheapest(self._with(bracket.pairs))
        assert best is not None, "the bracket was paired"
        assert taken is not None, "with these pairs"
        self._best = best.best.cost
        mate = taken.best.mate
        self._tight = best.best.edges
        self._bounds = [_Bound(mate, self._best, best.price, sum(best.price), (), [((), best.odd_sets)])]
        self._rows_of_moved = self._stage_of_moved(mate, best.best.odd_sets)
        self._rows = self._stage_of_rows(mate, best.best.odd_sets)

    @property
    def best(self) -> Mapping[Criterion, int]:
        """C6 to C21 of the candidate that was taken."""
        return self._layout.read(self._best)

    def quality(self, one: int, other: int) -> Mapping[Criterion, int] | None:
        """Return C6 to C21 of the best candidate in which two players meet; None if there is no candidate."""
        cost = self._least(self._vertex[one], self._vertex[other])
        return None if cost is None else self._layout.read(cost)

    def later(self, one: int, other: int) -> PairedBracket | None:
        """Return the first candidate with this pair that is as good as the one that was taken.

        It is right up to the first row that differs. None if there is none with the same S1, nor, if moved-down players
        are paired otherwise, with the same of them.
        """
        v, w = self._vertex[one], self._vertex[other]
        bracket, places = self._bracket, self._places
        if not self._tight[v] >> w & 1:
            return None
        row = self._rows.first_difference(v, w)
        if row is not None:
            at, column = row
            s2 = [*bracket.s2[:at], places[column]]
            free = (place for place in bracket.residents if place not in {*self._columns_used, *s2})
            s2.extend(next(free) for _ in bracket.s2[at + 1 :])
            return bracket._replace(s2=s2)
        row = self._rows_of_moved.first_difference(v, w)
        if row is None:
            return None
        at, column = row
        met_moved = bracket.met_moved[:]
        met_moved[at] = met_moved[at][0], places[column]
        return bracket._replace(met_moved=met_moved, s1=[], s2=[])

    # --- the order, row by row

    @property
    def _columns_used(self) -> set[int]:
        return {*self._bracket.s1, *(other for _, other in self._bracket.met_moved)}

    def _stage_of_moved(self, mate: Sequence[int], odd_sets: Sequence[int]) -> _Rows:
        """Return the rows of moved-down players: those who are paired are the same."""
        bracket, vertex = self._bracket, self._vertex
        firsts = [vertex[one] for one, _ in bracket.met_moved]
        inside = (1 << len(self._places)) - 1
        allowed = {vertex[one]: inside if vertex[one] in firsts else ~inside for one in bracket.moved}
        return _Rows(_restricted(self._tight, allowed), len(self._places), firsts, mate, odd_sets)

    def _stage_of_rows(self, mate: Sequence[int], odd_sets: Sequence[int]) -> _Rows:
        """Return the rows of S1: the pairs of moved-down players and S1 are the same."""
        bracket, vertex = self._bracket, self._vertex
        inside = (1 << len(self._places)) - 1
        met = {
            vertex[one]: 1 << vertex[other] for pair in bracket.met_moved for one, other in (pair, pair[::-1])
        }
        firsts = [vertex[one] for one in bracket.s1]
        s1 = mask_of(firsts)
        columns = inside & ~s1 & ~mask_of(met) & ~((1 << len(bracket.moved)) - 1)
        allowed = dict.fromkeys(range(len(bracket.moved)), ~inside)
        allowed |= dict.fromkeys(bits(columns), ~inside | s1) | dict.fromkeys(firsts, columns) | met
        return _Rows(_restricted(self._tight, allowed), len(self._places), firsts, mate, odd_sets)

    # --- the cost

    def _least(self, v: int, w: int) -> int | None:
        """Return the least cost of a candidate with this pair; None if there is none."""
        most: int | None = None
        twice = 0
        for bound in reversed(self._bounds):
            twice = max(twice, self._at_least(bound, v, w))
            cost = self._exchanged(bound, v, w)
            if cost is not None and (most is None or cost < most):
                most = cost
            if most is not None and 2 * most == twice:
                return most
        masks = self._with([(self._places[v], self._places[w])])
        if _matched(masks, self._bounds[0].mate, {v: 1 << w}) is None:
            return None
        found = self._cheapest(masks)
        assert found is not None, "all can be matched"
        self._bounds.append(self._bound(found, v, w))
        return found.best.cost

    def _cheapest(self, masks: list[int]) -> PricedByKind | None:
        return priced_by_kind(Kinds(masks, self._kind, self._cost, [0] * len(self._cost)))

    def _with(self, pairs: Sequence[tuple[int, int]]) -> list[int]:
        """Return the edges if these pairs of players meet."""
        vertex = self._vertex
        return _restricted(
            self._masks,
            {vertex[one]: 1 << vertex[other] for pair in pairs for one, other in (pair, pair[::-1])},
        )

    def _at_least(self, bound: _Bound, v: int, w: int) -> int:
        """Return what twice the cost of a candidate with this pair is at least.

        The prices without those of the two are a dual solution for the others. The size of an odd set without some of
        its vertices may be even; half of it, rounded down, is still the most pairs inside.
        """
        value = bound.total + 2 * self._cost[self._kind[v]][self._kind[w]]
        value -= sum(bound.price[one] for one in (v, w) if one not in bound.pair)
        others = ~(1 << v | 1 << w)
        return value + max(
            sum(price for one, price in zip(bound.pair, prices, strict=True) if one not in (v, w))
            - sum(2 * weight * ((mask & others).bit_count() // 2) for weight, mask in odd_sets)
            for prices, odd_sets in bound.back
        )

    def _exchanged(self, bound: _Bound, v: int, w: int) -> int | None:
        """Return the cost of a matching with this pair after an exchange of opponents; None if none was found."""
        masks, kind, costs, mate = self._masks, self._kind, self._cost, bound.mate
        one, other = mate[v], mate[w]
        if one == w:
            return bound.cost

        def cost(a: int, b: int) -> int:
            return costs[kind[a]][kind[b]]

        left = bound.cost + cost(v, w) - cost(v, one) - cost(w, other)
        if masks[one] >> other & 1:
            return left + cost(one, other)
        thirds = (
            (third, mate[third])
            for third in bits(masks[one] & ~(1 << v | 1 << w))
            if masks[other] >> mate[third] & 1 and mate[third] not in (v, w)
        )
        return min(
            (left + cost(one, a) + cost(other, b) - cost(a, b) for a, b in thirds),
            default=None,
        )

    def _bound(self, found: PricedByKind, v: int, w: int) -> _Bound:
        price = found.price
        total = sum(price) - price[v] - price[w]
        return _Bound(found.best.mate, found.best.cost, price, total, (v, w), list(self._back(found, v, w)))

    def _back(self, found: PricedByKind, v: int, w: int) -> Iterator[tuple[tuple[int, ...], OddSets]]:
        """Yield ways to put a pair back among the others: outside the odd sets, or into one of the largest."""
        both = 1 << v | 1 << w
        largest = sorted((mask for _, mask in found.odd_sets), key=int.bit_count, reverse=True)
        for inside in (0, *largest[:SETS]):
            odd_sets = [
                (weight, mask | both if inside and mask & inside == inside else mask)
                for weight, mask in found.odd_sets
            ]
            around = [(weight, mask) for weight, mask in odd_sets if mask & both == both]
            first, second = (self._highest(found.price, one, both, around) for one in (v, w))
            together = 2 * (self._cost[self._kind[v]][self._kind[w]] + sum(weight for weight, _ in around))
            yield (first, min(second, together - first)), odd_sets

    def _highest(self, price: Sequence[int], v: int, without: int, around: OddSets) -> int:
        """Return the highest price of v, in these odd sets, with which no edge is cheaper than its ends."""
        row, kind = self._cost[self._kind[v]], self._kind
        return min(
            2 * (row[kind[u]] + sum(weight for weight, mask in around if mask >> u & 1)) - price[u]
            for u in bits(self._masks[v] & ~without)
        )


class _Rows:
    """Rows that are asked in their order, on the tight edges. firsts: their first players. mate: as it was paired.

    size: so many vertices are of the bracket. inner: its edges alone; each floater has a vertex below, and all who may
    float can meet each of these. What is impossible there is impossible.
    """

    def __init__(
        self, edges: list[int], size: int, firsts: Sequence[int], mate: Sequence[int], odd_sets: Sequence[int]
    ) -> None:
        floaters = [v for v in range(size) if mate[v] >= size]
        inside, below = (1 << size) - 1, (1 << len(floaters)) - 1 << size
        float_here = mask_of(v for v in range(size) if edges[v] & ~inside)
        self._inner = [row & inside | (below if row & ~inside else 0) for row in edges[:size]]
        self._inner += [float_here] * len(floaters)
        self._inner_mate = [*(min(w, size) for w in mate[:size]), *floaters]
        for at, v in enumerate(floaters, start=size):
            self._inner_mate[v] = at
        self._edges, self._firsts, self._mate, self._odd_sets = edges, firsts, mate, odd_sets
        self._home = [-1] * len(mate)
        for odd_set in sorted(odd_sets, key=int.bit_count, reverse=True):
            for v, home in enumerate(self._home):
                self._home[v] = home & (odd_set if odd_set >> v & 1 else ~odd_set)
        self._now = edges[:]
        self._nested = NestedMatching(self._now, mate, odd_sets)
        self._state = self._nested.state()

    def first_difference(self, v: int, w: int) -> tuple[int, int] | None:
        """Return the first row that differs if v and w meet, from 0, and its opponent there.

        None if they cannot meet, or if no row need differ.
        """
        firsts, pair = self._firsts, {v: 1 << w}
        differs = len(firsts)
        for one, other in ((v, w), (w, v)):
            if one in firsts:
                # an opponent who comes earlier would have been taken if all rows before could stay
                differs = min(differs, firsts.index(one) + (other > self._mate[one]))
        mate = self._meeting(0, pair) if differs else None
        if mate is None or (differs == len(firsts) and self._meeting(differs, pair) is not None):
            return None
        stay, step = 0, 1
        while stay < differs - 1:
            tried = max(differs - step, (stay + differs) // 2)
            found = self._meeting(tried, pair)
            if found is None:
                differs, step = tried, 2 * step
            else:
                mate, stay, step = found, tried, len(firsts)
        first = firsts[stay]
        if first in (v, w):
            return stay, v + w - first
        later = self._edges[first] >> self._mate[first] + 1 << self._mate[first] + 1
        columns = self._free_columns(mate, stay, first, pair) if mate else -1
        possible = (
            column
            for column in bits(later & columns)
            if self._meeting(stay, {**pair, first: 1 << column}) is not None
        )
        opponent = next(possible, None)
        assert opponent is not None, "the rows before can stay, but not this one"
        return stay, opponent

    def _free_columns(self, mate: list[int], count: int, first: int, pair: Mapping[int, int]) -> int:
        """Return the opponents that a row can have while all before stay; odd sets are of no account."""
        taken = {one: 1 << self._mate[one] for one in self._firsts[:count]}
        matching = Matching(_restricted(self._edges, {**taken, **pair, first: 0}))
        matching.mate, matching.exposed = mate, 1 << mate[first]
        mate[mate[first]] = -1
        return matching.dispensable()

    def _meeting(self, count: int, allowed: Mapping[int, int]) -> list[int] | None:
        """Return partners with which the first rows stay, so many, and some players have only these opponents, if any.

        It is tried without odd sets first, with everybody below as free as can be, then without edges between odd sets.
        [] if neither finds any, but it is possible.
        """
        if any(not self._edges[one] & mask for one, mask in allowed.items()):
            return None
        stay = {one: 1 << self._mate[one] for one in self._firsts[:count]} | dict(allowed)
        if _matched(_restricted(self._inner, stay), self._inner_mate, allowed) is None:
            return None
        self._now[:] = _restricted(self._edges, stay)
        found = _matched(self._now, self._mate, allowed)
        if found is None or self._leaves_each_once(found):
            return found
        found = _matched(list(map(and_, self._now, self._home)), self._mate, allowed)
        if found is not None and self._leaves_each_once(found):
            return found
        self._nested.restore(self._state)
        return [] if all(map(self._nested.repair, allowed)) else None

    def _leaves_each_once(self, mate: Sequence[int]) -> bool:
        return all(sum(not odd_set >> mate[v] & 1 for v in bits(odd_set)) == 1 for odd_set in self._odd_sets)


def _matched(rows: list[int], mate: Sequence[int], allowed: Mapping[int, int]) -> list[int] | None:
    """Return partners after some vertices have lost their edges to others; None if they cannot all be matched."""
    matching = Matching(rows)
    matching.mate, matching.exposed = list(mate), 0
    for one, mask in allowed.items():
        if not mask >> matching.mate[one] & 1:
            matching.part(one)
            if not matching.augment(one, rows):
                return None
    return matching.mate


def _restricted(rows: Sequence[int], allowed: Mapping[int, int]) -> list[int]:
    """Return the edges of which each of these vertices has only the allowed ones."""
    some = mask_of(allowed)
    left = [0 if some >> v & 1 else row & ~some for v, row in enumerate(rows)]
    for v, mask in allowed.items():
        for w in bits(rows[v] & mask):
            if allowed.get(w, -1) >> v & 1:
                left[w] |= 1 << v
                left[v] |= 1 << w
    return left
