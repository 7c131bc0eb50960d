"""Random opens played by several pairings: the same luck for all, measures by their definitions, runs that go on."""

from __future__ import annotations

from math import sqrt
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from bench.fairness.chart import ChartLine, Mean, beyond_dubov, chart, mean_of
from bench.fairness.play import (
    correlation,
    go_on,
    outcome,
    pairers,
    play,
    played,
    played_before,
    random_open,
    within_groups,
)
from bench.fairness.report import page, pictures
from evenboard_engine import Result

POINTS = {Result.WHITE_WINS: 10, Result.DRAW: 5, Result.BLACK_WINS: 0}


def test_two_players_have_the_same_result_in_every_open() -> None:
    held = random_open(3)
    opens = [played(held, system, pair) for system, pair in pairers().values()]
    results = [{(game.white, game.black): game.result for game in one.games} for one in opens]
    common = results[0].keys() & results[1].keys()
    assert len(common) > 5
    assert [results[0][pair] for pair in common] == [results[1][pair] for pair in common]
    assert len({len(one.games) for one in opens}) == 1


def test_stronger_players_score_more() -> None:
    """Over 30 opens, the half with the greater strength has far more than half of the points."""
    upper = everybody = 0
    for seed in range(1, 31):
        held = random_open(seed)
        system, pair = pairers()["upper_half"]
        strong = set(sorted(held.strength, key=held.strength.__getitem__)[len(held.strength) // 2 :])
        for game in played(held, system, pair).games:
            upper += POINTS[game.result] * (game.white in strong)
            upper += (10 - POINTS[game.result]) * (game.black in strong)
            everybody += 10
    assert 0.58 < upper / everybody < 0.68


def test_floats_are_counted_from_the_points_before_each_round() -> None:
    held = random_open(2)
    system, pair = pairers()["dubov"]
    tournament = played(held, system, pair)
    points = {player.id: [0] * (tournament.rounds + 1) for player in tournament.players}
    for game in tournament.games:
        points[game.white][game.round] = POINTS[game.result]
        points[game.black][game.round] = 10 - POINTS[game.result]
    for bye in tournament.byes:
        points[bye.player][bye.round] = 10
    apart = [
        abs(sum(points[game.white][: game.round]) - sum(points[game.black][: game.round]))
        for game in tournament.games
    ]
    found = outcome(held, tournament)
    assert found["floats"] == pytest.approx(sum(one > 0 for one in apart) / len(apart))
    assert found["far_floats"] == pytest.approx(sum(one >= 10 for one in apart) / len(apart))


def test_correlation_and_spread_are_those_of_the_definition() -> None:
    """1 - 6 * sum of squares / (n³ - n) is Spearman's without ties: the squares are 0, 1 and 1."""
    assert correlation([1, 2, 3], [1, 3, 2]) == pytest.approx(0.5)
    assert correlation([1, 2, 3], [2, 2, 2]) == 0
    assert within_groups([[10, 14], [7]]) == pytest.approx(sqrt(8 / 3))


def test_mean_has_its_interval_and_differences_are_taken_open_by_open() -> None:
    assert mean_of([1, 3]) == Mean(2, pytest.approx(1.96))
    rows = [
        {"systems": {"dubov": {"m": first}, "uschess": {"m": first + more}}}
        for first, more in ((0, 1), (100, 2), (7, 3))
    ]
    found = beyond_dubov(rows, "uschess", "m")
    assert found == Mean(2, pytest.approx(1.96 / sqrt(3)))
    assert (found.clear, Mean(1, 1.5).clear) == (True, False)


def test_run_goes_on_after_a_line_that_was_not_finished(tmp_path: Path) -> None:
    data = tmp_path / "opens.jsonl"
    first = list(go_on(data, 2, 1))
    assert first == [play(1), play(2)]
    whole = data.read_text()
    data.write_text(whole[:-20])
    assert list(go_on(data, 3, 1)) == [play(2), play(3)]
    assert [row["seed"] for row in played_before(data)] == [1, 2, 3]
    assert list(go_on(data, 9, 0)) == []


def test_page_and_pictures_have_every_group_of_opens() -> None:
    one, two = play(1), play(2)
    rows = [
        {**row, "seed": seed, "rounds": rounds, "noise": noise}
        for seed, (row, rounds, noise) in enumerate(
            (row, rounds, noise) for row in (one, two) for rounds in (5, 7, 9) for noise in (50, 100, 200)
        )
    ]
    text = page(rows, "the command", ("a.svg", "b.svg"))
    assert "18 random opens" in text
    assert "None is left out." in text
    assert text.count("| noise 50, 6 opens |") == 4
    for picture in pictures(rows):
        root = ET.fromstring(picture)  # noqa: S314 (the picture is made by our own code)
        names = [found.text for found in root.iter("{http://www.w3.org/2000/svg}text")]
        assert [name for name in names if name in ("5 rounds", "noise 200", "Dubov")] == [
            "Dubov",
            "5 rounds",
            "noise 200",
        ]


def test_picture_is_in_words_too() -> None:
    text = chart("Spread", "Elo", ("A", "B"), [ChartLine("5 rounds", (Mean(20, 5), Mean(41, 9)))])
    assert '<desc id="words">5 rounds: A 20.0, B 41.0.</desc>' in text
