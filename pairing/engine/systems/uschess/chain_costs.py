"""The costs of pairs while floaters are chosen (docs/uschess.md, 4.5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pairing.engine.matching import mask_of

from .colours import ColourState, colour_cost
from .entrants import Field
from .floaters import Blocks, Gap
from .groups import OTHER_SIDE, SAME_SIDE, large_codes_of, mate_costs, one_of
from .kinded import Kind, KindedCosts
from .places import weights
from .settings import MateRule

if TYPE_CHECKING:
    from .choosing import Chain

NEUTRAL = ColourState("", 0, third=False)
PLACES = 11
LEFT_OUT = frozenset({3, 6, 8, 9})
"""The places of 4.5, from 0, that are left out when floats are chosen by ratings alone (4.8)."""


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
        self.low, self.high = field.settings.low, field.settings.high
        self.over_low, self.over_high = self._weights[7], self._weights[4] + self._weights[7]
        self.interchange, self.unit = self._weights[9:]
        self._mates = MateRule.IF_REQUIRED in (field.settings.team_rule, field.settings.club_rule)
        mask = mask_of(self._people)
        self._around = [
            mask_of(at for at, odd in enumerate(self._odd_sets or ()) if odd >> place & 1 and odd & mask)
            for place in self._people
        ]
        self._at = {place: v for v, place in enumerate(self._people)}
        self._settled = self._part_sizes()
        self._large = (
            self._large_codes(field.settings.team_rule, field.team),
            self._large_codes(field.settings.club_rule, field.club),
        )
        natural = chain.blocks.natural
        self.rating = ratings
        self.natural = [field.rating[natural[place]] for place in self._people]
        super().__init__([self._kind(place) for place in self._people])

    def _part_sizes(self) -> dict[Gap, dict[int, int]]:
        """Return, for each gap, what each player adds to the cost of a float pair across it, at least."""
        field, blocks = self._field, self._blocks
        times = 2 if field.settings.avoid_swap else 1
        parts: dict[Gap, dict[int, int]] = {}
        self._sizes: dict[Gap, dict[int, int]] = {}
        for gap in self._chain.gaps:
            parts[gap], self._sizes[gap] = {}, {}
            for place in self._people:
                level = field.points[place]
                if level not in gap:
                    continue
                block = blocks.dropped[gap] if level == gap[0] else blocks.raised[gap]
                spared = level == gap[0] and blocks.is_spared(place, gap)
                nothing = spared or place in block
                size = 0 if nothing else times * min(field.diff(place, other) for other in block)
                self._sizes[gap][place] = size
                parts[gap][place] = (
                    self._weights[2] * field.keep[place]
                    + self._weights[5] * spared
                    + self._weights[10] * size
                )
        return parts

    def _kind(self, place: int) -> Kind:
        field, blocks = self._field, self._blocks
        mates = one_of(field, place, *self._large)
        if self._plain:
            return Kind(field.points[place], NEUTRAL, False, False, *mates)
        unusual = place in blocks.floating or field.unrated[place] or field.unrated[blocks.natural[place]]
        return Kind(field.points[place], field.state[place], place in blocks.upper, not unusual, *mates)

    def _large_codes(self, rule: MateRule, codes: Sequence[str]) -> frozenset[str]:
        """Return the large teams or clubs, whose pairs cost something, have no edge, or are few."""
        return large_codes_of(rule, [codes[place] for place in self._people])

    def _sum(self, places: Iterable[int]) -> int:
        return sum(weight * place for weight, place in zip(self._weights, places, strict=True) if place)

    def least(self, one: Kind, other: Kind) -> int | None:
        floats = one.level != other.level
        if floats and not self._are_joined(one.level, other.level):
            return None
        cost = self._hold if floats and self._odd_sets is None else 0
        settings = self._field.settings
        for weight, rule, mine, theirs in (
            (self._weights[0], settings.team_rule, one.team, other.team),
            (self._weights[1], settings.club_rule, one.club, other.club),
        ):
            if mine == theirs != "":
                if rule is not MateRule.DONT:
                    cost += weight
                elif self._chain.structure.is_free:
                    return None  # the structure has no pair of mates
        if self._plain:
            return cost
        third, equalisation, alternation = colour_cost(one.state, other.state)
        cost += third * self._weights[3] + equalisation * self._weights[6] + alternation * self._weights[8]
        return cost + (self.interchange if not floats and one.upper == other.upper else 0)

    def _are_joined(self, one: int, other: int) -> bool:
        return (max(one, other), min(one, other)) in self._blocks.between

    def own(self, kind: int, other: int) -> Sequence[int] | None:
        mine, theirs = self.names[kind].level, self.names[other].level
        if mine == theirs:
            return None
        parts = self._settled[max(mine, theirs), min(mine, theirs)]
        return [parts[self._people[v]] for v in self.members[kind]]

    def likely(self, v: int) -> Iterable[tuple[int, int, int]]:
        place = self._people[v]
        blocks, field = self._blocks, self._field
        to = self._at[blocks.natural[place]]
        floats = place in blocks.floating
        mine = field.points[place]
        for number, kind in enumerate(self.names):
            if kind.level == mine:
                near = self._like(v) if floats else to
                yield number, near, SAME_SIDE if kind.upper == (place in blocks.upper) else OTHER_SIDE
            elif floats and kind.level == field.points[blocks.natural[place]]:
                yield number, to, OTHER_SIDE

    def _like(self, v: int) -> int:
        """Return the natural opponent, in the same group, of one with about the same rating as a natural floater."""
        blocks, field = self._blocks, self._field
        place = self._people[v]
        stay = [
            other
            for other in self._people
            if field.points[other] == field.points[place]
            and other not in blocks.floating
            and (other in blocks.upper) == (place in blocks.upper)
        ]
        if not stay:
            return v
        return self._at[blocks.natural[min(stay, key=lambda other: field.diff(other, place))]]

    def cost(self, v: int, w: int) -> int | None:
        one, other = self._people[v], self._people[w]
        if not self._edges[one] >> other & 1:
            return None
        field = self._field
        hold = field.points[one] != field.points[other]
        if hold:
            cost = self._float_cost(one, other)
        elif self._plain:
            cost = self._mate_cost(one, other)
        else:
            cost = self._inside_cost(v, w) + self._mate_cost(one, other, apart_from=self.names[self.kind[v]])
        if self._odd_sets is not None:
            return cost + (self._around[v] ^ self._around[w]).bit_count() * self._hold
        return cost + self._hold if hold else cost

    def _inside_cost(self, v: int, w: int) -> int:
        kind, other_kind = self.kind[v], self.kind[w]
        if self.is_sized[kind] and self.is_sized[other_kind]:
            return self.sized_cost(v, w)
        floor = self.floor[kind][other_kind]
        assert floor is not None
        size = self._blocks.size_inside(self._people[v], self._people[w])
        return self.with_size(floor, size, same_side=self.is_same_side(kind, other_kind))

    def _float_cost(self, one: int, other: int) -> int:
        gap = self._field.points[one], self._field.points[other]
        if self._blocks.between[gap] == 1:
            return self._single_float_cost(gap, one, other)
        places = float_places(self._blocks, one, other)
        if self._plain:
            places = tuple(0 if at in LEFT_OUT else place for at, place in enumerate(places))
        return self._sum(places)

    def _single_float_cost(self, gap: Gap, one: int, other: int) -> int:
        """Return the same of a float pair across a gap with one pair: what both add is all but limits and colours."""
        parts = self._settled[gap]
        cost = parts[one] + parts[other] + self._mate_cost(one, other)
        if not self._plain:
            field, weights = self._field, self._weights
            third, equalisation, alternation = colour_cost(field.state[one], field.state[other])
            cost += third * weights[3] + equalisation * weights[6] + alternation * weights[8]
        size = self._sizes[gap][one] + self._sizes[gap][other]
        if size > self.low:
            cost += self.over_high if size > self.high else self.over_low
        return cost

    def _mate_cost(self, one: int, other: int, *, apart_from: Kind | None = None) -> int:
        """Return what two mates cost. apart_from: their kind, if its floor is counted already."""
        if not self._mates:
            return 0
        teams, clubs = mate_costs(self._field, one, other, MateRule.IF_REQUIRED)
        if apart_from is not None:
            teams, clubs = teams and not apart_from.team, clubs and not apart_from.club
        return self._weights[0] * teams + self._weights[1] * clubs
