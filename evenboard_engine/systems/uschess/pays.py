"""The finished pairs of a chain, and whether its change of floaters pays (docs/uschess.md, 4.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .chain_costs import float_places, inside_places
from .choosing import Chain
from .entrants import Field, Pairs, halves
from .floaters import Blocks, size_of_pair
from .groups import pair_group


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
class Decided:
    """A chain with the way that is taken, and the other one; None if there is no other."""

    levels: tuple[int, ...]
    taken: FinishedChain
    other: FinishedChain | None
    is_ahead: bool


class Finisher:
    """Pairs groups, each set of those who stay once."""

    def __init__(self, field: Field, groups: Mapping[int, Sequence[int]], blocks: Blocks) -> None:
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

    def decide(self, chain: Chain) -> Decided:
        """Take the way that looks ahead if it costs less, else the plain one."""
        levels = tuple(chain.levels)
        if not chain.gaps:
            return Decided(levels, self.finish(levels, ()), None, is_ahead=False)
        plain = chain.plain()
        ahead = chain.ahead()
        by_ratings = self.finish(levels, plain)
        if set(ahead) == set(plain):
            return Decided(levels, by_ratings, None, is_ahead=False)
        looking = self.finish(levels, ahead)
        if looking.costs < by_ratings.costs:
            return Decided(levels, looking, by_ratings, is_ahead=True)
        return Decided(levels, by_ratings, looking, is_ahead=False)
