"""Find starting prices and a starting matching, so that the search for a cheapest matching has little to do."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from .cardinality import Matching

Costs = Sequence[Mapping[int, int]]


def tight_graph(costs: Costs, price: Sequence[int]) -> list[int]:
    """Return bit masks of the tight edges: prices of both ends add up to twice the cost."""
    bit = [1 << v for v in range(len(costs))]
    rows = []
    for own, row in zip(price, costs, strict=True):
        mask = 0
        for w, cost in row.items():
            if own + price[w] == 2 * cost:
                mask |= bit[w]
        rows.append(mask)
    return rows


def begin(costs: Costs, price: list[int], optional: Collection[int]) -> list[int]:
    """Raise prices and match along tight edges; return the partners, -1 for none. The prices stay feasible.

    The prices of unmatched vertices that must be matched are raised first all together, then one by one.
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
    """Return how far v's price can rise while the prices of `moving` rise equally."""
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
