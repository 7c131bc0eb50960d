"""The people of an event, with their roles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.models import Event, EventRole, User
from tournaments.zones import today_in


@dataclass(frozen=True, slots=True)
class HeldRole:
    """A role of a person. over: its last day is in the past, so it gives nothing."""

    row: EventRole
    over: bool

    @property
    def section(self) -> str:
        return self.row.section.name if self.row.section else ""


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the event with all roles, also those that are over."""

    user: User
    roles: Sequence[HeldRole]

    @property
    def owns(self) -> bool:
        return any(held.row.role == EventRole.Role.OWNER for held in self.roles)

    @property
    def works(self) -> bool:
        return any(not held.over for held in self.roles)


ORDER = {role: place for place, role in enumerate(EventRole.Role.values)}


def people_of(event: Event) -> list[Person]:
    """Return the people of an event, owners first, then by user name. One query."""
    today = today_in(event.time_zone)
    held: dict[int, list[HeldRole]] = {}
    rows = event.roles.select_related("user", "section").order_by("user__username", "section", "pk")
    for row in sorted(rows, key=lambda row: ORDER[row.role]):
        held.setdefault(row.user_id, []).append(HeldRole(row, not row.counts_on(today)))
    return [Person(roles[0].row.user, roles) for roles in held.values()]
