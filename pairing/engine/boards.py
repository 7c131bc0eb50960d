"""The published order of boards (General Handling Rules, C.04.2, 3.6, edition 2026)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .result import Pair


def board_order(pairs: Iterable[Pair], standing: Mapping[int, tuple[int, int]]) -> tuple[Pair, ...]:
    """Pairs by the score of the higher ranked player, the sum of both scores, the higher ranked's pairing number.

    standing: (score in tenths, pairing number) of every player by id. The higher ranked has more points or, when
    points are equal, the smaller number.
    """

    def key(pair: Pair) -> tuple[int, int, int]:
        (higher, number), (lower, _) = sorted(
            (standing[pair.white], standing[pair.black]), key=lambda place: (-place[0], place[1])
        )
        return -higher, -(higher + lower), number

    return tuple(sorted(pairs, key=key))
