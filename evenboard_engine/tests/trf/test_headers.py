from __future__ import annotations

import pytest

from evenboard_engine import ByeKind, Colour
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import (
    Absentees,
    AnnouncedBye,
    Configuration,
    InitialColour,
    KeptLine,
    OldTeam,
    Prohibition,
    RoundDates,
    Rounds,
    Scoring,
    TextRecord,
    VirtualPoints,
    VirtualPointsOfOne,
    read_report,
)

W, B = Colour.WHITE, Colour.BLACK


def one_record(line: str, players: int = 1) -> object:
    lines = [player_line(starting_rank=rank) for rank in range(1, players + 1)]
    return read_report(as_file(*lines, line)).records[-1]


@pytest.mark.parametrize(
    ("line", "record"),
    [
        ("012 Rijswijk Open", TextRecord("012", "Rijswijk Open")),
        ("022 Rijswijk", TextRecord("022", "Rijswijk")),
        ("032 NED", TextRecord("032", "NED")),
        ("042 2026/10/17", TextRecord("042", "2026/10/17")),
        ("052 2026/10/25", TextRecord("052", "2026/10/25")),
        ("062 48", TextRecord("062", "48")),
        ("072 47 (50)", TextRecord("072", "47 (50)")),
        ("082 0", TextRecord("082", "0")),
        ("092 Individual: Swiss System (Dubov)", TextRecord("092", "Individual: Swiss System (Dubov)")),
        ("102 IA van der Meer, Joost", TextRecord("102", "IA van der Meer, Joost")),
        ("112 FA Núñez, Ana", TextRecord("112", "FA Núñez, Ana")),
        ("122 90 minutes/40 moves", TextRecord("122", "90 minutes/40 moves")),
        ("132".ljust(91) + "26/10/17  26/10/18", RoundDates(("26/10/17", "26/10/18"))),
        ("132".ljust(91) + "26/10/17            26/10/19", RoundDates(("26/10/17", "", "26/10/19"))),
        ("132 26/10/17 26/10/18", KeptLine("132 26/10/17 26/10/18")),
        ("142 9", Rounds(9)),
        ("142    11", Rounds(11)),
        ("152 W", InitialColour(W)),
        ("152 b", InitialColour(B)),
        ("162  W 3.0    D 1.0", Scoring("162", (("W", 30), ("D", 10)))),
        ("162  W10.5    L 0.5", Scoring("162", (("W", 105), ("L", 5)))),
        ("182 Evenboard", TextRecord("182", "Evenboard")),
        ("192 FIDE_DUBOV", TextRecord("192", "FIDE_DUBOV")),
        ("202 ARO,DE", TextRecord("202", "ARO,DE")),
        ("212 PTS,ARO", TextRecord("212", "PTS,ARO")),
        ("222 5400+30", TextRecord("222", "5400+30")),
        ("240 H 003 0001 0002", AnnouncedBye(ByeKind.HALF, 3, (1, 2))),
        ("240 z 003    1    2", AnnouncedBye(ByeKind.ZERO, 3, (1, 2))),
        ("250      01.0 001 003 0001 0002", VirtualPoints(10, 1, 3, 1, 2)),
        ("260 001 009 0001 0002", Prohibition((1, 2), 1, 9)),
        ("XXR 9", Rounds(9, code="XXR")),
        ("XXC white1", Configuration(colour=W)),
        ("XXC black1", Configuration(colour=B)),
        ("XXC rank black1", Configuration(by_position=True, colour=B)),
        ("XXZ 1 2", Absentees((1, 2))),
        ("XXZ", Absentees(())),
        ("XXP 1 2", Prohibition((1, 2))),
        ("XXS W=3 D=1 PAB=1.5", Scoring("XXS", (("W", 30), ("D", 10), ("PAB", 15)))),
        ("BBW  3.0", Scoring("BBW", (("BBW", 30),))),
        ("BBU .5", Scoring("BBU", (("BBU", 5),))),
        ("### FIDE mode exited @ Round 3  ", KeptLine("### FIDE mode exited @ Round 3  ")),
        ("###", KeptLine("###")),
        ("         1         2", KeptLine("         1         2")),
        ("12345678901234567890", KeptLine("12345678901234567890")),
        ("DDD SSSS sTTT NNNNN", KeptLine("DDD SSSS sTTT NNNNN")),
        ("NED    1   m   Someone", KeptLine("NED    1   m   Someone")),
        ("013 Team", OldTeam("Team")),
        ("XXA    1  1.0", VirtualPointsOfOne(1, (10,))),
    ],
)
def test_record_is_read(line: str, record: object) -> None:
    assert one_record(line, players=2) == record


def test_report_gives_the_values_of_its_headers() -> None:
    report = read_report(
        as_file(
            "012 Open",
            "112 One",
            "112 Two",
            "142 9",
            "XXR 9",
            "152 B",
            "XXC rank",
            player_line(starting_rank=1),
        )
    )
    assert report.text("012") == "Open"
    assert report.text("022") == ""
    assert report.texts("112") == ("One", "Two")
    assert report.rounds == 9
    assert report.initial_colour is B
    assert report.by_position
    assert report.round_dates == ()
    assert read_report(b"001    1\r").initial_colour is None
    assert read_report(b"001    1\r").rounds is None
