"""Access tokens as their pages list them, and what else a login has opened for others."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone

from tournaments.models import AccessToken, Event, Invitation, PasswordLink, User


def tokens_of_event(event: Event) -> QuerySet[AccessToken]:
    """Return the tokens of an event that are in force, newest first. One query."""
    return _valid(AccessToken.objects.filter(event=event))


def tokens_of_person(user: User) -> QuerySet[AccessToken]:
    """Return a person's tokens for all own events that are in force. One query."""
    return _valid(AccessToken.objects.filter(event=None, made_by=user))


Counts = tuple[int, int, int]
"""Of access tokens, open invitations and links for a password."""
NOTHING: Counts = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Opened:
    """What works without the password of the login that made it: rows that are in force."""

    tokens: QuerySet[AccessToken]
    invitations: QuerySet[Invitation]
    links: QuerySet[PasswordLink]

    def counts(self) -> Counts:
        """Return how many of each there are. Three queries."""
        return self.tokens.count(), self.invitations.count(), self.links.count()


def opened_by(user: User) -> Opened:
    """Return what a login has opened. A thief of the login could have made each of it, and use it later."""
    now = timezone.now()
    open_ones = Invitation.objects.filter(made_by=user, state=Invitation.State.OPEN, expires_at__gt=now)
    return Opened(
        _valid(AccessToken.objects.filter(made_by=user)).order_by("event", "pk"),
        open_ones.select_related("event").order_by("event", "pk"),
        PasswordLink.objects.filter(made_by=user, used_at=None, expires_at__gt=now),
    )


def _valid(tokens: QuerySet[AccessToken]) -> QuerySet[AccessToken]:
    return tokens.filter(ended_at=None, expires_at__gt=timezone.now()).select_related("made_by")
