"""The sections whose settings a new section can have."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils.timezone import localdate

from tournaments.models import Event, EventRole, Section, User


def settings_sources(user: User, event: Event) -> QuerySet[Section]:
    """Return the sections of the event and of other events that the person manages."""
    if user.is_superuser:
        return Section.objects.select_related("event").order_by("-event__start", "pk")
    live = EventRole.objects.filter(Q(until=None) | Q(until__gte=localdate()), user=user)
    managed = live.filter(role__in=[EventRole.Role.OWNER, EventRole.Role.ORGANISER]).values("event")
    found = Section.objects.filter(Q(event=event) | Q(event__in=managed)).select_related("event")
    return found.order_by("-event__start", "pk")
