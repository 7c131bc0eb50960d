"""Invitations to work on an event: made by its owners, and counted once the invited person has accepted.

Nobody learns whether a login exists: an invitation by name looks the same if nobody has that name.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

from django.utils import timezone

from base.text import one_line
from tournaments.boards import Boards, columns_of
from tournaments.errors import DomainError, NotFound
from tournaments.models import Event, EventRole, Invitation, User
from tournaments.models.invitation import hash_of, in_a_week
from tournaments.naming import EVERYTHING, Naming, may_revoke, may_send, naming_of

from .ledger import Actor, EventEntry, act_on_event
from .roles import checked_scope, described, give_role, grant, refuse_beyond, refuse_boards, scope

MOST_OPEN = 100
"""Open invitations of an event."""
TOKEN_BYTES = 32


def invite_by_link(
    *,
    actor: Actor,
    event: Event,
    role: str,
    note: str = "",
    sections: Iterable[int] = (),
    until: date | None = None,
    boards: Boards | None = None,
    naming: Naming = EVERYTHING,
) -> tuple[Invitation, str]:
    """Make a link for one person, and return it as invitation and token. The token is stored nowhere.

    note: whom the link is for, to recognise the link. sections, until, boards, naming: as in `give_role`.
    Raises DomainError: role_unknown, role_of_whole_event, role_end_past, role_only_by_owner, role_beyond,
    too_many_invitations, and those of `refuse_boards`.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    note = one_line(note)[:80]
    with act_on_event(event_id=event.pk, actor=actor, action="invite") as entry:
        chosen = checked_scope(entry.event, role, sections, until)
        refuse_boards(role, boards)
        refuse_beyond(naming, role, chosen, until)
        _refuse_too_many(event)
        made = Invitation.objects.create(
            event=event,
            role=role,
            note=note,
            token_hash=hash_of(token),
            made_by=actor.user,
            until=until,
            **columns_of(boards),
        )
        made.sections.set(chosen)
        entry.subject = note
        entry.after = {**scope(role, chosen, until, boards), "by_link": True}
    return made, token


def invite_by_name(
    *,
    actor: Actor,
    event: Event,
    username: str,
    role: str,
    sections: Iterable[int] = (),
    until: date | None = None,
    boards: Boards | None = None,
    naming: Naming = EVERYTHING,
) -> Invitation | EventRole:
    """Invite the login of this name; a person who already works on the event gets the role at once.

    The answer is the same whether the login exists or not. An earlier invitation of this name to this role ends. To a
    chief arbiter of some sections, a person who works in other ones alone is like one who does not work on the event.
    Raises DomainError: user_name_impossible, too_many_invitations, and what `give_role` raises.
    """
    username = one_line(username)
    if not username or len(username) > (User._meta.get_field("username").max_length or 0):  # noqa: SLF001
        raise DomainError("user_name_impossible")
    user = User.objects.filter(username=username, is_active=True).first()
    if user is not None and any(naming.sees(row.section_id) for row in event.roles.filter(user=user)):
        return give_role(
            actor=actor,
            event=event,
            user=user,
            role=role,
            sections=sections,
            until=until,
            boards=boards,
            naming=naming,
        )
    with act_on_event(event_id=event.pk, actor=actor, action="invite") as entry:
        chosen = checked_scope(entry.event, role, sections, until)
        refuse_boards(role, boards)
        refuse_beyond(naming, role, chosen, until)
        _refuse_too_many(event)
        earlier = event.invitations.filter(username=username, role=role, state=Invitation.State.OPEN)
        if not all(may_revoke(naming, one) for one in earlier):
            raise DomainError("role_beyond")
        earlier.update(state=Invitation.State.REVOKED)
        made = Invitation.objects.create(
            event=event,
            role=role,
            username=username,
            user=user,
            made_by=actor.user,
            until=until,
            **columns_of(boards),
        )
        made.sections.set(chosen)
        entry.subject = username
        entry.after = scope(role, chosen, until, boards)
    return made


def _refuse_too_many(event: Event) -> None:
    open_ones = event.invitations.filter(state=Invitation.State.OPEN, expires_at__gt=timezone.now())
    if open_ones.count() >= MOST_OPEN:
        raise DomainError("too_many_invitations", limit=MOST_OPEN)


def send_again(
    *, actor: Actor, event: Event, invitation_id: int, naming: Naming = EVERYTHING
) -> tuple[Invitation, str]:
    """Let an invitation that nobody has answered begin again. Return it with its new token, "" if it is by name.

    The old link ends: only the newest one opens the page. naming: what the actor may decide; an invitation that the
    actor could not end is not there.
    Raises NotFound; DomainError: too_many_invitations, role_only_by_owner, role_beyond.
    """
    with act_on_event(event_id=event.pk, actor=actor, action="invite_again") as entry:
        found = event.invitations.filter(pk=invitation_id, state=Invitation.State.OPEN).first()
        if found is None or not may_revoke(naming, found):
            raise NotFound("not_found", kind="invitation", id=invitation_id)
        refuse_beyond(naming, found.role, list(found.sections.all()), found.until)
        if found.expired:
            _refuse_too_many(event)
        token = "" if found.username else secrets.token_urlsafe(TOKEN_BYTES)
        found.token_hash = hash_of(token) if token else None
        found.expires_at, found.opened_at, found.made_by = in_a_week(), None, actor.user
        found.save(update_fields=["token_hash", "expires_at", "opened_at", "made_by"])
        entry.subject = found.label
        entry.after = {"role": found.role}
    return found, token


def note_opened(invitation: Invitation) -> None:
    """Note when the page of an invitation was opened for the first time."""
    if invitation.opened_at is None:
        Invitation.objects.filter(pk=invitation.pk, opened_at=None).update(opened_at=timezone.now())


def accept_invitation(*, actor: Actor, invitation: Invitation) -> EventRole:
    """Give the actor the role. The view has checked that the actor may answer.

    Raises NotFound if the invitation is no longer open, or if whoever made it could no longer make it;
    DomainError: already_in_event, own_invitation.
    """
    user = _person(actor)
    with _answered(actor, invitation, "accept_invitation") as (entry, found):
        if has_already(user, found):
            raise DomainError("already_in_event")
        if found.made_by_id == user.pk and not user.is_superuser:
            raise DomainError("own_invitation")
        if found.made_by is not None and not may_send(naming_of(found.made_by, entry.event), found):
            raise NotFound("not_found", kind="invitation", id=found.pk)
        sections = list(found.sections.order_by("pk"))
        until, boards = found.until, found.boards
        replaced = grant(entry.event, user, found.role, sections, until, boards)
        entry.before = described(replaced)
        entry.after = scope(found.role, sections, until, boards)
        found.state = Invitation.State.ACCEPTED
    return EventRole.objects.filter(event=invitation.event_id, user=user, role=found.role).latest("pk")


def has_already(user: User, invitation: Invitation) -> bool:
    """Return whether the person has what the invitation gives, for as long and for as many boards."""
    rows = EventRole.objects.filter(event=invitation.event_id, user=user)
    held = {(row.role, row.section_id): row for row in rows}
    if (EventRole.Role.OWNER, None) in held:
        return True
    wanted = [*invitation.sections.values_list("pk", flat=True)] or [None]
    same = {section: row for (role, section), row in held.items() if role == invitation.role}

    def enough(row: EventRole) -> bool:
        if row.boards is not None and not (invitation.boards and row.boards.covers(invitation.boards)):
            return False
        return row.until is None or (invitation.until is not None and row.until >= invitation.until)

    def covered(section: int | None) -> bool:
        return any(enough(same[each]) for each in {section, None} if each in same)

    return all(covered(section) for section in wanted)


def decline_invitation(*, actor: Actor, invitation: Invitation) -> None:
    """Refuse the role. Raises NotFound if the invitation is no longer open."""
    _person(actor)
    with _answered(actor, invitation, "decline_invitation") as (entry, found):
        entry.after = {"role": found.role}
        found.state = Invitation.State.DECLINED


def revoke_invitation(*, actor: Actor, event: Event, invitation_id: int, naming: Naming = EVERYTHING) -> None:
    """End an open invitation. naming: what the actor may decide. Raises NotFound."""
    with act_on_event(event_id=event.pk, actor=actor, action="revoke_invitation") as entry:
        found = event.invitations.filter(pk=invitation_id, state=Invitation.State.OPEN).first()
        if found is None or not may_revoke(naming, found):
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
