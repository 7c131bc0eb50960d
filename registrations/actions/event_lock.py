"""What every change of registrations begins with: the lock of the event, and what follows at the end.

One row is locked for the whole event (`EventRegistration`). Places are counted and given behind this lock, so no two
people get one place, and a move between two sections needs no second lock. Whoever needs the event or a section of
`tournaments` takes those locks after this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings as conf
from django.db import transaction
from django.utils import timezone

from base.text import one_line
from base.zones import in_zone, start_of
from registrations.models import EventRegistration, HistoryLine, Mail, Registration, SectionRegistration
from registrations.models.mail import OF_NO_STATE, MailKind
from registrations.queries.places import SectionPlaces, limits_of, places_within
from registrations.refusals import REGISTRATION_CHANGED
from registrations.states import Hand, RegistrationState
from tournaments.actions.ledger import Actor, refuse_at_rest, transaction_or_busy
from tournaments.actions.webhook_messages import queue_registrations
from tournaments.errors import NOT_FOUND, DomainError
from tournaments.models import Event, Participant, RoundStart, Section, User
from tournaments.models.log import REGISTRATION
from tournaments.questions import Answer

MAILS_WAIT = timedelta(minutes=3)
"""So that only the last of several states is mailed, and a slip that is undone is not mailed at all."""

PART = 100
"""Registrations of one transaction, where each of many is written by itself."""


@dataclass(frozen=True, slots=True)
class RegistrationActor:
    """Who changes a registration: a person of the event, the player, or the clock.

    both: the answer to the question whether players of other sections are accepted too.
    """

    hand: Hand
    user: User | None = None
    both: Answer = False

    @property
    def actor(self) -> Actor:
        """Return the actor for the log of a section, in which players and the clock have no address."""
        return Actor(user=self.user, origin=REGISTRATION)

    @property
    def name(self) -> str:
        return self.user.label if self.user else ""


PLAYER, CLOCK = RegistrationActor(Hand.PLAYER), RegistrationActor(Hand.CLOCK)


@dataclass(slots=True)
class EventLock:
    """The registrations of one event while its lock is held. freed: sections in which a place may be free now.

    quiet: no mail is made. touched: something was changed. settings: of sections, as far as they were read.
    lines: of the history, which `event_lock` writes at the end. paid: whose account has a new line.
    """

    form: EventRegistration
    now: datetime
    freed: set[int] = field(default_factory=set)
    touched: bool = False
    quiet: bool = False
    settings: dict[int, SectionRegistration] = field(default_factory=dict)
    lines: list[HistoryLine] = field(default_factory=list)
    paid: list[Registration] = field(default_factory=list)

    @property
    def event(self) -> Event:
        return self.form.event

    @property
    def today(self) -> date:
        """Return the day in the zone of the event."""
        return timezone.localdate(self.now)

    def load(self, registration_id: int, seen_revision: int | None = None) -> Registration:
        """Return a registration of the event. Raises NotFound; Stale("registration_changed")."""
        found = self.many([registration_id])
        if not found:
            raise NOT_FOUND.error(kind="registration", id=registration_id)
        one = found[0]
        if seen_revision is not None and one.revision != seen_revision:
            raise REGISTRATION_CHANGED.error(name=one.name)
        return one

    def many(self, keys: Iterable[int]) -> list[Registration]:
        rows = Registration.objects.filter(event=self.event, pk__in=list(keys))
        found = list(rows.select_related("section", "participant", "news").order_by("queued_at", "pk"))
        for one in found:
            one.event = one.section.event = self.event
        _find_entries(
            [one for one in found if one.state == RegistrationState.ACCEPTED and one.participant_id is None]
        )
        return found

    def places(self, section_id: int) -> SectionPlaces:
        """Return the places of a section. Raises NotFound for a section without registration."""
        return places_within({section_id: self.limits(section_id)})[section_id]

    def limits(self, section_id: int) -> SectionRegistration:
        """Return the settings of a section, which nobody changes while the lock is held. One query for each section.

        Raises NotFound for a section without registration.
        """
        if section_id not in self.settings:
            self.settings |= limits_of(self.event, [section_id])
        if section_id not in self.settings:
            raise NOT_FOUND.error(kind="section", id=section_id)
        return self.settings[section_id]

    def note(self, one: Registration, kind: HistoryLine.Kind, by: RegistrationActor, **more: Any) -> None:
        """Raise the revision of the registration and save it, with a line of the history."""
        self.step(one, kind, by, **more)
        Registration.objects.filter(pk=one.pk).update(revision=one.revision)

    def step(
        self, one: Registration, kind: HistoryLine.Kind, by: RegistrationActor, **more: Any
    ) -> HistoryLine:
        """Raise the revision of the registration, which the caller saves. Return the line of the history."""
        one.revision += 1
        return self.line(one, kind, by, **more)

    def line(
        self, one: Registration, kind: HistoryLine.Kind, by: RegistrationActor, **more: Any
    ) -> HistoryLine:
        """Add a line to the history. It leaves the revision, so a form that is open can still be saved."""
        self.touched = True
        more["reason"] = one_line(more.get("reason", ""))[:300]
        line = HistoryLine(
            registration=one,
            at=self.now,
            kind=kind,
            hand=by.hand,
            who=by.name[:150],
            revision=one.revision,
            **more,
        )
        self.lines.append(line)
        return line

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Do something wholly or not at all: the history and webhooks have nothing that a DomainError ended."""
        lines = len(self.lines)
        try:
            with transaction.atomic():
                yield
        except DomainError:
            del self.lines[lines:]
            raise

    def mail(self, one: Registration, kind: str, *, at_once: bool = False) -> None:
        """Send a mail soon. One about a state replaces those about earlier states that are not sent yet."""
        self.mail_many([one], kind, at_once=at_once)

    def mail_many(self, ones: Iterable[Registration], kind: str, *, at_once: bool = False) -> None:
        """Send a mail to each of them, as `mail`. Two queries for any number."""
        written = [one for one in ones if one.email]
        if not written or self.quiet:
            return
        waiting = Mail.objects.filter(registration__in=written, state=Mail.State.QUEUED)
        replaced = waiting.exclude(kind__in=OF_NO_STATE)
        if kind == MailKind.LINK:  # it says nothing about a decision
            replaced = waiting.filter(kind=MailKind.LINK)
        replaced.update(state=Mail.State.DROPPED)
        due = self.now if at_once else self.now + MAILS_WAIT
        Mail.objects.bulk_create(
            Mail(registration=one, kind=kind, revision=one.revision, not_before=due) for one in written
        )

    def reaches(self, one: Registration) -> bool:
        """Return whether a mail that is made now goes to the player."""
        sends = self.event.public and not self.event.rehearsal
        return conf.MAIL_IS_SET_UP and bool(one.email) and sends and not self.quiet

    def deadline(self, state: RegistrationState, one: Registration) -> datetime | None:
        """Return when the state ends by itself; None for one that lasts.

        The player's time to correct or to take a place ends at 20:00 in the zone of the event, at least 12 hours
        from now, and never later than round 1 begins. It has no end while no mail tells the player about it.
        """
        if state == RegistrationState.SUBMITTED:
            return self.now + timedelta(hours=self.form.hold_hours)
        hours = {
            RegistrationState.CORRECTION: self.form.correction_hours,
            RegistrationState.OFFERED: self.form.offer_hours,
        }.get(state)
        if hours is None or not self.reaches(one):
            return None
        end, begins = evening(self.now, timedelta(hours=hours)), begin_of(one.section, self.event)
        return begins if self.now < begins < end else end


def _find_entries(ones: list[Registration]) -> None:
    """Join accepted registrations again with their entries, which an arbiter has removed and brought back by undo."""
    entries = Participant.objects.filter(
        section__in={one.section_id for one in ones},
        player__name__in=[one.name for one in ones],
        registration=None,
    )
    found = {
        (each.section_id, each.player.name, each.player.fide_id, each.player.birth_date): each
        for each in (entries.select_related("player") if ones else ())
    }
    for one in ones:
        entry = found.pop((one.section_id, one.name, one.fide_id, one.birth_date), None)
        if entry is not None:
            one.participant = entry
            one.save(update_fields=["participant"])


def begin_of(section: Section, event: Event) -> datetime:
    """Return when round 1 begins. Without its time, the day begins at midnight in the zone of the event."""
    first = section.start_of(1) or RoundStart(event.start)
    midnight = start_of(first.day, event.time_zone)
    return midnight if first.time is None else datetime.combine(first.day, first.time, midnight.tzinfo)


def evening(now: datetime, lasts: timedelta) -> datetime:
    """Return the last 20:00 of the current time zone within `lasts`, or the first one that is 12 hours away."""
    end = timezone.localtime(now + lasts).replace(hour=20, minute=0, second=0, microsecond=0)
    while end > now + lasts:
        end -= timedelta(days=1)
    while end < now + timedelta(hours=12):
        end += timedelta(days=1)
    return end


@contextmanager
def event_lock(event_id: int) -> Iterator[EventLock]:
    """Lock the registrations of an event. Places that become free inside are offered before the lock is given back.

    Raises NotFound for an event without registration; DomainError("event_archived"); Busy.
    """
    from .clock import accept_by_rule, offer_free_places

    with transaction_or_busy():
        form = (
            EventRegistration.objects.select_for_update(of=("self",), no_key=True)
            .select_related("event")
            .filter(event=event_id)
            .first()
        )
        if form is None:
            raise NOT_FOUND.error(kind="event", id=event_id)
        refuse_at_rest(form.event)
        lock = EventLock(form=form, now=timezone.now())
        with in_zone(lock.event.time_zone):  # the clock works for all events, wherever they are
            yield lock
            for one in lock.paid:
                accept_by_rule(lock, one)
            for section_id in sorted(lock.freed):
                offer_free_places(lock, section_id)
        HistoryLine.objects.bulk_create(lock.lines)
        queue_registrations(event_id, map(_message, lock.lines))
        if lock.touched:
            form.revision += 1
            form.save(update_fields=["revision"])


def _message(line: HistoryLine) -> tuple[int, int, int, str]:
    """Return what webhooks are told of a line of the history."""
    words = {HistoryLine.Kind.MOVE: line.to_state, HistoryLine.Kind.SECTION: "moved"}
    one = line.registration
    return one.section_id, one.pk, one.revision, words.get(HistoryLine.Kind(line.kind), "changed")


def event_of(registration_id: int) -> int:
    """Return the event of a registration. Raises NotFound."""
    found = Registration.objects.filter(pk=registration_id).values_list("event", flat=True).first()
    if found is None:
        raise NOT_FOUND.error(kind="registration", id=registration_id)
    return found
