"""Undo one action, or all actions since a revision. An undo can be undone in the same way.

Each undo is an action with a row in the log. No row is ever removed from the log. Only the net effect is written: a
row that ten actions wrote is written once. Rows that disappear are deleted first and rows that come back are inserted
last, so no unique constraint is broken on the way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from django.db import IntegrityError, connection, models, transaction
from django.utils.translation import gettext_noop as _

from base.text import one_line
from tournaments.declarations.undo import RESTORE_BEFORE_ROUND, UNDO, UNDO_SINCE
from tournaments.errors import REASON_REQUIRED, Refusal
from tournaments.hooks import keeps_in_sight
from tournaments.models import ActionLog, Bye, CheckIn, ForbiddenPair, Game, Participant, Player, Section
from tournaments.models.journal import NEVER, Journaled, Values, fields_of, put, row_values
from tournaments.queries.log import STAYING, undone_in
from tournaments.queries.undo import (
    FOR_GOOD,
    MODEL,
    NUMBERS,
    ORDER,
    VERSION,
    Rewind,
    RowBack,
    UndoPlan,
    pairing_of,
    plan_since,
    plan_undo,
    ranks,
)
from tournaments.questions import Answer

from .entry_lists import note_two_sections
from .ledger import Actor, SectionEntry, act
from .roster import BATCH, Roster, follow_players
from .stored_copies import take_copy

# Refusals
# `revisions`: of this section; elsewhere: how many in other sections
UNDO_DEPENDS = Refusal(
    "undo_depends",
    params=(
        "revisions",
        "elsewhere",
    ),
)
UNDO_DIFFERS = Refusal(
    "undo_differs",
    _(
        "The database differs from the log (%(table)s %(row)s): it was changed outside the program. Nothing was undone."
    ),
)
UNDO_CLASH = Refusal(
    "undo_clash",
    _("The old values no longer match the other data, so this cannot be undone. Nothing was changed."),
)


# Put rows back to what they were before some actions.
#
# Only the net effect is written: a row that ten actions wrote is written once. Rows that disappear are
# deleted first and rows that come back are inserted last, so no unique constraint is broken on the way.

PLACES: dict[type[Journaled], frozenset[str]] = {
    Game: frozenset({"round_id", "board", "white_id", "black_id"}),
    Bye: frozenset({"participant_id", "round_number"}),
    CheckIn: frozenset({"participant_id", "round_number"}),
    ForbiddenPair: frozenset({"first_id", "second_id"}),
}
"""Columns in which two rows may have to exchange values: such rows are deleted and inserted again."""
FREED: dict[type[Journaled], tuple[str, ...]] = {Participant: ("tpn", "fixed_board"), Player: ("fide_id",)}
"""Unique columns that can be empty: they are emptied first, so that rows can exchange values."""


def put_back(rewind: Rewind) -> None:
    """Put the rows back. Raises IntegrityError; DomainError("undo_differs") if a row is not as the journal says."""
    work = {model: _Work(model) for model in ORDER}
    for (model, key), row in rewind.rows.items():
        work[MODEL[model]].take(key, row)
    for one in reversed(ORDER):
        work[one].check()
    for one in reversed(ORDER):
        work[one].delete()
    for one in ORDER:
        work[one].change()
    for one in ORDER:
        work[one].insert()


class _Work:
    """The work to do in one table."""

    def __init__(self, model: type[Journaled]) -> None:
        self.model = model
        self._gone: list[int] = []
        self._new: dict[int, Values] = {}
        self._rows: dict[int, RowBack] = {}
        self._changed: list[tuple[models.Model, frozenset[str]]] = []

    def take(self, key: int, row: RowBack) -> None:
        self._rows[key] = row

    def check(self) -> None:
        """Read the rows and find out what to do with each. Raises DomainError("undo_differs")."""
        there = self._there()
        for key, row in self._rows.items():
            found = there.get(key)
            if (found is None) != (row.expected is None) or (found and _differs(found, row.expected or {})):
                raise UNDO_DIFFERS.error(table=self.model.__name__.lower(), row=key)
            if row.target is None:
                self._gone.append(key)
            elif found is None:
                self._new[key] = self._raised(row.target, row.version)
            else:
                self._prepare(found, row)

    def _prepare(self, found: models.Model, row: RowBack) -> None:
        assert row.target is not None
        assert row.expected is not None
        changed = {name: value for name, value in row.target.items() if value != row.expected[name]}
        if self.model is Section:
            changed = {name: value for name, value in changed.items() if name not in FOR_GOOD}
        changed.pop(VERSION, None)
        if not changed:
            return
        if hasattr(found, VERSION):
            changed[VERSION] = getattr(found, VERSION) + 1
        if PLACES.get(self.model, frozenset()) & set(changed):
            self._gone.append(found.pk)
            self._new[found.pk] = {**row_values(found), **changed}
            return
        self._changed.append((found, frozenset(put(found, changed))))

    def _raised(self, values: Values, version: int) -> Values:
        return {**values, VERSION: version + 1} if VERSION in values else values

    def _there(self) -> dict[int, models.Model]:
        keys = list(self._rows)
        found: dict[int, models.Model] = {}
        for start in range(0, len(keys), BATCH):
            found |= self.model.objects.in_bulk(keys[start : start + BATCH])
        return found

    def _read(self, name: str, value: Any) -> Any:
        return fields_of(self.model)[name].to_python(value)

    def delete(self) -> None:
        for keys in _batches(self._gone):
            self.model.objects.filter(pk__in=keys).delete()

    def change(self) -> None:
        groups: dict[frozenset[str], list[models.Model]] = defaultdict(list)
        for row, columns in self._changed:
            groups[columns].append(row)
        for name in FREED.get(self.model, ()):
            freed = [row.pk for row, columns in self._changed if name in columns]
            for keys in _batches(freed):
                self.model.objects.filter(pk__in=keys).update(**{name: None})
        for columns, rows in groups.items():
            self.model.objects.bulk_update(rows, sorted(columns), batch_size=BATCH)

    def insert(self) -> None:
        rows = [
            self.model(**{"id": key, **{name: self._read(name, value) for name, value in values.items()}})
            for key, values in sorted(self._new.items())
        ]
        self.model.objects.bulk_create(rows, batch_size=BATCH)


def _batches(keys: Sequence[int]) -> Iterable[Sequence[int]]:
    return (keys[start : start + BATCH] for start in range(0, len(keys), BATCH))


def _differs(found: models.Model, expected: Values) -> bool:
    now = row_values(found, [name for name in expected if name not in {VERSION, *NUMBERS, *NEVER}])
    return any(now[name] != expected[name] for name in now)


def undo(
    *, actor: Actor, section_id: int, revision: int, reason: str = "", both: Answer = False
) -> ActionLog:
    """Undo one action, if no later action depends on it. Return the action that was undone.

    both: the arbiter has agreed that players who play again here also play in another section.
    Raises NotFound; DomainError: unless `both`, two_sections_to_confirm; undone_already, undo_beginning,
    undo_elsewhere, undo_not_kept, undo_for_good, undo_depends, undo_differs, undo_clash.
    """
    with act(section_id=section_id, actor=actor, action=UNDO, allow_closed=True, with_event=True) as entry:
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
        action=UNDO_SINCE,
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
        raise REASON_REQUIRED.error()
    with act(
        section_id=section_id,
        actor=actor,
        action=RESTORE_BEFORE_ROUND,
        seen_revision=seen_revision,
        allow_closed=True,
        with_event=True,
    ) as entry:
        revision = pairing_of(entry.section, number)
        entry.round_number = number
        return _go_back(entry, revision - 1, actor, reason, both=both)


def _refuse_dependents(plan: UndoPlan) -> None:
    if plan.dependents or plan.outside:
        revisions = [found.revision for found in plan.dependents]
        raise UNDO_DEPENDS.error(revisions=revisions, elsewhere=len(plan.outside))


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


def _take_back(entry: SectionEntry, plan: UndoPlan, actor: Actor, *, both: Answer) -> None:
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
        raise UNDO_CLASH.error() from error
    section.refresh_from_db()
    if section.taken_away and not hidden:
        for refuse in keeps_in_sight:
            refuse(section)
    _ask_about_two_sections(entry, playing, both=both)
    if anew:
        Roster.load(section).renumber(entry)
    changed = Participant.objects.filter(player__in=players).exclude(section=section)
    if changed.exists():
        follow_players(players, section, actor, entry, ranked=rewind.ranked_players())


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
