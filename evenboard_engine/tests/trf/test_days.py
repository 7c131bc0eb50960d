"""Days that a report file does not write as the format asks."""

from __future__ import annotations

from datetime import date

import pytest

from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import first_day, read_day, read_report
from evenboard_engine.trf.file_warnings import file_warnings
from evenboard_engine.words.report_problems import sentence


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026/12/31", date(2026, 12, 31)),
        ("2026-1-5", date(2026, 1, 5)),
        ("2026/31/12", None),
        ("21/07/2025", date(2025, 7, 21)),
        ("07/21/2025", date(2025, 7, 21)),
        ("21.7.2025", date(2025, 7, 21)),
        ("05/07/2025", None),  # in May or in July
        ("07/07/2025", date(2025, 7, 7)),
        ("31/02/2025", None),
        ("32/13/2025", None),
        ("Dec 10, 2020", date(2020, 12, 10)),
        ("10 Dec 2020", date(2020, 12, 10)),
        ("10-DEC-2020", date(2020, 12, 10)),
        ("December 3rd, 2020", date(2020, 12, 3)),
        ("2020 Dec 10", date(2020, 12, 10)),
        ("10. Dezember 2020", date(2020, 12, 10)),
        ("1er août 2026", date(2026, 8, 1)),
        ("10 de marzo de 2026", date(2026, 3, 10)),
        ("10 марта 2026", date(2026, 3, 10)),
        ("jui 10 2026", None),  # June or July in French
        ("Dec 2020", None),
        ("Dec 10, Dec 11, 2020", None),
        ("10 11 2020", None),
        ("", None),
        ("spring", None),
        ("26/12/31", None),
    ],
)
def test_a_day_is_read_if_only_one_is_possible(text: str, day: date | None) -> None:
    assert read_day(text) == day


def test_round_days_have_two_digits_for_the_year() -> None:
    assert read_day("26/12/31", short_year=True) == date(2026, 12, 31)


def warnings(*lines: str) -> list[str]:
    return [sentence(one) for one in file_warnings(read_report(as_file("012 Open", *lines)))]


def test_a_note_says_how_a_day_was_read() -> None:
    lines = ("042 21/07/2025", "052 Jul 27, 2025", "132 21/07/2025 22/07/2025", player_line(starting_rank=1))
    assert warnings(*lines) == [
        "line 2, column 5: the date '21/07/2025' is read as 2025/07/21",
        "line 3, column 5: the date 'Jul 27, 2025' is read as 2025/07/27",
        "line 4, column 5: the date '21/07/2025' is read as 2025/07/21",
    ]
    assert first_day(read_report(as_file(*lines))) == "2025-07-21"


def test_a_first_day_with_two_readings_is_not_taken() -> None:
    (warning,) = warnings("042 05/07/2025", "052 11/07/2025", player_line(starting_rank=1))
    assert warning == (
        "line 2, column 5: the start date must look like 2026/12/31, not '05/07/2025'; "
        "the newest edition of the rules is taken"
    )


def test_birth_dates_are_read_with_a_note_for_the_first_and_a_count() -> None:
    lines = [
        player_line(starting_rank=rank, birth_date=date)
        for rank, date in enumerate(("21/07/2005", "1999/01/02", "22/07/2005", "30.11.2004"), start=1)
    ]
    report = read_report(as_file(*lines))
    assert [player.birth_date for player in report.players] == [
        "2005/07/21",
        "1999/01/02",
        "2005/07/22",
        "2004/11/30",
    ]
    assert [sentence(one) for one in file_warnings(report)] == [
        "line 1, column 70: player 1: birth date: '21/07/2005' is read as 2005/07/21",
        "line 3, column 70: birth date: read in this way in 3 lines in all",
    ]
