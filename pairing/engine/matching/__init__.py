"""Matchings in general graphs: the only room of the engine that knows how they are found.

`Matching` answers questions of existence on bit masks; `cheapest_perfect_matching` weighs, and proves its answer.
"""

from __future__ import annotations

from .cardinality import Matching, bits
from .cheapest import cheapest_edges, cheapest_perfect_matching

__all__ = ["Matching", "bits", "cheapest_edges", "cheapest_perfect_matching"]
