"""Find the first set, in lexicographic order, of vertices that a cheapest perfect matching matches across."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .cardinality import bits
from .cheapest import cheapest_perfect_matching
from .kinds import Cheapest, Kinds, cheapest_by_kind
from .nested import NestedMatching

NEAR, OPEN, ACROSS, APART = range(4)
SPARSE = 24
SMALL = 600
FEW_EDGES = 3_600


def is_sparse(adjacency: Sequence[int]) -> bool:
    """Return whether vertices have so few edges on average that edges can be handled one by one."""
    return sum(mask.bit_count() for mask in adjacency) <= SPARSE * len(adjacency)


def has_few_edges(adjacency: Sequence[int]) -> bool:
    """Return whether matching by the costs of single edges certainly takes less time than matching by kinds."""
    if len(adjacency) <= SMALL:
        return is_sparse(adjacency)
    return sum(mask.bit_count() for mask in adjacency) <= 2 * FEW_EDGES


def first_across(kinds: Kinds, near: int) -> list[int] | None:
    """Return the first of all sets of far vertices that a cheapest perfect matching matches with vertices in `near`.

    Far vertices are those outside the mask `near`. All cheapest matchings must match the same number across. Returns
    None if there is no perfect matching. Order of sets: of the vertices that are in only one of two sets, take the
    lowest; the set that contains it comes first. For a large graph, one matching by kinds comes first, then the set is
    found vertex by vertex. For a graph with few edges, one matching with combined costs gives the set at once.
    """
    if has_few_edges(kinds.adjacency):
        return _at_once(kinds, near)
    best = cheapest_by_kind(kinds)
    if best is None:
        return None
    if best.odd_sets and is_sparse(best.edges):
        return _weighed(best, near, _first_on(best._replace(odd_sets=()), near))
    return _first_on(best, near)


def _at_once(kinds: Kinds, near: int) -> list[int] | None:
    """Find the set by one matching. Its costs combine the cost by kinds with powers of two for the order of sets."""
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
    """Return the first set that one of the cheapest matchings matches across.

    A vertex belongs to the set if it can be matched across while all earlier vertices keep their decision, so the set
    is found vertex by vertex. A vertex that is matched across already needs no search; each other vertex needs one.
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
    """Masks of the edges that the decisions so far allow, computed without changing all rows.

    A vertex decided to go ACROSS keeps only its edges into `near`; a vertex decided to stay APART keeps only the
    others.
    """

    def __init__(self, edges: Sequence[int], near: int) -> None:
        far = (1 << len(edges)) - 1 & ~near
        self.edges = edges
        self.settled = [NEAR if near >> v & 1 else OPEN for v in range(len(edges))]
        self.open_to = [near | far, near | far, near, far]

    def __getitem__(self, v: int) -> int:
        return self.edges[v] & self.open_to[self.settled[v]]

    def settle(self, v: int, how: int) -> None:
        """Decide vertex v. ACROSS may be changed to APART later."""
        self.settled[v] = how
        bit = 1 << v
        for state in (OPEN, APART):
            self.open_to[state] = self.open_to[state] & ~bit if how == ACROSS else self.open_to[state] | bit
        if how == APART:
            self.open_to[NEAR] &= ~bit


def _weighed(best: Cheapest, near: int, expected: Sequence[int]) -> list[int]:
    """Return the first set by one matching with costs: sums of powers of two order sets of one size lexicographically.

    expected: a set close to the answer. All sets have the same size, so the same amount can be subtracted from the cost
    of each member. If the amount lies between the costs of the expected members and those of the others, the search
    starts near the answer and is short.
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
    """Return, of all the cheapest matchings that `best` describes, one with the least total of another cost.

    cost: the other cost of an edge by its ends. bound: more than any two matchings can differ by. prices: feasible
    starting prices, prices[v] + prices[w] <= 2 * cost(v, w). Only tight edges are used. The number of odd sets that an
    edge leaves counts first: its minimum makes exactly one edge leave each odd set.
    """
    around = [
        sum(1 << i for i, mask in enumerate(best.odd_sets) if mask >> v & 1) for v in range(len(best.edges))
    ]
    costs = [
        {w: bound * (around[v] ^ around[w]).bit_count() + cost(v, w) for w in bits(mask)}
        for v, mask in enumerate(best.edges)
    ]
    mate = cheapest_perfect_matching(costs, prices=prices)
    assert mate is not None, "`best.mate` is such a matching"
    return mate
