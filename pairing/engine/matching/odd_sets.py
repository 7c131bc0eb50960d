"""Odd sets of vertices that have a weight: the blossoms of J. Edmonds (1965), as far as they outlive one search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .cardinality import Matching


@dataclass(slots=True)
class OddSet:
    """An odd set of vertices, which exactly one edge of every cheapest perfect matching leaves.

    Its parts are vertices and smaller odd sets, an odd number, each known by its lowest vertex. rows: masks of the
    parts that a part is joined with by an edge without slack. mates: partners of the parts but for `base`, which is the
    one matched outside. mask: all vertices.
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
        """The name of the part that a vertex is in."""
        return next(
            name
            for name, inner in self.parts.items()
            if name == v or (inner is not None and inner.mask >> v & 1)
        )

    def rebase(self, base: int) -> None:
        """Match all parts but this one, which is possible for each of them by the way the set came about."""
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
        """This set and all inside it, the outer ones first."""
        yield self
        for inner in self.parts.values():
            if inner is not None:
                yield from inner.nested()
