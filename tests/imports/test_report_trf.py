from __future__ import annotations

from datetime import date

import pytest

from pairing.engine import Colour
from pairing.engine.trf import PlayerRecord, Report, RoundEntry, write_report
from tournaments.imports.report_trf import ReportRefused, read, report_preview

W, B = Colour.WHITE, Colour.BLACK
HEAD = "012 Spring Open\n022 Harvenmouth\n032 ENG\n042 2026/03/01\n052 2026/03/05\n"
PLAYERS = write_report(
    Report(
        (
            PlayerRecord(
                1,
                "Anderl, Anton",
                "m",
                "GM",
                2500,
                "GER",
                1234567,
                "1980/01/02",
                15,
                1,
                (RoundEntry(3, W, "1"), RoundEntry(2, B, "=")),
            ),
            PlayerRecord(
                2,
                "Berg, Bo",
                "",
                "",
                2300,
                "SWE",
                None,
                "",
                15,
                2,
                (RoundEntry(4, W, "1"), RoundEntry(1, W, "=")),
            ),
            PlayerRecord(3, "Cruz, Carla", "", "", None, "ESP", None, "", 0, 3, (RoundEntry(1, B, "0"),)),
            PlayerRecord(
                4,
                "Dahl, Dora",
                "",
                "",
                2000,
                "NOR",
                None,
                "",
                0,
                4,
                (RoundEntry(2, B, "0"), RoundEntry(symbol="Z")),
            ),
        )
    ),
    newline="\n",
).decode()


def test_a_preview_tells_what_the_file_holds() -> None:
    preview = report_preview(read((HEAD + "142 5\n152 W\n192 FIDE_DUBOV\n" + PLAYERS).encode()), unrated=1500)
    assert (preview.name, preview.city, preview.federation) == ("Spring Open", "Harvenmouth", "ENG")
    assert (preview.start, preview.end) == (date(2026, 3, 1), date(2026, 3, 5))
    assert (preview.players, preview.rounds, preview.rounds_paired, preview.games) == (4, 5, 2, 3)
    assert (preview.initial_colour, preview.unrated, preview.byes) == (Colour.WHITE, ("Cruz, Carla",), 0)
    assert [str(adjustment) for adjustment in preview.adjustments] == [
        "1 players have no rating; they get 1500."
    ]


def test_federations_that_are_no_codes_of_fide_are_told_and_refuse_nothing() -> None:
    text = HEAD.replace("ENG", "GBR") + "142 5\n152 W\n192 FIDE_DUBOV\n" + PLAYERS
    preview = report_preview(read(text.replace("GER", "HOL").replace("SWE", "S1 ").encode()), unrated=1500)
    assert [str(adjustment) for adjustment in preview.adjustments][1:] == [
        "1 federations do not have three letters and are left out.",
        "These federations are not FIDE codes. They are kept as they are: GBR, HOL.",
    ]


def test_a_preview_tells_what_is_assumed() -> None:
    preview = report_preview(read((HEAD + PLAYERS + "### a comment\n202 BH/C1,BH\n").encode()), rounds=5)
    assert [adjustment.code for adjustment in preview.adjustments] == [
        "rounds_assumed",
        "colour_derived",
        "ratings_missing",
        "system_assumed",
        "tie_breaks_kept",
        "lines_kept",
    ]
    assert all(str(adjustment) for adjustment in preview.adjustments)


def test_rounds_that_nobody_tells_are_unknown() -> None:
    assert report_preview(read((HEAD + PLAYERS).encode())).rounds is None


def test_byes_to_come_are_counted_once() -> None:
    text = "142 5\n152 W\n240 H 003 0004\nXXZ 3 4\n"
    assert report_preview(read((HEAD + text + PLAYERS).encode())).byes == 2


def test_a_wrong_line_is_told_with_its_place() -> None:
    with pytest.raises(ReportRefused) as refused:
        read((HEAD + PLAYERS.replace("2300 SWE", "23x0 SWE")).encode())
    assert refused.value.sentences == (
        "line 7, column 49: player 2: the rating must be a number, not '23x0'",
    )


def test_another_pairing_system_is_refused() -> None:
    with pytest.raises(ReportRefused, match="another pairing system"):
        report_preview(read((HEAD + "192 FIDE_DUTCH\n" + PLAYERS).encode()))


@pytest.mark.parametrize("data", [b"", b"\x00" * 50, b"PK\x03\x04", b"012 no players\n", b"\xff" * 3_000_000])
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(ReportRefused):
        read(data)
