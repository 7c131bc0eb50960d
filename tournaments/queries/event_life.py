"""What is deleted with an event, and the deleted events that a person can bring back."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Exists, OuterRef, QuerySet

from ratings.models import RatingList
from tournaments.hooks import also_deletes
from tournaments.models import Event, EventRole, Game, User
from tournaments.models.events import DELETED_MARK, EventState


def what_goes(event: Event) -> Mapping[str, int]:
    """Return how many rows of each kind are deleted with the event. About ten queries."""
    found = {
        "sections": event.sections.count(),
        "players": event.players.count(),
        "results": Game.objects.filter(round__section__event=event).exclude(result="").count(),
        "people": event.roles.values("user").distinct().count(),
        "lists": RatingList.objects.filter(event=event).count(),
        "log": event.log.count(),
    }
    for counts in also_deletes:
        found |= counts(event)
    return found


def deleted_events(user: User) -> QuerySet[Event]:
    """Return the deleted events that the person can bring back, those first that were deleted last."""
    events = Event.objects.filter(state=EventState.DELETED).order_by("-state_since")
    if user.is_superuser:
        return events
    roles = EventRole.objects.filter(user=user, role__in=(EventRole.Role.OWNER, EventRole.Role.ORGANISER))
    return events.filter(Exists(roles.filter(event=OuterRef("pk"))))


def was_deleted(user: User, slug: str) -> bool:
    """Return whether the event at this address is a deleted one that the person can bring back."""
    return deleted_events(user).filter(slug=slug + DELETED_MARK).exists()
