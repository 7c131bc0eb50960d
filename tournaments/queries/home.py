"""The events that a person may see, and one event with its sections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Prefetch, Q, QuerySet

from tournaments.models import Event, EventRole, Participant, Round, Section, User


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A section. round_number, round_state: of the latest round that the reader may see, or 0 and ""."""

    section_id: int
    name: str
    slug: str
    rounds: int
    players: int
    closed: bool
    round_number: int
    round_state: str


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event. role: "owner", "arbiter" or "" for a reader; a superuser counts as owner.

    away: hidden sections, for people who work on the event.
    """

    event_id: int
    name: str
    slug: str
    city: str
    federation: str
    start: date
    end: date
    public: bool
    role: str
    chief_arbiter: str
    deputy_arbiters: tuple[str, ...]
    time_control: str
    sections: tuple[SectionRow, ...]
    away: tuple[SectionRow, ...]

    @property
    def staff(self) -> bool:
        return bool(self.role)


def public_events(user: User | AnonymousUser) -> tuple[EventRow, ...]:
    """Return public events and events that the user works on, newest first. At most four queries."""
    events = Event.objects.all()
    if not user.is_authenticated:
        events = events.filter(public=True)
    elif not user.is_superuser:
        events = events.filter(Q(public=True) | Q(roles__user=user)).distinct()
    return _rows(events, user)


def event_overview(event: Event, user: User | AnonymousUser) -> EventRow:
    """Return one event with its sections. The view checks whether the user may see it. At most four queries."""
    return _rows(Event.objects.filter(pk=event.pk), user)[0]


def _rows(events: QuerySet[Event], user: User | AnonymousUser) -> tuple[EventRow, ...]:
    sections = Section.objects.order_by("pk").annotate(
        players=Count("participants", filter=~Q(participants__status=Participant.Status.EXPELLED))
    )
    shown: Any = Prefetch("sections", queryset=sections)
    rounds: Any = Prefetch("sections__played_rounds", queryset=Round.objects.order_by("number"))
    found = list(events.order_by("-start", "name", "pk").prefetch_related(shown, rounds))
    roles = _roles(found, user)
    return tuple(_event_row(event, roles.get(event.pk, "")) for event in found)


def _roles(events: list[Event], user: User | AnonymousUser) -> dict[int, str]:
    if not user.is_authenticated:
        return {}
    if user.is_superuser:
        return {event.pk: EventRole.Role.OWNER.value for event in events}
    return dict(EventRole.objects.filter(user=user).values_list("event_id", "role"))


def _event_row(event: Event, role: str) -> EventRow:
    there = [section for section in event.sections.all() if not section.taken_away]
    away = [section for section in event.sections.all() if section.taken_away and role]
    return EventRow(
        event_id=event.pk,
        name=event.name,
        slug=event.slug,
        city=event.city,
        federation=event.federation,
        start=event.start,
        end=event.end,
        public=event.public,
        role=role,
        chief_arbiter=event.chief_arbiter,
        deputy_arbiters=tuple(line.strip() for line in event.deputy_arbiters.splitlines() if line.strip()),
        time_control=event.time_control,
        sections=tuple(_section_row(section, staff=bool(role)) for section in there),
        away=tuple(_section_row(section, staff=True) for section in away),
    )


def _section_row(section: Section, *, staff: bool) -> SectionRow:
    seen = [row for row in section.played_rounds.all() if staff or not row.is_draft]
    return SectionRow(
        section_id=section.pk,
        name=section.name,
        slug=section.slug,
        rounds=section.rounds,
        players=vars(section)["players"],  # annotated by the query
        closed=section.is_closed,
        round_number=seen[-1].number if seen else 0,
        round_state=seen[-1].state if seen else "",
    )
