"""Reports in older formats, and what these cannot hold."""

from __future__ import annotations

import pytest

from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.tests.trf.test_ranking_method import national
from evenboard_engine.trf import Lost, PlayerRecord, Report, older, read_report, write_report

FILE = as_file(
    "012 Open",
    "092 Individual: Swiss-System (Dubov)",
    "142 4",
    "XXR 4",
    "172 NED NIDOF",
    "202 ARO",
    "212 PTS,ARO",
    player_line("2 w W", "0000 - H", "3 w ?", starting_rank=1, name="A", rating=2000, points="2.0"),
    player_line("1 b L", "3 w +", "0000 - U", starting_rank=2, name="B", rating=1900, points="2.0"),
    player_line("0000 - U", "2 b -", "1 b ?", starting_rank=3, name="C", rating=1800, points="1.5"),
    national(1, 2100),
    "MMM    2                                        1950",
    "240 Z 004  002",
    "013 Team                               1    2",
    "### MPA @ Round 1: none => 1-2",
)


def test_trf16_has_neither_later_records_nor_extensions_of_programs() -> None:
    made, lost = older(read_report(FILE), "16")
    assert write_report(made).decode().splitlines() == [
        "012 Open",
        "092 Individual: Swiss-System (Dubov)",
        player_line(
            "2 w W", "0000 - H", "3 w ", starting_rank=1, name="A", rating=2000, points="1.5"
        ).rstrip(),
        player_line("1 b L", "3 w +", "0000 - U", starting_rank=2, name="B", rating=1900, points="2.0"),
        player_line("0000 - U", "2 b -", "1 b ", starting_rank=3, name="C", rating=1800, points="1.0"),
        "013 Team                               1    2",
    ]
    assert lost == (
        Lost("ratings", 2),
        Lost("142", 1),
        Lost("XXR", 1),
        Lost("172", 1),
        Lost("202", 1),
        Lost("212", 1),
        Lost("adjourned", 2),
        Lost("national", 1),
        Lost("240", 1),
        Lost("###", 1),
    )


def test_trf06_has_the_points_of_byes_and_of_unrated_games() -> None:
    made, lost = older(read_report(FILE), "06")
    symbols = [[entry.symbol for entry in player.entries] for player in made.players]
    assert symbols == [["1", "=", ""], ["0", "+", "+"], ["+", "-", ""]]
    assert {one.code: one.number for one in lost if one.code in ("byes", "unrated")} == {
        "byes": 3,
        "unrated": 2,
    }
    again = read_report(write_report(made))
    assert [player.entries[1].symbol for player in again.players] == ["H", "+", "-"]


def test_names_that_are_longer_than_their_columns_are_counted() -> None:
    names = ("A" * 33, "B" * 34)
    report = Report(tuple(PlayerRecord(number, name=name) for number, name in enumerate(names, start=1)))
    made, lost = older(report, "16")
    assert lost == (Lost("names", 1),)
    assert [player.name for player in read_report(write_report(made)).players] == ["A" * 33, "B" * 33]


@pytest.mark.parametrize("edition", ["16", "06"])
def test_file_without_anything_newer_loses_nothing(edition: str) -> None:
    report = read_report(
        as_file("012 Open", player_line("2 w 1", starting_rank=1), player_line("1 b 0", starting_rank=2))
    )
    assert older(report, edition) == (report, ())
