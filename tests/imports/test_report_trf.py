from __future__ import annotations

from datetime import date

import pytest

from evenboard_engine import Colour
from evenboard_engine.trf import PlayerRecord, Report, RoundEntry, write_report
from tournaments.files.report_reading import (
    ADJUSTMENTS,
    Adjustment,
    ReportRefused,
    read_report_file,
    report_preview,
)

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


def test_a_preview_shows_the_content_of_the_file() -> None:
    preview = report_preview(
        read_report_file((HEAD + "142 5\n152 W\n192 FIDE_DUBOV\n" + PLAYERS).encode()), unrated=1500
    )
    assert (preview.name, preview.city, preview.federation) == ("Spring Open", "Harvenmouth", "ENG")
    assert (preview.start, preview.end) == (date(2026, 3, 1), date(2026, 3, 5))
    assert (preview.players, preview.rounds, preview.rounds_paired, preview.games) == (4, 5, 2, 3)
    assert (preview.initial_colour, preview.unrated, preview.byes) == (Colour.WHITE, ("Cruz, Carla",), 0)
    assert [str(adjustment) for adjustment in preview.adjustments] == [
        "The file does not name the edition of the Dubov System. It is the one in force on the first day: 2026.",
        (
            "The file does not have its tie-breaks (202, 212). "
            "The standings use these: points, ARO and pairing number."
        ),
        "The file does not have the dates of the rounds (132), so the rounds have none.",
        "1 player has no rating and gets 1500.",
        "1 round of a player is blank and counts as a zero-point bye.",
    ]


def test_federations_that_are_not_fide_codes_are_reported_and_the_file_is_accepted() -> None:
    text = HEAD.replace("ENG", "GBR") + "142 5\n152 W\n192 FIDE_DUBOV\n" + PLAYERS
    preview = report_preview(
        read_report_file(text.replace("GER", "HOL").replace("SWE", "S1 ").encode()), unrated=1500
    )
    assert [str(one) for one in preview.adjustments if one.code.startswith("federations")] == [
        "1 federation does not have three letters and is left out.",
        "These federations are not FIDE codes. They are kept as they are: GBR and HOL.",
    ]


def codes(text: str, **added: int) -> list[str]:
    return [
        adjustment.code for adjustment in report_preview(read_report_file(text.encode()), **added).adjustments
    ]


def test_a_preview_of_trf16_reports_every_setting_that_the_file_lacks() -> None:
    """VCL4THP.13 Q50: the file has none of 132, 142, 152, 162, 192, 202 and 212."""
    assert codes(HEAD + PLAYERS + "### a comment\n", rounds=5, system="dubov") == [
        "rounds_assumed",
        "colour_derived",
        "scoring_assumed",
        "system_assumed",
        "edition_assumed",
        "tie_breaks_assumed",
        "dates_missing",
        "ratings_missing",
        "blank_rounds",
        "lines_kept",
    ]


def test_tournament_type_that_names_the_system_does_not_replace_its_code() -> None:
    """092 is free text, so the preview still reports that 192 is missing."""
    assert "system_assumed" in codes(HEAD + "092 Individual: Dubov\n142 5\n" + PLAYERS)


@pytest.mark.parametrize(
    ("lines", "code", "reported"),
    [
        ("142 5\n", "scoring_assumed", False),
        ("XXR 5\n", "scoring_assumed", True),
        ("XXR 5\nXXS W=1 D=0.5\n", "scoring_assumed", False),
        ("XXR 5\nXXA    1  1.0  1.0  0.5\nXXA    2  1.0  1.0  0.5\n", "baku", True),
        ("142 5\n192 FIDE_DUTCH_BAKU\n", "baku", False),
        ("142 5\n202 BH/C1,BH\n", "tie_breaks_unknown", False),
        ("142 5\n202 BH/C1,OTHER_LUCK\n", "tie_breaks_unknown", True),
        ("142 5\n202 " + "BH," * 61 + "\n", "tie_breaks_cut", True),
        ("142 5\n202 " + "BH," * 60 + "\n", "tie_breaks_cut", False),
        ("142 5\n212 PTS,ARO,TPN\n", "tie_breaks_assumed", False),
        ("142 5\n### C.04.4.1 Dubov System, edition of 2026\n", "edition_assumed", False),
        ("142 5\nXXC rank\n", "numbers_by_place", True),
        ("142 5\n132 2026/03/01 2026/03/02\n", "dates_missing", False),
        ("142 5\n132 Sunday and Monday\n", "dates_unreadable", True),
        ("142 5\n132 Sunday and Monday\n", "lines_kept", False),
        ("142 5\n### FPB @ Round 1: 3=FPB\n### Import @ Round 1: 1-2 => 2-1\n", "lines_kept", False),
        ("142 5\n### MPA @ Round 1: 1-2 => 2-1\n", "lines_kept", False),
        ("142 5\n### Earlier ratings @ Round 1: 1=1500\n", "lines_kept", False),
        ("142 5\n### Expulsion @ Round 1: 1\n", "lines_kept", False),
        ("142 5\n### Expulsion @ Round 1: 1\n", "expelled", True),
        ("142 5\n### Expulsion @ Round 1: 99\n", "lines_kept", True),
        ("142 5\n### Withdrawal @ Round 1: 1\n", "lines_kept", False),
        ("142 5\n### Withdrawal @ Round 1: 1\n", "withdrawn", True),
        ("142 5\n### FIDE mode exited @ Round 1\n", "lines_kept", False),
        ("142 5\n### FIDE mode exited @ Round 1\n", "fide_mode_left", True),
    ],
)
def test_lines_of_the_file_decide_which_adjustments_are_reported(
    lines: str, code: str, reported: bool
) -> None:
    assert (code in codes(HEAD + lines + PLAYERS)) is reported


FIVE_ROUNDS = HEAD + "142 5\n"
WITHOUT_ROUNDS = "".join(f"{line[:79]}\n" for line in PLAYERS.splitlines())
OPEN_GAME = PLAYERS.replace("1.5    2     4 w 1", "0.5    2     4 w  ").replace("2 b 0", "2 b  ")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (FIVE_ROUNDS + PLAYERS.replace(" GM ", " NM "), "titles_dropped"),
        (FIVE_ROUNDS + OPEN_GAME, "results_open"),
        (FIVE_ROUNDS + WITHOUT_ROUNDS, "colour_unknown"),
    ],
    ids=["title", "open game", "no round"],
)
def test_file_in_need_of_an_adjustment_reports_it(text: str, code: str) -> None:
    assert code in codes(text, unrated=1500)
    assert code not in codes(FIVE_ROUNDS + PLAYERS, unrated=1500)


def test_every_adjustment_is_a_sentence_for_one_and_for_many() -> None:
    params = {"colour": "White", "rating": 1500, "found": "BH", "system": "Dubov System"}
    params |= {"used": "points and ARO", "most": 60, "method": "NED FIDON", "spans": "1–2"}
    for code in ADJUSTMENTS:
        for number in (1, 7):
            sentence = str(Adjustment(code, {**params, "number": number, "rounds": number}))
            assert sentence.endswith(".")
            assert "%" not in sentence


def test_late_entries_and_new_pairing_numbers_are_reported() -> None:
    late = write_report(Report((PlayerRecord(5, "Ek, Eva", rating=2600),)), newline="\n").decode()
    assert "late_entries" in codes(HEAD + "142 5\n" + PLAYERS + late)
    unpaired = "".join(f"{line[:79]}\n" for line in (PLAYERS + late).splitlines())
    assert [code for code in codes(HEAD + "142 5\n" + unpaired) if code.startswith(("late", "numbers"))] == [
        "numbers_by_rating"
    ]


def test_number_of_rounds_is_unknown_if_the_file_lacks_it() -> None:
    assert report_preview(read_report_file((HEAD + PLAYERS).encode())).rounds is None


def test_byes_of_later_rounds_are_counted_once() -> None:
    text = "142 5\n152 W\n240 H 003 0004\nXXZ 3 4\n"
    assert report_preview(read_report_file((HEAD + text + PLAYERS).encode())).byes == 2


def test_a_wrong_line_is_reported_with_its_place() -> None:
    with pytest.raises(ReportRefused) as refused:
        read_report_file((HEAD + PLAYERS.replace("2300 SWE", "23x0 SWE")).encode())
    assert refused.value.sentences == ("line 7, column 49: player 2: rating: '23x0' is not a number",)


def test_another_pairing_system_is_refused() -> None:
    with pytest.raises(ReportRefused, match="another pairing system"):
        report_preview(read_report_file((HEAD + "192 FIDE_LIM\n" + PLAYERS).encode()))


@pytest.mark.parametrize("data", [b"", b"\x00" * 50, b"PK\x03\x04", b"012 no players\n", b"\xff" * 3_000_000])
def test_files_that_are_no_report_files_are_refused(data: bytes) -> None:
    with pytest.raises(ReportRefused):
        read_report_file(data)
