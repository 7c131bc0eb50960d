"""The people of an event: their roles, who is online, and who is invited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from base.zones import today_in
from tournaments.declarations import names_of
from tournaments.declarations.events import ABOUT_PEOPLE
from tournaments.models import ActionLog, Event, EventRole, Invitation, LoginSession, SiteSettings, User
from tournaments.models.events import AT_REST
from tournaments.models.people import hash_of
from tournaments.rules import may_make_events
from tournaments.who_may_appoint import EVERYTHING, MayAppoint, may_revoke

from .event_life import deleted_events

# The people of an event, with their roles, and when they were last here.

ONLINE_FOR = timedelta(minutes=6)
"""So long after the last request that was written a person counts as online: one is written every five minutes."""


@dataclass(frozen=True, slots=True)
class HeldRole:
    """A role of a person. over: its last day is in the past, so it gives nothing."""

    row: EventRole
    over: bool

    @property
    def section(self) -> str:
        return self.row.section.name if self.row.section else ""


@dataclass(frozen=True, slots=True)
class TeamMember:
    """A person of the event with all roles, also those that are over. seen_at: the last request, or the last log-in."""

    user: User
    roles: Sequence[HeldRole]
    seen_at: datetime | None
    online: bool

    @property
    def owns(self) -> bool:
        return any(held.row.role == EventRole.Role.OWNER for held in self.roles)

    @property
    def works(self) -> bool:
        return any(not held.over for held in self.roles)


ROLE_ORDER = {role: place for place, role in enumerate(EventRole.Role.values)}


def people_of_event(event: Event, naming: MayAppoint = EVERYTHING) -> list[TeamMember]:
    """Return the people of an event, owners first, then by user name. Two queries. naming: of the person who looks; a
    chief arbiter of some sections sees the roles that count there.
    """
    today = today_in(event.time_zone)
    held: dict[int, list[HeldRole]] = {}
    rows = event.roles.select_related("user", "section").order_by("user__username", "section", "pk")
    for row in sorted(rows, key=lambda row: ROLE_ORDER[row.role]):
        if not naming.sees(row.section_id):
            continue
        held.setdefault(row.user_id, []).append(HeldRole(row, not row.counts_on(today)))
    now = timezone.now()
    valid = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=now)
    seen: dict[int, datetime] = {}
    online: set[int] = set()
    visits = LoginSession.objects.filter(user__in=held).order_by("seen_at")
    for user, at, counts in visits.values_list("user", "seen_at", Exists(valid)):
        seen[user] = at
        if counts and now - at <= ONLINE_FOR:
            online.add(user)
    users = [(roles[0].row.user, roles) for roles in held.values()]
    return [
        TeamMember(user, roles, seen.get(user.pk, user.last_login), user.pk in online)
        for user, roles in users
    ]


# Invitations: those of an event, those of a person, and the one of a link.

LATEST = 30
MOST_SHOWN = 200


def _open() -> QuerySet[Invitation]:
    return (
        Invitation.objects.filter(state=Invitation.State.OPEN, expires_at__gt=timezone.now())
        .exclude(event__state__in=AT_REST)
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


def invitations_of(event: Event, naming: MayAppoint = EVERYTHING) -> list[Sent]:
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


@dataclass(frozen=True, slots=True)
class FirstPageFacts:
    """What the first page of a person depends on, beside the lists of events. invited: `invitations_for` has some.
    deleted: there are deleted events that the person can bring back. works_in_many: the person has more than `MANY`
    roles in events.
    """

    makes_events: bool = False
    invited: bool = False
    deleted: bool = False
    works_in_many: bool = False


MANY = 1_000


def first_page_facts(user: User | AnonymousUser) -> FirstPageFacts:
    """Return what the first page of a person depends on. One query."""
    if not user.is_authenticated:
        return FirstPageFacts()
    chosen = Subquery(SiteSettings.objects.values("events_by"))
    roles = Subquery(EventRole.objects.filter(user=user).order_by().values("user")[MANY : MANY + 1])
    asked = (chosen, Exists(_open().filter(user=user)), Exists(deleted_events(user)), roles)
    events_by, invited, deleted, many = User.objects.filter(pk=user.pk).values_list(*asked).get()
    makes_events = may_make_events(user, events_by or SiteSettings().events_by)
    return FirstPageFacts(makes_events, invited, deleted, many is not None)


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
