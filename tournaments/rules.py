"""Permissions. The views check them; the actions check only what is possible, not who asks.

    tournaments.create_event    everybody who is logged in
    tournaments.view_tournament a public event: everybody; a private event or a hidden section: its staff
    tournaments.run_tournament  arbiters and owners of the event
    tournaments.manage_event    owners of the event

Superusers may do everything (Django's own rule). The object is an Event or a Tournament.
"""

from __future__ import annotations

import rules
from django.contrib.auth.models import AnonymousUser

from .models import Event, EventRole, Tournament, User

Visitor = User | AnonymousUser


def role_in(user: Visitor, event: Event) -> str:
    """Return the person's role in an event, or "" if there is none. Costs one query for a person who is logged in."""
    if not user.is_authenticated or not user.is_active:
        return ""
    return EventRole.objects.filter(event=event, user=user).values_list("role", flat=True).first() or ""


def _event(subject: Event | Tournament) -> Event:
    return subject.event if isinstance(subject, Tournament) else subject


@rules.predicate
def works_on_event(user: Visitor, subject: Event | Tournament | None) -> bool:
    return subject is not None and role_in(user, _event(subject)) != ""


@rules.predicate
def owns_event(user: Visitor, subject: Event | Tournament | None) -> bool:
    return subject is not None and role_in(user, _event(subject)) == EventRole.Role.OWNER


@rules.predicate
def is_public(_user: Visitor, subject: Event | Tournament | None) -> bool:
    if isinstance(subject, Tournament) and subject.taken_away:
        return False
    return subject is not None and _event(subject).public


def may_make_password_link(maker: User, person: User) -> bool:
    """Tell whether `maker` may make a link with which `person` sets a new password.

    Whoever makes the link could use it. So a person who works on an event that the maker does not own gets no link from
    this maker: otherwise an organiser could add somebody to an own event, and then take over that login.
    """
    if maker.is_superuser:
        return True
    if person.is_superuser or person.is_staff:
        return False
    owned = EventRole.objects.filter(user=maker, role=EventRole.Role.OWNER).values("event")
    return not EventRole.objects.filter(user=person).exclude(event__in=owned).exists()


rules.add_perm("tournaments.create_event", rules.is_authenticated & rules.is_active)
rules.add_perm("tournaments.view_tournament", is_public | works_on_event)
rules.add_perm("tournaments.run_tournament", works_on_event)
rules.add_perm("tournaments.manage_event", owns_event)
