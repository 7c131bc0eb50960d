"""The costs of pairs while floaters are chosen (docs/uschess.md, 4.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from evenboard_engine.matching import mask_of

from .colours import ColourState, colour_cost
from .costs_by_kind import FLAT, OTHER, SIZED, KindedCosts, VertexKind, weights
from .field import UsChessField, compressed
from .floaters import Blocks, Gap, SizePart
from .groups import OTHER_SIDE, SAME_SIDE, has_mates, large_codes_of, mate_costs, one_of
from .options import MateRule

if TYPE_CHECKING:
    from .float_choice import Chain

NEUTRAL = ColourState("", 0, third=False)
FAR = 1_000_000
"""A rating from which every difference is larger than one of real ratings."""
PLACES = 11
SPARE, BAND, HUBS = 3, 8, 3
"""With which float pairs the search begins, and of how many of each kind with all pairs of their group."""
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


def inside_places(
    field: UsChessField, one: int, other: int, size: int, *, same_side: bool
) -> tuple[int, ...]:
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
        settings = field.settings
        self._blocks, self._people = chain.blocks, chain.people
        self._odd_sets = chain.structure.odd_sets
        self.rating = [field.rating[place] for place in self._people]
        *self._weights, self._hold = self._weigh(floats_last=floats_last)
        self.low, self.high = settings.low, settings.high
        self.over_low, self.over_high = self._weights[7], self._weights[4] + self._weights[7]
        self.interchange, self.unit = self._weights[9:]
        mask = mask_of(self._people)
        self._around = [
            mask_of(at for at, odd in enumerate(self._odd_sets or ()) if odd >> place & 1 and odd & mask)
            for place in self._people
        ]
        self._at = {place: v for v, place in enumerate(self._people)}
        self._first_of: dict[int, int] = {}
        for v, place in enumerate(self._people):
            self._first_of.setdefault(field.points[place], v)
        self._sizes = chain.sizes
        self._rows_across: dict[tuple[int, int], list[int]] = {}
        codes = (
            (settings.team_rule, [field.team[place] for place in self._people]),
            (settings.club_rule, [field.club[place] for place in self._people]),
        )
        self._large = tuple(large_codes_of(rule, own) for rule, own in codes)
        self._has_few_mates = any(
            rule is MateRule.IF_REQUIRED and has_mates(code for code in own if code not in large)
            for (rule, own), large in zip(codes, self._large, strict=True)
        )
        self.has_special = self._has_few_mates or bool(self._odd_sets)
        natural = chain.blocks.natural
        # A natural floater's size is measured at the other player's natural opponent only.
        self.natural = [
            FAR if place in chain.blocks.floating else field.rating[natural[place]] for place in self._people
        ]
        edges = chain.structure.edges
        super().__init__(
            [self._kind(place) for place in self._people],
            compressed(self._people, [edges[place] for place in self._people]),
        )
        self._kinds_at: dict[int, list[int]] = {}
        for number, name in enumerate(self.names):
            self._kinds_at.setdefault(name.level, []).append(number)
        self._stay: dict[tuple[int, bool], list[int]] = {}
        for place in self._people:
            if place not in chain.blocks.floating:
                key = field.points[place], place in chain.blocks.upper
                self._stay.setdefault(key, []).append(place)

    def _weigh(self, *, floats_last: bool) -> list[int]:
        """Return the weights of the eleven places, and of what holds the structure."""
        field, settings = self._field, self._field.settings
        pairs = len(self._people) // 2
        most = [pairs] * PLACES
        most[0] = pairs * (settings.team_rule is MateRule.IF_REQUIRED)
        most[1] = pairs * (settings.club_rule is MateRule.IF_REQUIRED)
        most[2] = sum(field.keep[place] for place in self._people)
        most[5] = sum(field.unrated[place] for place in self._people)
        most[6] = pairs * max(field.state[place].imbalance for place in self._people)
        most[10] = 4 * pairs * (max(self.rating) - min(self.rating))
        leaving = pairs * (1 if self._odd_sets is None else max(1, 2 * len(self._odd_sets)))
        if floats_last:
            return weights([*most, leaving])
        hold, *of_places = weights([leaving, *most])
        return [*of_places, hold]

    def _kind(self, place: int) -> VertexKind:
        field, blocks = self._field, self._blocks
        mates = one_of(field, place, *self._large)
        if self._plain:
            return VertexKind(field.points[place], NEUTRAL, False, False, *mates)
        floats = place in blocks.floating
        is_sized = not field.unrated[place] and (floats or not field.unrated[blocks.natural[place]])
        return VertexKind(
            field.points[place], field.state[place], place in blocks.upper, is_sized, *mates, floats=floats
        )

    def mode_of(self, one: VertexKind, other: VertexKind) -> int:
        if one.level != other.level:
            return OTHER
        if self._plain or (one.floats and (other.floats or one.upper == other.upper)):
            return FLAT
        if other.floats and one.upper == other.upper:
            return FLAT
        return SIZED if one.is_sized and other.is_sized else OTHER

    def least(self, one: VertexKind, other: VertexKind) -> int | None:
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
        parts = self._sizes.parts[max(mine, theirs), min(mine, theirs)]
        return [self._own_cost(v, mine > theirs, parts[self._people[v]]) for v in self.members[kind]]

    def _own_cost(self, v: int, drops: bool, part: SizePart) -> int:
        """Return what one of a float pair adds to its cost, at least; what goes over a limit is the dropped one's."""
        cost = self._weights[2] * self._field.keep[self._people[v]] + self.unit * part.size
        if drops:
            cost += self._weights[5] * part.is_spared + self._over(part.size)
        return cost

    def _over(self, size: int) -> int:
        return 0 if size <= self.low else self.over_high if size > self.high else self.over_low

    def across(self, v: int, other: int) -> tuple[Sequence[int], int] | None:
        place, level = self._people[v], self.names[other].level
        if self._field.points[place] == level:
            return None
        key = v, level
        row = self._rows_across.get(key)
        if row is None:
            row = self._rows_across[key] = self._row_across(place, level)
        return row, self._first_of[level]

    def _row_across(self, place: int, level: int) -> list[int]:
        gap = self._field.points[place], level
        keep, kept = self._field.keep, self._weights[2]
        fixed = kept * keep[place] + self._weights[5] * self._sizes.parts[gap][place].is_spared
        low, high, over_low, over_high, unit = self.low, self.high, self.over_low, self.over_high, self.unit
        row = [
            fixed + unit * size + (0 if size <= low else over_high if size > high else over_low)
            for size in self._sizes.row(place, gap)
        ]
        for at, other in enumerate(self._sizes.groups[level]):
            if keep[other]:
                row[at] += kept
        return row

    def more(self, v: int, w: int) -> int:
        across = self.across(v, self.kind[w])
        if across is not None:
            row, start = across
            return row[w - start]
        size = self._blocks.size_inside(self._people[v], self._people[w])
        return self.cost_of_size(size, same_side=self.is_same_side(self.kind[v], self.kind[w]))

    def special_cost(self, v: int, w: int) -> int:
        cost = (self._around[v] ^ self._around[w]).bit_count() * self._hold
        if self._has_few_mates:
            kind = self.names[self.kind[v]]
            one, other = self._people[v], self._people[w]
            teams, clubs = mate_costs(self._field, one, other, MateRule.IF_REQUIRED)
            cost += self._weights[0] * (teams and not kind.team) + self._weights[1] * (
                clubs and not kind.club
            )
        return cost

    def likely(self, v: int) -> Iterable[tuple[int, int, int]]:
        place = self._people[v]
        blocks, field = self._blocks, self._field
        opponent = blocks.natural[place]
        floats = place in blocks.floating
        mine = field.points[place]
        near = self._like(v) if floats else self._at[opponent]
        for number in self._kinds_at[mine]:
            same_side = self.names[number].upper == (place in blocks.upper)
            yield number, near, SAME_SIDE if same_side else OTHER_SIDE
        if floats:
            for number in self._kinds_at[field.points[opponent]]:
                yield number, self._at[opponent], OTHER_SIDE

    def _like(self, v: int) -> int:
        """Return the natural opponent, in the same group, of one with about the same rating as a natural floater."""
        blocks, field = self._blocks, self._field
        place = self._people[v]
        stay = self._stay.get((field.points[place], place in blocks.upper))
        if not stay:
            return v
        return self._at[blocks.natural[min(stay, key=lambda other: field.diff(other, place))]]

    def also_likely(self) -> Iterable[tuple[int, int]]:
        """Return float pairs of all teams, where mates can decide who floats."""
        if self._odd_sets is None:
            return
        for gap in self._chain.gaps:
            yield from self._near_blocks(gap)
        if self._plain:
            yield from self._hubs()

    def _near_blocks(self, gap: Gap) -> Iterator[tuple[int, int]]:
        """Return float pairs across a gap of those of each team and due colour who add the least to their cost."""
        count = self._blocks.between[gap] + SPARE
        sides: list[list[list[int]]] = []
        for level in gap:
            parts = self._sizes.parts[gap]
            by_team: dict[tuple[str, ...], list[tuple[int, int]]] = {}
            for place in self._sizes.groups[level]:
                v = self._at[place]
                kind = self.names[self.kind[v]]
                by_team.setdefault((kind.team, kind.club, kind.state.due), []).append(
                    (self._own_cost(v, level == gap[0], parts[place]), v)
                )
            sides.append([sorted(v for _, v in sorted(team)[:count]) for team in by_team.values()])
        for mine in sides[0]:
            for theirs in sides[1]:
                for at, v in enumerate(mine):
                    near = at * len(theirs) // len(mine)
                    for w in theirs[max(0, near - BAND) : near + BAND + 1]:
                        yield v, w

    def _hubs(self) -> Iterator[tuple[int, int]]:
        """Return the pairs of a few players of each kind with everybody of their group, since many cost the same."""
        for kinds in self._kinds_at.values():
            everybody = [v for kind in kinds for v in self.members[kind]]
            for kind in kinds:
                for hub in self.members[kind][:HUBS]:
                    for v in everybody:
                        yield hub, v
