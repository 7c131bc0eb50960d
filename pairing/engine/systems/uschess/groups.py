"""The pairs of a scoregroup whose floaters are taken out (docs/uschess.md, 4.7)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from pairing.engine.matching import Chooser, Cheapest, bits, cheapest_of_many

from .colours import ColourState, colour_cost
from .entrants import Field, Pairs
from .kinded import KindedCosts
from .places import weights
from .settings import MateRule


def pair_group(field: Field, group: Sequence[int]) -> Pairs:
    """Return the pairs of an even number of places in order of rank. There is a pairing that the arbiter allows."""
    middle = len(group) // 2
    natural = tuple(zip(group[:middle], group[middle:], strict=True))
    if all(_is_free(field, one, other) for one, other in natural):
        return natural
    best = cheapest_of_many(GroupCosts(field, group, strict=True)) or cheapest_of_many(
        GroupCosts(field, group, strict=False)
    )
    assert best is not None, "the choice of the floaters left a group that can be paired"
    return tuple((group[v], group[w]) for v, w in nearest_to_natural(best, len(group)))


def _is_free(field: Field, one: int, other: int) -> bool:
    """Return whether a natural pair costs nothing."""
    return (
        not field.kept_apart[one] >> other & 1
        and not any(colour_cost(field.state[one], field.state[other]))
        and mate_costs(field, one, other, MateRule.IF_REQUIRED) == (False, False)
    )


def mate_costs(field: Field, one: int, other: int, rule: MateRule) -> tuple[bool, bool]:
    """Return whether two are teammates and clubmates, each only if the option has this value."""
    settings = field.settings
    return (
        settings.team_rule is rule and field.are_teammates(one, other),
        settings.club_rule is rule and field.are_clubmates(one, other),
    )


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
    """The costs of 4.7. Vertices are indices of the group. strict: only pairs that cost nothing in its places 1 to 3."""

    def __init__(self, field: Field, group: Sequence[int], *, strict: bool) -> None:
        self._field, self._group, self._strict = field, group, strict
        self._middle = len(group) // 2
        pairs = self._middle
        ratings = [field.rating[place] for place in group]
        states = {field.state[place] for place in group}
        met = 0 if strict else pairs * max((times for row in field.met for times in row.values()), default=0)
        imbalance = pairs * max(state.imbalance for state in states)
        mates = 0 if strict else pairs
        self._weights = weights(
            [met, mates, mates, pairs, pairs, pairs, pairs, imbalance, pairs, pairs, pairs]
            + [pairs * (max(ratings) - min(ratings))]
        )
        self._over_high = self._weights[6] + self._weights[8]
        self._over_low = self._weights[8]
        self._interchange = self._weights[10]
        self._mates = any(
            rule is not MateRule.IGNORE for rule in (field.settings.team_rule, field.settings.club_rule)
        )
        self._unrated = [field.unrated[place] for place in group]
        self._any_unrated = any(self._unrated)
        self._rating = ratings
        self._natural = ratings[pairs:] + ratings[:pairs]
        super().__init__([(field.state[place], v < pairs) for v, place in enumerate(group)])

    def _colour(self, one: ColourState, other: ColourState) -> int:
        cost = colour_cost(one, other)
        w = self._weights
        return cost.third * w[5] + cost.equalisation * w[7] + cost.alternation * w[9]

    def least(self, one: Hashable, other: Hashable) -> int:
        (state, upper), (other_state, other_upper) = one, other  # type: ignore[misc]
        return self._colour(state, other_state) + (self._interchange if upper == other_upper else 0)

    def likely(self, v: int) -> Iterable[int]:
        middle = self._middle
        return (v + middle if v < middle else v - middle,)

    def _size(self, v: int, w: int) -> int:
        one = abs(self._rating[w] - self._natural[v])
        other = abs(self._rating[v] - self._natural[w])
        if self._any_unrated:
            unrated, size, middle = self._unrated, self.size, self._middle
            low = self._field.settings.low
            if unrated[w] or unrated[(v + middle) % size]:
                one = min(one, low)
            if unrated[v] or unrated[(w + middle) % size]:
                other = min(other, low)
        return min(one, other)

    def cost(self, v: int, w: int) -> int | None:
        field = self._field
        one, other = self._group[v], self._group[w]
        floor = self.floor[self.kind[v]][self.kind[w]]
        assert floor is not None
        cost = floor
        if field.kept_apart[one] >> other & 1:
            if self._strict or field.never[one] >> other & 1:
                return None
            cost += self._weights[0] * field.met[one].get(other, 0)
            teams, clubs = mate_costs(field, one, other, MateRule.DONT)
            cost += self._weights[1] * teams + self._weights[2] * clubs
        if self._mates:
            teams, clubs = mate_costs(field, one, other, MateRule.IF_REQUIRED)
            cost += self._weights[3] * teams + self._weights[4] * clubs
        size = self._size(v, w)
        cost += size
        if size > field.settings.low:
            cost += self._over_high if size > field.settings.high else self._over_low
            if (v < self._middle) == (w < self._middle):
                cost -= self._interchange
        return cost
