"""Players who were not chosen as upfloaters or for the bye, with the reasons, worked out on paper."""

from __future__ import annotations

from itertools import combinations

from evenboard_engine import Bye, ByeKind, Colour, Game, Result, Tournament
from evenboard_engine.systems.dubov.explaining.tracing import MOST_WEIGHED, pair_and_trace
from evenboard_engine.systems.dubov.explaining.why import DubovExplainer
from evenboard_engine.systems.dubov.options import UpfloatCount
from evenboard_engine.tests.test_worked_upfloaters import choice_of_upfloaters, with_upfloats
from evenboard_engine.tests.worked import field
from evenboard_engine.trace import Passed, Reason


def test_player_outside_a_set_of_upfloaters_gets_the_criterion() -> None:
    """3 and 4 are maximum upfloaters, so 5 and 6 float (C8)."""
    tournament = with_upfloats({3: 4})
    pairing = pair_and_trace(tournament)
    assert pairing.trace is not None
    bracket = pairing.trace.brackets[0]
    assert bracket.count == Reason("count_residents", {"residents": 2, "count": 2, "players": (1, 2)})
    assert bracket.passed[0] == Passed(3, Reason("up_maximum", {"player": 3, "times": 4}))
    assert DubovExplainer(tournament, pairing).why_not(1, 3) == Reason(
        "up_maximum", {"player": 3, "times": 4}
    )


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


def test_reason_that_an_exchange_proves_is_given_in_a_field_too_large_to_be_weighed() -> None:
    """1 and 2 may meet all below, who meet only in fours. 3 was upfloated four times, so 4 and 5 float."""
    fours = [range(first, first + 4) for first in range(3, 67, 4)]
    below = range(3, 67)
    allowed = {(one, two) for one in (1, 2) for two in below} | {
        p for four in fours for p in combinations(four, 2)
    }
    tournament = choice_of_upfloaters(
        allowed,
        {1: 20, 2: 20, **dict.fromkeys(below, 10), 67: 20},
        round=13,
        games=tuple(Game(number, 67, 3, Result.DOUBLE_FORFEIT) for number in range(3, 7)),
        absent=frozenset({67}),
        options={"upfloats": UpfloatCount.PAIRED},
    )
    trace = pair_and_trace(tournament).trace
    assert trace is not None
    bracket = trace.brackets[0]
    assert len(below) > MOST_WEIGHED
    assert (bracket.residents, bracket.upfloaters, bracket.unlisted) == ((1, 2), (4, 5), 0)
    assert bracket.passed == (Passed(3, Reason("up_maximum", {"player": 3, "times": 4})),)


def test_why_not_the_bye_names_the_games_of_both() -> None:
    """4 and 5 have half a point each. 4 has played a game, 5 has not."""
    tournament = Tournament(
        rounds=5,
        round=2,
        players=field(5),
        games=(Game(1, 1, 2, Result.DRAW), Game(1, 3, 4, Result.DRAW)),
        byes=(Bye(1, 5, ByeKind.HALF),),
        initial_colour=Colour.WHITE,
    )
    pairing = pair_and_trace(tournament)
    assert pairing.bye == 4
    expected = {"player": 5, "other": 4, "games": 0, "other_games": 1}
    assert DubovExplainer(tournament, pairing).why_not_bye(5) == Reason("bye_fewer_games", expected)
