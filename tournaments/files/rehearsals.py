"""The report of a rehearsal as a table."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from base.reader import date_format
from tournaments.models import Event, RehearsalClock
from tournaments.queries.rehearsals import RehearsalReport, rehearsal_report

from .table_files import Cell, Write, csv_file


def facts_of_report(report: RehearsalReport) -> list[tuple[str, int]]:
    """Return what the report counts, each with its label."""
    return [
        (_("Results that the clock typed"), report.by_clock),
        (_("Results that people typed"), report.by_people),
        (_("Wrong slips"), report.wrong),
        (_("Wrong slips that are corrected"), report.found),
        (_("Appeals"), report.appeals),
        (_("Appeals that are decided"), report.decided),
        (_("Times that the network was dead"), len(report.cuts)),
        (_("Requests to save that waited for the network"), report.waited),
    ]


def rehearsal_csv(event: Event, clock: RehearsalClock, *, write: Write = csv_file) -> bytes:
    """Return the rounds with their minutes, what was counted, and what waited. Each row names the rehearsal."""
    report = rehearsal_report(clock)
    head = [
        _("Event"),
        _("Section"),
        _("Round"),
        _("Boards"),
        _("Minutes until paired"),
        _("Minutes until published"),
        _("Minutes until the last result"),
        _("Board"),
        _("What waited"),
        _("Minutes waited"),
    ]
    rows: list[Sequence[Cell]] = [
        (
            event.name,
            row.section.name,
            row.number,
            row.boards,
            *map(_text, (row.to_pair, row.to_publish, row.play)),
        )
        for row in report.rounds
    ]
    rows += [(event.name, label, value) for label, value in facts_of_report(report)]
    for at, seconds in report.cuts:
        when = date_format(localtime(at), "Y-m-d H:i")
        rows.append((event.name, _("The network was dead, for seconds"), seconds, when))
    for one in report.waits:
        minutes = str(_("still waits")) if one.minutes is None else one.minutes
        board = "" if one.board is None else one.board
        rows.append(
            (event.name, one.section.name, one.round_number, *[""] * 4, board, str(one.what.label), minutes)
        )
    return write(head, [(*row, *[""] * (len(head) - len(row))) for row in rows])


def _text(minutes: float | None) -> str:
    return "" if minutes is None else str(minutes)
