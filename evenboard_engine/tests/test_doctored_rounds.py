"""Rounds that break the rules: the engine explains nothing false and returns no doubtful round."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenboard_engine import Bye, ByeKind, Colour, InternalError, Pair, RoundPairing, Tournament
from evenboard_engine.systems.dubov.explaining.why import DubovExplainer
from evenboard_engine.systems.dubov.explaining.worth import (
    AGAIN,
    COLOURS,
    MAXIMUM,
    ORDER,
    SCORE,
    TIMES,
    falls_behind,
)
from evenboard_engine.systems.dubov.pairing import BracketRecord, pair_round
from evenboard_engine.systems.dubov.pairing.colours import DubovColourRule
from evenboard_engine.tests.worked import field

CONTRADICTION = "explanation_contradicts_the_pairing"


def of_four(*leaders: int) -> Tournament:
    """Return round 2 of four players: nobody has played, the leaders had a full-point bye."""
    return Tournament(
        rounds=5,
        round=2,
        players=field(4),
        byes=tuple(Bye(1, leader, ByeKind.FULL) for leader in leaders),
        initial_colour=Colour.WHITE,
    )


def doctored(tournament: Tournament, *brackets: BracketRecord) -> RoundPairing:
    """Return a round with these brackets; colours do not matter here."""
    pairs = tuple(
        Pair(white, black, DubovColourRule.INITIAL)
        for record in brackets
        for white, black in zip(record.s1, record.t2, strict=True)
    )
    return replace(pair_round(tournament), pairs=pairs, brackets=brackets)


def bracket(
    score: int,
    residents: tuple[int, ...],
    upfloaters: tuple[int, ...],
    s1: tuple[int, ...],
    t2: tuple[int, ...],
) -> BracketRecord:
    return BracketRecord(score, residents, upfloaters, True, (), (), s1, t2)


def test_later_transposition_is_not_explained() -> None:
    """4.4: 1 may meet 3, so 1 must meet 3 and not 4."""
    tournament = of_four()
    wrong = doctored(tournament, bracket(0, (1, 2, 3, 4), (), (1, 2), (4, 3)))
    with pytest.raises(InternalError, match=CONTRADICTION):
        DubovExplainer(tournament, wrong)


def test_later_upfloater_is_not_explained() -> None:
    """4.2: 2 comes before 3, and no rule is against 2."""
    tournament = of_four(1)
    wrong = doctored(tournament, bracket(10, (1,), (3,), (1,), (3,)), bracket(0, (2, 4), (), (2,), (4,)))
    with pytest.raises(InternalError, match=CONTRADICTION):
        DubovExplainer(tournament, wrong)


def test_worse_set_of_upfloaters_is_not_explained() -> None:
    """C6: 1 and 2 must not meet; 4 has more points than 5, and no rule is against 4."""
    tournament = Tournament(
        rounds=5,
        round=3,
        players=field(6),
        byes=tuple(
            Bye(number, key, ByeKind.FULL) for key, number in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (4, 1))
        ),
        forbidden=frozenset({(1, 2)}),
        initial_colour=Colour.WHITE,
    )
    wrong = doctored(
        tournament, bracket(20, (1, 2), (3, 5), (1, 2), (3, 5)), bracket(10, (4,), (6,), (4,), (6,))
    )
    with pytest.raises(InternalError, match=CONTRADICTION):
        DubovExplainer(tournament, wrong)


def test_bracket_that_does_not_exist_has_no_upfloaters() -> None:
    tournament = of_four(1)
    explainer = DubovExplainer(tournament, pair_round(tournament))
    assert explainer.why_not_upfloater(0, 3).code == "up_order"
    with pytest.raises(IndexError):
        explainer.why_not_upfloater(2, 3)


def test_bracket_left_without_a_transposition_is_no_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shifts guarantee a transposition. If none is found, the engine has an error, and raises InternalError."""
    monkeypatch.setattr(
        "evenboard_engine.systems.dubov.pairing.transposition.first_transposition", lambda *_args: None
    )
    with pytest.raises(InternalError, match="no_legal_transposition"):
        pair_round(of_four(), exact=True)


def test_set_loses_by_the_first_criterion_in_which_it_is_worse() -> None:
    """C6 to C10, then 4.2; a set does not lose against itself, or against one that is worse by an earlier criterion."""
    taken = (-10, 2, 1, 4, 1, (5,))
    for at in (SCORE, COLOURS, MAXIMUM, TIMES, AGAIN):
        worse = (*taken[:at], taken[at] + 1, *(0 for _ in taken[at + 1 :]))
        assert (falls_behind(worse, taken), falls_behind(taken, worse)) == (at, None)
    assert falls_behind((*taken[:ORDER], (6,)), taken) == ORDER
    assert falls_behind(taken, taken) is None
