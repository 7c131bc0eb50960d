"""The sections whose settings a new section can have."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils.timezone import localdate

from tournaments.models import Event, EventRole, Section, User


def settings_sources(user: User, event: Event) -> QuerySet[Section]:
    """Return the sections of the event and of other events that the person manages, without hidden ones."""
    shown = Section.objects.filter(taken_away=False).select_related("event").order_by("-event__start", "pk")
    if user.is_superuser:
        return shown
    live = EventRole.objects.filter(Q(until=None) | Q(until__gte=localdate()), user=user)
    managed = live.filter(role__in=[EventRole.Role.OWNER, EventRole.Role.ORGANISER]).values("event")
    return shown.filter(Q(event=event) | Q(event__in=managed))
