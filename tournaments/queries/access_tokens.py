"""Access tokens as their pages list them."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from tournaments.models import AccessToken, Event, User


def tokens_of_event(event: Event) -> QuerySet[AccessToken]:
    """Return the tokens of an event that are in force, newest first. One query."""
    return _valid(AccessToken.objects.filter(event=event))


def tokens_of_person(user: User) -> QuerySet[AccessToken]:
    """Return a person's tokens for all own events that are in force. One query."""
    return _valid(AccessToken.objects.filter(event=None, made_by=user))


def _valid(tokens: QuerySet[AccessToken]) -> QuerySet[AccessToken]:
    return tokens.filter(ended_at=None, expires_at__gt=timezone.now()).select_related("made_by")
