"""Invitations to work on an event: made by its owners, and counted once the invited person has accepted.

Nobody learns whether a login exists: an invitation by name looks the same if nobody has that name.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils import timezone

from tournaments.errors import DomainError, NotFound
from tournaments.models import Event, EventRole, Invitation, User
from tournaments.models.invitation import hash_of
from tournaments.text import one_line

from .events import change_role
from .ledger import Actor, EventEntry, act_on_event

MOST_OPEN = 100
"""Open invitations of an event."""
TOKEN_BYTES = 32


def invite_by_link(*, actor: Actor, event: Event, role: str, note: str = "") -> tuple[Invitation, str]:
    """Make a link for one person, and return it as invitation and token. The token is stored nowhere.

    note: whom the link is for, to recognise the link. Raises DomainError: role_unknown, too_many_invitations.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    note = one_line(note)[:80]
    with act_on_event(event_id=event.pk, actor=actor, action="invite") as entry:
        _check(event, role)
        made = Invitation.objects.create(
            event=event, role=role, note=note, token_hash=hash_of(token), made_by=actor.user
        )
        entry.subject = note
        entry.after = {"role": role, "by_link": True}
    return made, token


def invite_by_name(*, actor: Actor, event: Event, username: str, role: str) -> Invitation | EventRole:
    """Invite the login of this name; a person who already works on the event gets the role at once.

    The answer is the same whether the login exists or not. An earlier invitation of the same name ends.
    Raises DomainError: role_unknown, too_many_invitations, last_owner, invalid_values.
    """
    username = one_line(username)
    if not username or len(username) > (User._meta.get_field("username").max_length or 0):  # noqa: SLF001
        raise DomainError("user_name_impossible")
    user = User.objects.filter(username=username, is_active=True).first()
    if user is not None and event.roles.filter(user=user).exists():
        return change_role(actor=actor, event=event, user=user, role=role)
    with act_on_event(event_id=event.pk, actor=actor, action="invite") as entry:
        _check(event, role)
        event.invitations.filter(username=username, state=Invitation.State.OPEN).update(
            state=Invitation.State.REVOKED
        )
        made = Invitation.objects.create(
            event=event, role=role, username=username, user=user, made_by=actor.user
        )
        entry.subject = username
        entry.after = {"role": role}
    return made


def _check(event: Event, role: str) -> None:
    if role not in EventRole.Role.values:
        raise DomainError("role_unknown", role=role)
    open_ones = event.invitations.filter(state=Invitation.State.OPEN, expires_at__gt=timezone.now())
    if open_ones.count() >= MOST_OPEN:
        raise DomainError("too_many_invitations", limit=MOST_OPEN)


def accept_invitation(*, actor: Actor, invitation: Invitation) -> EventRole:
    """Give the actor the role. The view has checked that the actor may answer.

    Raises NotFound if the invitation is no longer open; DomainError("already_in_event").
    """
    user = _person(actor)
    with _answered(actor, invitation, "accept_invitation") as (entry, found):
        held = EventRole.objects.filter(event=entry.event, user=user).first()
        if held and held.role in (found.role, EventRole.Role.OWNER):
            raise DomainError("already_in_event")
        given, _ = EventRole.objects.update_or_create(
            event=entry.event, user=user, defaults={"role": found.role}
        )
        entry.before = {"role": held.role} if held else {}
        entry.after = {"role": found.role}
        found.state = Invitation.State.ACCEPTED
    return given


def decline_invitation(*, actor: Actor, invitation: Invitation) -> None:
    """Refuse the role. Raises NotFound if the invitation is no longer open."""
    _person(actor)
    with _answered(actor, invitation, "decline_invitation") as (entry, found):
        entry.after = {"role": found.role}
        found.state = Invitation.State.DECLINED


def revoke_invitation(*, actor: Actor, event: Event, invitation_id: int) -> None:
    """End an open invitation. Raises NotFound."""
    with act_on_event(event_id=event.pk, actor=actor, action="revoke_invitation") as entry:
        found = event.invitations.filter(pk=invitation_id, state=Invitation.State.OPEN).first()
        if found is None:
            raise NotFound("not_found", kind="invitation", id=invitation_id)
        found.state = Invitation.State.REVOKED
        found.save(update_fields=["state"])
        entry.subject = found.label
        entry.before = {"role": found.role}


def claim_invitation(*, invitation: Invitation, user: User) -> None:
    """Reserve a link for the login that was just made from it: a link makes one login.

    To be called in a transaction. Raises NotFound if the link is no longer open or another login has claimed it.
    """
    claimed = Invitation.objects.filter(
        pk=invitation.pk, state=Invitation.State.OPEN, user=None, username="", expires_at__gt=timezone.now()
    ).update(user=user)
    if not claimed:
        raise NotFound("not_found", kind="invitation", id=invitation.pk)


def _person(actor: Actor) -> User:
    if actor.user is None:
        raise TypeError("only a login can answer an invitation")
    return actor.user


@contextmanager
def _answered(actor: Actor, invitation: Invitation, action: str) -> Iterator[tuple[EventEntry, Invitation]]:
    """Lock the event, read the invitation again, and save the state that the block gives it."""
    with act_on_event(event_id=invitation.event_id, actor=actor, action=action) as entry:
        found: Any = Invitation.objects.filter(pk=invitation.pk).first()
        if found is None or not found.is_open or not found.is_for(_person(actor).pk):
            raise NotFound("not_found", kind="invitation", id=invitation.pk)
        yield entry, found
        entry.subject = _person(actor).username
        found.answered_by = actor.user
        found.save(update_fields=["state", "answered_by"])
