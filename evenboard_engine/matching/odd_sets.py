"""Odd sets of vertices with a weight: the blossoms of J. Edmonds (1965) that remain after a search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .cardinality import Matching


@dataclass(slots=True)
class OddSet:
    """An odd set of vertices. In every perfect matching of minimum cost, exactly one edge leaves it.

    Its parts are an odd number of vertices and smaller odd sets; the name of a part is its lowest vertex. rows: for
    each part, the mask of the parts to which it has a tight edge. mates: partners of all parts except `base`, the part
    that is matched outside. mask: all vertices.
    """

    mask: int
    parts: dict[int, OddSet | None]
    rows: dict[int, int]
    mates: dict[int, int]
    base: int
    weight: int = 0

    def seat(self, v: int) -> None:
        """Make v the vertex that is matched outside."""
        odd: OddSet | None = self
        while odd is not None:
            part = odd.part_of(v)
            odd.rebase(part)
            odd = odd.parts[part]

    def part_of(self, v: int) -> int:
        """Return the name of the part that contains a vertex."""
        return next(
            name
            for name, inner in self.parts.items()
            if name == v or (inner is not None and inner.mask >> v & 1)
        )

    def rebase(self, base: int) -> None:
        """Match all parts except this one. This always succeeds, because an odd set is factor-critical."""
        if base == self.base:
            return
        matching = Matching([self.rows.get(v, 0) & ~(1 << base) for v in range(max(self.parts) + 1)])
        for v, w in self.mates.items():
            matching.mate[v] = w
        alone = self.mates[base]
        matching.mate[alone] = -1
        matching.exposed = 1 << self.base | 1 << alone
        matched = matching.complete()
        assert matched, "every part of an odd set can be the one matched outside"
        self.mates = {v: matching.mate[v] for v in self.parts if v != base}
        self.base = base

    def nested(self) -> Iterator[OddSet]:
        """Yield this set and all sets inside it, outer ones first."""
        yield self
        for inner in self.parts.values():
            if inner is not None:
                yield from inner.nested()
