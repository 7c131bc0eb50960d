"""Who floats, and to whom (docs/uschess.md, 4.5, 4.6 and the two ways of 4.8)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

from pairing.engine.matching import Cheapest, Chooser, bits, cheapest_of_many, mask_of

from .colours import colour_cost
from .entrants import Field, Pairs
from .floaters import Blocks, Gap
from .groups import mate_costs
from .kinded import KindedCosts
from .places import weights
from .settings import MateRule
from .structure import Structure, can_pair

PLACES = 11
INSIDE_PLAIN = frozenset({0, 1})
"""The places of 4.5, from 0, that count pairs inside groups when floats are chosen by ratings alone (4.8)."""


def float_places(blocks: Blocks, one: int, other: int) -> tuple[int, ...]:
    """Return the costs of a float pair in the eleven places of 4.5."""
    field = blocks.field
    settings = field.settings
    size = blocks.size_of_float(one, other)
    third, equalisation, alternation = colour_cost(field.state[one], field.state[other])
    return (
        *mate_costs(field, one, other, MateRule.IF_REQUIRED),
        field.keep[one] + field.keep[other],
        third,
        size > settings.high,
        blocks.is_spared(one, (field.points[one], field.points[other])),
        equalisation,
        size > settings.low,
        alternation,
        0,
        size,
    )


def inside_places(field: Field, one: int, other: int, size: int, *, same_side: bool) -> tuple[int, ...]:
    """Return the costs of a pair of one group in the same places, for this size."""
    settings = field.settings
    third, equalisation, alternation = colour_cost(field.state[one], field.state[other])
    return (
        *mate_costs(field, one, other, MateRule.IF_REQUIRED),
        0,
        third,
        size > settings.high,
        0,
        equalisation,
        size > settings.low,
        alternation,
        same_side and size <= settings.low,
        size,
    )


class Chain:
    """A chain of groups, whose floaters are chosen together.

    people: in order of rank. gaps: the gaps with pairs, the highest group first, in it the lowest other group first.
    """

    def __init__(self, blocks: Blocks, structure: Structure, levels: Sequence[int], people: Sequence[int]) -> None:
        self.blocks, self.structure, self.people = blocks, structure, people
        self.field = blocks.field
        inside = set(levels)
        self.gaps = sorted(
            (gap for gap in structure.pairs_between if gap[0] in inside), key=lambda gap: (-gap[0], gap[1])
        )
        self.levels = levels

    def ahead(self) -> Pairs:
        """Return the float pairs that also look at the colours of the whole chain."""
        return self._natural_if_free() or self._best(plain=False)

    def plain(self) -> Pairs:
        """Return the float pairs by ratings alone (4.8)."""
        return self._nearest_each() or self._best(plain=True)

    # --- quick answers, each with its proof

    def _natural_if_free(self) -> Pairs:
        """Return the natural float pairs if they and all natural pairs cost nothing; else ().

        Nothing can cost less, and of equal ones 4.6 takes the natural floaters, who are first in its order.
        """
        blocks, edges = self.blocks, self.structure.edges
        if not self.structure.is_free:
            return ()
        for one in self.people:
            other = blocks.natural[one]
            if one > other:
                continue
            if not edges[one] >> other & 1:
                return ()
            if self.field.points[one] == self.field.points[other]:
                places = inside_places(self.field, one, other, 0, same_side=False)
            else:
                places = float_places(blocks, one, other)
            if any(places):
                return ()
        return self._natural()

    def _natural(self) -> Pairs:
        return tuple(
            pair
            for gap in self.gaps
            for pair in zip(self.blocks.dropped[gap], self.blocks.raised[gap], strict=True)
        )

    def _nearest_each(self) -> Pairs:
        """Return the best pair of each gap, if these can be made together and the groups then be paired; else ().

        Only for one pair across each gap, when the costs of the gaps add up: no pairing costs less than the sum of
        the least costs, and 4.6 takes these pairs because each is the first of its gap.
        """
        if not self.structure.is_free or any(self.blocks.between[gap] > 1 for gap in self.gaps):
            return ()
        edges = self._edges_without_mates()
        pairs = []
        used = 0
        for gap in self.gaps:
            pair = self._nearest(gap, edges)
            if pair is None or used & (1 << pair[0] | 1 << pair[1]):
                return ()
            used |= 1 << pair[0] | 1 << pair[1]
            pairs.append(pair)
        for level in self.levels:
            group = [one for one in self.people if self.field.points[one] == level and not used >> one & 1]
            if not can_pair(group, edges):
                return ()
        return tuple(pairs)

    def _edges_without_mates(self) -> Sequence[int]:
        field, edges = self.field, self.structure.edges
        settings = field.settings
        if MateRule.IF_REQUIRED not in (settings.team_rule, settings.club_rule):
            return edges
        rows = list(edges)
        for one in self.people:
            rows[one] &= ~mask_of(
                other for other in self.people if any(mate_costs(field, one, other, MateRule.IF_REQUIRED))
            )
        return rows

    def _nearest(self, gap: Gap, edges: Sequence[int]) -> tuple[int, int] | None:
        """Return the pair of a gap with the least cost, of equal ones the one that 4.6 takes."""
        blocks, field = self.blocks, self.field
        (one,), (other,) = blocks.dropped[gap], blocks.raised[gap]
        if edges[one] >> other & 1 and not field.keep[one] and not field.keep[other]:
            return one, other
        raised = [place for place in self.people if field.points[place] == gap[1]]
        best = None
        for at, down in enumerate(blocks.order[gap[0]]):
            for up in raised:
                if edges[down] >> up & 1:
                    places = float_places(blocks, down, up)
                    key = (places[2], places[4], places[5], places[7], places[10], at, up)
                    if best is None or key < best[0]:
                        best = key, (down, up)
        return best and best[1]

    # --- the exact answer

    def _best(self, *, plain: bool) -> Pairs:
        counted_last = self.structure.odd_sets is None
        costs = ChainCosts(self, plain=plain, floats_last=counted_last)
        best = cheapest_of_many(costs)
        if best is not None and counted_last and self._crossings(best.mate) > len(self.gaps):
            best = cheapest_of_many(ChainCosts(self, plain=plain, floats_last=False))
        assert best is not None, "the structure has a pairing"
        return self._taken(best)

    def _crossings(self, mate: Sequence[int]) -> int:
        points, people = self.field.points, self.people
        return sum(points[people[v]] > points[people[w]] for v, w in enumerate(mate))

    def _taken(self, best: Cheapest) -> Pairs:
        """Take, of the best pairings, the floaters that 4.6 takes."""
        people, points, blocks = self.people, self.field.points, self.blocks
        at = {place: v for v, place in enumerate(people)}
        of_level = {
            level: mask_of(v for v, place in enumerate(people) if points[place] == level)
            for level in self.levels
        }
        chooser = Chooser(best)
        dropped: dict[int, int] = {}
        for gap in self.gaps:
            for _ in range(blocks.between[gap]):
                dropped[
                    next(
                        place
                        for place in blocks.order[gap[0]]
                        if place not in dropped and chooser.keeps(at[place], of_level[gap[1]])
                    )
                ] = gap[1]
        pairs = []
        free = (1 << len(people)) - 1
        for place in sorted(dropped):
            v = at[place]
            w = next(w for w in bits(chooser.edges[v] & free) if chooser.keeps(v, 1 << w))
            free &= ~(1 << w)
            pairs.append((place, people[w]))
        return tuple(pairs)


class ChainCosts(KindedCosts):
    """The costs of 4.5. Vertices are indices of the people of a chain.

    plain: without the places that 4.8 leaves out. floats_last: the number of float pairs is the last place, so that
    most numbers stay small; the caller checks that there are not too many. Else what holds the structure comes first.
    """

    def __init__(self, chain: Chain, *, plain: bool, floats_last: bool) -> None:
        self._chain, self._plain = chain, plain
        field = self._field = chain.field
        self._blocks, self._people = chain.blocks, chain.people
        self._edges, self._odd_sets = chain.structure.edges, chain.structure.odd_sets
        pairs = len(self._people) // 2
        ratings = [field.rating[place] for place in self._people]
        imbalance = max(field.state[place].imbalance for place in self._people)
        most = [pairs] * PLACES
        most[2] = 2 * pairs
        most[6] = pairs * imbalance
        most[10] = 4 * pairs * (max(ratings) - min(ratings))
        leaving = pairs * (1 if self._odd_sets is None else max(1, 2 * len(self._odd_sets)))
        if floats_last:
            *self._weights, self._hold = weights([*most, leaving])
        else:
            self._hold, *self._weights = weights([leaving, *most])
        mask = mask_of(self._people)
        self._around = [
            mask_of(at for at, odd in enumerate(self._odd_sets or ()) if odd >> place & 1 and odd & mask)
            for place in self._people
        ]
        super().__init__([self._kind(place) for place in self._people])

    def _kind(self, place: int) -> Hashable:
        field, blocks = self._field, self._blocks
        if self._plain:
            return field.points[place]
        return field.points[place], field.state[place], place in blocks.upper

    def _sum(self, places: Iterable[int]) -> int:
        return sum(weight * place for weight, place in zip(self._weights, places, strict=True) if place)

    def least(self, one: Hashable, other: Hashable) -> int | None:
        if self._plain:
            return 0 if one == other or self._are_joined(one, other) else None  # type: ignore[arg-type]
        (level, state, upper), (other_level, other_state, other_upper) = one, other  # type: ignore[misc]
        if level != other_level and not self._are_joined(level, other_level):
            return None
        cost = colour_cost(state, other_state)
        places = [0] * PLACES
        places[3], places[6], places[8] = cost
        places[9] = int(level == other_level and upper == other_upper)
        return self._sum(places)

    def _are_joined(self, one: int, other: int) -> bool:
        return (max(one, other), min(one, other)) in self._blocks.between

    def likely(self, v: int) -> Iterable[int]:
        people, blocks = self._people, self._blocks
        place = people[v]
        yield people.index(blocks.natural[place])

    def cost(self, v: int, w: int) -> int | None:
        one, other = self._people[v], self._people[w]
        if not self._edges[one] >> other & 1:
            return None
        field, blocks = self._field, self._blocks
        if field.points[one] != field.points[other]:
            places = float_places(blocks, one, other)
            hold = 1
        else:
            size = 0 if self._plain else blocks.size_inside(one, other)
            places = inside_places(field, one, other, size, same_side=blocks.are_same_side(one, other))
            hold = 0
        if self._plain:
            places = _plain_places(places, inside=not hold)
        if self._odd_sets is not None:
            hold = (self._around[v] ^ self._around[w]).bit_count()
        return self._sum(places) + hold * self._hold


def _plain_places(places: Sequence[int], *, inside: bool) -> tuple[int, ...]:
    left_out = (3, 6, 8, 9)
    return tuple(
        0 if at in left_out or (inside and at not in INSIDE_PLAIN) else place for at, place in enumerate(places)
    )

