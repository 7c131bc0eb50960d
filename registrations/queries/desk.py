"""The list of the desk: what a device keeps to work without a network, and who is not ready for round 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, JSONObject
from django.utils import timezone

from base.zones import in_zone
from registrations.models import Charge, EventRegistration, Registration
from registrations.queries.conflict_check import LONGEST_ACTION, changed_registrations
from registrations.queries.queue import HERE
from registrations.states import RegistrationState
from tournaments.models import Bye, CheckIn, Event, Participant, Section
from tournaments.player_fields import AT_DESK

COLUMNS = (
    "pk",
    "name",
    "title",
    "federation",
    "fide_id",
    "rating",
    "section__name",
    "plain",
    "balance",
    "section_id",
)
"""What the desk shows of a person, and nothing else: the device keeps no address, telephone or birth date."""
PLAIN = JSONObject(**{field.name: field.name for field in AT_DESK})

CHARGED = Count("charges")
PAID = Coalesce(
    -Sum("charges__cents", filter=Q(charges__kind__in=(Charge.Kind.PAYMENT, Charge.Kind.REPAYMENT))), 0
)
"""What was paid for a registration, less what was paid back."""

MOST_CHANGED = 500
"""Beyond this, the device gets the whole list again."""


@dataclass(frozen=True, slots=True)
class DeskList:
    """people: by COLUMNS. here: the keys of those who are here. gone: keys that are no longer accepted.

    seen: what the device sends to ask for news. at: since when it needs news then. whole: whether people are all,
    and not only those who have changed. until: when the device deletes the list. counts: as `ready`.
    """

    seen: str
    at: int
    whole: bool
    people: Sequence[tuple[Any, ...]]
    here: Sequence[int]
    gone: Sequence[int]
    until: int
    counts: Mapping[str, int]


def expected(event: Event) -> QuerySet[Registration]:
    """Return the accepted registrations of players who would play in round 1: not those with a bye there."""
    resting = Bye.objects.filter(participant=OuterRef("participant"), round_number=1)
    return Registration.objects.filter(~Q(Exists(resting)), event=event, state=RegistrationState.ACCEPTED)


def ready(event: Event) -> dict[str, int]:
    """Return the counts of the desk: expected in round 1, present, and present with nothing to pay. One query."""
    here = Q(here=True)
    return (
        expected(event)
        .annotate(here=HERE)
        .aggregate(
            accepted=Count("pk"),
            present=Count("pk", filter=here),
            ready=Count("pk", filter=here & Q(balance__lte=0)),
        )
    )


def seen_mark(form: EventRegistration) -> str:
    """Return what changes whenever something of the list does: the desk, or an open check-in for round 1. One query."""
    sections = Section.objects.filter(event=form.event, check_in_round=1).order_by("pk")
    return "-".join(
        [str(form.revision), *(f"{key}.{at}" for key, at in sections.values_list("pk", "revision"))]
    )


def desk_list(form: EventRegistration, since: datetime | None = None) -> DeskList:
    """Return the accepted players, or those whose registration has changed since. Four queries, seven with since."""
    seen, now = seen_mark(form), timezone.now()
    accepted = Registration.objects.filter(event=form.event, state=RegistrationState.ACCEPTED).annotate(
        plain=PLAIN
    )
    accepted = accepted.order_by("name", "pk")
    here = sorted(accepted.filter(HERE).order_by().values_list("pk", flat=True))
    gone: list[int] = []
    changed = changed_registrations(form.event, since - LONGEST_ACTION) if since else None
    whole = changed is None or len(changed) > MOST_CHANGED
    if changed is not None and not whole:
        accepted = accepted.filter(pk__in=changed)
    people = list(accepted.values_list(*COLUMNS))
    if changed is not None and not whole:
        gone = sorted(changed - {row[0] for row in people})
    return DeskList(seen, _milliseconds(now), whole, people, here, gone, _end(form.event), ready(form.event))


def desk_row(one: Registration) -> tuple[Any, ...]:
    """Return what the desk shows of a player, by COLUMNS, and whether the player is here."""
    rows = Registration.objects.filter(pk=one.pk).annotate(here=HERE, plain=PLAIN)
    return tuple(rows.values_list(*COLUMNS, "here").get())


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)


def _end(event: Event) -> int:
    """Return when the last day of the event is over, in its zone."""
    with in_zone(event.time_zone):
        day = datetime.combine(event.end + timedelta(days=1), datetime.min.time())
        return _milliseconds(timezone.make_aware(day))


def fees_of_entries(section: Section) -> dict[int, tuple[int, int, str]]:
    """Return what each entry of a section owes and has paid, in cents, and the currency, by its key. Entries without a
    fee are left out. One query.
    """
    found = Registration.objects.filter(participant__section=section).annotate(charged=CHARGED, paid=PAID)
    rows = found.filter(charged__gt=0).values_list(
        "participant", "balance", "paid", "event__registration__currency"
    )
    return {entry: (max(balance, 0), paid, unit) for entry, balance, paid, unit in rows if entry is not None}


def fees_of_event(event: Event) -> tuple[int, int] | None:
    """Return what all accepted players owe and have paid, in cents; None if nobody was charged anything. One query."""
    accepted = Registration.objects.filter(event=event, state=RegistrationState.ACCEPTED)
    charged = accepted.annotate(charged=CHARGED, paid=PAID).filter(charged__gt=0)
    rows = list(charged.values_list("balance", "paid"))
    return (sum(max(owed, 0) for owed, _paid in rows), sum(paid for _owed, paid in rows)) if rows else None


@dataclass(frozen=True, slots=True)
class NotReady:
    """A player who is not ready for round 1. here: and owes something. number: of the registration. owed, paid: in
    cents.
    """

    number: int | None
    name: str
    title: str
    federation: str
    club: str
    rating: int | None
    owed: int
    paid: int
    phone: str
    here: bool


def not_ready(event: Event, *, phones: bool) -> list[tuple[Section, list[NotReady]]]:
    """Return who is missing or owes something, by section and name. Players with a bye in round 1 are left out.

    Entries without a registration are missing too while the check-in for round 1 is open. phones: with telephones.
    Two queries.
    """
    found: dict[Section, list[NotReady]] = {}
    rows = expected(event).annotate(here=HERE, paid=PAID).filter(Q(here=False) | Q(balance__gt=0))
    for one in rows.select_related("section").order_by("section__name", "name", "pk"):
        row = NotReady(
            *(one.pk, one.name, one.title, one.federation, one.club, one.rating),
            *(max(one.balance, 0), one.paid),
            one.phone if phones else "",
            bool(one.here),
        )
        found.setdefault(one.section, []).append(row)
    for entry in _without_registration(event):
        player = entry.player
        row = NotReady(
            *(None, player.name, player.title, player.federation, entry.club, entry.rating, 0, 0, ""),
            here=False,
        )
        found.setdefault(entry.section, []).append(row)
    lists = sorted(found.items(), key=lambda item: (item[0].name, item[0].pk))
    return [(section, sorted(rows, key=lambda row: (row.here, row.name))) for section, rows in lists]


def _without_registration(event: Event) -> QuerySet[Participant]:
    seen = CheckIn.objects.filter(participant=OuterRef("pk"), round_number=1)
    entries = Participant.objects.filter(
        ~Q(Exists(seen)),
        section__event=event,
        section__check_in_round=1,
        registration=None,
        status=Participant.Status.ACTIVE,
        first_round=1,
    )
    return entries.exclude(byes__round_number=1).select_related("player", "section")
