"""The proof that a matching is cheapest, apart from how it was found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pairing.engine.errors import InternalError


def prove_cheapest(
    costs: Sequence[Mapping[int, int]],
    mate: Sequence[int],
    prices: Sequence[int],
    odd_sets: Sequence[tuple[int, Sequence[int]]],
    optional: Collection[int],
) -> None:
    """Weak duality: the prices are feasible and worth as much as the matching costs, so nothing is cheaper.

    Costs count twice. prices: one a vertex. odd_sets: (weight, vertices), nested or apart; an edge inside a set may
    be dearer by twice its weight, and the set takes weight * (size - 1) off the value. Raises InternalError.
    """
    around: list[set[int]] = [set() for _ in mate]
    value = sum(prices)
    for name, (weight, vertices) in enumerate(odd_sets):
        if weight < 0:
            raise InternalError("odd_set_of_negative_weight", weight=weight)
        if weight:
            value -= weight * (len(vertices) - 1)
            for v in vertices:
                around[v].add(name)
    if any(prices[v] > 0 for v in optional):
        raise InternalError("single_vertex_at_a_price")
    total = 0
    for v, row in enumerate(costs):
        price = prices[v]
        for w, cost in row.items():
            slack = 2 * cost - price - prices[w]
            if slack < 0 and v < w:
                slack += 2 * sum(odd_sets[name][0] for name in around[v] & around[w])
                if slack < 0:
                    raise InternalError("edge_cheaper_than_its_price", edge=(v, w))
        total += row[mate[v]] if mate[v] >= 0 else 0
    if total != value:
        raise InternalError("matching_not_proved_cheapest", cost=total, bound=value)
