"""Each round is checked with the pairing numbers that it was paired with (GHR 2.3)."""

from __future__ import annotations

import pytest

from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import Report, is_renumbering, numbers_of_round, read_report, to_tournament

PLAYERS = (
    player_line("2 w 1", "3 b 1", starting_rank=1, rating=2400),
    player_line("1 b 0", "4 w =", starting_rank=2, rating=2300),
    player_line("4 b =", "1 w 0", starting_rank=3, rating=2200),
    player_line("3 w =", "2 b =", starting_rank=4, rating=2100),
)


def read(*lines: str) -> Report:
    return read_report(as_file(*PLAYERS, *lines, "XXR 5"))


def numbers(report: Report, number: int) -> list[int]:
    """Return the numbers of players 1 to 4 when a round was paired."""
    then = numbers_of_round(report, number)
    return [then[rank] for rank in (1, 2, 3, 4)]


def test_steps_are_followed_back_to_the_round() -> None:
    """In round 2 player 1 had number 2 and player 3 had number 1. In round 1 these players had numbers 1 and 2."""
    report = read("### Exchange @ Round 1: 1=>2 2=>1", "### Regeneration @ Round 2: 1=>3 2=>1 3=>2")
    assert numbers(report, 3) == [1, 2, 3, 4]
    assert numbers(report, 2) == [2, 3, 1, 4]
    assert numbers(report, 1) == [1, 3, 2, 4]
    assert [player.tpn for player in to_tournament(report, round=1).players] == [1, 3, 2, 4]
    assert [player.tpn for player in to_tournament(report).players] == [1, 2, 3, 4]


def test_player_who_entered_later_had_no_number() -> None:
    """Player 2 is new: 2 became 3, and 3 became 4."""
    assert numbers(read("### Regeneration @ Round 1: 2=>3 3=>4"), 1) == [1, 4, 2, 3]


@pytest.mark.parametrize(
    "line",
    [
        "### Regeneration @ Round 2: 1=>2 1=>3",
        "### Regeneration @ Round 2: 1=>3 2=>3",
        "### Regeneration @ Round 2: 1=>2 2=>x",
        "### Regeneration @ Round 2:",
        "### Regeneration @ Round 2",
        "### Correction @ Round 2: 1=>2 2=>1",
    ],
)
def test_impossible_step_is_ignored(line: str) -> None:
    assert numbers(read(line), 1) == [1, 2, 3, 4]


def test_steps_are_ignored_if_places_in_the_file_are_the_numbers() -> None:
    line = "### Exchange @ Round 2: 1=>2 2=>1"
    assert is_renumbering(line)
    assert numbers(read(line), 1) == [2, 1, 3, 4]
    assert numbers(read(line, "XXC rank"), 1) == [1, 2, 3, 4]
