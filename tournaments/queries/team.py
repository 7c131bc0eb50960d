"""The people of an event, with their roles, and what they have open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef
from django.utils import timezone

from base.zones import today_in
from tournaments.models import Event, EventRole, LoginSession, User
from tournaments.naming import EVERYTHING, Naming
from tournaments.open_pages import OpenPage, page_of_text, pages_of

OPEN_FOR = timedelta(hours=1)
"""A page that was not asked for since then no longer counts as open: most pages ask every few seconds."""


@dataclass(frozen=True, slots=True)
class HeldRole:
    """A role of a person. over: its last day is in the past, so it gives nothing."""

    row: EventRole
    over: bool

    @property
    def section(self) -> str:
        return self.row.section.name if self.row.section else ""


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the event with all roles, also those that are over."""

    user: User
    roles: Sequence[HeldRole]

    @property
    def owns(self) -> bool:
        return any(held.row.role == EventRole.Role.OWNER for held in self.roles)

    @property
    def works(self) -> bool:
        return any(not held.over for held in self.roles)


ORDER = {role: place for place, role in enumerate(EventRole.Role.values)}


def people_of(event: Event, naming: Naming = EVERYTHING) -> list[Person]:
    """Return the people of an event, owners first, then by user name. One query. naming: of the person who looks; a
    chief arbiter of some sections sees the roles that count there.
    """
    today = today_in(event.time_zone)
    held: dict[int, list[HeldRole]] = {}
    rows = event.roles.select_related("user", "section").order_by("user__username", "section", "pk")
    for row in sorted(rows, key=lambda row: ORDER[row.role]):
        if not naming.sees(row.section_id):
            continue
        held.setdefault(row.user_id, []).append(HeldRole(row, not row.counts_on(today)))
    return [Person(roles[0].row.user, roles) for roles in held.values()]


@dataclass(frozen=True, slots=True)
class Seat:
    """A person who has a page of the event open, on one device. section: the name of its section, "" for none."""

    user: User
    page: OpenPage
    section_id: int | None
    section: str


def seats_of(event: Event, naming: Naming = EVERYTHING) -> list[Seat]:
    """Return who has which page of the event open, the latest first. Two queries. naming: as in `people_of`."""
    now = timezone.now()
    valid = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=now)
    staff = EventRole.objects.filter(event=event).values("user")
    sessions = list(LoginSession.objects.filter(Exists(valid), user__in=staff).select_related("user"))
    seen = pages_of(session.session_key for session in sessions)
    sections = {slug: (key, name) for slug, key, name in event.sections.values_list("slug", "pk", "name")}
    seats = []
    for session in sessions:
        kept = page_of_text(session.page, session.seen_at)
        page = max(filter(None, (seen.get(session.session_key), kept)), key=lambda one: one.at, default=None)
        if page is None or page.event != event.slug or now - page.at > OPEN_FOR:
            continue
        if page.section and page.section not in sections:
            continue
        seat = Seat(session.user, page, *sections.get(page.section, (None, "")))
        if naming.sees(seat.section_id):
            seats.append(seat)
    return sorted(seats, key=lambda seat: (-seat.page.at.timestamp(), seat.user.username))
