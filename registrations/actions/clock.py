"""What the clock does: forms, corrections and offers run out, free places are offered, and contacts are deleted."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import reduce
from operator import or_

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from registrations.machine import TIMED, State
from registrations.models import (
    Charge,
    EventRegistration,
    Mail,
    Note,
    Registration,
    SectionRegistration,
    Step,
)
from registrations.person_fields import AFTER_EVENT
from registrations.queries.places import FULL, places_of

from .desk import CLOCK, at_desk
from .erasing import forget_contacts
from .mails import due_mails, reminders
from .promoting import promote
from .writing import give_back, write_state

ANNOUNCED = timedelta(days=1)
"""Before contacts are deleted, the organisers read for this long that they will be."""
HOLDS = reduce(or_, (~Q(**{name: nothing}) for name, nothing in AFTER_EVENT.items()))
"""Registrations with a contact, or with words of the player."""


def clock_is_due(now: datetime | None = None) -> bool:
    """Return whether a state has run out by `now`, or a mail is to be sent. Three queries."""
    now = now or timezone.now()
    run_out = Registration.objects.filter(state__in=TIMED, deadline__lt=now)
    return run_out.exists() or due_mails(timezone.now()).exists() or reminders(now).exists()


def somebody_waits() -> bool:
    """Return whether there is a waiting list. One query."""
    return Registration.objects.filter(state=State.WAITING).exists()


def run_clock(now: datetime | None = None) -> int:
    """End every state that has run out by `now`, in all events. Return how many."""
    ended = 0
    now = now or timezone.now()
    late = Registration.objects.filter(state__in=TIMED, deadline__lt=now)
    for event_id in late.order_by().values_list("event", flat=True).distinct():
        with at_desk(event_id) as desk:
            keys = late.filter(event=event_id).values_list("pk", flat=True)
            for one in desk.many(keys):
                if one.deadline is None or one.deadline >= now or one.state not in TIMED:
                    continue
                if (
                    one.is_held
                ):  # no mail has asked for anything, so the organiser still looks, and the place goes
                    give_back(desk, one)
                else:
                    write_state(desk, one, State.EXPIRED, CLOCK)
                ended += 1
    return ended


def move_lists(now: datetime | None = None) -> int:
    """Offer places that nobody freed by an action, such as by a date or a setting. Return how many offers."""
    offered = 0
    waiting = Registration.objects.filter(section=OuterRef("section"), state=State.WAITING)
    for limits in SectionRegistration.objects.filter(Exists(waiting)).select_related("section__event"):
        form = EventRegistration.objects.filter(event=limits.section.event_id).first()
        if form is None:
            continue
        places = places_of(limits.section.event, [limits.section_id])[limits.section_id]
        if places.free == 0 or places.stands_still(form, now or timezone.now()) not in ("", FULL):
            continue
        with at_desk(limits.section.event_id) as desk:
            offered += promote(desk, limits.section_id)
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
            form.save(update_fields=["contacts_end_at"])
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
        Step.objects.filter(~Q(reason=""), registration__event=OuterRef("event")),
        Charge.objects.filter(~Q(note=""), registration__event=OuterRef("event")),
    ]
    return reduce(or_, map(Q, map(Exists, kept)))
