"""Matchings in general graphs. The rest of the engine does not know how they are found.

`Matching` finds matchings of maximum size on bit masks. The other functions find perfect matchings of minimum total
cost and prove each answer: `cheapest_by_kind` for thousands of vertices of few kinds, `first_across` for the first set
in lexicographic order, `cheapest_by_lower_end` if the lower end gives an edge's cost, `cheapest_perfect_matching` for
any costs.

Terms, as in the primal-dual method of J. Edmonds (1965). A vertex is exposed if it has no partner. The price of a
vertex is its dual variable. An odd set (a blossom) is a set of an odd number of vertices, and its weight, 0 or more, is
its dual variable. Costs count twice, so that all numbers stay integers. The slack of an edge is 2 * cost - prices of
both ends + 2 * weights of the odd sets that contain both ends. The prices are feasible if no slack is negative. An edge
is tight if its slack is 0. A perfect matching of tight edges in which exactly one edge leaves each odd set has minimum
cost.
"""

from __future__ import annotations

from .across import cheapest_among, first_across, has_few_edges, is_sparse
from .cardinality import EdgesLeft, Matching, bits, mask_of, matched_with
from .cheapest import cheapest_perfect_matching
from .few_edges import Chooser, Costs, Start, cheapest_of_many
from .kinds import (
    Cheapest,
    Kinds,
    PricedByKind,
    cheapest_by_kind,
    priced_by_kind,
    started_by_kind,
)
from .lower_ends import cheapest_by_lower_end
from .nested import NestedMatching

__all__ = [
    "Cheapest",
    "Chooser",
    "Costs",
    "EdgesLeft",
    "Kinds",
    "Matching",
    "NestedMatching",
    "PricedByKind",
    "Start",
    "bits",
    "cheapest_among",
    "cheapest_by_kind",
    "cheapest_by_lower_end",
    "cheapest_of_many",
    "cheapest_perfect_matching",
    "first_across",
    "has_few_edges",
    "is_sparse",
    "mask_of",
    "matched_with",
    "priced_by_kind",
    "started_by_kind",
]
