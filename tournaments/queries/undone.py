"""Which actions were taken back, and by which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import Q

from tournaments.models import ActionLog

Undoer = tuple[int, int | None, int | None]
"""Revision, and what it undoes: one action, or everything after a revision."""


def undone_in(tournament_id: int) -> dict[int, int]:
    """By revision of what was taken back: the revision of the action that did it. One query.

    An undo that was undone itself counts no more, and what it took back stands again.
    """
    rows = ActionLog.objects.filter(tournament=tournament_id)
    undoers = rows.filter(Q(undoes__isnull=False) | Q(back_to__isnull=False))
    return taken_back(undoers.values_list("revision", "undoes", "back_to"))


def turned_by(tournament_id: int, revision: int) -> tuple[set[int], set[int]]:
    """What stands again and what no longer stands once an action that took others back is undone. One query.

    Without those of them that only took others back themselves.
    """
    rows = ActionLog.objects.filter(tournament=tournament_id)
    undoers = rows.filter(Q(undoes__isnull=False) | Q(back_to__isnull=False))
    known = list(undoers.values_list("revision", "undoes", "back_to"))
    now = set(taken_back(known))
    then = set(taken_back(row for row in known if row[0] != revision))
    undoing = {row[0] for row in known}
    return now - then - undoing, then - now - undoing


def taken_back(undoers: Iterable[Undoer]) -> dict[int, int]:
    """The same from the rows themselves, in any order."""
    undone: dict[int, int] = {}
    for revision, undoes, back_to in sorted(undoers, reverse=True):  # only what is later can undo
        if revision in undone:
            continue
        if undoes is not None:
            undone.setdefault(undoes, revision)
        if back_to is not None:
            for earlier in range(back_to + 1, revision):
                undone.setdefault(earlier, revision)
    return undone


def stands(revision: int, undone: Mapping[int, int]) -> bool:
    return revision not in undone
