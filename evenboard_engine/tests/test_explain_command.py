"""Test `--explain` of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenboard_engine.tests.commands import FIVE, FOUR, MET, run
from evenboard_engine.tests.trf.columns import as_file, player_line


@pytest.fixture
def four(tmp_path: Path) -> Path:
    path = tmp_path / "four.trf"
    path.write_bytes(FOUR)
    return path


def test_explain_prints_the_round_bracket_by_bracket(four: Path) -> None:
    done = run("--dubov", four, "--explain")
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert lines[0] == "Round 1. Articles of C.04.4.1, edition of 2026. Upfloats are counted in played games."
    assert "- Each player meets the one at the same place on the other side. [3.2.6]" in lines


def test_explain_answers_one_player(four: Path) -> None:
    done = run("--dubov", four, "--explain", "--player", "3")
    assert done.returncode == 0
    assert [line for line in done.stdout.decode().splitlines() if line.endswith("?")] == [
        "Why is 1 the opponent?",
        "Why does the player have Black?",
    ]


def test_explain_says_who_has_the_bye(tmp_path: Path) -> None:
    path = tmp_path / "five.trf"
    path.write_bytes(FIVE)
    assert (
        "Why does the player have the bye?"
        in run("--dubov", path, "--explain", "--player", "5").stdout.decode()
    )


def test_explain_says_why_two_players_do_not_meet(four: Path, tmp_path: Path) -> None:
    five = tmp_path / "five.trf"
    five.write_bytes(FIVE)
    for path, other, answer in (
        (
            four,
            "4",
            ["- 3 has a smaller pairing number than 4, and 1 takes the first possible opponent. [4.4]"],
        ),
        (
            five,
            "5",
            [
                "- 5 has the bye. It is given before anybody is paired. [3.1]",
                "- 1 has a smaller pairing number than 5, who has the bye. They have the same score and have played",
                "  the same number of games. [3.1.5]",
            ],
        ),
    ):
        output = run("--dubov", path, "--explain", "--player", "1", "--why-not", other).stdout.decode()
        assert output.split(f"Why not {other}?\n")[1].split("\n\n")[0].splitlines() == answer


@pytest.mark.parametrize(
    "arguments",
    [
        ("--explain", "--player", "9"),
        ("--explain", "--player", "x"),
        ("-p", "--player", "1"),
        ("--explain", "--player", "1", "--why-not", "9"),
        ("--explain", "--player", "1", "--why-not", "1"),
        ("--explain", "--why-not", "1"),
    ],
)
def test_explain_refuses_impossible_questions(four: Path, arguments: tuple[str, ...]) -> None:
    done = run("--dubov", four, *arguments)
    assert (done.returncode, done.stdout) == (3, b"")


def test_explain_of_a_round_that_cannot_be_paired_says_so(tmp_path: Path) -> None:
    path = tmp_path / "met.trf"
    path.write_bytes(MET)
    done = run("--dubov", path, "--explain")
    assert (done.returncode, done.stdout) == (1, b"")


def test_explain_takes_one_file(four: Path) -> None:
    assert run("--dubov", four, four, "--explain").returncode == 3


def test_explain_names_the_points_by_decision_in_the_scores_of_those_asked_about(tmp_path: Path) -> None:
    """Record 299: half a point taken away after round 1, one given before it, one for the round that is paired, and a
    loss that counts half a point.
    """
    path = tmp_path / "decided.trf"
    path.write_bytes(
        as_file(
            player_line("3 w 1", starting_rank=1, rating=2000),
            player_line("4 b 1", starting_rank=2, rating=1900),
            player_line("1 b 0", starting_rank=3, rating=1800),
            player_line("2 w 0", starting_rank=4, rating=1700),
            "XXR 5",
            "299          -0.5  001    1",
            "299           1.0  000    2",
            "299           1.0  002    2",
            "299 L         0.5  001    4",
        )
    )
    done = run("--dubov", path, "--explain")
    assert done.stdout.decode().splitlines()[2:6] == [
        "Points by decision of the arbiter",
        "- 1: ½ point taken away after round 1",
        "- 2: 1 point added before round 1",
        "- 4: the result of round 1 counts ½ point",
    ]
    one = run("--dubov", path, "--explain", "--player", "3", "--why-not", "2").stdout.decode()
    assert "added before round 1" in one
    assert "taken away" not in one
