"""The sizes of float pairs, in rows that are made when they are asked for (docs/uschess.md, 4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .floaters import Blocks, Gap


class Part(NamedTuple):
    """What one player adds to the size of a float pair, at least. is_spared: 4.4."""

    size: int
    is_spared: bool


class FloatSizes:
    """The sizes of the float pairs across these gaps.

    groups: places by level, in order of rank. parts: of the players on both sides of each gap, by place.
    """

    def __init__(self, blocks: Blocks, groups: Mapping[int, Sequence[int]], gaps: Sequence[Gap]) -> None:
        self.groups = groups
        self._blocks = blocks
        self._times = 2 if blocks.field.settings.avoid_swap else 1
        self.parts = {gap: self._parts_of(gap) for gap in gaps}
        self._rows: dict[tuple[int, Gap], list[int]] = {}

    def _parts_of(self, gap: Gap) -> dict[int, Part]:
        blocks = self._blocks
        parts: dict[int, Part] = {}
        for level, block in zip(gap, (blocks.dropped[gap], blocks.raised[gap]), strict=True):
            inside = set(block)
            for place in self.groups[level]:
                is_spared = level == gap[0] and blocks.is_spared(place, gap)
                nothing = is_spared or place in inside
                size = 0 if nothing else self._times * blocks.nearest(place, gap, block)
                parts[place] = Part(size, is_spared)
        return parts

    def row(self, one: int, gap: Gap) -> list[int]:
        """Return the sizes if this place is dropped, by the index of the other in the lower group."""
        key = one, gap
        if key not in self._rows:
            self._rows[key] = self._row(one, gap)
        return self._rows[key]

    def _row(self, one: int, gap: Gap) -> list[int]:
        blocks = self._blocks
        rating = blocks.field.rating
        group = self.groups[gap[1]]
        parts = self.parts[gap]
        if one in blocks.dropped[gap]:
            natural = rating[blocks.natural[one]]
            row = [self._times * abs(rating[other] - natural) for other in group]
        else:
            mine = parts[one].size
            row = [mine + parts[other].size for other in group]
        at = {other: index for index, other in enumerate(group)}
        for other in blocks.raised[gap]:
            row[at[other]] = blocks.size_of_float(one, other)
        return row
