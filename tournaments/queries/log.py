"""The log of a section, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet

from tournaments.models import ActionLog, Tournament

PAGE_SIZE = 50
SEARCH_LENGTH = 80


@dataclass(frozen=True, slots=True)
class LogRow:
    """One action. before, after: JSON values. integrity: "" or the kind that the report file tells."""

    log_id: int
    revision: int
    at: datetime
    who: str
    origin: str
    action: str
    round_number: int | None
    subject: str
    before: Any
    after: Any
    reason: str
    integrity: str
    integrity_label: str


@dataclass(frozen=True, slots=True)
class LogPage:
    """page: counted from 1, moved to the nearest that exists. total: rows found."""

    rows: tuple[LogRow, ...]
    page: int
    pages: int
    total: int
    search: str

    @property
    def has_newer(self) -> bool:
        return self.page > 1

    @property
    def has_older(self) -> bool:
        return self.page < self.pages


def log_page(tournament: Tournament, page: int | str = 1, search: str = "") -> LogPage:
    """A page of the log. search: in who, action, subject, reason and the round's number. Two queries."""
    words = search.replace("\x00", "").strip()[:SEARCH_LENGTH]
    rows = tournament.log.defer("changes").order_by("-pk")
    for word in words.split():
        rows = rows.filter(_matches(word))
    paginator = Paginator(rows, PAGE_SIZE)
    shown = paginator.get_page(page)
    return LogPage(
        rows=tuple(_row(row) for row in shown),
        page=shown.number,
        pages=paginator.num_pages,
        total=paginator.count,
        search=words,
    )


def last_log_rows(tournament: Tournament, count: int = 10) -> tuple[LogRow, ...]:
    """The newest rows. One query."""
    rows: QuerySet[ActionLog] = tournament.log.defer("changes").order_by("-pk")[:count]
    return tuple(_row(row) for row in rows)


def _matches(word: str) -> Q:
    found = (
        Q(who__icontains=word)
        | Q(action__icontains=word)
        | Q(subject__icontains=word)
        | Q(reason__icontains=word)
        | Q(integrity__icontains=word)
    )
    return found | Q(round_number=int(word)) if word.isdecimal() and len(word) <= 2 else found


def _row(row: ActionLog) -> LogRow:
    return LogRow(
        log_id=row.pk,
        revision=row.revision,
        at=row.at,
        who=row.who,
        origin=row.origin,
        action=row.action,
        round_number=row.round_number,
        subject=row.subject,
        before=row.before,
        after=row.after,
        reason=row.reason,
        integrity=row.integrity,
        integrity_label=str(row.get_integrity_display()) if row.integrity else "",
    )
