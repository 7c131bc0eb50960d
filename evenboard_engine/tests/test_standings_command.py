"""The command that shows standings (`--standings`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenboard_engine.cli.command import main
from evenboard_engine.tests.trf.columns import as_file, player_line

FOUR = as_file(
    player_line("3 w 1", "2 b 1", "4 w 1", starting_rank=1, rating=2400, name="Ann"),
    player_line("4 b 1", "1 w 0", "3 b =", starting_rank=2, rating=2300, name="Ben"),
    player_line("1 b 0", "4 w 1", "2 w =", starting_rank=3, rating=2200, name="Cem"),
    player_line("2 w 0", "3 b 0", "1 b 0", starting_rank=4, rating=2100, name="Dag"),
    "142 3",
    "202 BH,DE",
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "four.trf"
    path.write_bytes(FOUR)
    return str(path)


def test_standings_by_the_tie_breaks_of_the_file(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--dubov", file, "--standings"]) == 0
    assert capsys.readouterr().out == (
        "Standings after round 3\n\n"
        "       place  PTS   BH  DE\n"
        "1 Ann      1  3.0  3.0   -\n"
        "2 Ben      2  1.5  4.5   -\n"
        "3 Cem      2  1.5  4.5   -\n"
        "4 Dag      4  0.0  6.0   -\n"
    )


@pytest.mark.parametrize(
    ("open_results", "title"),
    [
        ({"2 w =": "2 w  ", "3 b =": "3 b  "}, "Provisional standings, round 3: 1 result missing"),
        (
            {"2 w =": "2 w  ", "3 b =": "3 b  ", "3 w 1": "3 w  ", "1 b 0     4": "1 b       4"},
            "Provisional standings: 4 of 6 games have a result",
        ),
    ],
)
def test_standings_while_results_are_missing(
    open_results: dict[str, str], title: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = FOUR.decode()
    for result, nothing in open_results.items():
        assert result in text
        text = text.replace(result, nothing)
    path = tmp_path / "running.trf"
    path.write_bytes(text.encode())
    assert main(["--dubov", str(path), "--standings", "BH"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == title


def test_values_that_the_file_has_for_a_tie_break_rank_the_players(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "play-off.trf"
    text = FOUR.decode().replace("202 BH,DE", "202 BH,OTHER_PLAYOFF")
    path.write_bytes((text + "### Tie-break OTHER_PLAYOFF: 3=1.5 2=1\r\n").encode())
    assert main(["--dubov", str(path), "--standings"]) == 0
    assert capsys.readouterr().out.splitlines()[3:5] == [
        "1 Ann      1  3.0  3.0              0",
        "3 Cem      2  1.5  4.5            1.5",
    ]


def test_values_of_one_player_as_sums(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--dubov", file, "--standings", "PT,BH/C1", "--player", "3"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Standings after round 3",
        "",
        "       place  PTS     PT  BH/C1",
        "1 Ann      1  3.0  1.000    3.0",
        "2 Ben      2  1.5  2.000    4.5",
        "3 Cem      3  1.5  1.600    4.5",
        "4 Dag      4  0.0  1.400    4.5",
        "",
        "Unevenness of the pairing by PT: 6.7 %",
        "",
        "3 Cem",
        "Behind 2 Ben by Pairing Tiebreaker: 1.600 against 2.000. Both are level in points.",
        "Before 4 Dag by points: 1½ against 0.",
        "",
        "Points: 1½",
        "           Points",
        "  1 1 Ann       0",
        "  2 4 Dag       1",
        "  3 2 Ben       ½",
        "  0 + 1 + ½ = 1½",
        "",
        "Pairing Tiebreaker: 1.600",
        "           Counts",
        "  1 1 Ann",
        "    It does not count, because the score groups had no order yet.",
        "  2 4 Dag       2",
        "    The opponent was number 2 of 2 in the score group: 2 × 2 / 2.",
        "  3 2 Ben       6",
        "    The opponent was number 1 of 2 in the score group: 3 × 2 / 1.",
        "  (2 + 6) / (2 + 3) = 1.600",
        "",
        "Buchholz cut 1: 4½",
        "           Opponent’s points",
        "  1 1 Ann                  3",
        "  2 4 Dag                  0",
        "    Cut: the lowest value. [14.1]",
        "  3 2 Ben                 1½",
        "  3 + 1½ = 4½",
    ]


def test_rounds_that_were_not_played_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.trf"
    path.write_bytes(
        as_file(
            player_line("2 w +", "0000 - H", starting_rank=1, rating=2400, name="Ann"),
            player_line("1 b -", "3 w 1", starting_rank=2, rating=2300, name="Ben"),
            player_line("0000 - F", "2 b 0", starting_rank=3, rating=2200, name="Cem"),
            "142 2",
        )
    )
    assert main(["--dubov", str(path), "--standings", "WIN", "--player", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[-5:] == [
        "Wins: 1",
        "                            Scored  Counts",
        "  1 2 Ben (Win by forfeit)       1       1",
        "  2 Half-point bye               ½       0",
        "  1 + 0 = 1",
    ]


def test_a_round_robin_has_no_unevenness_of_the_pairing(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--round-robin", file, "--standings", "PT"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Unevenness of the pairing by PT: -"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--standings", "BH,XX"), "XX is no tie-break that the program knows"),
        (("--standings", "PT", "--player", "9"), "there is no player 9"),
        (("two.trf", "--standings"), "only one file can be ranked at a time"),
        (("--standings", "PT", "--player", "1", "--why-not", "2"), "--why-not needs --explain"),
        (("-p", "--player", "1"), "--player needs --explain or --standings"),
    ],
    ids=["code", "player", "files", "why not", "pairing"],
)
def test_wrong_questions_are_refused(
    file: str, arguments: tuple[str, ...], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--dubov", file, *arguments]) == 3
    assert capsys.readouterr().err.splitlines()[0] == f"pairing: {error}"
