"""What a page showed about registrations, so that a decision about one that has changed since gets both values.

Which registrations have changed since a moment, who has changed a field, and who else has one open now.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.core import signing
from django.db.models import Count, Q
from django.utils import timezone

from registrations.models import HistoryLine, Note, Registration
from registrations.queries.queue import QueueRow, beside, of_event
from tournaments.models import Event, LoginSession, User
from tournaments.player_fields import REGISTERED

# What the history of registrations says: which have changed since a moment, and who has changed a field.

LONGEST_ACTION = timedelta(seconds=60)
"""An action notes its time when it begins. It ends sooner than this, or is rolled back."""


def changed_registrations(event: Event, since: datetime) -> set[int]:
    """Return the keys of registrations that their history, a new note or an erasure has changed. Three queries."""
    return {
        *HistoryLine.objects.filter(registration__event=event, at__gte=since).values_list(
            "registration", flat=True
        ),
        *Note.objects.filter(registration__event=event, at__gte=since).values_list("registration", flat=True),
        *Registration.objects.filter(
            Q(created_at__gte=since) | Q(erased_at__gte=since), event=event
        ).values_list("pk", flat=True),
    }


def last_edit(one: Registration, names: Iterable[str]) -> HistoryLine | None:
    """Return the latest line of the history that changed one of these fields."""
    wanted = set(names)
    steps = one.steps.filter(kind=HistoryLine.Kind.EDIT).order_by("-pk")
    return next((step for step in steps if wanted & set(step.fields)), None)


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


def shown_in(row: QueueRow, day: date, *, whole: bool = False) -> dict[str, Any]:
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


def pack_shown(rows: Iterable[QueueRow], day: date, *, whole: bool = False) -> str:
    """Return what a page shows as one text for a hidden field: compressed, and signed, so that only we make it."""
    shown = {
        str(row.one.pk): [row.one.revision, list(shown_in(row, day, whole=whole).values())] for row in rows
    }
    return signing.dumps(shown, salt=SALT, compress=True)


def unpack_shown(text: str, *, whole: bool = False) -> dict[int, tuple[int, Shown]]:
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
class ChangedRegistration:
    """A registration that has changed since a page showed it.

    values: name, what the page showed, what it is now. steps: of the history since, the latest first.
    """

    row: QueueRow
    values: Sequence[tuple[str, Any, Any]]
    steps: Sequence[HistoryLine]


def differences(
    event: Event, seen: Mapping[int, tuple[int, Shown]], since: Mapping[int, int], *, whole: bool = False
) -> list[ChangedRegistration]:
    """Return what is different in registrations now. Three queries for any number.

    seen: what the page showed, as from `unpack`. One that it did not show has no values.
    since: the keys of the registrations, with the revisions that the page showed.
    """
    rows = changed_rows(event, since)
    steps: defaultdict[int, list[HistoryLine]] = defaultdict(list)
    for step in HistoryLine.objects.filter(registration__in=[row.one.pk for row in rows]).order_by("-pk"):
        if step.revision > since[step.registration_id]:
            steps[step.registration_id].append(step)
    return [
        ChangedRegistration(
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


def changed_rows(event: Event, keys: Iterable[int]) -> list[QueueRow]:
    """Return rows of the queue by their keys, by name. Two queries."""
    found = of_event(event).filter(pk__in=list(keys)).order_by("name", "pk").select_related("section")
    rows = {one.pk: QueueRow(one) for one in found.annotate(noted=Count("notes", distinct=True))}
    for row in rows.values():
        row.one.event = row.one.section.event = event
    beside(event, rows)
    return list(rows.values())


# Who else has a registration open now.

LOOKS_FOR = timedelta(seconds=90)
"""An open page asks every few seconds, and each minute one question is written."""


def open_elsewhere(event: Event, user: User) -> Mapping[int, Sequence[str]]:
    """Return who else has which registration of the event open, by its key. One query."""
    rows = LoginSession.objects.filter(
        registration__in=Registration.objects.filter(event=event).values("pk"),
        seen_at__gte=timezone.now() - LOOKS_FOR,
    )
    found: defaultdict[int, set[str]] = defaultdict(set)
    for row in rows.exclude(user=user).select_related("user"):
        if row.registration is not None:
            found[row.registration].add(row.user.label)
    return {key: sorted(names) for key, names in found.items()}
