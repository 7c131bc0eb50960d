"""Who may undo an action: a person who has the right to do it."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.boards import OwnBoards
from tournaments.declarations import entries, names_of, names_of_module, presence, results, sections, undo
from tournaments.models import ActionLog, Section
from tournaments.queries.log import LogRow
from tournaments.rights import Right

NEEDED: Mapping[str, Right] = {
    **dict.fromkeys(names_of_module(sections), Right.DIRECT),
    **dict.fromkeys(names_of((sections.TAKE_SECTION_AWAY, sections.BRING_SECTION_BACK)), Right.MANAGE),
    **dict.fromkeys(names_of((sections.SET_COUNTDOWN, sections.SET_HALL_MESSAGE)), Right.RUN),
    **dict.fromkeys(names_of_module(results), Right.RESULTS),
    **dict.fromkeys(names_of((results.CORRECT_RESULT, results.CORRECT_FOR_RATING)), Right.DIRECT),
    **dict.fromkeys(
        names_of(
            (
                *(
                    entries.ADD_PARTICIPANT,
                    entries.EDIT_PARTICIPANT,
                    entries.EDIT_PLAYER,
                    entries.REMOVE_PARTICIPANT,
                ),
                *(entries.MOVE_ENTRY_AWAY, entries.MOVE_ENTRY_HERE),
                *(entries.IMPORT_ENTRIES, entries.ORDER_EQUALS, entries.WITHDRAW_PARTICIPANT),
                *(entries.EXPEL_PARTICIPANT, entries.READMIT_PARTICIPANT),
            )
        ),
        Right.ENTRIES,
    ),
    **dict.fromkeys(names_of((presence.CHECK_IN, presence.TAKE_BACK_CHECK_IN)), Right.PRESENCE),
    **dict.fromkeys(names_of((undo.UNDO_SINCE, undo.RESTORE_BEFORE_ROUND)), Right.DIRECT),
}
"""By name of the action; to undo any other action takes the right to run the section."""


ADDS = names_of(
    (
        *(entries.ADD_PARTICIPANT, entries.IMPORT_ENTRIES, entries.REMOVE_PARTICIPANT),
        *(entries.REMOVE_PARTICIPANTS, entries.MOVE_ENTRY_AWAY, entries.MOVE_ENTRY_HERE),
        *(entries.MOVE_ENTRIES_AWAY, entries.MOVE_ENTRIES_HERE),
    )
)
"""Actions whose undo, or the undo of it, makes an entry."""


def rights_to_undo(rights: frozenset[Right], boards: OwnBoards) -> frozenset[Right]:
    """Return the rights that count for an undo. Who enters results of some boards alone corrects them where they were
    entered.
    """
    return rights if boards is None else rights - {Right.RESULTS}


def may_undo(held: frozenset[Right], row: LogRow) -> bool:
    """Return whether a person with these rights may undo this action. No query."""
    undone = [row.undone_row.action] if row.undone_row else []
    needed = {NEEDED.get(name, Right.RUN) for name in (row.action, *undone) if name != undo.UNDO.name}
    return (needed or {Right.RUN}) <= held


def undone_actions(section: Section, rows: QuerySet[ActionLog]) -> set[str]:
    """Return the names of all actions that an undo of these rows touches: of an undo, what it undid, in the end. One
    query, and one more for each step back.
    """
    columns = ("action", "undoes", "back_to", "revision")
    names, seen, step = set(), set[int](), list(rows.values_list(*columns))
    while step:
        names |= {name for name, *_places in step if name != undo.UNDO.name}
        seen |= {revision for *_places, revision in step}
        undone = {undoes for _name, undoes, _back, _revision in step if undoes is not None}
        for _name, _undoes, back_to, revision in step:
            undone |= set() if back_to is None else {*range(back_to + 1, revision)}
        step = (
            list(section.log.filter(revision__in=undone - seen).values_list(*columns))
            if undone - seen
            else []
        )
    return names


def refuse_undo_without_right(held: frozenset[Right], section: Section, rows: QuerySet[ActionLog]) -> None:
    """Raise PermissionDenied if the person could not do all these actions. The queries are those of
    `undone_actions`.
    """
    names = undone_actions(section, rows)
    needed = {NEEDED.get(name, Right.RUN) for name in names}
    if names & ADDS and Right.RUN not in held and section.played_rounds.exists():
        needed.add(Right.RUN)  # it could bring a player into a section whose round 1 is paired
    if not (needed or {Right.RUN}) <= held:
        raise PermissionDenied(
            _("Your role does not let you do this action, so it does not let you undo it.")
        )
