"""Prices and a matching to begin with, so that little is left to the search for a cheapest matching."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from .cardinality import Matching

Costs = Sequence[Mapping[int, int]]


def tight_graph(costs: Costs, price: Sequence[int]) -> list[int]:
    """Bit masks of the edges where the prices use up the cost. Costs count twice."""
    return [
        sum(1 << w for w, cost in row.items() if price[v] + price[w] == 2 * cost)
        for v, row in enumerate(costs)
    ]


def begin(costs: Costs, price: list[int], optional: Collection[int]) -> list[int]:
    """Raise prices, and match along tight edges; returns partners, -1 for none. Prices stay feasible.

    Vertices that must be matched and are not yet are raised first all together, then one after another.
    """
    mate = _matched_tightly(costs, price, [-1] * len(costs))
    exposed = {v for v, w in enumerate(mate) if w < 0 and v not in optional}
    steps = {v: _step(costs[v], v, price, exposed) for v in exposed}
    for v, step in steps.items():
        price[v] += step
    mate = _matched_tightly(costs, price, mate)
    for v, w in enumerate(mate):
        if w < 0 and v not in optional:
            price[v] += _step(costs[v], v, price, ())
    return _matched_tightly(costs, price, mate)


def _step(row: Mapping[int, int], v: int, price: Sequence[int], moving: Collection[int]) -> int:
    """How far v's price can go up while those of `moving` go as far as well."""
    return min(
        ((2 * cost - price[v] - price[w]) // (2 if w in moving else 1) for w, cost in row.items()), default=0
    )


def _matched_tightly(costs: Costs, price: Sequence[int], mate: Sequence[int]) -> list[int]:
    matching = Matching(tight_graph(costs, price))
    for v, w in enumerate(mate):
        if v < w:
            matching.join(v, w)
    matching.maximise()
    return matching.mate
