"""Undo one action, or all actions since a revision. An undo can be undone in the same way.

Each undo is an action with a row in the log. No row is ever removed from the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from django.db import IntegrityError, connection, transaction

from tournaments.errors import DomainError
from tournaments.models import ActionLog, Participant
from tournaments.queries.rewind import ORDER, ranks
from tournaments.queries.undo_plan import Plan, pairing_of, plan_since, plan_undo
from tournaments.queries.undone import STAYING, undone_in
from tournaments.text import one_line

from .backups import take_copy
from .ledger import Actor, SectionEntry, act
from .put_back import put_back
from .roster import Roster, follow


def undo(*, actor: Actor, section_id: int, revision: int, reason: str = "") -> ActionLog:
    """Undo one action, if no later action depends on it. Return the action that was undone.

    Raises NotFound; DomainError: undone_already, undo_beginning, undo_elsewhere, undo_not_kept, undo_for_good,
    undo_depends, undo_differs, undo_clash.
    """
    with act(section_id=section_id, actor=actor, action="undo", allow_closed=True, with_event=True) as entry:
        plan = plan_undo(entry.section, revision)
        _refuse_dependents(plan)
        (row,) = plan.rows
        entry.undoes = revision
        entry.subject, entry.round_number, entry.reason = row.subject, row.round_number, one_line(reason)
        entry.before, entry.after = row.after, {**_keys(row), **row.before}
        _take_back(entry, plan, actor)
    return row


def undo_since(*, actor: Actor, section_id: int, revision: int, seen_revision: int, reason: str = "") -> int:
    """Undo an action and everything that was done in the section after it. Return the number of undone actions.

    A copy of the section is kept first. seen_revision: of the page that listed the actions.
    Raises Stale, DomainError("copy_not_written"), and what `undo` raises.
    """
    with act(
        section_id=section_id,
        actor=actor,
        action="undo_since",
        seen_revision=seen_revision,
        allow_closed=True,
        with_event=True,
    ) as entry:
        return _go_back(entry, revision - 1, actor, reason)


def restore_before_round(
    *, actor: Actor, section_id: int, number: int, seen_revision: int, reason: str
) -> int:
    """Restore the section as it was just before a round was paired. Return the number of undone actions.

    A copy of the section is kept first.
    Raises Stale; DomainError: reason_required, restore_unknown, copy_not_written, and what `undo` raises.
    """
    if not one_line(reason):
        raise DomainError("reason_required")
    with act(
        section_id=section_id,
        actor=actor,
        action="restore_before_round",
        seen_revision=seen_revision,
        allow_closed=True,
        with_event=True,
    ) as entry:
        revision = pairing_of(entry.section, number)
        entry.round_number = number
        return _go_back(entry, revision - 1, actor, reason)


def _refuse_dependents(plan: Plan) -> None:
    if plan.dependents or plan.outside:
        revisions = [found.revision for found in plan.dependents]
        raise DomainError("undo_depends", revisions=revisions, elsewhere=len(plan.outside))


def _go_back(entry: SectionEntry, revision: int, actor: Actor, reason: str) -> int:
    plan = plan_since(entry.section, revision)
    _refuse_dependents(plan)
    take_copy(entry.section, "restore")
    undone = undone_in(entry.section.pk)
    going = (row for row in plan.rows if row.revision not in undone and row.action not in STAYING)
    count = sum(1 for row in going if row.undoes is None and row.back_to is None)
    entry.back_to, entry.reason = revision, one_line(reason)
    entry.before, entry.after = (
        {"revision": entry.section.revision},
        {"revision": revision, "actions": count},
    )
    if entry.round_number is None:
        entry.round_number = plan.rows[0].round_number
    entry.after["changed"] = sorted(plan.rewind.touches("participant"))
    _take_back(entry, plan, actor)
    return count


def _take_back(entry: SectionEntry, plan: Plan, actor: Actor) -> None:
    section, rewind = entry.section, plan.rewind
    participants = list(section.participants.all())
    players = rewind.touches("player")
    ranked = ranks(chain.from_iterable(row.written for row in plan.rows))
    anew = ranked and (plan.numbers_moved_on or not _in_a_row(rewind.numbers(participants)))
    if anew:
        rewind.without_numbers()
    try:
        with transaction.atomic():
            put_back(rewind)
            connection.check_constraints([model._meta.db_table for model in ORDER])  # noqa: SLF001 - public
    except IntegrityError as error:
        raise DomainError("undo_clash") from error
    section.refresh_from_db()
    if anew:
        Roster.load(section).renumber(entry)
    changed = Participant.objects.filter(player__in=players).exclude(section=section)
    if changed.exists():
        follow(players, section, actor, entry, ranked=rewind.ranked_players())


def _in_a_row(numbers: Sequence[int | None]) -> bool:
    return {*numbers} == {*range(1, len(numbers) + 1)}


def _keys(row: ActionLog) -> dict[str, object]:
    return {name: row.after[name] for name in ("participant", "game", "changed") if name in row.after}
