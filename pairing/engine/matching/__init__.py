"""Matchings in general graphs: the only room of the engine that knows how they are found.

`Matching` answers questions of existence on bit masks. What weighs proves its answer: `cheapest_by_kind` for thousands
of vertices of few kinds, with `first_across` for the order of sets, `cheapest_perfect_matching` for any costs.
"""

from __future__ import annotations

from .across import cheapest_among, first_across, is_sparse
from .cardinality import Matching, bits, mask_of
from .cheapest import cheapest_perfect_matching
from .kinds import Cheapest, Kinds, cheapest_by_kind

__all__ = [
    "Cheapest",
    "Kinds",
    "Matching",
    "bits",
    "cheapest_among",
    "cheapest_by_kind",
    "cheapest_perfect_matching",
    "first_across",
    "is_sparse",
    "mask_of",
]
