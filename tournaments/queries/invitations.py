"""Invitations: those of an event, those of a person, and the one of a link."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from tournaments.declarations import names_of
from tournaments.declarations.events import ABOUT_PEOPLE
from tournaments.models import ActionLog, Event, Invitation, User
from tournaments.models.invitation import hash_of
from tournaments.naming import EVERYTHING, Naming, may_revoke

LATEST = 30
MOST_SHOWN = 200


def _open() -> QuerySet[Invitation]:
    return (
        Invitation.objects.filter(state=Invitation.State.OPEN, expires_at__gt=timezone.now())
        .select_related("event", "made_by")
        .prefetch_related("sections")
    )


@dataclass(frozen=True, slots=True)
class Sent:
    """An invitation as organisers see it. state: sent, opened, accepted, declined, run out or ended."""

    invitation: Invitation
    state: str

    @property
    def waits(self) -> bool:
        """Return whether it can be sent again or ended: nobody has answered it."""
        return self.invitation.state == Invitation.State.OPEN


def invitations_of(event: Event, naming: Naming = EVERYTHING) -> list[Sent]:
    """Return the latest invitations of an event about which a person decides, those that wait for an answer first. Two
    queries.
    """
    found = event.invitations.select_related("made_by").prefetch_related("sections").order_by("-pk")
    if naming.roles != EVERYTHING.roles:
        found = found.filter(role__in=naming.roles)
    sent = [Sent(row, _state(row)) for row in found[:MOST_SHOWN] if may_revoke(naming, row)]
    return sorted(sent, key=lambda one: not one.waits)


def _state(invitation: Invitation) -> str:
    if invitation.state == Invitation.State.REVOKED:
        return "ended"
    if invitation.state != Invitation.State.OPEN:
        return invitation.state
    return "run out" if invitation.expired else "opened" if invitation.opened_at else "sent"


def invitations_for(user: User) -> list[Invitation]:
    """Return the open invitations that a person may answer on the first page, oldest first. Two queries."""
    return list(_open().filter(user=user).order_by("pk"))


def invitation_of(token: str) -> Invitation | None:
    """Return the open invitation of a link, or None. One query."""
    wanted = hash_of(token)
    found = _open().filter(token_hash=wanted).first()
    return found if found is not None and constant_time_compare(found.token_hash or "", wanted) else None


def people_log(event: Event) -> list[ActionLog]:
    """Return the latest actions about the people of an event, newest first. One query."""
    rows = event.log.filter(section=None, action__in=names_of(ABOUT_PEOPLE)).defer("changes")
    return list(rows.order_by("-pk")[:LATEST])
