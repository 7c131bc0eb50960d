"""What the edges of a graph cost by the kinds of their ends, in a form that does not need each two kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class KindCosts(NamedTuple):
    """The cost of an edge is the least sum over the sets of kinds that one end reaches and that hold the other end.

    sets: how many there are; they have numbers from 0. reached[k]: the sets that kind k reaches, each with a cost.
    holding[k]: the sets that hold kind k, each with a cost. Both ends of an edge give the same least sum.
    """

    sets: int
    reached: Sequence[Sequence[tuple[int, int]]]
    holding: Sequence[Sequence[tuple[int, int]]]

    def between(self, kind: int, other: int) -> int:
        added = dict(self.holding[other])
        return min(cost + added[number] for number, cost in self.reached[kind] if number in added)


def costs_of_table(table: Sequence[Sequence[int]]) -> KindCosts:
    """Return the costs that a symmetric table gives each two kinds: a set has the kinds of one cost from some kind."""
    numbers: dict[frozenset[int], int] = {}
    reached = []
    for row in table:
        by_cost: dict[int, set[int]] = {}
        for kind, value in enumerate(row):
            by_cost.setdefault(value, set()).add(kind)
        reached.append(
            [(numbers.setdefault(frozenset(kinds), len(numbers)), value) for value, kinds in by_cost.items()]
        )
    holding = [
        [(number, 0) for kinds, number in numbers.items() if kind in kinds] for kind in range(len(table))
    ]
    return KindCosts(len(numbers), reached, holding)
