"""Say why two players of one subgroup do not meet (C.04.4.1, 2.2.3, 2.2.4, 3.3.3 and 4.3, edition 2025).

They could only meet if other players were shifted, or more players. To find the reason, the others of the bracket are
paired as well as possible without the two. There are three cases. The others have no legal pairing. Or more players
miss the due colour (C7). Or the pairing is as good: then its set of shifters comes later in the order, because the
chosen set is the first one that is best for C7.
If nobody in the bracket has played, all are due the same colour and C7 cannot decide. Then the number of pairs inside a
half counts, which must be least.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evenboard_engine.matching import Matching
from evenboard_engine.systems.dubov.pairing.field import Field, legal_graph
from evenboard_engine.trace import BracketTrace, Reason

from .rows import may_not_meet
from .worth import least_inside

MOST_WEIGHED = 100
"""In brackets with more players than this, no cheapest matching is computed: only bounds and exchanges are tried."""


def why_on_one_side(field: Field, bracket: BracketTrace, one: int, other: int) -> Reason:
    """Return why two players (ids) of one side of a bracket do not meet, although they may.

    The code is "same_side" if nothing more exact is proved.
    """
    place_of = field.past.place_of
    in_g1 = {place_of[member.id]: True for member in bracket.g1}
    in_g1 |= {place_of[member.id]: False for member in bracket.g2}
    rows = [(place_of[pair.first], place_of[pair.second]) for pair in bracket.pairs]
    code = _code(field, rows, in_g1, place_of[one], place_of[other])
    if bracket.unplayed and code == "side_colours":
        code = "same_side"
    return Reason(code, {"player": one, "other": other})


def _code(
    field: Field, rows: Sequence[tuple[int, int]], in_g1: Mapping[int, bool], one: int, other: int
) -> str:
    inside = sum(in_g1[first] is in_g1[second] for first, second in rows)
    rest = [field.entrant(place) for row in rows for place in row if place not in (one, other)]
    if Matching(legal_graph(rest)).maximise():
        return "side_illegal"
    sides = [in_g1[player.rank] for player in rest]
    more = int(in_g1[one] is in_g1[other])
    if more + abs(2 * sum(sides) - len(sides)) // 2 > inside:
        return "side_colours"
    if len(rest) <= MOST_WEIGHED:
        return "side_shift" if more + least_inside(rest, sides) == inside else "side_colours"
    return "side_shift" if _exchanged(field, rows, in_g1, one, other) else "same_side"


def _exchanged(
    field: Field, rows: Sequence[tuple[int, int]], in_g1: Mapping[int, bool], one: int, other: int
) -> bool:
    """Return whether the two can meet without more pairs inside a side.

    Tries two exchanges: their opponents meet each other, or their opponents meet the players of one other pair.
    """

    def inside(pairs: Sequence[tuple[int, int]]) -> int:
        return sum(in_g1[first] is in_g1[second] for first, second in pairs)

    left, right = (next(row for row in rows if place in row) for place in (one, other))
    mine, theirs = sum(left) - one, sum(right) - other
    new = [(one, other), (mine, theirs)]
    if not may_not_meet(field, mine, theirs) and inside(new) == inside([left, right]):
        return True
    for row in rows:
        if row in (left, right):
            continue
        for first, second in (row, row[::-1]):
            new = [(one, other), (mine, first), (theirs, second)]
            if inside(new) == inside([left, right, row]) and not (
                may_not_meet(field, mine, first) or may_not_meet(field, theirs, second)
            ):
                return True
    return False
