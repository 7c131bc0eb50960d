"""Whom a person may invite, and whose roles the person may end: which roles, where, and until when at most."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date

from base.zones import today_in

from .models import Event, EventRole, Invitation, User
from .rights import NAMES, Role


@dataclass(frozen=True, slots=True)
class AppointPower:
    """What one role of a person lets the person decide. section: where; None: everywhere. until: the last day of that
    role, None for no end: nobody gives what lasts longer than the own role.
    """

    roles: frozenset[str]
    section: int | None = None
    until: date | None = None

    def reaches(self, role: str, section: int | None) -> bool:
        return role in self.roles and self.section in (None, section)

    def lasts(self, until: date | None) -> bool:
        return self.until is None or (until is not None and until <= self.until)


@dataclass(frozen=True, slots=True)
class MayAppoint:
    """All that a person may decide about roles in an event."""

    powers: tuple[AppointPower, ...] = ()

    @property
    def roles(self) -> frozenset[str]:
        return frozenset().union(*(power.roles for power in self.powers))

    @property
    def sections(self) -> frozenset[int] | None:
        """Return the only sections in which the person decides; None: in the whole event."""
        places = {power.section for power in self.powers}
        return None if None in places else frozenset(place for place in places if place is not None)

    @property
    def until(self) -> date | None:
        """Return the last day on which a role that the person gives can count; None for no such day."""
        ends = [power.until for power in self.powers if power.until is not None]
        return max(ends) if len(ends) == len(self.powers) and ends else None

    def gives(self, role: str, sections: Iterable[int], until: date | None) -> bool:
        """Return whether the person may give this role. sections: none for the whole event."""
        places: Collection[int | None] = {*sections} or {None}
        return all(
            any(power.reaches(role, place) and power.lasts(until) for power in self.powers)
            for place in places
        )

    def ends(self, role: str, section: int | None) -> bool:
        """Return whether the person may end such a role of somebody."""
        return any(power.reaches(role, section) for power in self.powers)

    def sees(self, section: int | None) -> bool:
        """Return whether a role in this section (None: in the whole event) counts where the person decides."""
        own = self.sections
        return own is None or section is None or section in own


EVERYTHING = MayAppoint((AppointPower(frozenset(Role.values)),))


def may_appoint(user: User, event: Event) -> MayAppoint:
    """Return what a person may decide about roles now. One query."""
    if not user.is_active:
        return MayAppoint()
    if user.is_superuser:
        return EVERYTHING
    today = today_in(event.time_zone)
    rows = EventRole.objects.filter(event_id=event.pk, user_id=user.pk)
    return MayAppoint(
        tuple(
            AppointPower(NAMES[row.role], row.section_id, row.until)
            for row in rows
            if row.role in NAMES and row.counts_on(today)
        )
    )


def may_appoint_with_token(user: User, event: Event) -> MayAppoint:
    """Return the same for a token of this person. No token gives or ends the role of an owner: whoever has a copy of
    it could keep the event for good.
    """
    powers = may_appoint(user, event).powers
    return MayAppoint(tuple(replace(power, roles=power.roles - {Role.OWNER}) for power in powers))


def may_send(naming: MayAppoint, invitation: Invitation) -> bool:
    """Return whether a person could make this invitation now."""
    sections = [section.pk for section in invitation.sections.all()]
    return naming.gives(invitation.role, sections, invitation.until)


def may_revoke(naming: MayAppoint, invitation: Invitation) -> bool:
    """Return whether a person may end this invitation."""
    places: list[int | None] = [section.pk for section in invitation.sections.all()]
    return all(naming.ends(invitation.role, place) for place in places or [None])
