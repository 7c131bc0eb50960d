"""The days of the rounds of a report file."""

from __future__ import annotations

from datetime import date

import pytest

from pairing.engine.trf import read_report
from tests.engine.trf.columns import as_file, player_line
from tournaments.imports.report_dates import round_days

FIRST, SECOND, LAST = date(2026, 3, 1), date(2026, 3, 2), date(2026, 3, 5)
IN_COLUMNS = "132" + " " * 88 + "26/03/01" + "  " + "26/03/02"


@pytest.mark.parametrize(
    ("lines", "days", "source"),
    [
        ([IN_COLUMNS, "042 2026/01/01", "052 2026/01/09"], (FIRST, SECOND), "listed"),
        (["132 2026/03/01 2026-03-02 05.03.2026"], (FIRST, SECOND, None), "listed"),
        (["132  26.3.1  26.3.2"], (FIRST, SECOND), "listed"),
        ([IN_COLUMNS.replace("26/03/02", "26/13/02")], (FIRST, None), "listed"),
        (["132 Sunday", "042 2026/03/01", "052 2026/03/01"], (), "unreadable"),
        (["042 2026/03/01", "052 2026/03/01"], (FIRST, FIRST, FIRST), "one_day"),
        (["042 2026/03/01", "052 2026/03/05"], (FIRST, None, LAST), "first_last"),
        (["042 2026/03/05", "052 2026/03/01"], (), "none"),
        (["042 2026/03/01"], (), "none"),
        (["042 spring", "052 2026/03/01"], (), "none"),
    ],
)
def test_days_of_three_rounds(lines: list[str], days: tuple[date | None, ...], source: str) -> None:
    found = round_days(read_report(as_file(*lines, player_line(starting_rank=1))), 3)
    assert (found.days, found.source) == (days, source)


def test_one_round_is_on_the_first_day() -> None:
    report = read_report(as_file("042 2026/03/01", player_line(starting_rank=1)))
    assert round_days(report, 1).days == (FIRST,)


def test_days_after_the_last_round_are_left_out() -> None:
    assert round_days(read_report(as_file(IN_COLUMNS, player_line(starting_rank=1))), 1).days == (FIRST,)
