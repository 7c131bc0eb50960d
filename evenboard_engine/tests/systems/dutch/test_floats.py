"""Floats of the last two rounds, as C.04.3 (1.4.2 to 1.4.4, edition of 1 February 2026) counts them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenboard_engine import Acceleration, Bye, ByeKind, Game, PointSystem, Result, Tournament
from evenboard_engine.history import FLOATED_DOWN, FLOATED_UP, NO_FLOAT, HistoryRules, Past
from evenboard_engine.model import Outcome, Ruling
from evenboard_engine.tests.rules.build import tournament

WIN, DRAW = Result.WHITE_WINS, Result.DRAW
BEGINNING = ((1, 1, 2, WIN), (1, 3, 4, DRAW))
"""After round 1 player 1 has a point, 3 and 4 have half a point, 2, 5 and 6 have none."""


def floats(given: Tournament) -> list[list[int]]:
    """Return the floats of the players 1, 2, ... in the last round and in the round before."""
    return [list(column) for column in Past(given, HistoryRules(floats=True)).float_in]


def after_round_2(*games: tuple[int, int, int, Result], **more: object) -> list[int]:
    return floats(tournament(6, *BEGINNING, *games, at=3, **more))[0]


def test_scores_before_the_round_decide_and_equal_scores_are_no_float() -> None:
    found = floats(tournament(6, *BEGINNING, (2, 3, 1, DRAW), (2, 2, 5, WIN), at=3))
    assert found == [[FLOATED_DOWN, NO_FLOAT, FLOATED_UP, NO_FLOAT, NO_FLOAT, NO_FLOAT], [NO_FLOAT] * 6]


def test_only_two_rounds_and_only_if_asked() -> None:
    given = tournament(6, *BEGINNING, (2, 3, 1, DRAW), at=4)
    assert [column[0] for column in floats(given)] == [NO_FLOAT, FLOATED_DOWN]
    assert floats(tournament(6)) == []
    assert Past(given, HistoryRules()).float_in == []


@pytest.mark.parametrize(
    ("kind", "points", "expected"),
    [
        (ByeKind.ALLOCATED, PointSystem(), FLOATED_DOWN),
        (ByeKind.ALLOCATED, PointSystem(allocated_bye=0), FLOATED_DOWN),
        (ByeKind.FULL, PointSystem(), FLOATED_DOWN),
        (ByeKind.HALF, PointSystem(), FLOATED_DOWN),
        (ByeKind.HALF, PointSystem(half_bye=0), NO_FLOAT),
        (ByeKind.HALF, PointSystem(black_loss=5), NO_FLOAT),
        (ByeKind.ZERO, PointSystem(), NO_FLOAT),
        (ByeKind.ZERO, PointSystem(zero_bye=5), FLOATED_DOWN),
    ],
)
def test_bye_is_a_downfloat_if_allocated_or_worth_more_than_a_loss(
    kind: ByeKind, points: PointSystem, expected: int
) -> None:
    assert after_round_2(byes=(Bye(2, 1, kind),), points=points)[0] == expected


def test_forfeits_float_by_their_points_and_not_by_scores() -> None:
    forfeited = (2, 3, 1, Result.WHITE_WINS_BY_FORFEIT)
    assert after_round_2(forfeited)[:3] == [NO_FLOAT, NO_FLOAT, FLOATED_DOWN]


def test_absence_that_is_paid_is_a_downfloat() -> None:
    points = PointSystem(zero_bye=5)
    assert after_round_2((2, 2, 5, WIN), points=points) == [1, FLOATED_UP, 1, 1, FLOATED_DOWN, 1]
    assert after_round_2((2, 2, 5, WIN)) == [NO_FLOAT] * 6


def test_virtual_points_of_the_round_count() -> None:
    lent = Acceleration(2, 2, 10, frozenset({5}))
    assert after_round_2((2, 1, 5, DRAW), accelerations=(lent,)) == [NO_FLOAT] * 6


def test_decided_points_of_the_entry_count_and_bonuses_do_not() -> None:
    def floated(*rulings: Ruling) -> int:
        return after_round_2(byes=(Bye(2, 1, ByeKind.ZERO), Bye(2, 3, ByeKind.HALF)), rulings=rulings)[0]

    assert floated(Ruling(1, 2, 5, ByeKind.ZERO)) == FLOATED_DOWN
    assert floated(Ruling(1, 2, 5)) == NO_FLOAT
    assert floated(Ruling(1, 2, 5, Outcome.WIN)) == NO_FLOAT


def test_order_of_the_input_does_not_count() -> None:
    given = tournament(6, *BEGINNING, (2, 3, 1, DRAW), at=3, byes=(Bye(2, 4, ByeKind.HALF),))
    turned = replace(given, games=tuple(map(Game._make, reversed(given.games))), players=given.players[::-1])
    assert floats(turned) == floats(given)
