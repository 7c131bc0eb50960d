"""Find a cheapest perfect matching if what its lower end is worth gives an edge's cost.

A graph with few edges is matched by the cost of each edge; else one whose vertices are nearly all of different worth
is matched by kinds, because the lower end's worth is the lesser one of both ends: the least of two sums.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .across import is_sparse
from .cardinality import bits, mask_of
from .cheapest import cheapest_perfect_matching
from .kind_costs import KindCosts
from .kinds import components, priced_by_costs


def cheapest_by_lower_end(
    adjacency: Sequence[int], worth: Mapping[int, int], odd_sets: Sequence[int], crossing: int
) -> list[int] | None:
    """Return the partners in a perfect matching of minimum cost, or None if there is no perfect matching.

    An edge between two of `worth` costs the worth of its lower end, which is least for the lowest vertex; other edges
    cost 0. crossing: the cost for each odd set (a mask) that an edge leaves.
    """
    prices = _prices_by_middle(adjacency, worth)
    if is_sparse(adjacency):
        return cheapest_perfect_matching(_costs_of_edges(adjacency, worth, odd_sets, crossing), prices=prices)
    kind, costs = _costs_of_kinds(len(adjacency), worth, odd_sets, crossing)
    priced = priced_by_costs(adjacency, kind, costs, prices)
    return priced and priced.best.mate


def _prices_by_middle(adjacency: Sequence[int], worth: Mapping[int, int]) -> list[int]:
    """Return feasible starting prices at which each edge between the lower and the upper half of a component is tight.

    A component is one of the graph of `worth`. With t for the worth in its middle, a lower vertex has 2 * worth - t and
    an upper one t. So the search begins where each component pairs its lower with its upper half, if it can.
    """
    prices = [0] * len(adjacency)
    inside = mask_of(worth)
    for component in components([row & inside for row in adjacency], inside):
        members = sorted(bits(component))
        middle = worth[members[len(members) // 2]] & ~1
        for v in members:
            prices[v] = 2 * min(worth[v], middle) - middle
    for v, row in enumerate(adjacency):
        if v not in worth:
            prices[v] = -max([0, *(prices[w] for w in bits(row & inside))])
    return prices


def _costs_of_edges(
    adjacency: Sequence[int], worth: Mapping[int, int], odd_sets: Sequence[int], crossing: int
) -> list[dict[int, int]]:
    costs: list[dict[int, int]] = [{} for _ in adjacency]
    for v, row in enumerate(adjacency):
        for w in bits(row >> v << v):
            cost = worth[v] if v in worth and w in worth else 0
            cost += crossing * sum((mask >> v ^ mask >> w) & 1 for mask in odd_sets)
            costs[v][w] = costs[w][v] = cost
    return costs


def _costs_of_kinds(
    size: int, worth: Mapping[int, int], odd_sets: Sequence[int], crossing: int
) -> tuple[list[int], KindCosts]:
    """Return the kinds of the vertices, and costs with two sets for the two sums, however many kinds there are.

    Each region, the vertices in the same odd sets, has three sets: those of `worth` twice, the others.
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
