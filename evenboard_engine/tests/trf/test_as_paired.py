"""Reports for rating: comments hold the ratings and results with which the rounds were paired."""

from __future__ import annotations

import pytest

from evenboard_engine import Colour, Result
from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.checking.standings import check_standings
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import (
    EarlierResult,
    RatingCorrection,
    Report,
    TrfErrors,
    applied,
    as_paired,
    earlier_results,
    rating_corrections,
    rating_lines,
    read_report,
    to_tournament,
    write_report,
)

WHITE_WON = (
    player_line("2 w 1", starting_rank=1, rating=2400, points="1.0", rank=1),
    player_line("1 b 0", starting_rank=2, rating=2300, points="0.0", rank=2),
)
FOR_RATING = (
    player_line("2 w 0", starting_rank=1, rating=2400, points="1.0", rank=1),
    player_line("1 b 1", starting_rank=2, rating=2300, points="0.0", rank=2),
)
CORRECTED = RatingCorrection(1, 1, 2, Result.WHITE_WINS, Result.BLACK_WINS)
LINE = "### Rating correction @ Round 1: 1-2: 1-0 => 0-1"


def read(*lines: str) -> Report:
    return read_report(as_file(*lines, "XXR 3"))


def results(report: Report) -> list[str]:
    return [player.entry(1).symbol for player in report.players]


def test_report_for_rating_is_paired_with_the_result_of_the_standings() -> None:
    """VCL4THP.13 Q193: 001 has the corrected result. The points are those of the standings."""
    report = read(*FOR_RATING, LINE)
    assert rating_corrections(report) == (CORRECTED,)
    assert str(CORRECTED) == LINE
    assert results(report) == ["0", "1"]
    assert results(as_paired(report)) == ["1", "0"]
    assert [game.result for game in to_tournament(report).games] == [Result.WHITE_WINS]
    standings = check_standings(report)
    assert standings is not None
    assert standings.misplaced == ()


def test_file_that_already_has_the_result_of_the_standings_stays_as_it_is() -> None:
    report = read(*WHITE_WON, LINE)
    assert rating_corrections(report) == (CORRECTED,)
    assert as_paired(report) == report
    assert as_paired(as_paired(read(*FOR_RATING, LINE))) == as_paired(read(*FOR_RATING, LINE))


@pytest.mark.parametrize("lines", [FOR_RATING, WHITE_WON])
def test_corrections_of_one_game_are_read_one_after_the_other(lines: tuple[str, ...]) -> None:
    steps = (
        "### Rating correction @ Round 1: 1-2: 1-0 => 1/2",
        "### Rating correction @ Round 1: 1-2: 1/2 => 0-1",
    )
    assert rating_corrections(read(*lines, *steps)) == (CORRECTED,)


def test_correction_that_was_undone_does_not_count() -> None:
    back = "### Rating correction @ Round 1: 1-2: 0-1 => 1-0"
    assert rating_corrections(read(*WHITE_WON, LINE, back)) == ()


@pytest.mark.parametrize(
    "line",
    [
        "### Rating correction @ Round 2: 1-2: 1-0 => 0-1",
        "### Rating correction @ Round 1: 2-1: 1-0 => 0-1",
        "### Rating correction @ Round 1: 1-9: 1-0 => 0-1",
        "### Rating correction @ Round 1: 1-2: 1/2 => 0-0",
        "### Rating correction @ Round 1: 1-2: won => lost",
        "### Rating correction @ Round 0: 1-2: 1-0 => 0-1",
        "### Correction @ Round 1: 1-2: 1-0 => 0-1",
        "### Rating correction",
    ],
)
def test_correction_that_fits_no_game_is_ignored(line: str) -> None:
    report = read(*WHITE_WON, line)
    assert rating_corrections(report) == ()
    assert as_paired(report) is report
    assert not applied(())(line)


def test_points_that_fit_neither_result_are_refused() -> None:
    wrong = player_line("2 w 0", starting_rank=1, rating=2400, points="0.5")
    with pytest.raises(TrfErrors) as caught:
        read(wrong, FOR_RATING[1], LINE)
    assert [error.code for error in caught.value.errors] == ["points_differ"]


def test_forfeits_are_corrected_without_colours_too() -> None:
    report = read(
        player_line("2 - -", starting_rank=1, rating=2400, points="1.0"),
        player_line("1 - +", starting_rank=2, rating=2300, points="0.0"),
        "### Rating correction @ Round 1: 1-2: +:- => -:+",
    )
    assert results(as_paired(report)) == ["+", "-"]


def test_tournament_ratings_are_used_to_pair_and_official_ratings_stay_in_the_file() -> None:
    report = read(
        *WHITE_WON[:1], player_line("1 b 0", starting_rank=2), "### Tournament ratings: 1=2410 2=1800"
    )
    assert [player.rating for player in report.players] == [2400, None]
    assert [player.rating for player in to_tournament(report).players] == [2410, 1800]
    assert b"### Tournament ratings: 1=2410 2=1800" in write_report(report)
    assert applied(())("### Tournament ratings: 1=2410 2=1800")


@pytest.mark.parametrize("words", ["1=2410 2=x", "1=", "1:2410", "of the club"])
def test_line_of_ratings_in_another_form_is_ignored(words: str) -> None:
    line = f"### Tournament ratings: {words}"
    report = read(*WHITE_WON, line)
    assert as_paired(report) is report
    assert not applied(())(line)


def test_tournament_rating_of_0_is_none() -> None:
    report = read(*WHITE_WON, "### Tournament ratings: 1=0 2=1800")
    assert [player.rating for player in as_paired(report).players] == [None, 1800]


def test_many_ratings_need_several_lines() -> None:
    ratings = {rank: 3000 - rank for rank in range(1, 46)}
    lines = tuple(rating_lines(ratings))
    assert [len(line.split()) - 3 for line in lines] == [20, 20, 5]
    assert lines[0].startswith("### Tournament ratings: 1=2999 2=2998 ")
    assert tuple(rating_lines({})) == ()
    players = [player_line(starting_rank=rank) for rank in ratings]
    read_again = as_paired(read(*players, *lines))
    assert {player.starting_rank: player.rating for player in read_again.players} == ratings


def test_rounds_are_checked_although_players_have_no_official_rating() -> None:
    entries = ("3 w 1", "4 b 1", "1 b 0", "2 w 0")
    players = [player_line(entry, starting_rank=rank) for rank, entry in enumerate(entries, start=1)]
    ratings = rating_lines({1: 2400, 2: 2300, 3: 2200, 4: 2100})
    checks = check_rounds(read(*players, *ratings, "152 W"))
    assert [(check.round, check.differences) for check in checks] == [(1, ())]


THREE_ROUNDS = (
    player_line("2 w 1", "3 b 1", "4 w 1", starting_rank=1, rating=2400),
    player_line("1 b 0", "4 w =", "3 b =", starting_rank=2, rating=2300),
    player_line("4 b =", "1 w 0", "2 w =", starting_rank=3, rating=2200),
    player_line("3 w =", "2 b =", "1 b 0", starting_rank=4, rating=2100),
)
UNTIL_2 = "### Earlier result @ Round 1: 1-2: adj until round 2"


def used(report: Report, number: int | None) -> tuple[Colour | None, str]:
    entry = as_paired(report, number).players[0].entry(1)
    return entry.colour, entry.symbol


def test_round_is_paired_with_the_results_known_at_that_time() -> None:
    """GHR 3.1 and 4.3: adjourned until round 2, a loss with Black until round 3, then a win with White."""
    then = "### Earlier result @ Round 1: 2-1: 1-0 until round 3"
    report = read(*THREE_ROUNDS, then, UNTIL_2)
    assert earlier_results(report) == (
        EarlierResult(1, 2, 1, Result.WHITE_WINS, 3),
        EarlierResult(1, 1, 2, Result.ADJOURNED, 2),
    )
    assert [str(one) for one in earlier_results(report)] == [then, UNTIL_2]
    white, black = Colour.WHITE, Colour.BLACK
    assert [used(report, number) for number in (1, 2, 3, 4, None)] == [
        (white, "?"), (white, "?"), (black, "0"), (white, "1"), (white, "1")
    ]  # fmt: skip
    assert as_paired(as_paired(report, 2), 2) == as_paired(report, 2)
    assert [game.result for game in to_tournament(report, round=2).games] == [Result.ADJOURNED, Result.DRAW]
    assert applied((), earlier_results(report))(UNTIL_2)


@pytest.mark.parametrize(
    "line",
    [
        "### Earlier result @ Round 1: 1-3: adj until round 2",
        "### Earlier result @ Round 1: 1-9: adj until round 2",
        "### Earlier result @ Round 0: 1-2: adj until round 2",
        "### Earlier result @ Round 2: 1-3: adj until round 1",
        "### Earlier result @ Round 1: 1-2: adj until round 4",
        "### Earlier result @ Round 1: 1-2: lost until round 2",
        "### Earlier result @ Round 1: 1-2: adj",
    ],
)
def test_earlier_result_that_fits_no_game_is_ignored(line: str) -> None:
    report = read(*THREE_ROUNDS, line)
    assert earlier_results(report) == ()
    assert as_paired(report, 1) is report
    assert not applied((), ())(line)
