"""Compare rows of logs with the declarations of their actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournaments.declarations import ACTIONS, SECTION_ACTIONS, SITE_ACTIONS, Undo
from tournaments.models import ActionLog, Section, SiteLog
from tournaments.queries.log import LogFilter, LogRow, log_rows


def undeclared(rows: Sequence[ActionLog | SiteLog]) -> list[tuple[str, str]]:
    """Return what rows have or do not have, other than declared: the action, and a word for the difference.

    after.result: the sentence needs this value, and the action did not write it. manual: an event for the report file
    that the action must not be. changes: an undo could bring back something, and the declaration says that it never
    does.
    """
    shown = {row.log_id: row for section in _sections(rows) for row in log_rows(section, LogFilter())}
    return sorted({(row.action, found) for row in rows for found in _found(row, shown)})


def _sections(rows: Sequence[ActionLog | SiteLog]) -> set[Section]:
    return {row.section for row in rows if isinstance(row, ActionLog) and row.section is not None}


def _found(row: ActionLog | SiteLog, shown: Mapping[int, LogRow]) -> list[str]:
    """shown: rows of sections, with the row that an undo has undone, by key."""
    if isinstance(row, SiteLog):
        return list(SITE_ACTIONS[row.action].sentence.absent(row))
    action = ACTIONS[row.action]
    found = list(action.sentence.absent(shown.get(row.pk, row)))
    if row.integrity and row.integrity not in action.integrity:
        found.append(row.integrity)
    if row.action in SECTION_ACTIONS and action.undo is Undo.NEVER and row.changes:
        found.append("changes")
    return found
