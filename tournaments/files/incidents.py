"""Incidents of a section as a table for arbiters."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from base.reader import date_format
from tournaments.models import Section
from tournaments.queries.incidents import incident_list

from .table_files import Cell, Write, csv_file


def incidents_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the incidents by round, in the order in which they were noted."""
    head = [
        _("Round"),
        _("Board"),
        _("No"),
        _("Name"),
        _("Incident"),
        _("In this game"),
        _("Minutes"),
        _("Note"),
        _("Noted by"),
        _("Noted at"),
    ]
    rows: list[Sequence[Cell]] = []
    for row in incident_list(section):
        one = row.incident
        rows.append(
            (
                *(one.round_number, one.board, one.participant.tpn, one.participant.player.name),
                *(one.get_kind_display(), row.time, one.minutes, one.note),
                one.by.label if one.by else "",
                date_format(localtime(one.at), "Y-m-d H:i"),
            )
        )
    return write(head, rows)
