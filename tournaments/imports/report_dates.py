"""When the rounds of a report file were or will be played: 132, else the first and the last day (042, 052)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from pairing.engine.trf import KeptLine, Report

_day = re.compile(r"([0-9]{4}|[0-9]{2})[/.-]([0-9]{1,2})[/.-]([0-9]{1,2})").fullmatch


@dataclass(frozen=True, slots=True)
class RoundDays:
    """days: by round, from round 1, None where the file does not say. source: one of these words:

    "listed" (132), "one_day" (042, and 052 the same), "first_last" (042 is round 1, 052 the last round), "unreadable"
    (132 is there and cannot be read), "none".
    """

    days: tuple[date | None, ...]
    source: str


def round_days(report: Report, rounds: int) -> RoundDays:
    """Return the days of the rounds. rounds: how many are planned."""
    if (texts := _texts_of_132(report)) is not None:
        days = [day_of(text) for text in texts[:rounds]]
        return RoundDays(tuple(days), "listed") if any(days) else RoundDays((), "unreadable")
    first, last = day_of(report.text("042")), day_of(report.text("052"))
    if first is None:
        return RoundDays((), "none")
    if rounds == 1 or last == first:
        return RoundDays((first,) * rounds, "one_day")
    if last is None or last < first:
        return RoundDays((), "none")
    return RoundDays((first, *(None,) * (rounds - 2), last), "first_last")


def day_of(text: str) -> date | None:
    """Return the day of 2026/12/31 or 26/12/31, also with dots or hyphens; None for anything else."""
    found = _day(text.strip())
    if found is None:
        return None
    year, month, day = map(int, found.groups())
    try:
        return date(year if len(found[1]) == 4 else 2000 + year, month, day)
    except ValueError:
        return None


def _texts_of_132(report: Report) -> tuple[str, ...] | None:
    """Return the texts of 132, in their columns or as words; None where there is no such line."""
    if report.round_dates:
        return report.round_dates
    for line in report.of_type(KeptLine):
        if line.code == "132":
            return tuple(line.text[3:].split())
    return None
