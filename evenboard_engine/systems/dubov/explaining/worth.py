"""Compare sets of upfloaters by C6 to C10 and the order of article 4.2 (C.04.4.1, 3.3, edition 2025)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evenboard_engine.errors import InternalError
from evenboard_engine.matching import Matching, bits, cheapest_perfect_matching
from evenboard_engine.systems.dubov.pairing.field import DubovEntrant, legal_graph, may_meet
from evenboard_engine.systems.dubov.pairing.upfloaters import history_criteria

# The reasons why a set can lose, in the order of article 3.3, with 4.2 last.
CODES = ("up_score", "up_colours", "up_maximum", "up_times", "up_again", "up_order")
SCORE, COLOURS, MAXIMUM, TIMES, AGAIN, ORDER = range(6)

Quality = tuple[Any, ...]
"""The values for C6 to C10 and for 4.2, in the order of CODES. Smaller is better."""


def quality(upfloaters: Sequence[DubovEntrant], misses: int, *, last_round: bool) -> Quality:
    """Return the quality of a set of upfloaters. misses: pairs of the bracket in which one misses a colour (C7)."""
    history = [history_criteria(player, last_round=last_round) for player in upfloaters]
    return (
        tuple(-score for score in sorted(player.score for player in upfloaters)),
        misses,
        *map(sum, zip(*history, strict=True)),
        tuple(sorted((-player.score, player.rank) for player in upfloaters)),
    )


def falls_behind(one: Quality, other: Quality) -> int | None:
    """Return the first criterion by which `one` is worse than `other` (an index of CODES); None if it is not worse."""
    for at, (mine, theirs) in enumerate(zip(one, other, strict=True)):
        if mine != theirs:
            return at if mine > theirs else None
    return None


def lost_by(worth: Quality, taken: Quality) -> int | None:
    """Return the first criterion by which a set loses against the chosen one (an index of CODES); None if it wins.

    worth: the quality of a best set that was found without the order of 4.2. If C6 to C10 are equal, it loses by this
    order.
    """
    if worth[:ORDER] == taken[:ORDER]:
        return ORDER
    return falls_behind(worth, taken)


def surely_lost_by(worth: Quality, taken: Quality, player: DubovEntrant) -> int:
    """Return what `lost_by` returns, for a set that must lose. player: who was asked about.

    Raises InternalError if the set wins.
    """
    at = lost_by(worth, taken)
    if at is None:
        raise InternalError("explanation_contradicts_the_pairing", player=player.id)
    return at


def least_misses(bracket: Sequence[DubovEntrant]) -> int:
    """Return the number of pairs that miss a colour (C7) in the best legal pairing. A legal pairing must exist."""
    return least_inside(bracket, [player.wants_white for player in bracket])


def least_inside(bracket: Sequence[DubovEntrant], sides: Sequence[bool]) -> int:
    """Return the least number of pairs inside one side in a legal pairing. A legal pairing must exist.

    sides: True or False for each player.
    """
    costs = [
        {j: int(side is sides[j]) for j in bits(mask)}
        for side, mask in zip(sides, legal_graph(bracket), strict=True)
    ]
    mate = cheapest_perfect_matching(costs)
    assert mate is not None, "the bracket has a legal pairing"
    return sum(costs[i][j] for i, j in enumerate(mate)) // 2


def enough(residents: Sequence[DubovEntrant], lower: Sequence[DubovEntrant]) -> bool:
    """Return whether all residents can be paired legally, with each other and with some of these lower players.

    The lower players who are not needed do not have to be paired.
    """
    graph = legal_graph([*residents, *lower])
    below = (1 << len(graph)) - (1 << len(residents))
    for i in range(len(residents), len(graph)):
        graph[i] |= below & ~(1 << i)
    return Matching(graph).maximise() == 0


def cheapest_upfloaters(
    residents: Sequence[DubovEntrant],
    pool: Sequence[DubovEntrant],
    below: Sequence[int] | None,
    *,
    with_them: DubovEntrant | None = None,
    last_round: bool,
) -> list[DubovEntrant] | None:
    """Return the players of the pool in the best set of upfloaters by C5 to C10, or None if there is no set.

    The order of 4.2 does not count.
    below: who may meet whom in the pool, if the whole pool must be paired (C4); None if C4 does not count. with_them: a
    player who is an upfloater in any case and meets a resident.
    """
    bracket = [*residents] if with_them is None else [*residents, with_them]
    worth, unpleasant = _worth(len(residents), pool, last_round=last_round)
    count = len(bracket)
    costs: list[dict[int, int]] = [
        {j: unpleasant if one.wants_white is bracket[j].wants_white else 0 for j in bits(mask)}
        for one, mask in zip(bracket, legal_graph(bracket), strict=True)
    ]
    costs += [{count + k: 0 for k in bits(mask)} for mask in (below or [0] * len(pool))]
    for i, one in enumerate(residents):
        for j, (other, cost) in enumerate(zip(pool, worth, strict=True), start=count):
            if may_meet(one, other):
                same = one.wants_white is other.wants_white
                costs[i][j] = costs[j][i] = cost + unpleasant if same else cost
    white = 2 * sum(one.wants_white for one in bracket) >= count
    prices = [unpleasant if one.wants_white is white else -unpleasant for one in bracket]
    mate = cheapest_perfect_matching(
        costs, prices=prices + [0] * len(pool), optional=range(count, len(costs)) if below is None else ()
    )
    if mate is None:
        return None
    return [other for j, other in enumerate(pool, start=count) if 0 <= mate[j] < count]


def _worth(residents: int, pool: Sequence[DubovEntrant], *, last_round: bool) -> tuple[list[int], int]:
    """Return the cost of each player of the pool as an upfloater (C5, C6, C8 to C10), and that of a missed colour (C7).

    Each cost is one integer in which a higher criterion outweighs all lower ones.
    """
    scores = sorted({player.score for player in pool}, reverse=True)
    level = {score: at for at, score in enumerate(scores)}
    many = (residents + len(pool) + 1).bit_length()
    c8 = many + (sum(player.upfloats for player in pool) + 1).bit_length()
    c7 = c8 + many
    worth = []
    for player in pool:
        maximum, times, again = history_criteria(player, last_round=last_round)
        score = 1 << c7 + many * (1 + level[player.score])
        most = 1 << c7 + many * (1 + len(scores))
        worth.append(most + score + (maximum << c8) + (times << many) + again)
    return worth, 1 << c7
