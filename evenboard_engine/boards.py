"""The published order of boards (General Handling Rules, C.04.2, 3.6, edition 2026)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .result import Pair


def board_order(
    pairs: Iterable[Pair], place_of: Mapping[int, int], score: Sequence[int] | Mapping[int, int]
) -> tuple[Pair, ...]:
    """Return the pairs in order: score of the higher ranked player, sum of both scores, pairing number of that player.

    place_of: place in the initial ranking of each player id. score: tenths by place. The higher ranked player has more
    points or, with equal points, the better place in the initial ranking.
    """

    def key(pair: Pair) -> tuple[int, int, int]:
        one, other = place_of[pair.white], place_of[pair.black]
        mine, theirs = score[one], score[other]
        if mine == theirs:
            return -mine, -2 * mine, min(one, other)
        return -max(mine, theirs), -mine - theirs, one if mine > theirs else other

    return tuple(sorted(pairs, key=key))
