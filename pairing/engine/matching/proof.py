"""The proof that a matching is cheapest, apart from how it was found."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pairing.engine.errors import InternalError

from .cardinality import bits

Group = tuple[int, int]


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


def prove_cheapest_by_kind(
    adjacency: Sequence[int],
    cost: Sequence[Sequence[int]],
    mate: Sequence[int],
    groups: Mapping[Group, int],
    odd_sets: Sequence[tuple[int, int]],
) -> None:
    """The same where costs follow from kinds. groups: mask of all vertices of a kind and a price; odd_sets: masks."""
    value = sum(price * members.bit_count() for (_, price), members in groups.items())
    for weight, mask in odd_sets:
        if weight < 0:
            raise InternalError("odd_set_of_negative_weight", weight=weight)
        value -= weight * (mask.bit_count() - 1)
    _prove_prices(adjacency, cost, groups, _regions(odd_sets, (1 << len(mate)) - 1))
    kind = {v: one for (one, _), members in groups.items() for v in bits(members)}
    if any(w < 0 or mate[w] != v or not adjacency[v] >> w & 1 for v, w in enumerate(mate)):
        raise InternalError("matching_not_perfect")
    total = sum(cost[kind[v]][kind[w]] for v, w in enumerate(mate))
    if total != value:
        raise InternalError("matching_not_proved_cheapest", cost=total, bound=value)


def _prove_prices(
    adjacency: Sequence[int],
    cost: Sequence[Sequence[int]],
    groups: Mapping[Group, int],
    regions: Sequence[tuple[int, list[tuple[int, int]]]],
) -> None:
    """No edge costs less than the prices of its ends, but for the odd sets around both."""
    highest_first: dict[int, list[tuple[int, int]]] = {}
    for (kind, price), members in sorted(groups.items(), key=lambda entry: entry[0][1], reverse=True):
        highest_first.setdefault(kind, []).append((price, members))
    for (one, price), members in groups.items():
        reach = [_reach(adjacency, members & region) for region, _ in regions]
        for other, by_price in highest_first.items():
            for other_price, others in by_price:
                excess = price + other_price - 2 * cost[one][other]
                if excess <= 0:
                    break
                for reached, (_, around) in zip(reach, regions, strict=True):
                    if reached & others and reached & others & ~_shared(around, excess):
                        raise InternalError("edge_cheaper_than_its_price", kinds=(one, other))


def _reach(adjacency: Sequence[int], members: int) -> int:
    reach = 0
    for v in bits(members):
        reach |= adjacency[v]
    return reach


def _regions(odd_sets: Sequence[tuple[int, int]], everyone: int) -> list[tuple[int, list[tuple[int, int]]]]:
    """The vertices that are in the same odd sets, with those sets, the largest first."""
    regions: list[tuple[int, list[tuple[int, int]]]] = [(everyone, [])]
    for weight, mask in sorted(odd_sets, key=lambda odd_set: odd_set[1].bit_count(), reverse=True):
        at = next(i for i, (region, _) in enumerate(regions) if region & mask == mask)
        region, around = regions[at]
        regions[at] = region & ~mask, around
        regions.append((mask, [*around, (weight, mask)]))
    return regions


def _shared(around: Sequence[tuple[int, int]], excess: int) -> int:
    """Of nested odd sets, the largest whose weight, with that of all around it, makes up for the excess."""
    for weight, mask in around:
        excess -= 2 * weight
        if excess <= 0:
            return mask
    return 0
