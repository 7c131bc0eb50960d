"""The quick method: build a pairing of a bracket and prove it, because it reaches the bound of every criterion.

Source: C.04.4.1, articles 2.2 to 4.4, edition 2025. If a bound is not reached, nothing is proved, and the answer is
None. Then the exact method pairs the bracket (`upfloaters`, `shifters`).
"""

from __future__ import annotations

from typing import NamedTuple

from .field import DubovField, Lower
from .shifters import from_the_middle
from .transposition import rows_of
from .upfloaters import history_criteria


class Paired(NamedTuple):
    """A paired bracket, by places: upfloaters in the order of 4.2, both shifts in the order of 4.3, S1 and T2."""

    upfloaters: list[int]
    first: list[int]
    second: list[int]
    s1: list[int]
    t2: list[int]


def pair_quickly(field: DubovField, residents: list[int], lower: Lower, *, last_round: bool) -> Paired | None:
    """Pair a bracket and return it, or return None if the quick method cannot prove its pairing.

    These bounds are used. C5: no upfloater if the number of residents is even, else one. C6: the highest lower
    scoregroup. C7: half the surplus of one colour. C8 to C10 and the order of 4.2: the first player of that scoregroup
    by all these criteria. C4 holds by Dirac's condition.
    If this upfloater can be paired with the first sets of shifters and a legal transposition, the bracket reaches its
    bound. No other upfloater has a better bound, so no other bracket is better.
    residents: places in initial ranking order.
    """
    odd = len(residents) % 2
    if not lower.surely_pairable(without=odd):
        return None
    upfloaters: list[int] = []
    if odd:
        upfloaters = [_first_upfloater(field, residents, lower.groups[0], last_round=last_round)]
    members = sorted(residents + upfloaters)
    shape = field.shape
    if any(shape[place].sides for place in members):
        wants_white = field.wants_white
        g1 = [place for place in members if wants_white[place]]
        g2 = [place for place in members if not wants_white[place]]
    else:
        half = len(members) // 2
        g1, g2 = members[:half], members[half:]
    second = _level(field, g1, g2)
    rows = rows_of(field, g1, g2)
    return None if rows is None else Paired(upfloaters, [], second, *rows)


def _first_upfloater(field: DubovField, residents: list[int], group: list[int], *, last_round: bool) -> int:
    """Return the first player of the scoregroup by the bound of C7, then by C8, C9, C10 (3.3.3 to 3.3.6) and 4.2."""
    wants_white, upfloats = field.wants_white, field.past.upfloats
    whites = sum(wants_white[place] for place in residents)
    scarce = 2 * whites < len(residents)

    def history(place: int) -> tuple[int, int, int]:
        if last_round or place not in upfloats:  # most players; an entrant costs more than this question
            return 0, 0, 0
        return history_criteria(field.entrant(place), last_round=False)

    for place in group:
        if wants_white[place] is scarce and not any(history(place)):
            return place
    return min(group, key=lambda place: (wants_white[place] is not scarce, *history(place), place))


def _level(field: DubovField, g1: list[int], g2: list[int]) -> list[int]:
    """Move the first set of the second shift (2.2.4.2) from the larger list to the smaller one, and return it.

    The numbers of 4.3.3 go from the middle outwards, so the first set is a run around the middle.
    """
    larger, smaller = (g1, g2) if len(g1) > len(g2) else (g2, g1)
    count = (len(larger) - len(smaller)) // 2
    if not count:
        return []
    if larger is g1:
        larger.sort(key=field.s1_key.__getitem__)
    moved = from_the_middle(larger)[:count]
    begin = (len(larger) - count) // 2
    del larger[begin : begin + count]
    smaller += moved
    return moved
