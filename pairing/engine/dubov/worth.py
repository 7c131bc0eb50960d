"""What a set of upfloaters is worth by C6 to C10 and the order of article 4.2 (C.04.4.1, 3.3, edition 2025)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pairing.engine.matching import bits, cheapest_perfect_matching

from .field import Entrant, legal_graph
from .upfloaters import history_criteria

# What can speak against a set, in the order of article 3.3, and 4.2 at the end.
CODES = ("up_score", "up_colours", "up_maximum", "up_times", "up_again", "up_order")
SCORE, COLOURS, MAXIMUM, TIMES, AGAIN, ORDER = range(6)

Quality = tuple[Any, ...]
"""C6 to C10, and the order of 4.2, in the order of CODES; smaller is better."""


def quality(upfloaters: Sequence[Entrant], misses: int, *, last_round: bool) -> Quality:
    """Of a set with which so many pairs of the bracket miss a colour (C7)."""
    history = [history_criteria(player, last_round=last_round) for player in upfloaters]
    return (
        tuple(-score for score in sorted(player.score for player in upfloaters)),
        misses,
        *map(sum, zip(*history, strict=True)),
        tuple(sorted((-player.score, player.rank) for player in upfloaters)),
    )


def falls_behind(one: Quality, other: Quality) -> int | None:
    """Where `one` is worse than `other` first, as an index of CODES; None if it is not worse."""
    for at, (mine, theirs) in enumerate(zip(one, other, strict=True)):
        if mine != theirs:
            return at if mine > theirs else None
    return None


def least_misses(bracket: Sequence[Entrant]) -> int:
    """C7 of the best legal pairing of these players, counted in pairs. They must have one."""
    return least_inside(bracket, [player.wants_white for player in bracket])


def least_inside(bracket: Sequence[Entrant], sides: Sequence[bool]) -> int:
    """The least number of pairs with two of one side in a legal pairing of these players. They must have one."""
    costs = [
        {j: int(side is sides[j]) for j in bits(mask)}
        for side, mask in zip(sides, legal_graph(bracket), strict=True)
    ]
    mate = cheapest_perfect_matching(costs)
    assert mate is not None, "the bracket has a legal pairing"
    return sum(costs[i][j] for i, j in enumerate(mate)) // 2
