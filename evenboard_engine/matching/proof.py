"""Prove that a matching has minimum cost. The proof does not depend on how the matching was found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from evenboard_engine.errors import InternalError

from .cardinality import bits
from .kind_costs import KindCosts

Group = tuple[int, int]


def prove_cheapest(
    costs: Sequence[Mapping[int, int]],
    mate: Sequence[int],
    prices: Sequence[int],
    odd_sets: Sequence[tuple[int, Sequence[int]]],
    optional: Collection[int],
) -> None:
    """Prove by weak duality that no matching is cheaper.

    The dual solution is feasible if no slack is negative (the slack of an edge is 2 * cost - prices of both ends + 2 *
    weights of the odd sets that contain both ends), no weight is negative, and no optional vertex has a price above 0.
    Its value is the sum of all prices, less weight * (size - 1) for each odd set. Twice the cost of any matching that
    leaves only optional vertices single is at least this value, and for this matching it is equal.
    prices: one for each vertex. odd_sets: (weight, vertices); any two are nested or disjoint. Raises InternalError.
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


def prove_cheapest_by_kind(
    adjacency: Sequence[int],
    costs: KindCosts,
    mate: Sequence[int],
    groups: Mapping[Group, int],
    odd_sets: Sequence[tuple[int, int]],
) -> None:
    """Prove the same for costs by kind. groups: mask of the vertices of each kind and price. odd_sets: masks."""
    value = sum(price * members.bit_count() for (_, price), members in groups.items())
    for weight, mask in odd_sets:
        if weight < 0:
            raise InternalError("odd_set_of_negative_weight", weight=weight)
        value -= weight * (mask.bit_count() - 1)
    _prove_prices(adjacency, costs, groups, _regions(odd_sets, (1 << len(mate)) - 1))
    kind = {v: one for (one, _), members in groups.items() for v in bits(members)}
    if any(w < 0 or mate[w] != v or not adjacency[v] >> w & 1 for v, w in enumerate(mate)):
        raise InternalError("matching_not_perfect")
    total = sum(costs.between(kind[v], kind[w]) for v, w in enumerate(mate))
    if total != value:
        raise InternalError("matching_not_proved_cheapest", cost=total, bound=value)


def _prove_prices(
    adjacency: Sequence[int],
    costs: KindCosts,
    groups: Mapping[Group, int],
    regions: Sequence[tuple[int, list[tuple[int, int]]]],
) -> None:
    """Check that no edge has a negative slack, including the weights of the odd sets around both ends."""
    highest_first: list[list[list[tuple[int, int]]]] = []
    for region, _ in regions:
        by_set: list[list[tuple[int, int]]] = [[] for _ in range(costs.sets)]
        for (kind, price), members in groups.items():
            if members & region:
                for number, added in costs.holding[kind]:
                    by_set[number].append((price - 2 * added, members & region))
        highest_first.append([sorted(priced, reverse=True) for priced in by_set])
    for region, around in regions:
        allowed = [_shared(around, others) for _, others in regions]
        for (kind, price), members in groups.items():
            if members & region:
                reach = _reach(adjacency, members & region)
                if _cheaper(reach, price, costs.reached[kind], zip(allowed, highest_first, strict=True)):
                    raise InternalError("edge_cheaper_than_its_price", kind=kind)


def _cheaper(
    reach: int,
    price: int,
    reached: Sequence[tuple[int, int]],
    regions: Iterable[tuple[int, Sequence[Sequence[tuple[int, int]]]]],
) -> bool:
    for allowed, by_set in regions:
        for number, cost in reached:
            left = 2 * cost + allowed - price
            for other_price, others in by_set[number]:
                if other_price <= left:
                    break
                if reach & others:
                    return True
    return False


def _reach(adjacency: Sequence[int], members: int) -> int:
    reach = 0
    for v in bits(members):
        reach |= adjacency[v]
    return reach


def _regions(odd_sets: Sequence[tuple[int, int]], everyone: int) -> list[tuple[int, list[tuple[int, int]]]]:
    """Return the masks of the vertices that are in the same odd sets, each with these sets, the largest first."""
    regions: list[tuple[int, list[tuple[int, int]]]] = [(everyone, [])]
    for weight, mask in sorted(odd_sets, key=lambda odd_set: odd_set[1].bit_count(), reverse=True):
        at = next(i for i, (region, _) in enumerate(regions) if region & mask == mask)
        region, around = regions[at]
        regions[at] = region & ~mask, around
        regions.append((mask, [*around, (weight, mask)]))
    return regions


def _shared(around: Sequence[tuple[int, int]], others: Sequence[tuple[int, int]]) -> int:
    """Return what the odd sets around both ends of an edge add to its slack."""
    return 2 * sum(weight for weight, mask in around if (weight, mask) in others)
