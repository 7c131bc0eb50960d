"""Which actions were undone, and by which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Q, QuerySet

from tournaments.declarations import Undo, names_with
from tournaments.models import ActionLog

Undoer = tuple[int, int | None, int | None]
"""Revision, and what it undoes: one action, or everything after a revision. Neither: an action that stays."""

STAYING = names_with(Undo.STAYS, Undo.FOLLOWS)
"""Actions that going back does not undo. A person who was changed in another section stays changed."""


def undoers_of(section_id: int) -> QuerySet[ActionLog]:
    """Return the actions that undid others."""
    rows = ActionLog.objects.filter(section=section_id)
    return rows.filter(Q(undoes__isnull=False) | Q(back_to__isnull=False) | Q(action__in=STAYING))


def undone_in(section_id: int) -> dict[int, int]:
    """Map the revision of each undone action to the revision of the action that undid it. One query.

    An undo that was undone itself no longer counts: the actions that it undid count again.
    """
    return taken_back(undoers_of(section_id).values_list("revision", "undoes", "back_to"))


def turned_by(section_id: int, revision: int) -> tuple[set[int], set[int]]:
    """Return the actions that count again, and those that no longer count, if an undo is undone. One query.

    Actions that only undid others are left out.
    """
    known = list(undoers_of(section_id).values_list("revision", "undoes", "back_to"))
    now = set(taken_back(known))
    then = set(taken_back(row for row in known if row[0] != revision))
    undoing = {row[0] for row in known}
    return now - then - undoing, then - now - undoing


def taken_back(undoers: Iterable[Undoer]) -> dict[int, int]:
    """Return the same as `undone_in`, from rows in any order."""
    undone: dict[int, int] = {}
    staying = set()
    for revision, undoes, back_to in sorted(undoers, reverse=True):  # only a later action can undo
        if undoes is None and back_to is None:
            staying.add(revision)
        if revision in undone:
            continue
        if undoes is not None:
            undone.setdefault(undoes, revision)
        if back_to is not None:
            for earlier in range(back_to + 1, revision):
                undone.setdefault(earlier, revision)
    return {earlier: by for earlier, by in undone.items() if earlier not in staying}


def stands(revision: int, undone: Mapping[int, int]) -> bool:
    return revision not in undone
