"""Undo one action, or all actions since a revision. An undo can be undone in the same way.

Each undo is an action with a row in the log. No row is ever removed from the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from django.db import IntegrityError, connection, transaction

from base.text import one_line
from tournaments.beside import keeps_in_sight
from tournaments.errors import DomainError
from tournaments.models import ActionLog, Participant
from tournaments.queries.rewind import ORDER, ranks
from tournaments.queries.undo_plan import Plan, pairing_of, plan_since, plan_undo
from tournaments.queries.undone import STAYING, undone_in
from tournaments.questions import Answer

from .backups import take_copy
from .entry_import import note_two_sections
from .ledger import Actor, SectionEntry, act
from .put_back import put_back
from .roster import Roster, follow


def undo(
    *, actor: Actor, section_id: int, revision: int, reason: str = "", both: Answer = False
) -> ActionLog:
    """Undo one action, if no later action depends on it. Return the action that was undone.

    both: the arbiter has agreed that players who play again here also play in another section.
    Raises NotFound; DomainError: unless `both`, two_sections_to_confirm; undone_already, undo_beginning,
    undo_elsewhere, undo_not_kept, undo_for_good, undo_depends, undo_differs, undo_clash.
    """
    with act(section_id=section_id, actor=actor, action="undo", allow_closed=True, with_event=True) as entry:
        plan = plan_undo(entry.section, revision)
        _refuse_dependents(plan)
        (row,) = plan.rows
        entry.undoes = revision
        entry.subject, entry.round_number, entry.reason = row.subject, row.round_number, one_line(reason)
        entry.before, entry.after = row.after, {**_keys(row), **row.before}
        _take_back(entry, plan, actor, both=both)
    return row


def undo_since(
    *,
    actor: Actor,
    section_id: int,
    revision: int,
    seen_revision: int,
    reason: str = "",
    both: Answer = False,
) -> int:
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
        return _go_back(entry, revision - 1, actor, reason, both=both)


def restore_before_round(
    *,
    actor: Actor,
    section_id: int,
    number: int,
    seen_revision: int,
    reason: str,
    both: Answer = False,
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
        return _go_back(entry, revision - 1, actor, reason, both=both)


def _refuse_dependents(plan: Plan) -> None:
    if plan.dependents or plan.outside:
        revisions = [found.revision for found in plan.dependents]
        raise DomainError("undo_depends", revisions=revisions, elsewhere=len(plan.outside))


def _go_back(entry: SectionEntry, revision: int, actor: Actor, reason: str, *, both: Answer) -> int:
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
    _take_back(entry, plan, actor, both=both)
    return count


def _take_back(entry: SectionEntry, plan: Plan, actor: Actor, *, both: Answer) -> None:
    section, rewind = entry.section, plan.rewind
    participants = list(section.participants.all())
    hidden = section.taken_away
    rested = section.is_closed or hidden
    playing = [] if rested else [each.pk for each in participants if each.is_active]
    players = rewind.touches("player")
    ranked = ranks(chain.from_iterable(row.changes for row in plan.rows))
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
    if section.taken_away and not hidden:
        for refuse in keeps_in_sight:
            refuse(section)
    _ask_about_two_sections(entry, playing, both=both)
    if anew:
        Roster.load(section).renumber(entry)
    changed = Participant.objects.filter(player__in=players).exclude(section=section)
    if changed.exists():
        follow(players, section, actor, entry, ranked=rewind.ranked_players())


def _ask_about_two_sections(entry: SectionEntry, playing: Sequence[int], *, both: Answer) -> None:
    """Raises DomainError("two_sections_to_confirm") for players who play again here, and in another section too."""
    active = entry.section.participants.filter(status=Participant.Status.ACTIVE)
    again = active.exclude(pk__in=playing).select_related("player")
    entry.after.pop("also_in", None)  # of the action that comes back: it was so then
    note_two_sections(entry, entry.section, [each.player for each in again], both=both)


def _in_a_row(numbers: Sequence[int | None]) -> bool:
    return {*numbers} == {*range(1, len(numbers) + 1)}


def _keys(row: ActionLog) -> dict[str, object]:
    return {name: row.after[name] for name in ("participant", "game", "changed") if name in row.after}
