"""The sections whose settings a new section can have."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from base.zones import today_in
from tournaments.models import Event, EventRole, Section, User


def settings_sources(user: User, event: Event) -> QuerySet[Section]:
    """Return the sections of the event and of other events that the person manages, without hidden ones."""
    shown = Section.objects.filter(taken_away=False).select_related("event").order_by("-event__start", "pk")
    if user.is_superuser:
        return shown
    managing = [EventRole.Role.OWNER, EventRole.Role.ORGANISER]
    roles = EventRole.objects.filter(user=user, role__in=managing).select_related("event")
    managed = [row.event_id for row in roles if row.counts_on(today_in(row.event.time_zone))]
    return shown.filter(Q(event=event) | Q(event__in=managed))
