"""Lexicographic costs as single integers: each place of a list of costs gets a weight."""

from __future__ import annotations

from collections.abc import Sequence


def weights(most: Sequence[int]) -> list[int]:
    """Return a weight for each place, so that sums compare as lists of sums do. most: the largest sum of each place."""
    found = []
    weight = 1
    for bound in reversed(most):
        found.append(weight)
        weight *= bound + 1
    return found[::-1]
