"""Who floats, and to whom (docs/uschess.md, 4.5 to 4.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from evenboard_engine.matching import Cheapest, Chooser, bits, cheapest_of_many, mask_of

from .chain_costs import ChainCosts, float_places, inside_places
from .field import Pairs, UsChessField, can_pair, halves
from .floaters import Blocks, FloatSizes, Gap, size_of_pair
from .groups import mate_costs, pair_group
from .options import MateRule
from .structure import Structure


class Chain:
    """A chain of groups, whose floaters are chosen together.

    people: in order of rank. gaps: the gaps with pairs, the highest group first, in it the lowest other group first.
    """

    def __init__(
        self, blocks: Blocks, structure: Structure, levels: Sequence[int], people: Sequence[int]
    ) -> None:
        self.blocks, self.structure, self.people = blocks, structure, people
        self.field = blocks.field
        inside = set(levels)
        self.gaps = sorted(
            (gap for gap in structure.pairs_between if gap[0] in inside), key=lambda gap: (-gap[0], gap[1])
        )
        self.levels = levels
        points = self.field.points
        self._groups: dict[int, list[int]] = {level: [] for level in levels}
        for place in people:
            self._groups[points[place]].append(place)

    @cached_property
    def sizes(self) -> FloatSizes:
        """The sizes of the float pairs."""
        return FloatSizes(self.blocks, self._groups, self.gaps)

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
        changed: set[int] = set()
        for gap in self.gaps:
            pair = self._nearest(gap, edges)
            if pair != (self.blocks.dropped[gap][0], self.blocks.raised[gap][0]):
                changed.update(gap)
            if pair is None or used & (1 << pair[0] | 1 << pair[1]):
                return ()
            used |= 1 << pair[0] | 1 << pair[1]
            pairs.append(pair)
        if any([gap[side] for gap in self.gaps].count(level) > 1 for level in changed for side in (0, 1)):
            return ()  # two blocks of one group: a change of one can free a better player for the other
        for level in self.levels:
            group = [one for one in self._groups[level] if not used >> one & 1]
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
        raised = self._groups[gap[1]]
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
        best = self.best(plain=plain)
        assert best is not None, "the structure has a pairing"
        return self._taken(best)

    def best(self, *, plain: bool) -> Cheapest | None:
        """Return the best pairings by 4.5, as vertices of `ChainCosts`; None if the edges have no pairing."""
        counted_last = self.structure.odd_sets is None
        costs = ChainCosts(self, plain=plain, floats_last=counted_last)
        best = cheapest_of_many(costs)
        if best is not None and counted_last and self._crossings(best.mate) > len(self.gaps):
            best = cheapest_of_many(ChainCosts(self, plain=plain, floats_last=False))
        return best

    def _crossings(self, mate: Sequence[int]) -> int:
        points, people = self.field.points, self.people
        return sum(points[people[v]] > points[people[w]] for v, w in enumerate(mate))

    def _taken(self, best: Cheapest) -> Pairs:
        """Take, of the best pairings, the floaters that 4.6 takes."""
        people, blocks = self.people, self.blocks
        at = {place: v for v, place in enumerate(people)}
        of_level = {level: mask_of(at[place] for place in group) for level, group in self._groups.items()}
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


# The finished pairs of a chain, and whether its change of floaters pays (docs/uschess.md, 4.8).


@dataclass(frozen=True, slots=True)
class FinishedChain:
    """floats, pairs: of the chain; the pairs are those inside groups. costs: the eleven places of 4.5.

    natural: the natural opponents of those who do not float (4.7).
    """

    floats: Pairs
    pairs: Pairs
    natural: Mapping[int, int]
    costs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DecidedChain:
    """A chain with the way that is taken, and the other one; None if there is no other."""

    levels: tuple[int, ...]
    taken: FinishedChain
    other: FinishedChain | None
    is_ahead: bool


class Finisher:
    """Pairs groups, each set of those who stay once."""

    def __init__(self, field: UsChessField, groups: Mapping[int, Sequence[int]], blocks: Blocks) -> None:
        self.field, self.groups, self.blocks = field, groups, blocks
        self._paired: dict[tuple[int, ...], Pairs] = {}

    def finish(self, levels: Sequence[int], floats: Pairs) -> FinishedChain:
        """Pair the groups of a chain without its floaters."""
        floating = {one for pair in floats for one in pair}
        pairs: list[tuple[int, int]] = []
        natural: dict[int, int] = {}
        upper: set[int] = set()
        for level in levels:
            stay = tuple(one for one in self.groups[level] if one not in floating)
            if stay not in self._paired:
                self._paired[stay] = pair_group(self.field, stay) if stay else ()
            pairs += self._paired[stay]
            natural.update(halves(stay))
            upper.update(stay[: len(stay) // 2])
        rows = [float_places(self.blocks, one, other) for one, other in floats]
        for one, other in pairs:
            size = size_of_pair(self.field, natural, one, other)
            same = (one in upper) == (other in upper)
            rows.append(inside_places(self.field, one, other, size, same_side=same))
        costs = tuple(map(sum, zip(*rows, strict=True)))
        return FinishedChain(floats, tuple(pairs), natural, costs)

    def decide(self, chain: Chain) -> DecidedChain:
        """Take the way that looks ahead if it costs less, else the plain one."""
        levels = tuple(chain.levels)
        if not chain.gaps:
            return DecidedChain(levels, self.finish(levels, ()), None, is_ahead=False)
        plain = chain.plain()
        ahead = chain.ahead()
        by_ratings = self.finish(levels, plain)
        if set(ahead) == set(plain):
            return DecidedChain(levels, by_ratings, None, is_ahead=False)
        looking = self.finish(levels, ahead)
        if looking.costs < by_ratings.costs:
            return DecidedChain(levels, looking, by_ratings, is_ahead=True)
        return DecidedChain(levels, by_ratings, looking, is_ahead=False)
