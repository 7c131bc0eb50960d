"""The days of the rounds of a report file."""

from __future__ import annotations

from datetime import date

import pytest

from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import read_report
from tournaments.files.report_reading import are_unreadable, round_days

FIRST, SECOND, LAST = date(2026, 3, 1), date(2026, 3, 2), date(2026, 3, 25)
IN_COLUMNS = "132" + " " * 88 + "26/03/01" + "  " + "26/03/02"


@pytest.mark.parametrize(
    ("lines", "days"),
    [
        ([IN_COLUMNS, "042 2026/01/01", "052 2026/01/09"], (FIRST, SECOND)),
        (["132 2026/03/01 2026-03-02 05.03.2026"], (FIRST, SECOND, None)),
        (["132 2026/03/01 2026-03-02 25.03.2026"], (FIRST, SECOND, LAST)),
        (["132  26.3.1  26.3.2"], (FIRST, SECOND)),
        ([IN_COLUMNS.replace("26/03/02", "26/13/02")], (FIRST, None)),
        ([IN_COLUMNS.replace("  26/03/02", ""), "142 3"], (FIRST,)),
    ],
)
def test_days_of_three_rounds(lines: list[str], days: tuple[date | None, ...]) -> None:
    report = read_report(as_file(*lines, player_line(starting_rank=1)))
    assert round_days(report, 3) == days
    assert not are_unreadable(report)


@pytest.mark.parametrize(
    "lines",
    [
        ["042 2026/03/01", "052 2026/03/01"],
        ["042 2026/03/01", "052 2026/03/05"],
        ["042 2026/03/01"],
    ],
)
@pytest.mark.parametrize("rounds", [1, 3])
def test_the_days_of_the_event_are_not_those_of_its_rounds(lines: list[str], rounds: int) -> None:
    assert round_days(read_report(as_file(*lines, player_line(starting_rank=1))), rounds) == ()


def test_a_line_without_a_day_is_unreadable() -> None:
    report = read_report(as_file("132 Sunday", "042 2026/03/01", player_line(starting_rank=1)))
    assert (round_days(report, 3), are_unreadable(report)) == ((), True)


def test_days_after_the_last_round_are_left_out() -> None:
    assert round_days(read_report(as_file(IN_COLUMNS, player_line(starting_rank=1))), 1) == (FIRST,)
