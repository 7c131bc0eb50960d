"""The random tournament generator: its settings, its files, and its random results."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from evenboard_engine import ByeKind, Colour, NoLegalPairing, Result, RoundPairing, Tournament, pair_round
from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.checking.standings import check_standings
from evenboard_engine.generating.tournament import (
    BadSettings,
    Chances,
    GeneratorSettings,
    chances,
    fair_chances,
    generate,
    read_settings,
)
from evenboard_engine.systems.dubov.options import Edition, UpfloatCount
from evenboard_engine.tiebreaks.ratings import expected
from evenboard_engine.trf import Prohibition, Report, read_report, readings, to_tournament, write_report

QUIET = GeneratorSettings(
    forfeits=0, unusual=0, half_byes=0, zero_byes=0, full_byes=0, retirements=0, late=0, forbidden=0
)


# --- results

VARIANTS = {"edition": Edition.E2018, "upfloats": UpfloatCount.PAIRED}


def test_the_model_gives_the_published_example() -> None:
    odds = chances(2467, 2344)
    assert tuple(round(share, 3) for share in (odds.white, odds.black, odds.draw)) == (0.511, 0.138, 0.351)


@pytest.mark.parametrize("mean", [1000, 1500, 2000, 2500, 2800])
@pytest.mark.parametrize("difference", range(0, 1600, 100))
def test_chances_are_shares_of_one(mean: int, difference: int) -> None:
    odds = chances(mean + difference // 2, mean - difference // 2)
    assert odds.white + odds.draw + odds.black == pytest.approx(1)
    assert min(odds.white, odds.draw, odds.black) >= 0


FIDE_TABLE = {0: 0.50, 50: 0.57, 100: 0.64, 150: 0.70, 200: 0.76, 250: 0.81, 300: 0.85, 400: 0.92}
"""Expected score of the higher rated by the difference of ratings (FIDE Handbook B.02, 8.1)."""


@pytest.mark.parametrize(("difference", "expected"), FIDE_TABLE.items())
def test_expected_scores_are_near_the_table_of_fide(difference: int, expected: float) -> None:
    """The mean over both colours, between players of 2,200 to 2,600 points."""
    for mean in (2200, 2400, 2600):
        strong, weak = mean + difference // 2, mean - difference // 2
        score = (chances(strong, weak).expected + 1 - chances(weak, strong).expected) / 2
        assert score == pytest.approx(expected, abs=0.035)


def test_share_of_draws_does_not_change_the_expected_score() -> None:
    odds = chances(2467, 2344)
    for share, draw in ((0.1, 0.1), (0.6, 0.6), (1.0, 2 * (1 - odds.expected))):
        changed = odds.with_draws(share)
        assert (changed.draw, changed.expected) == (pytest.approx(draw), pytest.approx(odds.expected))
    assert Chances(1.0, 0.0, 0.0).with_draws(0.5) == Chances(1.0, 0.0, 0.0)


# --- tournaments


def test_the_same_seed_gives_the_same_file_and_another_seed_another_file() -> None:
    first = write_report(generate("a").report)
    assert write_report(generate("a").report) == first
    assert write_report(generate("b").report) != first


def test_a_seed_gives_the_same_file_in_every_version() -> None:
    """A seed always gives the same file. If this changes, the changelog must say so."""
    report = generate("fixed", GeneratorSettings(players=5, rounds=2, highest=2000, lowest=1900)).report
    assert [player.rating for player in report.players] == [1976, 1959, 1952, 1924, 1921]


def test_the_seed_is_in_the_file() -> None:
    assert generate("77-3").report.text("012") == "Random tournament, seed 77-3"


@pytest.mark.parametrize("seed", range(30))
def test_files_are_read_back_as_they_were_written(seed: int) -> None:
    made = generate(f"back-{seed}")
    again = read_report(write_report(made.report))
    assert again == made.report
    assert again.rounds_paired == made.rounds
    if made.rounds < made.planned:
        return
    last = to_tournament(again, round=made.rounds)
    assert set(last.games) == {game for game in made.tournament.games if game.round < made.rounds}


def test_every_missing_setting_is_random() -> None:
    made = [generate(f"drawn-{seed}", GeneratorSettings(rounds=2)) for seed in range(60)]
    tournaments = [one.tournament for one in made]
    assert len({len(tournament.players) for tournament in tournaments}) > 30
    assert {tournament.initial_colour for tournament in tournaments} == set(Colour)
    assert {bool(tournament.accelerations) for tournament in tournaments} == {True, False}
    assert {bool(tournament.forbidden) for tournament in tournaments} == {True, False}
    assert len({tournament.players[0].rating for tournament in tournaments}) > 50
    assert {bye.kind for tournament in tournaments for bye in tournament.byes} == set(ByeKind)
    assert len({generate(f"rounds-{seed}", GeneratorSettings(players=16)).planned for seed in range(40)}) > 6


def test_rates_of_zero_leave_only_games_and_allocated_byes() -> None:
    made = generate("quiet", QUIET)
    assert {bye.kind for bye in made.tournament.byes} <= {ByeKind.ALLOCATED}
    assert {game.result for game in made.tournament.games} <= {
        Result.WHITE_WINS,
        Result.DRAW,
        Result.BLACK_WINS,
    }


LOUD = GeneratorSettings(
    players=60,
    rounds=9,
    forfeits=10,
    unusual=10,
    half_byes=20,
    zero_byes=25,
    full_byes=50,
    retirements=60,
    late=6,
    forbidden=12,
    accelerated=True,
)


def test_rates_are_right_on_average() -> None:
    tournament = generate("rates", replace(LOUD, players=240)).tournament
    results = Counter(game.result for game in tournament.games)
    games = sum(results.values())
    forfeits = sum(count for result, count in results.items() if ":" in result.value)
    unusual = sum(
        results[result] for result in Result if result.value in ("1/2-0", "0-1/2", "0-0", "W-L", "D-D", "L-W")
    )
    byes = Counter(bye.kind for bye in tournament.byes)
    assert games == pytest.approx(240 * 9 / 2 * 0.75, rel=0.2)
    assert forfeits / games == pytest.approx(1 / 10, abs=0.05)
    assert unusual / games == pytest.approx(1 / 10, abs=0.05)
    assert byes[ByeKind.HALF] / (240 * 9) == pytest.approx(1 / 20, abs=0.03)
    assert byes[ByeKind.ZERO] / (240 * 9) == pytest.approx(1 / 25, abs=0.03)
    assert byes[ByeKind.FULL] / (240 * 9) == pytest.approx(1 / 50, abs=0.02)
    assert len(tournament.forbidden) == 12


def test_players_come_late_and_leave() -> None:
    report = generate("loud", LOUD).report
    late = [
        player for player in report.players if player.entry(1).opponent is None and not player.entry(1).symbol
    ]
    gone = [player for player in report.players if len(player.entries) < report.rounds_paired]
    assert 3 <= len(late) <= 20
    assert len(gone) >= 2


def test_acceleration_and_prohibitions_are_in_the_file() -> None:
    report = read_report(write_report(generate("loud", LOUD).report))
    assert report.text("192") == "FIDE_DUBOV_BAKU"
    assert len(report.of_type(Prohibition)) == 12
    assert to_tournament(report, round=1).accelerations != ()


def test_file_says_the_acceleration_that_the_tournament_was_paired_with() -> None:
    """Byes of round 1 are drawn before the field is split, and the file names no GA: a reader must find the same."""
    for seed in range(20):
        made = generate(f"baku {seed}", replace(LOUD, players=20, half_byes=3))
        assert to_tournament(made.report, round=1).accelerations == made.tournament.accelerations


def test_points_follow_the_settings() -> None:
    settings = read_settings(
        "PointsForWin=3\nPointsForDraw=1\nPointsForLoss=0.5\nPointsForZPB=0.2\nPointsForForfeitLoss=0\nPointsForPAB=1"
    )
    points = generate("points", settings).report.points
    assert (points.white_win, points.black_draw, points.white_loss, points.zero_bye) == (30, 10, 5, 2)
    assert (points.forfeit_win, points.forfeit_loss, points.allocated_bye, points.half_bye) == (30, 0, 10, 10)


def test_ratings_can_be_given_one_by_one() -> None:
    settings = read_settings("Ratings = 1800 2100, 2000")
    assert [player.rating for player in generate("x", settings).report.players] == [2100, 2000, 1800]


def test_ratings_are_between_lowest_and_highest() -> None:
    for text in ("HighestRating=1500", "LowestRating=2500", "LowestRating=1700\nHighestRating=1705"):
        settings = read_settings(text)
        ratings = {player.rating or 0 for player in generate("between", settings).report.players}
        assert min(ratings) >= (settings.lowest or 0)
        assert max(ratings) <= (settings.highest or 3500)


def test_draws_follow_the_setting() -> None:
    for percent in (0, 50):
        settings = GeneratorSettings(
            players=100, rounds=9, draws=percent, highest=2200, lowest=2000, forfeits=0, unusual=0
        )
        games = generate("draws", settings).tournament.games
        share = sum(game.result is Result.DRAW for game in games) / len(games)
        assert share == pytest.approx(percent / 100, abs=0.08)


def test_scores_match_the_expectation_over_many_games() -> None:
    """With fixed ratings, the sum of score minus expected score stays near zero."""
    difference = played = 0.0
    for seed in range(12):
        tournament = generate(
            f"expected-{seed}", GeneratorSettings(players=60, rounds=9, highest=2400, lowest=2000)
        ).tournament
        rating = {player.id: player.rating for player in tournament.players}
        for game in tournament.games:
            if game.result in (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS):
                scored = {Result.WHITE_WINS: 1.0, Result.DRAW: 0.5, Result.BLACK_WINS: 0.0}[game.result]
                difference += scored - fair_chances(rating[game.white], rating[game.black]).expected
                played += 1
    assert played > 2000
    assert abs(difference / played) < 0.03


@pytest.mark.parametrize("mean", [1100, 1500, 2000, 2500])
@pytest.mark.parametrize("difference", [0, 40, 120, 400, 700])
def test_ratings_do_not_change_on_average(mean: int, difference: int) -> None:
    """VCL4THP.13 Q32: over both colours the expected score is that of the rating table, capped at 400."""
    strong, weak = mean + difference // 2, mean - difference // 2
    score = (fair_chances(strong, weak).expected + 1 - fair_chances(weak, strong).expected) / 2
    assert score == pytest.approx(expected(min(400, difference)) / 100, abs=0.01)
    assert fair_chances(strong, weak).expected > 1 - fair_chances(weak, strong).expected


def test_double_forfeits_can_be_set_alone() -> None:
    asked = read_settings("ForfeitRate=0\nDoubleForfeitRate=25%\nUnusualResultRate=0")
    results = Counter(
        game.result for game in generate("double", replace(asked, players=100, rounds=6)).tournament.games
    )
    assert {result for result in results if ":" in result.value} == {Result.DOUBLE_FORFEIT}
    assert results[Result.DOUBLE_FORFEIT] / results.total() == pytest.approx(0.25, abs=0.08)
    asked = replace(asked, forfeits=4.0, double_forfeits=0.0, players=100, rounds=6)
    results = Counter(game.result for game in generate("double", asked).tournament.games)
    assert Result.DOUBLE_FORFEIT not in results
    assert min(results[Result.WHITE_WINS_BY_FORFEIT], results[Result.BLACK_WINS_BY_FORFEIT]) > 0


@pytest.mark.parametrize(
    ("text", "rate"), [("5%", 20), ("0%", 0), ("100%", 1), ("2.5 %", 40), ("0", 0), ("1000000", 1_000_000)]
)
def test_rates_may_be_percentages(text: str, rate: float) -> None:
    assert read_settings(f"HalfPointByeRate={text}").half_byes == rate


@pytest.mark.parametrize("text", ["101%", "-1", "%", "1000001", "five", "5%%", ""])
def test_wrong_rates_are_refused(text: str) -> None:
    with pytest.raises(BadSettings):
        read_settings(f"HalfPointByeRate={text}")


def test_a_tournament_ends_if_a_round_cannot_be_paired() -> None:
    made = generate("short", GeneratorSettings(players=4, rounds=9, late=0, retirements=0))
    assert (made.planned, made.rounds) == (9, made.report.rounds_paired)
    assert made.rounds <= 3
    assert made.report.rounds == 9
    assert generate("nobody", GeneratorSettings(players=2, rounds=3, late=1)).rounds <= 1


def test_the_given_pairing_function_pairs_every_round() -> None:
    asked: list[int] = []

    def stubborn(tournament: Tournament) -> RoundPairing:
        asked.append(tournament.round)
        if tournament.round == 3:
            raise NoLegalPairing
        return pair_round(tournament)

    made = generate("stubborn", GeneratorSettings(players=20, rounds=5), pair=stubborn)
    assert (asked, made.rounds, made.report.rounds_paired) == ([1, 2, 3], 2, 2)


def test_ranks_follow_points_if_no_tie_breaks_are_set() -> None:
    report: Report = generate("ranks", GeneratorSettings(players=30, rounds=4, tie_breaks=())).report
    places = sorted((-(player.points or 0), player.rank) for player in report.players)
    scores = [score for score, _ in places]
    assert [rank for _, rank in places] == [scores.index(score) + 1 for score in scores]
    assert report.text("212") == "PTS"


@pytest.mark.parametrize(
    ("text", "record"), [("PTS", "PTS"), ("bh/c1, de", "PTS,BH/C1,DE"), ("PTS,TPN", "PTS,TPN")]
)
def test_tie_breaks_are_those_of_the_settings(text: str, record: str) -> None:
    made = generate("ties", replace(read_settings(f"TieBreaks={text}"), players=20, rounds=5))
    assert made.report.text("212") == record


@pytest.mark.parametrize("text", ["", "XYZ", "BH,PTS", "BH,BH", "BH/C1/M1", "BH;DE"])
def test_wrong_tie_breaks_are_refused(text: str) -> None:
    with pytest.raises(BadSettings) as caught:
        read_settings(f"TieBreaks={text}")
    assert (caught.value.code, caught.value.params["key"]) == ("bad_setting", "TieBreaks")


def test_missing_tie_breaks_are_random_and_the_ranks_follow_them() -> None:
    """VCL4THP.13 Q25 and Q31."""
    lists = set()
    for seed in range(60):
        report = generate(f"lists-{seed}", GeneratorSettings(players=12 + seed % 20)).report
        check = check_standings(read_report(write_report(report)))
        assert check is not None
        assert (check.misplaced, check.unknown) == ((), "")
        assert 2 <= len(check.tie_breaks) <= 6
        lists.add(report.text("212"))
    assert len(lists) == 60


def test_chosen_variants_of_the_rules_are_in_the_file() -> None:
    asked = GeneratorSettings(players=12, rounds=4, options=VARIANTS, forfeits=3)
    made = generate("variants", asked)
    assert made.tournament.options == VARIANTS
    assert readings(made.report) == VARIANTS
    assert not any(check.differences for check in check_rounds(read_report(write_report(made.report))))
    assert readings(generate("variants", replace(asked, options={})).report) == {}


# --- settings files


def test_settings_are_read() -> None:
    text = "# few\n\nPlayersNumber=40\n RoundsNumber = 7 # so\nAcceleration=Baku\nInitialColour=b\nForfeitRate=0\n"
    assert read_settings(text) == GeneratorSettings(
        players=40, rounds=7, accelerated=True, initial_colour=Colour.BLACK, forfeits=0
    )
    assert read_settings("Acceleration=none").accelerated is False


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("PlayersNumber=4\nPlayers=5", "unknown_setting", 2),
        ("\nplayersnumber=5", "unknown_setting", 2),
        ("hello", "not_a_setting", 1),
        ("RoundsNumber=3\n\nRoundsNumber=4", "setting_twice", 3),
        ("PlayersNumber=x", "bad_setting", 1),
        ("PlayersNumber=1", "bad_setting", 1),
        ("DrawPercentage=101", "bad_setting", 1),
        ("ForfeitRate=-1", "bad_setting", 1),
        ("PointsForWin=a", "bad_setting", 1),
        ("Acceleration=fast", "bad_setting", 1),
        ("InitialColour=green", "bad_setting", 1),
        ("Ratings=2000", "bad_setting", 1),
        ("Ratings=2000 x", "bad_setting", 1),
        ("Ratings=2000 2100\nPlayersNumber=3", "settings_disagree", 0),
        ("LowestRating=2000\nHighestRating=1900", "settings_disagree", 0),
        ("PointsForWin=0.5\nPointsForDraw=1", "settings_disagree", 0),
        ("PointsForWin=1\nPointsForDraw=1", "settings_disagree", 0),
        ("PointsForWin=3\nPointsForDraw=1\nAcceleration=Baku", "settings_disagree", 0),
        ("PointsForWin=1\nPointsForDraw=0.5\nPointsForLoss=1", "settings_disagree", 0),
    ],
)
def test_wrong_settings_are_refused_with_their_line(text: str, code: str, line: int) -> None:
    with pytest.raises(BadSettings) as caught:
        read_settings(text)
    assert (caught.value.code, caught.value.line) == (code, line)
