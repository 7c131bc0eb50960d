"""Players who come before an upfloater and were not chosen, worked out on paper."""

from __future__ import annotations

from itertools import combinations

from pairing.engine.systems.dubov.explaining.tracing import pair_and_trace
from pairing.engine.systems.dubov.explaining.why import why_not
from pairing.engine.trace import Passed, Reason
from tests.engine.test_worked_upfloaters import choice_of_upfloaters, with_upfloats


def test_player_outside_a_set_of_upfloaters_gets_the_criterion() -> None:
    """3 and 4 are maximum upfloaters, so 5 and 6 float (C8)."""
    tournament = with_upfloats({3: 4})
    pairing = pair_and_trace(tournament)
    assert pairing.trace is not None
    bracket = pairing.trace.brackets[0]
    assert bracket.count == Reason("count_residents", {"residents": 2, "count": 2, "players": (1, 2)})
    assert bracket.passed[0] == Passed(3, Reason("up_maximum", {"player": 3, "times": 4}))
    assert why_not(tournament, pairing, 1, 3) == Reason("up_maximum", {"player": 3, "times": 4})


def test_first_four_before_each_member_of_a_set_are_listed_and_at_most_twelve_in_all() -> None:
    """1, 2, 3 and 4 may meet only 11, 18, 25 and 32. Six players come before each of these in the order of 4.2."""
    chosen = {1: 11, 2: 18, 3: 25, 4: 32}
    allowed = {*chosen.items(), *combinations(range(5, 37), 2)}
    tournament = choice_of_upfloaters(allowed, {number: 10 if number < 5 else 0 for number in range(1, 37)})
    trace = pair_and_trace(tournament).trace
    assert trace is not None
    bracket = trace.brackets[0]
    assert bracket.upfloaters == tuple(chosen.values())
    assert [passed.player for passed in bracket.passed] == [5, 6, 7, 8, 12, 13, 14, 15, 19, 20, 21, 22]
    assert {passed.reason.code for passed in bracket.passed} == {"up_illegal"}
    assert bracket.unlisted == 12
