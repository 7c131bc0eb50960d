"""The seals of the log: each row is sealed together with the row before it (docs/decisions/0045).

A seal is the SHA-256 of the row and of the seal before it. A section has its own chain, in the order of its revisions.
The rows of an event without a section have a chain, too, in the order in which they were written. The section and the
event keep the seal of their newest row as `log_head`, so rows that are missing at the end are noticed.

A person who can write to the database can also seal every later row again. Then the newest seal differs from the one
that was noted elsewhere: on paper, in a saved log, or in a copy.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from base.consistent_read import consistent_read
from tournaments.models import ActionLog, Event, Section
from tournaments.models.journal import fields_of, plain

SHOWN_DIGITS = 20
"""Of a seal on pages: 80 bits are enough to compare, and few enough to write down."""


@dataclass(frozen=True, slots=True)
class LogFault:
    """The first row that does not fit.

    kind: "changed" if the row or the row before it is not as it was sealed, "unsealed" if it has no seal, "missing" if
    there is no row with this revision, "end" if rows after this one are missing. revision: 0 in the log of an event.
    at: None if there is no row.
    """

    kind: str
    revision: int
    at: datetime | None = None
    who: str = ""
    origin: str = ""
    action: str = ""


@dataclass(frozen=True, slots=True)
class LogCheck:
    """A log that was checked. rows: how many rows fit, from the oldest on. head: the seal of the newest row."""

    rows: int
    head: str
    fault: LogFault | None = None


def seal_of(values: Mapping[str, Any], before: str) -> str:
    """Return the seal of a row. values: of its columns, as in `row_values`. before: the seal of the row before it.

    Empty columns are left out, so a column that is added to the table later does not change old seals.
    """
    kept = {name: value for name, value in values.items() if value is not None and value != ""}
    # keys of mappings are text in the database, and are put in order as text
    body = json.dumps([before, json.loads(json.dumps(kept))], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(body.encode()).hexdigest()


def sealed_values(row: ActionLog) -> dict[str, Any]:
    """Return the columns that the seal of a row covers: all except its key and the seal itself."""
    fields = fields_of(type(row))
    return {name: plain(field, getattr(row, name)) for name, field in fields.items() if name != "seal"}


def seal_rows(rows: Iterable[ActionLog], head: str) -> str:
    """Seal new rows on top of `head`, in this order. Return the new head."""
    for row in rows:
        row.seal = head = seal_of(sealed_values(row), head)
    return head


def check_section(section: Section) -> LogCheck:
    """Check the log of a section. Reads every row with all its columns."""
    with consistent_read() as alone:
        sections = Section.objects if alone else Section.objects.select_for_update(no_key=True)
        section = sections.only("log_head").get(pk=section.pk)
        return _checked(
            ActionLog.objects.filter(section=section).order_by("revision", "pk"), section.log_head
        )


def check_event(event: Event) -> LogCheck:
    """Check the rows of an event that belong to no section."""
    with consistent_read() as alone:
        events = Event.objects if alone else Event.objects.select_for_update(no_key=True)
        event = events.only("log_head").get(pk=event.pk)
        return _checked(ActionLog.objects.filter(event=event, section=None).order_by("pk"), event.log_head)


def shown_digits(seal: str) -> str:
    """Return the beginning of a seal in groups of four digits, for people who compare or write it."""
    digits = seal[:SHOWN_DIGITS]
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))


def _checked(rows: Any, head: str) -> LogCheck:
    before, count, last = "", 0, None
    for row in rows.iterator(500):
        if row.seal != seal_of(sealed_values(row), before):
            return LogCheck(count, before, _fault(row, last))
        before, count, last = row.seal, count + 1, row
    if before != head:
        end = (
            LogFault("end", last.revision, last.at, last.who, last.origin, last.action)
            if last
            else LogFault("end", 0)
        )
        return LogCheck(count, before, end)
    return LogCheck(count, before)


def _fault(row: ActionLog, last: ActionLog | None) -> LogFault:
    expected = last.revision + 1 if last else 1
    if row.revision > expected:
        return LogFault("missing", expected)
    kind = "changed" if row.seal else "unsealed"
    return LogFault(kind, row.revision, row.at, row.who, row.origin, row.action)
