"""The log of a section as a file: a table for spreadsheets, or JSON with every value."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from django.utils.timezone import localtime
from django.utils.translation import gettext, gettext_noop

from tournaments.copy_format import main_mark
from tournaments.queries.log import LogRow

from .table_files import Cell, Write, csv_file

SentenceOf = Callable[[LogRow], str]
HEAD = (
    gettext_noop("Number"),
    gettext_noop("Time"),
    gettext_noop("Who"),
    gettext_noop("From"),
    gettext_noop("Action"),
    gettext_noop("What"),
    gettext_noop("Round"),
    gettext_noop("Subject"),
    gettext_noop("Before"),
    gettext_noop("After"),
    gettext_noop("Reason"),
    gettext_noop("In the report file"),
    gettext_noop("Undoes"),
    gettext_noop("Back to"),
    gettext_noop("Undone by"),
    gettext_noop("From copy"),
    gettext_noop("Copy file"),
    gettext_noop("Copy made"),
    gettext_noop("Loaded"),
    gettext_noop("Loaded by"),
    gettext_noop("Seal"),
)
"""From copy: own (of this server), changed (of this server, and changed afterwards), other (of another server) or
unsealed; empty for a row that was written here. The five columns are those of `telling_mark`; JSON has all marks."""
MARK = ("origin", "file", "made", "loaded", "by")


def log_csv(rows: Iterable[LogRow], sentence_of: SentenceOf, *, write: Write = csv_file) -> bytes:
    """The rows as they come, one line each; before and after as JSON; times in the zone of the event.

    sentence_of: gives the sentence of a row.
    """
    return write([gettext(name) for name in HEAD], (_cells(row, sentence_of) for row in rows))


def log_json(rows: Iterable[LogRow], sentence_of: SentenceOf) -> bytes:
    """The same with the names of the columns in small letters, as a list of objects."""
    names = [name.lower().replace(" ", "_") for name in HEAD]
    objects = [
        {
            **dict(zip(names, _cells(row, sentence_of), strict=True)),
            "before": row.before,
            "after": row.after,
            "brought": list(row.brought),
        }
        for row in rows
    ]
    return json.dumps(objects, ensure_ascii=False, indent=1).encode()


def _cells(row: LogRow, sentence_of: SentenceOf) -> list[Cell]:
    return [
        row.revision,
        localtime(row.at).isoformat(),
        row.who,
        row.origin,
        row.action,
        sentence_of(row),
        row.round_number,
        row.subject,
        json.dumps(row.before, ensure_ascii=False) if row.before else "",
        json.dumps(row.after, ensure_ascii=False) if row.after else "",
        row.reason,
        row.integrity,
        row.undoes,
        row.back_to,
        row.undone_by,
        *_mark(row),
        row.seal,
    ]


def _mark(row: LogRow) -> list[str]:
    """Return the columns of the mark of a row that was brought in from a copy, empty for all others."""
    mark = main_mark(row.brought)
    return [str(dict(mark).get(name, "")) if mark else "" for name in MARK]
