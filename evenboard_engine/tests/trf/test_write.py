from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from evenboard_engine import ByeKind, Colour, Result
from evenboard_engine.tests.trf.columns import player_line
from evenboard_engine.tests.trf.reports import reports
from evenboard_engine.trf import (
    Absentees,
    AnnouncedBye,
    Configuration,
    InitialColour,
    KeptLine,
    PlayerRecord,
    Prohibition,
    Record,
    Report,
    RoundDates,
    RoundEntry,
    Rounds,
    Scoring,
    TextRecord,
    read_report,
    write_report,
)

FILES = Path(__file__).parent / "files"


def written(record: Record) -> str:
    return write_report(Report((record,)), newline="\n").decode().removesuffix("\n")


@given(reports())
@settings(deadline=None, max_examples=200)
def test_what_is_written_is_read_again(report: Report) -> None:
    data = write_report(report)
    assert read_report(data) == report
    assert write_report(read_report(data)) == data


@pytest.mark.parametrize("newline", ["\r", "\n", "\r\n"])
def test_canonical_file_is_written_as_it_was(newline: str) -> None:
    data = (FILES / "seven-after-round-2.trf").read_bytes().replace(b"\n", newline.encode())
    assert write_report(read_report(data), newline=newline) == data


def test_lines_end_with_carriage_return_and_line_feed() -> None:
    report = Report((TextRecord("012", "Café"), PlayerRecord(1)))
    assert write_report(report) == "012 Café\r\n001    1\r\n".encode()


def test_every_column_of_a_player_is_written() -> None:
    player = PlayerRecord(
        starting_rank=12,
        name="Müller, Ana",
        sex="w",
        title="WGM",
        rating=2455,
        federation="ESP",
        fide_id=12345678,
        birth_date="1990/12/31",
        points=105,
        rank=23,
        entries=(
            RoundEntry.of_game(3, Colour.WHITE, Result.HALF_ZERO),
            RoundEntry(),
            RoundEntry.of_game(1234, Colour.BLACK, Result.WHITE_WINS_BY_FORFEIT),
            RoundEntry.of_bye(ByeKind.ALLOCATED),
            RoundEntry(5, None, "-"),
            RoundEntry.of_game(4, Colour.WHITE, None),
        ),
    )
    assert written(player) == player_line(
        *("3 w =", "", "1234 b -", "0000 - U", "5 - -", "4 w "),
        starting_rank=12,
        name="Müller, Ana",
        sex="w",
        title="WGM",
        rating=2455,
        federation="ESP",
        fide_id=12345678,
        birth_date="1990/12/31",
        points=10.5,
        rank=23,
    )


@pytest.mark.parametrize(
    ("record", "line"),
    [
        (TextRecord("012", "Open"), "012 Open"),
        (TextRecord("022", ""), "022"),
        (RoundDates(("26/10/17", "", "26/10/19")), "132".ljust(91) + "26/10/17            26/10/19"),
        (Rounds(9), "142 9"),
        (Rounds(9, code="XXR"), "XXR 9"),
        (InitialColour(Colour.BLACK), "152 B"),
        (Configuration(), "XXC"),
        (Configuration(by_position=True, colour=Colour.WHITE), "XXC rank white1"),
        (Absentees((3, 12)), "XXZ 3 12"),
        (AnnouncedBye(ByeKind.HALF, 3, (26, 47)), "240 H 003 0026 0047"),
        (Prohibition((3, 12)), "XXP 3 12"),
        (Prohibition((3, 12), 1, 9), "260 001 009 0003 0012"),
        (Scoring("162", (("W", 30), ("D", 15))), "162  W 3.0    D 1.5"),
        (Scoring("XXS", (("W", 30), ("PAB", 15))), "XXS W=3.0 PAB=1.5"),
        (Scoring("BBW", (("BBW", 30),)), "BBW  3.0"),
        (KeptLine("###  as it is "), "###  as it is "),
        (PlayerRecord(12345, entries=(RoundEntry(10000, Colour.WHITE),)), "00112345".ljust(90) + "10000 w"),
        (PlayerRecord(1, points=1000), "001    1".ljust(79) + "100.0"),
    ],
)
def test_record_is_written(record: Record, line: str) -> None:
    assert written(record) == line


def test_text_that_does_not_fit_is_cut() -> None:
    line = written(PlayerRecord(1, name="N" * 40, federation="ENGL", title="WGMX", rating=2000))
    assert line == player_line(starting_rank=1, name="N" * 33, federation="ENG", title="WGM", rating=2000)


def test_line_breaks_in_text_cannot_make_records() -> None:
    report = Report(
        (TextRecord("012", "Open\r\n001    2"), KeptLine("### a\nXXR 9\x00"), PlayerRecord(1, name="A\rB"))
    )
    assert write_report(report, newline="\n") == b"012 Open  001    2\n### a XXR 9 \n001    1      A B\n"
