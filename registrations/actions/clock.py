"""What the clock does: forms, corrections and offers run out, free places are offered, and contacts are deleted.

Free places are offered behind the lock, in the transaction that frees a place.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from registrations.models import (
    Charge,
    EventRegistration,
    HistoryLine,
    Mail,
    Note,
    Registration,
    SectionRegistration,
)
from registrations.person_fields import AFTER_EVENT
from registrations.queries.places import FULL, MISFITS, places_of, waiting_list
from registrations.queries.problems import misfits
from registrations.queries.queue import UNWRITTEN
from registrations.states import TIMED, RegistrationState
from tournaments.errors import DomainError
from tournaments.models.events import AT_REST

from .erasing import forget_contacts
from .event_lock import CLOCK, EventLock, event_lock
from .mails import due_mails, reminders
from .state_changes import enter, give_back, write_state

# What follows by itself behind the lock: places that are free are offered, and who lacks nothing is accepted.


def offer_free_places(lock: EventLock, section_id: int) -> int:
    """Offer each free place to the next person in the list who still fits the section. Return how many offers.

    A player of a file who waits for the first mail gets no mail before the organiser sends it.
    """
    places = lock.places(section_id)
    still = places.stands_still(lock.form, lock.now)
    free = places.free
    if not places.waiting or still not in ("", FULL, MISFITS) or free == 0:
        return 0
    offered = 0
    for row in waiting_list(places.limits).filter(parked=False).annotate(unwritten=Q(UNWRITTEN)):
        if free is not None and offered >= free:
            break
        one = lock.load(row.pk)
        if any(misfits(one, places.limits)):
            continue
        lock.quiet = row.unwritten
        write_state(lock, one, RegistrationState.OFFERED, CLOCK)
        lock.quiet = False
        offered += 1
    return offered


def accept_by_rule(lock: EventLock, one: Registration) -> None:
    """Accept a registration without problems, if the section does so by itself. Otherwise it is checked."""
    limits = lock.limits(one.section_id)
    by_itself = limits.acceptance == limits.Acceptance.COMPLETE or (
        limits.acceptance == limits.Acceptance.PAID and one.balance <= 0
    )
    if not by_itself or one.problems or one.state != RegistrationState.PENDING:
        return
    try:
        with transaction.atomic():
            enter(lock, one, CLOCK)
    except DomainError:
        return
    write_state(lock, one, RegistrationState.ACCEPTED, CLOCK)


ANNOUNCED = timedelta(days=1)
"""Before contacts are deleted, the organisers read for this long that they will be."""
HOLDS = reduce(or_, (~Q(**{name: nothing}) for name, nothing in AFTER_EVENT.items()))
"""Registrations with a contact, or with words of the player."""


def clock_is_due(now: datetime | None = None) -> bool:
    """Return whether a state has run out by `now`, or a mail is to be sent. Three queries."""
    now = now or timezone.now()
    run_out = Registration.objects.filter(state__in=TIMED, deadline__lt=now).exclude(event__state__in=AT_REST)
    return run_out.exists() or due_mails(timezone.now()).exists() or reminders(now).exists()


def somebody_waits() -> bool:
    """Return whether there is a waiting list. One query."""
    return Registration.objects.filter(state=RegistrationState.WAITING).exists()


def run_clock(now: datetime | None = None) -> int:
    """End every state that has run out by `now`, in all events. Return how many."""
    ended = 0
    now = now or timezone.now()
    late = Registration.objects.filter(state__in=TIMED, deadline__lt=now).exclude(event__state__in=AT_REST)
    for event_id in late.order_by().values_list("event", flat=True).distinct():
        with event_lock(event_id) as lock:
            keys = late.filter(event=event_id).values_list("pk", flat=True)
            for one in lock.many(keys):
                if one.deadline is None or one.deadline >= now or one.state not in TIMED:
                    continue
                if (
                    one.is_held
                ):  # no mail has asked for anything, so the organiser still looks, and the place goes
                    give_back(lock, one)
                else:
                    write_state(lock, one, RegistrationState.EXPIRED, CLOCK)
                ended += 1
    return ended


def move_lists(now: datetime | None = None) -> int:
    """Offer places that nobody freed by an action, such as by a date or a setting. Return how many offers."""
    offered = 0
    waiting = Registration.objects.filter(section=OuterRef("section"), state=RegistrationState.WAITING)
    lists = SectionRegistration.objects.filter(Exists(waiting)).exclude(section__event__state__in=AT_REST)
    for limits in lists.select_related("section__event"):
        form = EventRegistration.objects.filter(event=limits.section.event_id).first()
        if form is None:
            continue
        places = places_of(limits.section.event, [limits.section_id])[limits.section_id]
        if places.free == 0 or places.stands_still(form, now or timezone.now()) not in ("", FULL):
            continue
        with event_lock(limits.section.event_id) as lock:
            offered += offer_free_places(lock, limits.section_id)
    return offered


def forget(now: datetime | None = None) -> list[EventRegistration]:
    """Delete the contacts of events that are over, after the days that each event keeps them.

    A day before, the pages of the organisers announce it. Return the events for which this begins now. If a date is
    changed meanwhile, so that the contacts are kept for longer, the announcement ends.
    """
    now = now or timezone.now()
    today, announced = timezone.localdate(now), []
    over = EventRegistration.objects.filter(event__end__lte=today)
    for form in over.filter(_kept()).select_related("event"):
        last = last_day_of_contacts(form)
        if last <= today and form.contacts_end_at is None:
            form.contacts_end_at = now + ANNOUNCED
            first = EventRegistration.objects.filter(pk=form.pk, contacts_end_at=None)  # of several servers
            if first.update(contacts_end_at=form.contacts_end_at) and not form.event.is_deleted:
                announced.append(form)
        elif last < today and form.contacts_end_at is not None and form.contacts_end_at <= now:
            forget_contacts(form.event)
    for form in EventRegistration.objects.exclude(contacts_end_at=None).select_related("event"):
        gone = not EventRegistration.objects.filter(_kept(), pk=form.pk).exists()
        if gone or last_day_of_contacts(form) > today:
            EventRegistration.objects.filter(pk=form.pk).update(contacts_end_at=None)
    return announced


def last_day_of_contacts(form: EventRegistration) -> date:
    """Return the last day on which the contacts of the event are kept."""
    return form.event.end + timedelta(days=form.kept_days)


def contacts_kept(form: EventRegistration) -> bool:
    """Return whether the event is not over, or a contact or a word of a player is still there. One query."""
    over = last_day_of_contacts(form) < timezone.localdate()
    return not over or EventRegistration.objects.filter(_kept(), pk=form.pk).exists()


def _kept() -> Q:
    """Return the condition that something personal is kept about registrations of the event."""
    kept = [
        Registration.objects.filter(HOLDS, event=OuterRef("event")),
        Note.objects.filter(registration__event=OuterRef("event")),
        Mail.objects.filter(registration__event=OuterRef("event")),
        HistoryLine.objects.filter(~Q(reason=""), registration__event=OuterRef("event")),
        Charge.objects.filter(~Q(note=""), registration__event=OuterRef("event")),
    ]
    return reduce(or_, map(Q, map(Exists, kept)))
