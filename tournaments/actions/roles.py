"""Roles in an event: given, with other boards, ended one by one, and all those of a person ended."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django.db.models import Q

from base.text import one_line
from base.zones import today_in
from tournaments.boards import HIGHEST, Boards, columns_of
from tournaments.errors import DomainError, NotFound
from tournaments.models import Event, EventRole, Invitation, Section, User
from tournaments.naming import EVERYTHING, Naming, may_send, naming_of
from tournaments.rights import OF_WHOLE_EVENT

from .ledger import Actor, act_on_event

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

    For the command line: on the pages, people are invited (`tournaments.actions.invitations`). past_too: for a copy.
    Raises DomainError: user_unknown, and what `give_role` raises.
    """
    username = one_line(username)
    user = User.objects.filter(username=username, is_active=True).first()
    if user is None:
        raise DomainError("user_unknown", username=username)
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
    naming: Naming = EVERYTHING,
) -> EventRole:
    """Give a person one more role in an event. It replaces the role of owner, and that of owner replaces all others.

    sections: keys of those in which the role counts; none: the whole event. until: its last day. boards: of a result
    clerk, None for all. past_too: it may be over, as in a copy of an old event. naming: what the actor may decide.
    Raises DomainError: role_unknown, role_of_whole_event, role_end_past, last_owner, own_role, and those of
    `refuse_boards`, `refuse_beyond` and `refuse_to_end`.
    """
    with act_on_event(event_id=event.pk, actor=actor, action="add_role") as entry:
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
        entry.before = described(replaced)
        entry.after = scope(role, chosen, until, boards)
        return EventRole.objects.filter(event=event, user=user, role=role).latest("pk")


def checked_scope(
    event: Event, role: str, sections: Iterable[int], until: date | None, *, past_too: bool = False
) -> Sequence[Section]:
    """Return the sections in which the role will count, none for the whole event.

    Raises NotFound for a section of another event: without it, the role would count in the whole event.
    """
    if role not in Role.values:
        raise DomainError("role_unknown", role=role)
    wanted = set(map(int, sections))
    chosen = list(event.sections.filter(pk__in=wanted).order_by("pk"))
    if unknown := wanted - {section.pk for section in chosen}:
        raise NotFound("not_found", kind="section", id=min(unknown))
    if role in OF_WHOLE_EVENT and chosen:
        raise DomainError("role_of_whole_event", role=role)
    if until is not None and role == Role.OWNER:
        raise DomainError("owner_for_good")
    if until is not None and not past_too and until < today_in(event.time_zone):
        raise DomainError("role_end_past", day=until.isoformat())
    return chosen


def refuse_boards(role: str, boards: Boards | None) -> None:
    """Refuse a range of boards that a role cannot have. Raises DomainError: boards_of_clerk, boards_out_of_range."""
    if boards is None:
        return
    if role != Role.CLERK:
        raise DomainError("boards_of_clerk")
    if not boards.possible:
        raise DomainError("boards_out_of_range", first=boards.first, last=boards.last, highest=HIGHEST)


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
            event=event, user=user, role=role, section=section, until=until, **columns_of(boards)
        )
    if replaced:
        end_invitations_of(event, user)
    return replaced


def refuse_beyond(naming: Naming, role: str, sections: Sequence[Section], until: date | None) -> None:
    """Refuse a role that the actor may not give. Raises DomainError: role_only_by_owner, role_beyond."""
    if naming.gives(role, [section.pk for section in sections], until):
        return
    if role == Role.OWNER:
        raise DomainError("role_only_by_owner")
    raise DomainError("role_beyond")


def refuse_to_end(naming: Naming, rows: Iterable[EventRole]) -> None:
    """Refuse the end of roles about which the actor may not decide. Raises DomainError: role_of_owner, role_beyond."""
    for row in rows:
        if naming.ends(row.role, row.section_id):
            continue
        if row.role == Role.OWNER:
            raise DomainError("role_of_owner", username=row.user.username)
        raise DomainError("role_beyond")


def end_role(*, actor: Actor, event: Event, role_id: int, naming: Naming = EVERYTHING) -> None:
    """End one role of a person. naming: what the actor may decide; a role that the actor does not see is not there.

    Raises NotFound; DomainError: last_owner, role_of_owner, role_beyond.
    """
    with act_on_event(event_id=event.pk, actor=actor, action="remove_role") as entry:
        rows = EventRole.objects.filter(event=event, pk=role_id).select_related("user", "section")
        held = rows.first()
        if held is None or not naming.sees(held.section_id):
            raise NotFound("not_found", kind="role", id=role_id)
        entry.subject = held.user.username
        entry.before = described([held])
        _end(event, held.user, [held], naming)


def remove_role(*, actor: Actor, event: Event, username: str, naming: Naming = EVERYTHING) -> None:
    """End all roles of a person in an event. Invitations that the person made end.

    Raises NotFound; DomainError: last_owner, role_of_owner, role_beyond.
    """
    username = one_line(username)
    with act_on_event(event_id=event.pk, actor=actor, action="remove_role") as entry:
        rows = EventRole.objects.filter(event=event, user__username=username)
        held = list(rows.select_related("user", "section").order_by("pk"))
        if not held:
            raise NotFound("not_found", kind="role", id=username)
        entry.subject = username
        entry.before = described(held)
        _end(event, held[0].user, held, naming)


def _end(event: Event, user: User, rows: Sequence[EventRole], naming: Naming) -> None:
    refuse_to_end(naming, rows)
    if any(row.role == Role.OWNER for row in rows):
        refuse_last_owner(event, user)
    for row in rows:
        row.delete()
    end_invitations_of(event, user)


def end_invitations_of(event: Event, user: User) -> None:
    """End the open invitations of a person that the person could no longer make."""
    naming = naming_of(user, event)
    made = event.invitations.filter(made_by=user, state=Invitation.State.OPEN).prefetch_related("sections")
    over = [one.pk for one in made if not may_send(naming, one)]
    event.invitations.filter(pk__in=over).update(state=Invitation.State.REVOKED)


def refuse_last_owner(event: Event, user: User) -> None:
    owners = EventRole.objects.filter(event=event, role=Role.OWNER, user__is_active=True)
    if not owners.exclude(user=user).exists():
        raise DomainError("last_owner", username=user.username)


def refuse_own(event: Event, user: User) -> None:
    """Refuse that an organiser takes a role: only owners decide about their own roles."""
    if user.is_superuser:
        return
    if EventRole.objects.filter(~Q(role=Role.OWNER), event=event, user=user).exists():
        raise DomainError("own_role")


def change_boards(
    *, actor: Actor, event: Event, role_id: int, boards: Boards | None, naming: Naming = EVERYTHING
) -> EventRole:
    """Give a result clerk other boards, None for all. naming: as in `end_role`.

    Raises NotFound; DomainError: role_beyond, own_role, and those of `refuse_boards`.
    """
    with act_on_event(event_id=event.pk, actor=actor, action="change_boards") as entry:
        rows = EventRole.objects.filter(event=event, pk=role_id).select_related("user", "section")
        held = rows.first()
        if held is None or not naming.sees(held.section_id):
            raise NotFound("not_found", kind="role", id=role_id)
        refuse_to_end(naming, [held])
        if actor.user == held.user:
            refuse_own(entry.event, held.user)
        if held.role != Role.CLERK:
            raise DomainError("boards_of_clerk")
        refuse_boards(held.role, boards)
        entry.subject, entry.before = held.user.username, described([held])
        entry.unchanged = held.boards == boards
        for name, board in columns_of(boards).items():
            setattr(held, name, board)
        if not entry.unchanged:
            held.save(update_fields=["first_board", "last_board"])
        entry.after = described([held])
    return held


def scope(
    role: str, sections: Sequence[Section], until: date | None, boards: Boards | None = None
) -> dict[str, Any]:
    """Return what the log says of a role."""
    limits: dict[str, Any] = {"sections": [section.name for section in sections]} if sections else {}
    if boards:
        limits["own_boards"] = str(boards)
    return {"role": role, **limits, **({"until": until.isoformat()} if until else {})}


def described(rows: Sequence[EventRole]) -> dict[str, Any]:
    """Return what the log says of roles that a person had: one with its limits, several by name."""
    if len(rows) == 1:
        row = rows[0]
        return scope(row.role, [row.section] if row.section else [], row.until, row.boards)
    return {"role": list(dict.fromkeys(row.role for row in rows))} if rows else {}
