"""S1 and T2: the pairs of a bracket (C.04.4.1, 2.2.5, 2.2.6 and 4.4, edition 2025)."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.errors import InternalError
from pairing.engine.matching import Matching, bits

from .field import Entrant, may_meet


def s1_order(player: Entrant) -> tuple[int, int]:
    """Ascending ARO, then initial ranking (2.2.5)."""
    return player.aro, player.rank


def first_transposition(s1: Sequence[Entrant], g2: Sequence[Entrant]) -> list[Entrant]:
    """T2: the first transposition of G2 in the order of 4.4 that pairs legally with S1, place by place.

    g2 must be in initial ranking order and as large as s1, and some transposition must be legal. The first in
    lexicographic order is the greedy one: each place takes the first player with whom the rest remains possible.
    """
    size = len(s1)
    matching = _square(s1, g2)
    if not matching.complete():
        raise InternalError("no_legal_transposition")
    for place in range(size):
        for candidate in bits(matching.adjacency[place]):
            attempt = matching.copy()
            attempt.forbid(place, ~(1 << candidate))
            attempt.forbid(candidate, ~(1 << place))
            if attempt.complete():
                matching = attempt
                break
    return [g2[matching.mate[i] - size] for i in range(size)]


def pairs_squarely(first: Sequence[Entrant], second: Sequence[Entrant]) -> bool:
    """Whether two subgroups of one size can be paired with each other legally."""
    return _square(first, second).maximise() == 0


def _square(first: Sequence[Entrant], second: Sequence[Entrant]) -> Matching:
    size = len(first)
    graph = [0] * (2 * size)
    for i, one in enumerate(first):
        for j, other in enumerate(second, start=size):
            if may_meet(one, other):
                graph[i] |= 1 << j
                graph[j] |= 1 << i
    return Matching(graph)
