"""Articles 1.5 to 1.7 and C2, with histories made by hand."""

from __future__ import annotations

import pytest

from evenboard_engine import Bye, ByeKind, Colour, Game, InvalidTournament, PointSystem, Result, histories
from evenboard_engine.history import History, rounded_half_up
from evenboard_engine.preference import Preference, Strength
from evenboard_engine.systems.dubov.options import UpfloatCount
from evenboard_engine.systems.dubov.pairing.preferences import maximum_upfloats, preference
from evenboard_engine.tests.rules.build import tournament

W, B = Colour.WHITE, Colour.BLACK
WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def past(colours: str, difference: int | None = None) -> History:
    sides = tuple(Colour(letter) for letter in colours.lower())
    balance = sides.count(W) - sides.count(B) if difference is None else difference
    return History(0, 0, len(sides), (), sides, balance, 0, (), False, True)


@pytest.mark.parametrize(
    ("colours", "due", "strength"),
    [
        ("", B, Strength.MILD),
        ("w", B, Strength.STRONG),
        ("b", W, Strength.STRONG),
        ("wb", W, Strength.MILD),
        ("bw", B, Strength.MILD),
        ("ww", B, Strength.ABSOLUTE),
        ("bb", W, Strength.ABSOLUTE),
        ("wbb", W, Strength.ABSOLUTE),
        ("bwb", W, Strength.STRONG),
        ("bwwb", W, Strength.MILD),
        ("wbwbb", W, Strength.ABSOLUTE),
        ("wwbb", W, Strength.ABSOLUTE),
    ],
)
def test_preference_follows_difference_and_last_games(colours: str, due: Colour, strength: Strength) -> None:
    assert preference(past(colours)) == Preference(due, strength)


def test_difference_decides_if_it_contradicts_the_last_two_games() -> None:
    assert preference(past("wwwwbb")) == Preference(B, Strength.ABSOLUTE)


@pytest.mark.parametrize(("rounds", "limit"), [(1, 2), (4, 2), (5, 3), (9, 3), (10, 4), (15, 5)])
def test_maximum_upfloats_grow_every_five_rounds(rounds: int, limit: int) -> None:
    assert maximum_upfloats(rounds) == limit


@pytest.mark.parametrize(
    ("total", "count", "mean"), [(0, 0, 0), (5, 2, 3), (4, 2, 2), (10, 3, 3), (11, 3, 4), (3, 2, 2)]
)
def test_average_is_rounded_half_up(total: int, count: int, mean: int) -> None:
    assert rounded_half_up(total, count) == mean


def test_aro_counts_only_opponents_met_over_the_board() -> None:
    known = histories(
        tournament(
            6,
            (1, 1, 4, WIN),
            (2, 5, 1, DRAW),
            (3, 1, 6, Result.WHITE_WINS_BY_FORFEIT),
        )
    )
    assert known[1].aro == 2355  # (2360 + 2350) / 2
    assert known[1].opponents == (4, 5)
    assert known[1].colours == (W, B)
    assert known[1].games == 2
    assert known[1].score == 25
    assert known[2].aro == 0
    assert known[6].games == 0


def test_adjourned_game_is_a_played_draw() -> None:
    known = histories(tournament(2, (1, 1, 2, Result.ADJOURNED)))
    assert (known[1].score, known[2].score) == (5, 5)
    assert known[1].opponents == (2,)


@pytest.mark.parametrize(
    ("result", "white", "black"),
    [
        (Result.HALF_ZERO, 5, 0),
        (Result.ZERO_HALF, 0, 5),
        (Result.ZERO_ZERO, 0, 0),
        (Result.DOUBLE_FORFEIT, 0, 0),
        (Result.BLACK_WINS_BY_FORFEIT, 0, 10),
        (Result.WHITE_WINS_UNRATED, 10, 0),
        (Result.DRAW_UNRATED, 5, 5),
        (Result.BLACK_WINS_UNRATED, 0, 10),
    ],
)
def test_unusual_results_score_what_they_say(result: Result, white: int, black: int) -> None:
    known = histories(tournament(2, (1, 1, 2, result)))
    assert (known[1].score, known[2].score) == (white, black)


def test_lower_score_at_the_time_is_upfloated() -> None:
    known = histories(tournament(4, (1, 1, 2, WIN), (1, 3, 4, WIN), (2, 1, 4, WIN), (2, 2, 3, DRAW)))
    assert [known[key].upfloats for key in (1, 2, 3, 4)] == [(), (2,), (), (2,)]


@pytest.mark.parametrize(("count", "upfloats"), [(UpfloatCount.PLAYED, ()), (UpfloatCount.PAIRED, (2,))])
def test_forfeited_pairing_is_an_upfloat_only_by_that_reading(
    count: UpfloatCount, upfloats: tuple[int, ...]
) -> None:
    known = histories(
        tournament(
            4,
            (1, 1, 2, WIN),
            (1, 3, 4, WIN),
            (2, 1, 4, Result.WHITE_WINS_BY_FORFEIT),
            options={"upfloats": count},
        )
    )
    assert known[4].upfloats == upfloats


@pytest.mark.parametrize(
    ("kind", "points", "barred"),
    [
        (ByeKind.ALLOCATED, PointSystem(), True),
        (ByeKind.ALLOCATED, PointSystem(allocated_bye=0), True),
        (ByeKind.FULL, PointSystem(), True),
        (ByeKind.HALF, PointSystem(), False),
        (ByeKind.HALF, PointSystem(half_bye=10), True),
        (ByeKind.ZERO, PointSystem(), False),
    ],
)
def test_bye_is_barred_by_points_without_playing(kind: ByeKind, points: PointSystem, barred: bool) -> None:
    known = histories(tournament(3, at=2, byes=(Bye(1, 3, kind),), points=points))
    assert known[3].bye_barred is barred


def test_forfeit_win_bars_from_the_bye_and_a_played_win_does_not() -> None:
    known = histories(tournament(4, (1, 1, 2, Result.WHITE_WINS_BY_FORFEIT), (1, 3, 4, WIN)))
    assert [known[key].bye_barred for key in (1, 2, 3, 4)] == [True, False, False, False]


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        ({"games": (Game(1, 1, 9, WIN),)}, "unknown_player"),
        ({"games": (Game(1, 1, 2, WIN), Game(1, 2, 3, WIN))}, "twice_in_a_round"),
        ({"games": (Game(1, 1, 1, WIN),)}, "twice_in_a_round"),
        ({"games": (Game(2, 1, 2, WIN),)}, "game_outside_former_rounds"),
        ({"games": (Game(1, 1, 2, WIN),), "byes": (Bye(1, 1, ByeKind.HALF),)}, "twice_in_a_round"),
    ],
)
def test_contradictory_history_is_refused(broken: dict[str, object], code: str) -> None:
    from dataclasses import replace

    with pytest.raises(InvalidTournament) as refused:
        histories(replace(tournament(4, at=2), **broken))  # type: ignore[arg-type]
    assert refused.value.code == code
