"""Which vertices are matched across in a cheapest perfect matching: the first set of them in lexicographic order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from .cardinality import bits
from .cheapest import cheapest_perfect_matching
from .kinds import Cheapest, Kinds, cheapest_by_kind
from .nested import NestedMatching

NEAR, OPEN, ACROSS, APART = range(4)
SPARSE = 24
SMALL = 600
FEW_EDGES = 3_600


def is_sparse(adjacency: Sequence[int]) -> bool:
    """Whether a vertex has few edges on average, so that edges may be looked at one by one."""
    return sum(mask.bit_count() for mask in adjacency) <= SPARSE * len(adjacency)


def _few_edges(adjacency: Sequence[int]) -> bool:
    """Whether a weighing of single edges is sure to take less than one of kinds with its changes of all prices."""
    if len(adjacency) <= SMALL:
        return is_sparse(adjacency)
    return sum(mask.bit_count() for mask in adjacency) <= 2 * FEW_EDGES


def first_across(kinds: Kinds, near: int) -> list[int] | None:
    """Of all sets of far vertices that a cheapest perfect matching matches into `near`: the first one.

    All cheapest matchings must match the same number across. None where there is no perfect matching. The order is
    that of the vertices: the set with the lowest one that only one of two sets has comes first.
    A large graph is weighed by kinds, then the set is found member by member; one of few edges is weighed at once.
    """
    if _few_edges(kinds.adjacency):
        return _at_once(kinds, near)
    best = cheapest_by_kind(kinds)
    if best is None:
        return None
    if best.odd_sets and is_sparse(best.edges):
        return _weighed(best, near, _first_on(replace(best, odd_sets=()), near))
    return _first_on(best, near)


def _at_once(kinds: Kinds, near: int) -> list[int] | None:
    """By one weighing of all edges: the kinds first, then the order by sums of powers of two."""
    far = [v for v, mask in enumerate(kinds.adjacency) if not near >> v & 1 and mask & near]
    worth = {v: (1 << len(far)) - (1 << len(far) - 1 - i) for i, v in enumerate(far)}
    more = len(far) + len(far).bit_length()

    def cost(v: int, w: int) -> int:
        by_kind = kinds.cost[kinds.kind[v]][kinds.kind[w]] << more
        return by_kind + worth[v if v in worth else w] if (near >> v ^ near >> w) & 1 else by_kind

    mate = cheapest_perfect_matching(
        [{w: cost(v, w) for w in bits(mask)} for v, mask in enumerate(kinds.adjacency)],
        prices=[kinds.prices[kind] << more for kind in kinds.kind],
    )
    return None if mate is None else [v for v in far if near >> mate[v] & 1]


def _first_on(best: Cheapest, near: int) -> list[int]:
    """The first set that one of the cheapest matchings matches across.

    A vertex belongs to the set when it can go across while those before it keep their side, so the set is found one by
    one. Who is across anyway costs little, each of the others a search.
    """
    edges = best.edges
    allowed = _Allowed(edges, near)
    matching = NestedMatching(allowed, best.mate, best.odd_sets)
    chosen: list[int] = []
    left = sum(not near >> best.mate[v] & 1 for v in bits(near))
    for v in bits((1 << len(edges)) - 1 & ~near):
        if not left:
            break
        if not edges[v] & near:
            allowed.settle(v, APART)
            continue
        allowed.settle(v, ACROSS)
        if matching.repair(v):
            chosen.append(v)
            left -= 1
        else:
            allowed.settle(v, APART)
            matching.repair(v)
    return chosen


class _Allowed:
    """Masks of edges that leave out what is settled, without a change of all rows.

    Only edges into `near` are left to a vertex that goes across, only the others to one that stays apart.
    """

    def __init__(self, edges: Sequence[int], near: int) -> None:
        far = (1 << len(edges)) - 1 & ~near
        self.edges = edges
        self.settled = [NEAR if near >> v & 1 else OPEN for v in range(len(edges))]
        self.open_to = [near | far, near | far, near, far]

    def __getitem__(self, v: int) -> int:
        return self.edges[v] & self.open_to[self.settled[v]]

    def settle(self, v: int, how: int) -> None:
        """ACROSS may be taken back for APART."""
        self.settled[v] = how
        bit = 1 << v
        for state in (OPEN, APART):
            self.open_to[state] = self.open_to[state] & ~bit if how == ACROSS else self.open_to[state] | bit
        if how == APART:
            self.open_to[NEAR] &= ~bit


def _weighed(best: Cheapest, near: int, expected: Sequence[int]) -> list[int]:
    """The same by a weighing: sets of one size are in lexicographic order by sums of powers of two.

    expected: a set that is not far from it. As all sets are of one size, what each member costs may be less by the
    same amount. With an amount between what those expected cost and what the others cost there is little left to weigh.
    """
    far = [v for v, mask in enumerate(best.edges) if not near >> v & 1 and mask & near]
    worth = {v: (1 << len(far)) - (1 << len(far) - 1 - i) for i, v in enumerate(far)}
    members = set(expected)
    misplaced = fewest = len(expected)
    amount = 0
    for v in far:
        misplaced += -1 if v in members else 1
        if misplaced < fewest:
            fewest, amount = misplaced, worth[v]

    def cost(v: int, w: int) -> int:
        return worth[v if v in worth else w] - amount if (near >> v ^ near >> w) & 1 else 0

    prices = [2 * min(0, worth[v] - amount) if v in worth else 0 for v in range(len(best.edges))]
    mate = cheapest_among(best, cost, 2 << len(far) + len(far).bit_length(), prices)
    return [v for v in far if near >> mate[v] & 1]


def cheapest_among(
    best: Cheapest, cost: Callable[[int, int], int], bound: int, prices: Sequence[int] | None = None
) -> list[int]:
    """Of the cheapest matchings that `best` stands for, one that costs least by another measure.

    cost: of an edge by its ends. bound: no two matchings differ by so much. prices: a head start with
    prices[v] + prices[w] <= 2 * cost(v, w). Only edges without slack are weighed, first by how many
    odd sets they leave.
    """
    around = [
        sum(1 << i for i, mask in enumerate(best.odd_sets) if mask >> v & 1) for v in range(len(best.edges))
    ]
    costs = [
        {w: bound * (around[v] ^ around[w]).bit_count() + cost(v, w) for w in bits(mask)}
        for v, mask in enumerate(best.edges)
    ]
    mate = cheapest_perfect_matching(costs, prices=prices)
    assert mate is not None, "the cheapest matching that led here is one"
    return mate
