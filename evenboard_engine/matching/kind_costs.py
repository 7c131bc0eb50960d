"""What the edges of a graph cost by the kinds of their ends, in a form that does not need each two kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def costs_by_lower_end(
    size: int, worth: Mapping[int, int], odd_sets: Sequence[int], crossing: int
) -> tuple[list[int], KindCosts]:
    """Return the kinds of the vertices, and costs: for an edge between two of `worth` the worth of its lower end.

    worth: least for the lowest vertex. So the worth of the lower end is the lesser one of both ends: the least of two
    sums, and two sets are enough, however many kinds there are. crossing: the cost for each odd set (a mask) that an
    edge leaves. Each region, the vertices in the same odd sets, has three sets: those of `worth` twice, the others.
    """
    around = [tuple(mask >> v & 1 for mask in odd_sets) for v in range(size)]
    regions = list(dict.fromkeys(around))
    number: dict[tuple[int, int], int] = {}
    kind = []
    reached: list[list[tuple[int, int]]] = []
    holding: list[list[tuple[int, int]]] = []
    for v, mine in enumerate(around):
        own, at = worth.get(v), 3 * regions.index(mine)
        key = (at, v if v in worth else -1)
        kind.append(number.setdefault(key, len(number)))
        if kind[v] < len(reached):
            continue
        row = []
        for i, theirs in enumerate(regions):
            left = crossing * sum(map(int.__xor__, mine, theirs))
            row += [(3 * i + 2, left), (3 * i, left + (own or 0))]
            if own is not None:
                row.append((3 * i + 1, left))
        reached.append(row)
        holding.append([(at + 2, 0)] if own is None else [(at, 0), (at + 1, own)])
    return kind, KindCosts(3 * len(regions), reached, holding)
