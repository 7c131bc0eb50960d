"""Chief arbiters invite people for the sections of the own role: nobody rises by it, nobody reaches another section."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import pytest

from base.zones import today_in
from tests.actions.refusals import refused
from tests.factories import EventFactory, EventRoleFactory, SectionFactory, UserFactory
from tournaments.actions.ledger import Actor
from tournaments.actions.people import (
    accept_invitation,
    end_role,
    invite_by_link,
    invite_by_name,
    remove_role,
    revoke_invitation,
    send_invitation_again,
)
from tournaments.models import Event, EventRole, Invitation, Section, User
from tournaments.queries.people import invitations_of, people_of_event
from tournaments.rights import RIGHTS
from tournaments.rules import rights_in
from tournaments.who_may_appoint import MayAppoint, may_appoint

pytestmark = pytest.mark.django_db
Role = EventRole.Role
BELOW = {Role.ARBITER, Role.CLERK, Role.CHECK_IN, Role.VIEWER}
DAY = timedelta(days=1)


@dataclass
class Hall:
    """An event with two sections, and the chief arbiter of the first one."""

    event: Event
    here: Section
    there: Section
    chief: User

    @property
    def actor(self) -> Actor:
        return Actor(self.chief)

    @property
    def naming(self) -> MayAppoint:
        return may_appoint(self.chief, self.event)

    def with_role(self, role: str, section: Section | None = None, **more: object) -> User:
        user = UserFactory()
        EventRoleFactory(event=self.event, user=user, role=role, section=section, **more)
        return user


@pytest.fixture
def hall() -> Hall:
    event = EventFactory(state="draft")
    here, there = (SectionFactory(event=event, name=name) for name in ("Open", "Youth"))
    chief = UserFactory(username="chief")
    EventRoleFactory(event=event, user=chief, role=Role.CHIEF, section=here)
    return Hall(event, here, there, chief)


@pytest.mark.one_database
@pytest.mark.parametrize("where", ["here", "there", "both", "whole event"])
@pytest.mark.parametrize("giver", [*Role.values, "nobody"])
def test_each_role_gives_only_what_the_table_says_and_only_where_it_counts(
    hall: Hall, giver: str, where: str
) -> None:
    """The giver has the role in the first section; owners and organisers have it in the whole event."""
    whole = giver in (Role.OWNER, Role.ORGANISER)
    user = UserFactory() if giver == "nobody" else hall.with_role(giver, None if whole else hall.here)
    places = {"here": [hall.here], "there": [hall.there], "both": [hall.here, hall.there], "whole event": []}
    sections = [section.pk for section in places[where]]
    naming = may_appoint(user, hall.event)
    given = {role for role in Role.values if naming.gives(role, sections, None)}
    everything = {Role.OWNER: {*Role.values}, Role.ORGANISER: {*Role.values} - {Role.OWNER}}
    wanted = BELOW if giver == Role.CHIEF and where == "here" else set()
    assert given == everything.get(giver, wanted)
    for role in Role.values if giver == Role.CHIEF else ():
        if role not in given and not (sections and role in (Role.OWNER, Role.ORGANISER)):
            with refused("role_only_by_owner" if role == Role.OWNER else "role_beyond"):
                invite_by_link(
                    actor=Actor(user), event=hall.event, role=role, sections=sections, naming=naming
                )
    assert not Invitation.objects.exists()


def test_chief_arbiter_of_the_whole_event_names_for_all_sections(hall: Hall) -> None:
    naming = may_appoint(hall.with_role(Role.CHIEF), hall.event)
    for sections in ([], [hall.there.pk], [hall.here.pk, hall.there.pk]):
        assert {role for role in Role.values if naming.gives(role, sections, None)} == BELOW


def test_invited_person_works_in_the_section_of_the_chief_arbiter_alone(hall: Hall) -> None:
    made, _token = invite_by_link(
        actor=hall.actor, event=hall.event, role="arbiter", sections=[hall.here.pk], naming=hall.naming
    )
    nia = UserFactory()
    accept_invitation(actor=Actor(nia), invitation=made)
    assert rights_in(nia, hall.here) == RIGHTS["arbiter"]
    assert rights_in(nia, hall.there) == frozenset()
    assert may_appoint(nia, hall.event) == MayAppoint()
    with refused("own_role"):
        invite_by_name(
            actor=hall.actor, event=hall.event, username="chief", role="clerk", sections=[hall.here.pk],
            naming=hall.naming,
        )  # fmt: skip


@pytest.mark.parametrize("change", ["ended", "over", "moved", "arbiter", "inactive", "shorter"])
def test_invitation_gives_nothing_once_its_maker_could_no_longer_make_it(hall: Hall, change: str) -> None:
    today = today_in(hall.event.time_zone)
    made, _token = invite_by_link(
        actor=hall.actor, event=hall.event, role="clerk", sections=[hall.here.pk], naming=hall.naming
    )
    own = EventRole.objects.filter(user=hall.chief)
    if change == "ended":
        end_role(actor=Actor.command(), event=hall.event, role_id=own.get().pk)
        assert Invitation.objects.get().state == Invitation.State.REVOKED
    elif change == "over":
        own.update(until=today - DAY)
    elif change == "shorter":
        own.update(until=today + DAY)
    elif change == "moved":
        own.update(section=hall.there)
    elif change == "arbiter":
        own.update(role="arbiter")
    else:
        User.objects.filter(pk=hall.chief.pk).update(is_active=False)
    nia = UserFactory()
    with refused("not_found", kind="invitation"):
        accept_invitation(actor=Actor(nia), invitation=made)
    assert rights_in(nia, hall.here) == frozenset()


def test_nobody_gives_a_role_that_lasts_longer_than_the_own_one(hall: Hall) -> None:
    until = today_in(hall.event.time_zone) + 3 * DAY
    EventRole.objects.filter(user=hall.chief).update(until=until)
    asked = {"actor": hall.actor, "event": hall.event, "role": "arbiter", "sections": [hall.here.pk]}
    for longer in (None, until + DAY):
        with refused("role_beyond"):
            invite_by_link(**asked, until=longer, naming=hall.naming)
    invite_by_link(**asked, until=until, naming=hall.naming)
    assert hall.naming.until == until


def test_chief_arbiter_ends_the_roles_of_the_own_section_and_no_others(hall: Hall) -> None:
    for role in sorted(BELOW):
        hall.with_role(role, hall.here)
        hall.with_role(role, hall.there)
        hall.with_role(role)
    boss = hall.with_role(Role.OWNER)
    hall.with_role(Role.ORGANISER)
    hall.with_role(Role.CHIEF, hall.here)
    ended = set()
    for row in EventRole.objects.filter(event=hall.event):
        code = ""
        if row.section_id == hall.there.pk:
            code = "not_found"  # a role in another section is not there
        elif row.role == Role.OWNER:
            code = "role_of_owner"
        elif row.section_id is None or row.role not in BELOW:
            code = "role_beyond"
        if code:
            with refused(code):
                end_role(actor=hall.actor, event=hall.event, role_id=row.pk, naming=hall.naming)
            continue
        end_role(actor=hall.actor, event=hall.event, role_id=row.pk, naming=hall.naming)
        ended.add(row.role)
    assert ended == BELOW
    with refused("role_of_owner"):
        remove_role(actor=hall.actor, event=hall.event, username=boss.username, naming=hall.naming)


def test_chief_arbiter_sees_the_people_and_the_links_of_the_own_section(hall: Hall) -> None:
    owner = Actor(hall.with_role(Role.OWNER))
    hall.with_role(Role.CLERK, hall.there)
    helper = hall.with_role(Role.CLERK, hall.here)
    seen = {person.user for person in people_of_event(hall.event, hall.naming)}
    assert seen == {owner.user, hall.chief, helper}
    links = {
        (role, name): invite_by_link(actor=owner, event=hall.event, role=role, sections=sections)[0]
        for role in ("arbiter", "chief")
        for name, sections in (
            ("here", [hall.here.pk]),
            ("both", [hall.here.pk, hall.there.pk]),
            ("everywhere", []),
        )
    }
    own = links.pop(("arbiter", "here"))
    assert [sent.invitation for sent in invitations_of(hall.event, hall.naming)] == [own]
    for other in links.values():
        for act in (send_invitation_again, revoke_invitation):
            with refused("not_found", kind="invitation"):
                act(actor=hall.actor, event=hall.event, invitation_id=other.pk, naming=hall.naming)
    send_invitation_again(actor=hall.actor, event=hall.event, invitation_id=own.pk, naming=hall.naming)
    revoke_invitation(actor=hall.actor, event=hall.event, invitation_id=own.pk, naming=hall.naming)


def test_invitation_by_name_takes_nothing_away_from_anybody(hall: Hall) -> None:
    """To give a role replaces that of an owner, and an earlier invitation of the same name ends."""
    hall.with_role(Role.OWNER)
    second = hall.with_role(Role.OWNER)
    organiser = hall.with_role(Role.ORGANISER)
    for who in (hall.chief, organiser):
        with refused("role_of_owner"):
            invite_by_name(
                actor=Actor(who), event=hall.event, username=second.username, role="viewer",
                sections=[hall.here.pk], naming=may_appoint(who, hall.event),
            )  # fmt: skip
    assert rights_in(second, hall.event) == RIGHTS["owner"]
    invite_by_name(actor=Actor(organiser), event=hall.event, username="new", role="arbiter")
    with refused("role_beyond"):
        invite_by_name(
            actor=hall.actor, event=hall.event, username="new", role="arbiter", sections=[hall.here.pk],
            naming=hall.naming,
        )  # fmt: skip
    assert Invitation.objects.get().state == Invitation.State.OPEN


def test_chief_arbiter_does_not_learn_who_works_in_another_section(hall: Hall) -> None:
    elsewhere = hall.with_role(Role.VIEWER, hall.there)
    for username in (elsewhere.username, "nobody"):
        made = invite_by_name(
            actor=hall.actor, event=hall.event, username=username, role="clerk", sections=[hall.here.pk],
            naming=hall.naming,
        )  # fmt: skip
        assert isinstance(made, Invitation)


def test_role_in_a_section_of_another_event_is_no_role_in_the_whole_event(hall: Hall) -> None:
    other = SectionFactory()
    with refused("not_found", kind="section"):
        invite_by_link(actor=Actor.command(), event=hall.event, role="arbiter", sections=[other.pk])
