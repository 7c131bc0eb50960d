"""The people of an event: roles given, changed and ended, and invitations that count once they are accepted.

Nobody learns whether a login exists: an invitation by name looks the same if nobody has that name.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

from base.text import one_line
from base.zones import today_in
from tournaments.declarations import Action
from tournaments.declarations.events import (
    ACCEPT_INVITATION,
    ADD_ROLE,
    CHANGE_BOARDS,
    DECLINE_INVITATION,
    INVITE,
    INVITE_AGAIN,
    REMOVE_ROLE,
    REVOKE_INVITATION,
)
from tournaments.errors import NOT_FOUND, USER_UNKNOWN, Refusal
from tournaments.models import Event, EventRole, Invitation, Section, User
from tournaments.models.events import HIGHEST_BOARD, Boards, board_columns
from tournaments.models.people import hash_of, in_a_week
from tournaments.rights import OF_WHOLE_EVENT
from tournaments.who_may_appoint import EVERYTHING, MayAppoint, may_appoint, may_revoke, may_send

from .ledger import Actor, EventEntry, act_on_event

# Refusals
ROLE_UNKNOWN = Refusal("role_unknown", _("%(role)s is not a role of this program."))
USER_NAME_IMPOSSIBLE = Refusal("user_name_impossible", _("Give a user name of at most 150 characters."))
ROLE_OF_WHOLE_EVENT = Refusal(
    "role_of_whole_event",
    _("Owners and organisers work in the whole event. Choose no section."),
    params=("role",),
)
ROLE_END_PAST = Refusal(
    "role_end_past", _("The last day of the role is over: %(day)s. Choose a later day, or none.")
)
OWNER_FOR_GOOD = Refusal(
    "owner_for_good", _("An owner has no last day. Leave the day empty, or choose another role.")
)
BOARDS_OF_CLERK = Refusal("boards_of_clerk", _("Only a result clerk has own boards."))
BOARDS_OUT_OF_RANGE = Refusal(
    "boards_out_of_range",
    _(
        "%(first)s to %(last)s is no range of boards. Write the first and the last board, from 1 to %(highest)s."
    ),
)
ROLE_OF_OWNER = Refusal(
    "role_of_owner",
    _("%(username)s is an owner. Only an owner can end this role, on a page and not with a token."),
)
ROLE_ONLY_BY_OWNER = Refusal(
    "role_only_by_owner", _("Only an owner can make somebody owner, on a page and not with a token.")
)
ROLE_BEYOND = Refusal(
    "role_beyond",
    _(
        "Your role does not let you decide about this role. A chief arbiter decides about arbiters, result clerks, "
        "check-in and viewers where their own role counts. A role never lasts longer than that of the person who "
        "gives it."
    ),
)
OWN_ROLE = Refusal("own_role", _("Only an owner can give a role to their own login. Ask another organiser."))
OWN_INVITATION = Refusal(
    "own_invitation", _("You made this invitation yourself. Send the link to the person whom you invite.")
)
LAST_OWNER = Refusal("last_owner", _("%(username)s is the only owner. Make another person owner first."))
TOO_MANY_INVITATIONS = Refusal(
    "too_many_invitations",
    ngettext_lazy(
        "The event has %(limit)s open invitation. Revoke it if nobody needs it any more.",
        "The event has %(limit)s open invitations. Revoke those that nobody needs any more.",
        "limit",
    ),
    ("limit",),
)
ALREADY_IN_EVENT = Refusal("already_in_event", _("You already work on this event in this role or as owner."))


# Roles in an event: given, with other boards, ended one by one, and all those of a person ended.

Role = EventRole.Role


def add_role(
    *,
    actor: Actor,
    event: Event,
    username: str,
    role: str,
    sections: Iterable[int] = (),
    until: date | None = None,
    boards: Boards | None = None,
    past_too: bool = False,
) -> EventRole:
    """Give a person a role in an event without asking them.

    For the command line: on the pages, people are invited (`tournaments.actions.people`). past_too: for a copy.
    Raises DomainError: user_unknown, and what `give_role` raises.
    """
    username = one_line(username)
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        raise USER_UNKNOWN.error(username=username)
    return give_role(
        actor=actor,
        event=event,
        user=user,
        role=role,
        sections=sections,
        until=until,
        boards=boards,
        past_too=past_too,
    )


def give_role(
    *,
    actor: Actor,
    event: Event,
    user: User,
    role: str,
    sections: Iterable[int] = (),
    until: date | None = None,
    boards: Boards | None = None,
    past_too: bool = False,
    naming: MayAppoint = EVERYTHING,
) -> EventRole:
    """Give a person one more role in an event. It replaces the role of owner, and that of owner replaces all others.

    sections: keys of those in which the role counts; none: the whole event. until: its last day. boards: of a result
    clerk, None for all. past_too: it may be over, as in a copy of an old event. naming: what the actor may decide.
    Raises DomainError: role_unknown, role_of_whole_event, role_end_past, last_owner, own_role, and those of
    `refuse_boards`, `refuse_beyond` and `refuse_to_end`.
    """
    with act_on_event(event_id=event.pk, actor=actor, action=ADD_ROLE) as entry:
        chosen = checked_scope(entry.event, role, sections, until, past_too=past_too)
        refuse_boards(role, boards)
        refuse_beyond(naming, role, chosen, until)
        if actor.user == user:
            refuse_own(entry.event, user)
        standing = EventRole.objects.filter(event=event, user=user, role=role).order_by("-pk")
        held = {(row.section_id, row.until, row.boards): row for row in standing}
        wanted: list[int | None] = [section.pk for section in chosen]
        if all((key, until, boards) in held for key in wanted or [None]):
            entry.unchanged = True
            return standing[0]
        replaced = grant(entry.event, user, role, chosen, until, boards)
        refuse_to_end(naming, replaced)
        entry.subject = user.username
        entry.before = roles_described(replaced)
        entry.after = role_scope(role, chosen, until, boards)
        return EventRole.objects.filter(event=event, user=user, role=role).latest("pk")


def checked_scope(
    event: Event, role: str, sections: Iterable[int], until: date | None, *, past_too: bool = False
) -> Sequence[Section]:
    """Return the sections in which the role will count, none for the whole event.

    Raises NotFound for a section of another event: without it, the role would count in the whole event.
    """
    if role not in Role.values:
        raise ROLE_UNKNOWN.error(role=role)
    wanted = set(map(int, sections))
    chosen = list(event.sections.filter(pk__in=wanted).order_by("pk"))
    if unknown := wanted - {section.pk for section in chosen}:
        raise NOT_FOUND.error(kind="section", id=min(unknown))
    if role in OF_WHOLE_EVENT and chosen:
        raise ROLE_OF_WHOLE_EVENT.error(role=role)
    if until is not None and role == Role.OWNER:
        raise OWNER_FOR_GOOD.error()
    if until is not None and not past_too and until < today_in(event.time_zone):
        raise ROLE_END_PAST.error(day=until.isoformat())
    return chosen


def refuse_boards(role: str, boards: Boards | None) -> None:
    """Refuse a range of boards that a role cannot have. Raises DomainError: boards_of_clerk, boards_out_of_range."""
    if boards is None:
        return
    if role != Role.CLERK:
        raise BOARDS_OF_CLERK.error()
    if not boards.possible:
        raise BOARDS_OUT_OF_RANGE.error(first=boards.first, last=boards.last, highest=HIGHEST_BOARD)


def grant(
    event: Event,
    user: User,
    role: str,
    sections: Sequence[Section],
    until: date | None,
    boards: Boards | None,
) -> list[EventRole]:
    """Write the rows of a role, and return the rows that they replace."""
    held = list(EventRole.objects.filter(event=event, user=user).select_related("section"))
    same = [row for row in held if row.role == role]
    if role == Role.OWNER:
        replaced = held
    else:
        replaced = [row for row in held if row.role == Role.OWNER]
        if replaced:
            refuse_last_owner(event, user)
        keys = {section.pk for section in sections}
        replaced += [row for row in same if not keys or row.section_id in keys]
    for row in replaced:
        row.delete()
    places: Sequence[Section | None] = sections or [None]
    for section in places:
        EventRole.objects.create(
            event=event, user=user, role=role, section=section, until=until, **board_columns(boards)
        )
    if replaced:
        end_invitations_of(event, user)
    return replaced


def refuse_beyond(naming: MayAppoint, role: str, sections: Sequence[Section], until: date | None) -> None:
    """Refuse a role that the actor may not give. Raises DomainError: role_only_by_owner, role_beyond."""
    if naming.gives(role, [section.pk for section in sections], until):
        return
    if role == Role.OWNER:
        raise ROLE_ONLY_BY_OWNER.error()
    raise ROLE_BEYOND.error()


def refuse_to_end(naming: MayAppoint, rows: Iterable[EventRole]) -> None:
    """Refuse the end of roles about which the actor may not decide. Raises DomainError: role_of_owner, role_beyond."""
    for row in rows:
        if naming.ends(row.role, row.section_id):
            continue
        if row.role == Role.OWNER:
            raise ROLE_OF_OWNER.error(username=row.user.username)
        raise ROLE_BEYOND.error()


def end_role(*, actor: Actor, event: Event, role_id: int, naming: MayAppoint = EVERYTHING) -> None:
    """End one role of a person. naming: what the actor may decide; a role that the actor does not see is not there.

    Raises NotFound; DomainError: last_owner, role_of_owner, role_beyond.
    """
    with act_on_event(event_id=event.pk, actor=actor, action=REMOVE_ROLE) as entry:
        rows = EventRole.objects.filter(event=event, pk=role_id).select_related("user", "section")
        held = rows.first()
        if held is None or not naming.sees(held.section_id):
            raise NOT_FOUND.error(kind="role", id=role_id)
        entry.subject = held.user.username
        entry.before = roles_described([held])
        _end(event, held.user, [held], naming)


def remove_role(*, actor: Actor, event: Event, username: str, naming: MayAppoint = EVERYTHING) -> None:
    """End all roles of a person in an event. Invitations that the person made end.

    Raises NotFound; DomainError: last_owner, role_of_owner, role_beyond.
    """
    username = one_line(username)
    with act_on_event(event_id=event.pk, actor=actor, action=REMOVE_ROLE) as entry:
        rows = EventRole.objects.filter(event=event, user__username=username)
        held = list(rows.select_related("user", "section").order_by("pk"))
        if not held:
            raise NOT_FOUND.error(kind="role", id=username)
        entry.subject = username
        entry.before = roles_described(held)
        _end(event, held[0].user, held, naming)


def _end(event: Event, user: User, rows: Sequence[EventRole], naming: MayAppoint) -> None:
    refuse_to_end(naming, rows)
    if any(row.role == Role.OWNER for row in rows):
        refuse_last_owner(event, user)
    for row in rows:
        row.delete()
    end_invitations_of(event, user)


def end_invitations_of(event: Event, user: User) -> None:
    """End the open invitations of a person that the person could no longer make."""
    naming = may_appoint(user, event)
    made = event.invitations.filter(made_by=user, state=Invitation.State.OPEN).prefetch_related("sections")
    over = [one.pk for one in made if not may_send(naming, one)]
    event.invitations.filter(pk__in=over).update(state=Invitation.State.REVOKED)


def refuse_last_owner(event: Event, user: User) -> None:
    owners = EventRole.objects.filter(event=event, role=Role.OWNER, user__is_active=True)
    if not owners.exclude(user=user).exists():
        raise LAST_OWNER.error(username=user.username)


def refuse_own(event: Event, user: User) -> None:
    """Refuse that an organiser takes a role: only owners decide about their own roles."""
    if user.is_superuser:
        return
    if EventRole.objects.filter(~Q(role=Role.OWNER), event=event, user=user).exists():
        raise OWN_ROLE.error()


def change_boards(
    *, actor: Actor, event: Event, role_id: int, boards: Boards | None, naming: MayAppoint = EVERYTHING
) -> EventRole:
    """Give a result clerk other boards, None for all. naming: as in `end_role`.

    Raises NotFound; DomainError: role_beyond, own_role, and those of `refuse_boards`.
    """
    with act_on_event(event_id=event.pk, actor=actor, action=CHANGE_BOARDS) as entry:
        rows = EventRole.objects.filter(event=event, pk=role_id).select_related("user", "section")
        held = rows.first()
        if held is None or not naming.sees(held.section_id):
            raise NOT_FOUND.error(kind="role", id=role_id)
        refuse_to_end(naming, [held])
        if actor.user == held.user:
            refuse_own(entry.event, held.user)
        if held.role != Role.CLERK:
            raise BOARDS_OF_CLERK.error()
        refuse_boards(held.role, boards)
        entry.subject, entry.before = held.user.username, roles_described([held])
        entry.unchanged = held.boards == boards
        for name, board in board_columns(boards).items():
            setattr(held, name, board)
        if not entry.unchanged:
            held.save(update_fields=["first_board", "last_board"])
        entry.after = roles_described([held])
    return held


def role_scope(
    role: str, sections: Sequence[Section], until: date | None, boards: Boards | None = None
) -> dict[str, Any]:
    """Return what the log says of a role."""
    limits: dict[str, Any] = {"sections": [section.name for section in sections]} if sections else {}
    if boards:
        limits["own_boards"] = str(boards)
    return {"role": role, **limits, **({"until": until.isoformat()} if until else {})}


def roles_described(rows: Sequence[EventRole]) -> dict[str, Any]:
    """Return what the log says of roles that a person had: one with its limits, several by name."""
    if len(rows) == 1:
        row = rows[0]
        return role_scope(row.role, [row.section] if row.section else [], row.until, row.boards)
    return {"role": list(dict.fromkeys(row.role for row in rows))} if rows else {}


# Invitations to work on an event: made by its owners, and counted once the invited person has accepted.
#
# Nobody learns whether a login exists: an invitation by name looks the same if nobody has that name.

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
    naming: MayAppoint = EVERYTHING,
) -> tuple[Invitation, str]:
    """Make a link for one person, and return it as invitation and token. The token is stored nowhere.

    note: whom the link is for, to recognise the link. sections, until, boards, naming: as in `give_role`.
    Raises DomainError: role_unknown, role_of_whole_event, role_end_past, role_only_by_owner, role_beyond,
    too_many_invitations, and those of `refuse_boards`.
    """
    token = secrets.token_urlsafe(TOKEN_BYTES)
    note = one_line(note)[:80]
    with act_on_event(event_id=event.pk, actor=actor, action=INVITE) as entry:
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
            **board_columns(boards),
        )
        made.sections.set(chosen)
        entry.subject = note
        entry.after = {**role_scope(role, chosen, until, boards), "by_link": True}
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
    naming: MayAppoint = EVERYTHING,
) -> Invitation | EventRole:
    """Invite the login of this name; a person who already works on the event gets the role at once.

    The answer is the same whether the login exists or not. An earlier invitation of this name to this role ends. To a
    chief arbiter of some sections, a person who works in other ones alone is like one who does not work on the event.
    Raises DomainError: user_name_impossible, too_many_invitations, and what `give_role` raises.
    """
    username = one_line(username)
    if not username or len(username) > (User._meta.get_field("username").max_length or 0):  # noqa: SLF001
        raise USER_NAME_IMPOSSIBLE.error()
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
    with act_on_event(event_id=event.pk, actor=actor, action=INVITE) as entry:
        chosen = checked_scope(entry.event, role, sections, until)
        refuse_boards(role, boards)
        refuse_beyond(naming, role, chosen, until)
        _refuse_too_many(event)
        earlier = event.invitations.filter(username=username, role=role, state=Invitation.State.OPEN)
        if not all(may_revoke(naming, one) for one in earlier):
            raise ROLE_BEYOND.error()
        earlier.update(state=Invitation.State.REVOKED)
        made = Invitation.objects.create(
            event=event,
            role=role,
            username=username,
            user=user,
            made_by=actor.user,
            until=until,
            **board_columns(boards),
        )
        made.sections.set(chosen)
        entry.subject = username
        entry.after = role_scope(role, chosen, until, boards)
    return made


def _refuse_too_many(event: Event) -> None:
    open_ones = event.invitations.filter(state=Invitation.State.OPEN, expires_at__gt=timezone.now())
    if open_ones.count() >= MOST_OPEN:
        raise TOO_MANY_INVITATIONS.error(limit=MOST_OPEN)


def send_invitation_again(
    *, actor: Actor, event: Event, invitation_id: int, naming: MayAppoint = EVERYTHING
) -> tuple[Invitation, str]:
    """Let an invitation that nobody has answered begin again. Return it with its new token, "" if it is by name.

    The old link ends: only the newest one opens the page. naming: what the actor may decide; an invitation that the
    actor could not end is not there.
    Raises NotFound; DomainError: too_many_invitations, role_only_by_owner, role_beyond.
    """
    with act_on_event(event_id=event.pk, actor=actor, action=INVITE_AGAIN) as entry:
        found = event.invitations.filter(pk=invitation_id, state=Invitation.State.OPEN).first()
        if found is None or not may_revoke(naming, found):
            raise NOT_FOUND.error(kind="invitation", id=invitation_id)
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
    with _answered(actor, invitation, ACCEPT_INVITATION) as (entry, found):
        if has_already(user, found):
            raise ALREADY_IN_EVENT.error()
        if found.made_by_id == user.pk and not user.is_superuser:
            raise OWN_INVITATION.error()
        if found.made_by is not None and not may_send(may_appoint(found.made_by, entry.event), found):
            raise NOT_FOUND.error(kind="invitation", id=found.pk)
        sections = list(found.sections.order_by("pk"))
        until, boards = found.until, found.boards
        replaced = grant(entry.event, user, found.role, sections, until, boards)
        entry.before = roles_described(replaced)
        entry.after = role_scope(found.role, sections, until, boards)
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
    with _answered(actor, invitation, DECLINE_INVITATION) as (entry, found):
        entry.after = {"role": found.role}
        found.state = Invitation.State.DECLINED


def revoke_invitation(
    *, actor: Actor, event: Event, invitation_id: int, naming: MayAppoint = EVERYTHING
) -> None:
    """End an open invitation. naming: what the actor may decide. Raises NotFound."""
    with act_on_event(event_id=event.pk, actor=actor, action=REVOKE_INVITATION) as entry:
        found = event.invitations.filter(pk=invitation_id, state=Invitation.State.OPEN).first()
        if found is None or not may_revoke(naming, found):
            raise NOT_FOUND.error(kind="invitation", id=invitation_id)
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
        raise NOT_FOUND.error(kind="invitation", id=invitation.pk)


def _person(actor: Actor) -> User:
    if actor.user is None:
        raise TypeError("only a login can answer an invitation")
    return actor.user


@contextmanager
def _answered(
    actor: Actor, invitation: Invitation, action: Action
) -> Iterator[tuple[EventEntry, Invitation]]:
    """Lock the event, read the invitation again, and save the state that the block gives it."""
    with act_on_event(event_id=invitation.event_id, actor=actor, action=action) as entry:
        found: Any = Invitation.objects.filter(pk=invitation.pk).first()
        if found is None or not found.is_open or not found.is_for(_person(actor).pk):
            raise NOT_FOUND.error(kind="invitation", id=invitation.pk)
        yield entry, found
        entry.subject = _person(actor).username
        found.answered_by = actor.user
        found.save(update_fields=["state", "answered_by"])
