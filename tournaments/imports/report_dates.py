"""When the rounds of a report file were or will be played (132). Nothing else in a file says it."""

from __future__ import annotations

from datetime import date

from evenboard_engine.trf import KeptLine, Report, read_day


def round_days(report: Report, rounds: int) -> tuple[date | None, ...]:
    """Return the days of the rounds, from round 1, None for one that the file does not give; () if it gives none.

    rounds: how many are planned.
    """
    days = tuple(read_day(text, short_year=True) for text in _texts(report)[:rounds])
    return days if any(days) else ()


def are_unreadable(report: Report) -> bool:
    """Return whether there is a record 132 in which no day can be read."""
    texts = _texts(report)
    return bool(texts) and not round_days(report, len(texts))


def _texts(report: Report) -> tuple[str, ...]:
    """Return the texts of 132, in their columns or as words; () where there is no such line."""
    if report.round_dates:
        return report.round_dates
    lines = [line.text[3:] for line in report.of_type(KeptLine) if line.code == "132"]
    return tuple(lines[0].split()) if lines else ()
