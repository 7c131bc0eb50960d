"""The pairs of a scoregroup whose floaters are taken out (docs/uschess.md, 4.7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evenboard_engine.matching import Cheapest, Chooser, bits, cheapest_of_many, mask_of

from .colours import ColourState, colour_cost
from .costs_by_kind import OTHER, SIZED, KindedCosts, VertexKind, large_codes, weights
from .field import Pairs, UsChessField, compressed
from .options import MateRule

OTHER_SIDE, SAME_SIDE = 4, 3
"""Of how many opponents of each kind, on either side of the natural one, the search begins with the costs."""


def pair_group(field: UsChessField, group: Sequence[int]) -> Pairs:
    """Return the pairs of an even number of places in order of rank. There is a pairing that the arbiter allows."""
    pairs = pairs_of_group(field, group)
    assert pairs is not None, "the choice of the floaters left a group that can be paired"
    return pairs


def pairs_of_group(field: UsChessField, group: Sequence[int]) -> Pairs | None:
    """Return the pairs of an even number of places in order of rank; None if the arbiter allows no pairing of them."""
    middle = len(group) // 2
    natural = tuple(zip(group[:middle], group[middle:], strict=True))
    if all(_is_free(field, one, other) for one, other in natural):
        return natural
    best = best_of_group(field, group)
    if best is None:
        return None
    return tuple((group[v], group[w]) for v, w in nearest_to_natural(best, len(group)))


def best_of_group(
    field: UsChessField, group: Sequence[int], forced: tuple[int, int] | None = None
) -> Cheapest | None:
    """Return the best pairings of a group, as vertices of `GroupCosts`; None if there is none."""
    strict = cheapest_of_many(GroupCosts(field, group, strict=True, forced=forced))
    if strict is not None:
        return strict
    return cheapest_of_many(GroupCosts(field, group, strict=False, forced=forced))


def _is_free(field: UsChessField, one: int, other: int) -> bool:
    """Return whether a natural pair costs nothing."""
    return (
        not field.kept_apart[one] >> other & 1
        and not any(colour_cost(field.state[one], field.state[other]))
        and mate_costs(field, one, other, MateRule.IF_REQUIRED) == (False, False)
    )


def mate_costs(field: UsChessField, one: int, other: int, rule: MateRule) -> tuple[bool, bool]:
    """Return whether two are teammates and clubmates, each only if the option has this value."""
    settings = field.settings
    return (
        settings.team_rule is rule and field.are_teammates(one, other),
        settings.club_rule is rule and field.are_clubmates(one, other),
    )


def large_codes_of(rule: MateRule, codes: Sequence[str]) -> frozenset[str]:
    """Return the large teams or clubs, if the option asks for them."""
    return frozenset() if rule is MateRule.IGNORE else large_codes(codes)


def has_mates(codes: Iterable[str]) -> bool:
    """Return whether two have the same code."""
    found = [code for code in codes if code]
    return len(set(found)) < len(found)


def one_of(field: UsChessField, place: int, teams: frozenset[str], clubs: frozenset[str]) -> tuple[str, str]:
    """Return the team and the club of a place, each "" if it is not among these."""
    team, club = field.team[place], field.club[place]
    return team if team in teams else "", club if club in clubs else ""


def nearest_to_natural(best: Cheapest, size: int) -> list[tuple[int, int]]:
    """Take, of the best pairings, the one that 4.7 takes of equal ones."""
    chooser = Chooser(best)
    middle = size // 2
    free = (1 << size) - 1
    pairs = []
    for v in range(size):
        if not free >> v & 1:
            continue
        to = v + middle if v < middle else v - middle
        candidates = sorted(bits(chooser.edges[v] & free & ~(1 << v)), key=lambda w: (abs(w - to), -w))
        w = next(w for w in candidates if chooser.keeps(v, 1 << w))
        free &= ~(1 << v | 1 << w)
        pairs.append((v, w))
    return pairs


class GroupCosts(KindedCosts):
    """The costs of 4.7. Vertices are indices of the group. strict: only pairs that cost nothing in places 1 to 3.

    forced: two places that must meet.
    """

    def __init__(
        self,
        field: UsChessField,
        group: Sequence[int],
        *,
        strict: bool,
        forced: tuple[int, int] | None = None,
    ) -> None:
        self._field, self._group, self._strict = field, group, strict
        settings = field.settings
        self._middle = len(group) // 2
        pairs = self._middle
        ratings = [field.rating[place] for place in group]
        states = {field.state[place] for place in group}
        met = 0 if strict else pairs * max((times for row in field.met for times in row.values()), default=0)
        imbalance = pairs * max(state.imbalance for state in states)
        mates = 0 if strict else pairs
        self._weights = weights(
            [met, mates, mates, *[pairs] * 4, imbalance, *[pairs] * 3, pairs * (max(ratings) - min(ratings))]
        )
        self.low, self.high = settings.low, settings.high
        self.over_low, self.over_high = self._weights[8], self._weights[6] + self._weights[8]
        self.interchange, self.unit = self._weights[10:]
        self._unrated = [field.unrated[place] for place in group]
        self.rating, self.natural = ratings, ratings[pairs:] + ratings[:pairs]
        codes = (
            (settings.team_rule, [field.team[place] for place in group]),
            (settings.club_rule, [field.club[place] for place in group]),
        )
        large = [large_codes_of(rule, own) for rule, own in codes]
        self.has_special = not strict or any(
            rule is MateRule.IF_REQUIRED and has_mates(code for code in own if code not in known)
            for (rule, own), known in zip(codes, large, strict=True)
        )
        self._special = self._special_pairs(large)
        super().__init__(
            [
                VertexKind(
                    0, field.state[place], v < pairs, not self._is_capped(v), *one_of(field, place, *large)
                )
                for v, place in enumerate(group)
            ],
            self._edges(forced),
        )

    def _special_pairs(self, large: Sequence[frozenset[str]]) -> list[int]:
        """Return whose pairs cost something that their kinds do not tell, as masks of places, for each vertex."""
        field, group = self._field, self._group
        masks = [mask_of(field.met[place]) for place in group]
        for codes, known in zip((field.team, field.club), large, strict=True):
            members: dict[str, int] = {}
            for place in group:
                if codes[place] not in known:
                    members[codes[place]] = members.get(codes[place], 0) | 1 << place
            for v, place in enumerate(group):
                if codes[place]:
                    masks[v] |= members.get(codes[place], 0)
        return masks

    def _edges(self, forced: tuple[int, int] | None) -> list[int]:
        """Return the pairs that are allowed, as masks of vertices."""
        field, group = self._field, self._group
        apart = field.kept_apart if self._strict else field.never
        rows = compressed(group, [field.everybody & ~(apart[place] | 1 << place) for place in group])
        if forced:
            v, w = (group.index(place) for place in forced)
            both = 1 << v | 1 << w
            rows = [row & ~both for row in rows]
            rows[v], rows[w] = 1 << w, 1 << v
        return rows

    def _is_capped(self, v: int) -> bool:
        """Return whether differences of the player's or the natural opponent's rating are limited (1.3)."""
        return self._unrated[v] or self._unrated[self._opposite(v)]

    def _opposite(self, v: int) -> int:
        return v + self._middle if v < self._middle else v - self._middle

    def _colour(self, one: ColourState, other: ColourState) -> int:
        cost = colour_cost(one, other)
        w = self._weights
        return cost.third * w[5] + cost.equalisation * w[7] + cost.alternation * w[9]

    def mode_of(self, one: VertexKind, other: VertexKind) -> int:
        return SIZED if one.is_sized and other.is_sized else OTHER

    def least(self, one: VertexKind, other: VertexKind) -> int | None:
        cost = self._colour(one.state, other.state) + (self.interchange if one.upper == other.upper else 0)
        settings = self._field.settings
        for at, (rule, mine, theirs) in enumerate(
            ((settings.team_rule, one.team, other.team), (settings.club_rule, one.club, other.club))
        ):
            if mine == theirs != "":
                if rule is MateRule.DONT and self._strict:
                    return None
                cost += self._weights[(1 if rule is MateRule.DONT else 3) + at]
        return cost

    def likely(self, v: int) -> Iterable[tuple[int, int, int]]:
        to = self._opposite(v)
        for number, kind in enumerate(self.names):
            yield number, to, OTHER_SIDE if kind.upper != (v < self._middle) else SAME_SIDE

    def more(self, v: int, w: int) -> int:
        one = abs(self.rating[w] - self.natural[v])
        other = abs(self.rating[v] - self.natural[w])
        unrated = self._unrated
        if unrated[w] or unrated[self._opposite(v)]:
            one = min(one, self.low)
        if unrated[v] or unrated[self._opposite(w)]:
            other = min(other, self.low)
        return self.cost_of_size(min(one, other), same_side=self.is_same_side(self.kind[v], self.kind[w]))

    def special_cost(self, v: int, w: int) -> int:
        one, other = self._group[v], self._group[w]
        if not self._special[v] >> other & 1:
            return 0
        teams, clubs = self._mates_apart_from_kind(v, w, MateRule.IF_REQUIRED)
        cost = self._weights[3] * teams + self._weights[4] * clubs
        teams, clubs = self._mates_apart_from_kind(v, w, MateRule.DONT)
        cost += self._weights[1] * teams + self._weights[2] * clubs
        return cost + self._weights[0] * self._field.met[one].get(other, 0)

    def _mates_apart_from_kind(self, v: int, w: int, rule: MateRule) -> tuple[bool, bool]:
        """Return the mate costs of a pair that the floor of its kinds does not have."""
        kind = self.names[self.kind[v]]
        teams, clubs = mate_costs(self._field, self._group[v], self._group[w], rule)
        return teams and not kind.team, clubs and not kind.club
