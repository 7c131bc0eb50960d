"""What each role may do in an event: data, which `tournaments.rules` asks and the page People shows in words.

Neither organiser nor chief arbiter contains the other; an owner may do what both may.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from .models import EventRole

Role = EventRole.Role


class Right(StrEnum):
    """The name of a permission, without its application."""

    VIEW = "view_section"
    SEE = "see_section"
    SEE_RESULTS = "see_results"
    RESULTS = "enter_results"
    SEE_PRESENCE = "see_presence"
    PRESENCE = "note_presence"
    ENTRIES = "enter_players"
    RUN = "run_section"
    DIRECT = "direct_section"
    SEE_REGISTRATIONS = "see_registrations"
    DESK = "use_desk"
    REGISTRATIONS = "decide_registrations"
    COPIES = "keep_copies"
    ARCHIVE = "save_archive"
    SEE_PEOPLE = "see_people"
    NAME = "name_people"
    MANAGE = "manage_event"

    @property
    def permission(self) -> str:
        return f"tournaments.{self.value}"


SEEN = frozenset({Right.VIEW, Right.SEE, Right.SEE_RESULTS, Right.SEE_PRESENCE})
ROUNDS = SEEN | {
    *(
        Right.RESULTS,
        Right.PRESENCE,
        Right.ENTRIES,
        Right.RUN,
        Right.SEE_REGISTRATIONS,
        Right.DESK,
        Right.COPIES,
        Right.SEE_PEOPLE,
    )
}
PEOPLE = frozenset({Right.SEE_PEOPLE, Right.NAME})
QUEUE = frozenset({Right.SEE_REGISTRATIONS, Right.DESK, Right.REGISTRATIONS})
RIGHTS: Mapping[str, frozenset[Right]] = {
    Role.OWNER: frozenset(Right),
    Role.ORGANISER: SEEN
    | QUEUE
    | PEOPLE
    | {
        *(Right.PRESENCE, Right.ENTRIES, Right.COPIES, Right.ARCHIVE, Right.MANAGE),
    },
    Role.CHIEF: ROUNDS | QUEUE | PEOPLE | {Right.DIRECT, Right.ARCHIVE},
    Role.ARBITER: ROUNDS,
    Role.CLERK: frozenset({Right.VIEW, Right.SEE_RESULTS, Right.RESULTS}),
    Role.CHECK_IN: frozenset({Right.VIEW, Right.SEE_PRESENCE, Right.PRESENCE, Right.DESK}),
    Role.VIEWER: SEEN,
}
NAMES: Mapping[str, frozenset[str]] = {
    Role.OWNER: frozenset(Role.values),
    Role.ORGANISER: frozenset(Role.values) - {Role.OWNER},
    Role.CHIEF: frozenset({Role.ARBITER, Role.CLERK, Role.CHECK_IN, Role.VIEWER}),
}
"""The roles that each role may give and end, where it counts. `who_may_appoint` has the limits of a person."""
OF_WHOLE_EVENT = frozenset({Role.OWNER, Role.ORGANISER})
"""Roles that nobody can have in one section only."""
FORMER_ROLES = {"arbiter": Role.CHIEF}
"""A role in a copy of the time when there were two, and the one that has all its rights."""
