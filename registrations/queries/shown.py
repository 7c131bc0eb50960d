"""What a page showed about registrations, so that a decision about one that has changed since gets both values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core import signing
from django.db.models import Count

from registrations.models import Step
from registrations.queries.queue import Row, beside, of_event
from tournaments.models import Event
from tournaments.player_fields import REGISTERED

SALT = "registrations.shown"
PLAIN = (
    *(
        "name",
        "title",
        "federation",
        "fide_id",
        *(field.name for field in REGISTERED),
        "rating",
        "rating_list",
        "state",
        "balance",
        "problems",
    ),
    *("message", "proposed"),
)
"""Columns of a registration that a row of the queue shows."""
ALSO_PLAIN = ("sex", "birth_date", "email", "phone", "guardian", "guardian_email", "consent", "answers")
"""Columns that only the page of one registration shows."""
BESIDE = ("section", "age", "correction", "mail_failed", "byes", "labels", "notes")
"""What else a row shows."""

Shown = Mapping[str, Any]


def _columns(*, whole: bool) -> tuple[str, ...]:
    return (*PLAIN, *ALSO_PLAIN) if whole else PLAIN


def shown_in(row: Row, day: date, *, whole: bool = False) -> dict[str, Any]:
    """Return what a row of the queue shows, as plain values. day: for the age.

    whole: what the page of one registration shows, with contacts and the birth date.
    """
    one = row.one
    beside = (
        one.section.name,
        one.age_on(day),
        one.correction.get("text", ""),
        bool(getattr(one, "mail_failed", False)),
        list(row.byes),
        [label.name for label in row.labels],
        getattr(one, "noted", 0),
    )
    columns = {name: getattr(one, name) for name in _columns(whole=whole)}
    return columns | dict(zip(BESIDE, beside, strict=True))


def pack(rows: Iterable[Row], day: date, *, whole: bool = False) -> str:
    """Return what a page shows as one text for a hidden field: compressed, and signed, so that only we make it."""
    shown = {
        str(row.one.pk): [row.one.revision, list(shown_in(row, day, whole=whole).values())] for row in rows
    }
    return signing.dumps(shown, salt=SALT, compress=True)


def unpack(text: str, *, whole: bool = False) -> dict[int, tuple[int, Shown]]:
    """Return the revision and the values that a page showed, by the keys of registrations; {} for any other text."""
    try:
        shown: Any = signing.loads(text, salt=SALT)
    except signing.BadSignature:
        return {}
    names = (*_columns(whole=whole), *BESIDE)
    return {
        int(key): (revision, dict(zip(names, values, strict=True)))
        for key, (revision, values) in shown.items()
        if len(values) == len(names)
    }


@dataclass(frozen=True, slots=True)
class Difference:
    """A registration that has changed since a page showed it.

    values: name, what the page showed, what it is now. steps: of the history since, the latest first.
    """

    row: Row
    values: Sequence[tuple[str, Any, Any]]
    steps: Sequence[Step]


def differences(
    event: Event, seen: Mapping[int, tuple[int, Shown]], since: Mapping[int, int], *, whole: bool = False
) -> list[Difference]:
    """Return what is different in registrations now. Three queries for any number.

    seen: what the page showed, as from `unpack`. One that it did not show has no values.
    since: the keys of the registrations, with the revisions that the page showed.
    """
    rows = rows_of(event, since)
    steps: defaultdict[int, list[Step]] = defaultdict(list)
    for step in Step.objects.filter(registration__in=[row.one.pk for row in rows]).order_by("-pk"):
        if step.revision > since[step.registration_id]:
            steps[step.registration_id].append(step)
    return [
        Difference(
            row,
            [
                (name, seen[row.one.pk][1][name], now)
                for name, now in shown_in(row, event.start, whole=whole).items()
                if row.one.pk in seen and seen[row.one.pk][1][name] != now
            ],
            steps[row.one.pk],
        )
        for row in rows
    ]


def rows_of(event: Event, keys: Iterable[int]) -> list[Row]:
    """Return rows of the queue by their keys, by name. Two queries."""
    found = of_event(event).filter(pk__in=list(keys)).order_by("name", "pk").select_related("section")
    rows = {one.pk: Row(one) for one in found.annotate(noted=Count("notes", distinct=True))}
    for row in rows.values():
        row.one.event = row.one.section.event = event
    beside(event, rows)
    return list(rows.values())
