"""Reads the roles in the copy of an event."""

from __future__ import annotations

from datetime import date
from typing import Any, NamedTuple

from tournaments.boards import Boards
from tournaments.models import EventRole
from tournaments.rights import FORMER_ROLES, OF_WHOLE_EVENT


class CopiedRole(NamedTuple):
    """username: the login name. section: the place of the section in the file, from 1; 0 for the whole event. boards:
    of a result clerk, None for all.
    """

    username: str
    role: str
    section: int = 0
    until: date | None = None
    boards: Boards | None = None


def copied_role(row: Any, sections: int) -> CopiedRole:
    """Read a role of a file with so many sections. Older files name only the person and one of two roles.
    Only the role of a result clerk with own boards has two more parts.

    Raises ValueError, TypeError.
    """
    name, role, *limits = row
    if not limits:
        role, limits = FORMER_ROLES.get(role, role), [0, ""]
    section, until, *ends = limits
    if not isinstance(name, str) or "\x00" in name or role not in EventRole.Role.values:
        raise ValueError("roles")
    if type(section) is not int or not 0 <= section <= sections:
        raise ValueError("roles")
    boards = Boards(*ends) if ends else None
    if boards and not (role == EventRole.Role.CLERK and {*map(type, ends)} == {int} and boards.possible):
        raise ValueError("roles")
    found = CopiedRole(name, role, section, date.fromisoformat(until) if until else None, boards)
    if (found.section and role in OF_WHOLE_EVENT) or (found.until and role == EventRole.Role.OWNER):
        raise ValueError("roles")
    return found
