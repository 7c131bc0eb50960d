"""The best candidate of a large bracket in which two given players meet, mostly without a new matching.

Prices of a cheapest matching bound the cost of every other one from below (weak duality). A matching that was found,
with the opponents of two or three pairs exchanged, bounds it from above. If both bounds agree up to the first criterion
that is worse, it decides. Else a new matching does, and its prices serve the pairs that are asked for next.

All candidates that are as good as the best one have only tight edges (complementary slackness). So the order among them
is asked row by row on these edges: how many of the first rows can stay as they are if the two meet?
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from operator import or_
from typing import NamedTuple

from evenboard_engine.matching import (
    EdgesLeft,
    Kinds,
    Matching,
    NestedMatching,
    PricedByKind,
    bits,
    mask_of,
    matched_with,
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
        self._shifts = sorted(unit.bit_length() - 1 for unit in self._layout.unit.values())
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
        """Return C6 to C21 of the best candidate in which two players meet; None if there is no candidate.

        They are right up to the first criterion that is worse than in the candidate that was taken.
        """
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
            used = {*self._columns_used, *s2}
            free = (place for place in bracket.residents if place not in used)
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
        """Return the least cost of a candidate with this pair, right up to the criterion that decides; None if there is
        none.
        """
        most: int | None = None
        twice = 2 * self._with_its_own_cost(v, w)
        for bound in reversed(self._bounds):
            twice = max(twice, self._at_least(bound, v, w))
            cost = self._exchanged(bound, v, w)
            if cost is not None and (most is None or cost < most):
                most = cost
            if most is not None and self._decides(-(-twice // 2), most):
                return most
        left = EdgesLeft(self._masks, ~(1 << v | 1 << w))
        if matched_with(left, self._bounds[0].mate, {v: w}) is None:
            return None
        found = self._cheapest(self._with([(self._places[v], self._places[w])]))
        assert found is not None, "all can be matched"
        self._bounds.append(self._bound(found, v, w))
        return found.best.cost

    def _decides(self, least: int, most: int) -> bool:
        """Return whether all costs from `least` to `most` have the same first criterion that is worse than the best."""
        if most == self._best:
            return True
        highest = (most ^ self._best).bit_length() - 1
        shift = self._shifts[bisect_right(self._shifts, highest) - 1]
        return least >> shift == most >> shift

    def _cheapest(self, masks: list[int]) -> PricedByKind | None:
        return priced_by_kind(Kinds(masks, self._kind, self._cost, [0] * len(self._cost)))

    def _with(self, pairs: Sequence[tuple[int, int]]) -> list[int]:
        """Return the edges if these pairs of players meet."""
        vertex = self._vertex
        return _restricted(
            self._masks,
            {vertex[one]: 1 << vertex[other] for pair in pairs for one, other in (pair, pair[::-1])},
        )

    def _with_its_own_cost(self, v: int, w: int) -> int:
        """Return what a candidate with this pair costs at least: no criterion before the first that the pair itself
        worsens is better than in the best candidate.
        """
        own = self._cost[self._kind[v]][self._kind[w]]
        at = bisect_right(self._shifts, own.bit_length() - 1)
        above = self._best >> self._shifts[at] << self._shifts[at] if at < len(self._shifts) else 0
        return max(self._best, above + own)

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
        found = [left + cost(one, other)] if masks[one] >> other & 1 else []
        kinds = {
            (kind[third], kind[mate[third]])
            for third in bits(masks[one] & ~(1 << v | 1 << w | 1 << other))
            if masks[other] >> mate[third] & 1
        }
        row, other_row = costs[kind[one]], costs[kind[other]]
        found.extend(left + row[a] + other_row[b] - costs[a][b] for a, b in kinds)
        return min(found, default=None)

    def _bound(self, found: PricedByKind, v: int, w: int) -> _Bound:
        price = found.price
        total = sum(price) - price[v] - price[w]
        return _Bound(found.best.mate, found.best.cost, price, total, (v, w), list(self._back(found, v, w)))

    def _back(self, found: PricedByKind, v: int, w: int) -> Iterator[tuple[tuple[int, ...], OddSets]]:
        """Yield ways to put a pair back among the others: outside the odd sets, or into one of the largest.

        Each of the two gets the highest price with which no edge is cheaper than its ends.
        """
        both = 1 << v | 1 << w
        price, kind = found.price, self._kind
        others = [list(bits(self._masks[one] & ~both)) for one in (v, w)]
        rows = [self._cost[kind[one]] for one in (v, w)]
        highest = [
            [2 * row[kind[u]] - price[u] for u in places] for row, places in zip(rows, others, strict=True)
        ]
        largest = sorted((mask for _, mask in found.odd_sets), key=int.bit_count, reverse=True)
        for inside in (0, *largest[:SETS]):
            odd_sets = [
                (weight, mask | both if inside and mask & inside == inside else mask)
                for weight, mask in found.odd_sets
            ]
            more: defaultdict[int, int] = defaultdict(int)
            together = rows[0][kind[w]]
            for weight, mask in odd_sets:
                if mask & both == both:
                    together += weight
                    for u in bits(mask):
                        more[u] += 2 * weight
            first, second = (
                min(most + more[u] for u, most in zip(places, values, strict=True)) if more else min(values)
                for places, values in zip(others, highest, strict=True)
            )
            yield (first, min(second, 2 * together - first)), odd_sets


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
        self._edges, self._firsts, self._mate = edges, firsts, mate
        self._index = {one: number for number, one in enumerate(firsts)}
        paired = (1 << one | 1 << mate[one] for one in firsts)
        self._first_rows = list(accumulate(paired, or_, initial=0))
        leaving = (next(v for v in bits(mask) if not mask >> mate[v] & 1) for mask in odd_sets)
        self._odd_sets = list(zip(odd_sets, leaving, strict=True))
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
        firsts, pair = self._firsts, {v: w}
        differs = len(firsts)
        for one, other in ((v, w), (w, v)):
            if one in self._index:
                # an opponent who comes earlier would have been taken if all rows before could stay
                differs = min(differs, self._index[one] + (other > self._mate[one]))
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
            if self._meeting(stay, {**pair, first: column}) is not None
        )
        opponent = next(possible, None)
        assert opponent is not None, "the rows before can stay, but not this one"
        return stay, opponent

    def _free_columns(self, mate: list[int], count: int, first: int, pair: Mapping[int, int]) -> int:
        """Return the opponents that a row can have while all before stay; odd sets are of no account."""
        joined = mask_of(v for one, other in pair.items() for v in (one, other))
        matching = Matching([])
        matching.mate, matching.exposed = mate, 1 << mate[first]
        mate[mate[first]] = -1
        left = ~(self._first_rows[count] | joined | 1 << first)
        return matching.dispensable(EdgesLeft(self._edges, left))

    def _meeting(self, count: int, pairs: Mapping[int, int]) -> list[int] | None:
        """Return partners with which the first rows stay, so many, and these players meet, if any.

        It is tried without odd sets first, with everybody below as free as can be, then without edges between odd sets.
        [] if neither finds any, but it is possible.
        """
        if any(not self._edges[one] >> other & 1 for one, other in pairs.items()):
            return None
        joined = mask_of(v for pair in pairs.items() for v in pair)
        stay = self._first_rows[count]
        if stay & joined:
            return None
        left = ~(stay | joined)
        if matched_with(EdgesLeft(self._inner, left), self._inner_mate, pairs) is None:
            return None
        found = matched_with(EdgesLeft(self._edges, left), self._mate, pairs)
        if found is None or self._leaves_each_once(found):
            return found
        found = matched_with(EdgesLeft(self._edges, left, self._home), self._mate, pairs)
        if found is not None and self._leaves_each_once(found):
            return found
        allowed = {one: 1 << self._mate[one] for one in self._firsts[:count]}
        allowed |= {one: 1 << other for one, other in pairs.items()}
        self._now[:] = _restricted(self._edges, allowed)
        self._nested.restore(self._state)
        return [] if all(map(self._nested.repair, pairs)) else None

    def _leaves_each_once(self, mate: Sequence[int]) -> bool:
        """Return whether each odd set has one pair that leaves it, as it had before some partners changed."""
        changed = mask_of(
            v for v, (one, other) in enumerate(zip(mate, self._mate, strict=True)) if one != other
        )
        return all(
            sum(not odd_set >> mate[v] & 1 for v in bits(odd_set & changed)) == changed >> leaving & 1
            for odd_set, leaving in self._odd_sets
        )


def _restricted(rows: Sequence[int], allowed: Mapping[int, int]) -> list[int]:
    """Return the edges of which each of these vertices has only the allowed ones."""
    some = mask_of(allowed)
    left = [0 if some >> v & 1 else row & ~some for v, row in enumerate(rows)]
    for v, mask in allowed.items():
        for w in bits(rows[v] & mask):
            both = allowed.get(w, -1) >> v & 1
            left[w] |= both << v
            left[v] |= both << w
    return left
