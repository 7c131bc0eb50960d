"""The natural floaters and opponents, and the size of a pair (docs/uschess.md, 4.1 to 4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .field import UsChessField, halves

Gap = tuple[int, int]


class Blocks:
    """Who floats by ratings alone.

    between: how many pairs there are between two levels. order: of each level, who is dropped first (4.2), then the
    natural raised players. dropped, raised: D and U, by gap, each in order of rank. natural: the natural opponent of
    everybody (4.3). upper: who is on the upper side. floating: everybody in a block.
    """

    __slots__ = ("_least", "between", "dropped", "field", "floating", "natural", "order", "raised", "upper")

    def __init__(
        self, field: UsChessField, groups: Mapping[int, Sequence[int]], between: Mapping[Gap, int]
    ) -> None:
        self.field, self.between = field, between
        self.order: dict[int, list[int]] = {}
        self.dropped: dict[Gap, list[int]] = {}
        self.raised: dict[Gap, list[int]] = {}
        self.natural: dict[int, int] = {}
        self.upper: set[int] = set()
        self._least: dict[tuple[int, Gap], int] = {}
        self.floating: set[int] = set()
        for level, group in groups.items():
            self._name(level, group)
        for gap, block in self.dropped.items():
            for one, other in zip(block, self.raised[gap], strict=True):
                self.natural[one], self.natural[other] = other, one

    def _name(self, level: int, group: Sequence[int]) -> None:
        gaps = sorted(self.between)
        at = 0
        by_rank = sorted(group, key=lambda place: (self.field.keep[place], place))
        for gap in reversed(gaps):  # the highest g first
            if gap[1] == level:
                self.raised[gap] = sorted(by_rank[at : at + self.between[gap]])
                at += self.between[gap]
        taken = set(by_rank[:at])
        rest = [place for place in group if place not in taken]
        order = self._drop_order(rest)
        self.order[level] = order + self._drop_order(sorted(taken))
        at = 0
        for gap in gaps:  # the lowest h first
            if gap[0] == level:
                self.dropped[gap] = sorted(order[at : at + self.between[gap]])
                at += self.between[gap]
        floating = taken | set(order[:at])
        stay = [place for place in group if place not in floating]
        self.natural.update(halves(stay))
        self.upper.update(taken, stay[: len(stay) // 2])
        self.floating |= floating

    def _drop_order(self, group: Sequence[int]) -> list[int]:
        """Return the order of 4.2 of people in order of rank."""
        field, settings = self.field, self.field.settings
        last = len(group) - 1

        def key(at: int) -> tuple[bool, bool, int, int]:
            place = group[at]
            middle = abs(2 * at - last) if settings.harkness else 0
            return field.keep[place], settings.avoid_unrated and field.unrated[place], middle, -at

        return [group[at] for at in sorted(range(len(group)), key=key)]

    def is_spared(self, one: int, gap: Gap) -> bool:
        """Return whether an unrated player is dropped instead of a rated one (4.4)."""
        field = self.field
        if not (field.settings.avoid_unrated and field.unrated[one]):
            return False
        block = self.dropped[gap]
        return one not in block and not all(field.unrated[place] for place in block)

    def size_of_float(self, one: int, other: int) -> int:
        """Return the rating change if the first is dropped to the second (4.4)."""
        field = self.field
        gap = field.points[one], field.points[other]
        down, up = self.dropped[gap], self.raised[gap]
        free = self.is_spared(one, gap)
        if one in down and other in up:
            nearest = self.natural[one]
            size = 0
            if nearest != other:
                size = min(field.diff(other, nearest), field.diff(one, self.natural[other]))
        elif one in down:
            size = field.diff(other, self.natural[one])
        elif other in up:
            size = 0 if free else field.diff(one, self.natural[other])
        else:
            size = 0 if free else self.nearest(one, gap, down)
            size += self.nearest(other, gap, up)
        return 2 * size if field.settings.avoid_swap else size

    def nearest(self, one: int, gap: Gap, block: Sequence[int]) -> int:
        """Return the least difference of a rating from those of a block of a gap: the one on the player's own side."""
        key = one, gap
        if key not in self._least:
            self._least[key] = min(self.field.diff(one, place) for place in block)
        return self._least[key]

    def size_inside(self, one: int, other: int) -> int:
        """Return the rating change of a pair of one group (4.4)."""
        field = self.field
        floats, other_floats = one in self.floating, other in self.floating
        if floats and other_floats:
            return 0
        if not floats and not other_floats:
            return size_of_pair(field, self.natural, one, other)
        if self.are_same_side(one, other):
            return 0
        if other_floats:
            one, other = other, one
        return field.switch(one, self.natural[other])

    def are_same_side(self, one: int, other: int) -> bool:
        return (one in self.upper) == (other in self.upper)


def size_of_pair(field: UsChessField, natural: Mapping[int, int], one: int, other: int) -> int:
    """Return the rating change of two players of whom nobody floats: the smaller of two differences."""
    return min(field.switch(other, natural[one]), field.switch(one, natural[other]))


# The sizes of float pairs, in rows that are made when they are asked for (docs/uschess.md, 4.4).


class SizePart(NamedTuple):
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

    def _parts_of(self, gap: Gap) -> dict[int, SizePart]:
        blocks = self._blocks
        parts: dict[int, SizePart] = {}
        for level, block in zip(gap, (blocks.dropped[gap], blocks.raised[gap]), strict=True):
            inside = set(block)
            for place in self.groups[level]:
                is_spared = level == gap[0] and blocks.is_spared(place, gap)
                nothing = is_spared or place in inside
                size = 0 if nothing else self._times * blocks.nearest(place, gap, block)
                parts[place] = SizePart(size, is_spared)
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
