"""Roles in an event and in a section: when and where they count, who gives and ends them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from base.zones import today_in
from tests.actions.refusals import refused
from tests.factories import EventFactory, EventRoleFactory, SectionFactory, UserFactory
from tournaments.actions.ledger import Actor
from tournaments.actions.people import (
    accept_invitation,
    add_role,
    end_role,
    give_role,
    invite_by_link,
    note_opened,
    remove_role,
    send_invitation_again,
)
from tournaments.files.copy_reading import CopiedRole, copied_role
from tournaments.models import ActionLog, Event, EventRole, Invitation, Section, User
from tournaments.queries.people import invitation_of, invitations_of
from tournaments.rights import PEOPLE, RIGHTS, Right
from tournaments.rules import rights_in
from tournaments.who_may_appoint import may_appoint
from web.words.log_sentences import sentence_of

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)
CHIEF = RIGHTS["chief"]


@pytest.fixture
def event() -> Event:
    return EventFactory(state="draft")


@pytest.fixture
def sections(event: Event) -> tuple[Section, Section]:
    return SectionFactory(event=event, name="Open"), SectionFactory(event=event, name="Youth")


@pytest.fixture
def organiser(event: Event) -> Actor:
    return Actor(EventRoleFactory(event=event, role="organiser").user)


def fresh(user: User) -> User:
    return User.objects.get(pk=user.pk)


def test_role_counts_in_its_section_until_its_last_day(
    organiser: Actor, event: Event, sections: tuple[Section, Section]
) -> None:
    """Nobody takes more than the role gives: neither in another section, nor in the event, nor a day later."""
    here, there = sections
    joost, today = UserFactory(username="joost"), today_in(event.time_zone)
    give_role(actor=organiser, event=event, user=joost, role="chief", sections=[here.pk], until=today)
    assert [rights_in(joost, subject) for subject in (here, there, event)] == [
        CHIEF,
        set(),
        {Right.VIEW, *PEOPLE},
    ]
    assert sentence_of(ActionLog.objects.latest("pk")).startswith(
        "joost added, role: chief arbiter (Open, until "
    )
    EventRole.objects.filter(user=joost).update(until=today - DAY)
    assert {rights_in(fresh(joost), subject) for subject in (here, there, event)} == {frozenset()}
    with refused("role_end_past"):
        give_role(actor=organiser, event=event, user=joost, role="viewer", until=today - DAY)
    with refused("role_of_whole_event"):
        give_role(actor=organiser, event=event, user=joost, role="organiser", sections=[here.pk])
    elsewhere = SectionFactory().pk  # a role in no section of the event would count in the whole event
    for sections in ([elsewhere], [here.pk, elsewhere]):
        with refused("not_found"):
            give_role(actor=organiser, event=event, user=joost, role="chief", sections=sections)
        with refused("not_found"):
            invite_by_link(actor=organiser, event=event, role="chief", sections=sections)


def test_person_may_have_several_roles_and_lose_one(organiser: Actor, event: Event) -> None:
    joost = UserFactory(username="joost")
    for role in ("clerk", "check-in"):
        add_role(actor=organiser, event=event, username="joost", role=role)
    assert rights_in(joost, event) == RIGHTS["clerk"] | RIGHTS["check-in"]
    end_role(actor=organiser, event=event, role_id=event.roles.get(role="clerk").pk)
    assert rights_in(joost, event) == RIGHTS["check-in"]


def test_organiser_and_chief_arbiter_do_not_contain_each_other() -> None:
    assert not RIGHTS["organiser"] & {Right.RUN, Right.RESULTS, Right.DIRECT}
    assert not RIGHTS["chief"] & {Right.MANAGE}
    assert RIGHTS["owner"] >= RIGHTS["organiser"] | RIGHTS["chief"]
    assert RIGHTS["viewer"] < RIGHTS["arbiter"] < RIGHTS["chief"]


def test_organiser_takes_no_role_and_ends_no_owner(organiser: Actor, event: Event) -> None:
    owner = EventRoleFactory(event=event, role="owner").user
    me = organiser.user
    assert me is not None
    with refused("own_role"):
        give_role(actor=organiser, event=event, user=me, role="chief")
    made, _token = invite_by_link(actor=organiser, event=event, role="chief")
    with refused("own_invitation"):
        accept_invitation(actor=organiser, invitation=made)
    with refused("role_of_owner"):
        remove_role(actor=organiser, event=event, username=owner.username, naming=may_appoint(me, event))
    with refused("last_owner"):
        end_role(actor=Actor(owner), event=event, role_id=event.roles.get(role="owner").pk)
    assert rights_in(me, event) == RIGHTS["organiser"]


def test_link_that_is_sent_again_makes_the_former_one_void(organiser: Actor, event: Event) -> None:
    def states() -> list[str]:
        return [sent.state for sent in invitations_of(event)]

    made, first = invite_by_link(actor=organiser, event=event, role="clerk", note="Nia")
    assert states() == ["sent"]
    note_opened(made)
    assert states() == ["opened"]
    Invitation.objects.update(expires_at=made.made_at)
    assert (states(), invitation_of(first)) == (["run out"], None)
    _, second = send_invitation_again(actor=organiser, event=event, invitation_id=made.pk)
    assert (states(), invitation_of(first), invitation_of(second)) == (["sent"], None, made)
    nia = UserFactory()
    accept_invitation(actor=Actor(nia), invitation=made)
    assert (states(), invitation_of(second)) == (["accepted"], None)
    assert rights_in(nia, event) == RIGHTS["clerk"]
    with refused("not_found", kind="invitation"):
        send_invitation_again(actor=organiser, event=event, invitation_id=made.pk)


def test_arbiter_of_before_is_chief_arbiter_in_old_copies() -> None:
    """Both roles of before keep all their rights."""
    assert copied_role(["pia", "arbiter"], 0) == CopiedRole("pia", "chief")
    assert copied_role(["pia", "arbiter", 1, "2026-03-01"], 1).role == "arbiter"
    for wrong in (
        ["pia", "king", 0, ""],
        ["pia", "owner", 1, ""],
        ["pia", "clerk", 2, ""],
        ["p\x00", "owner"],
    ):
        with pytest.raises(ValueError, match="roles"):
            copied_role(wrong, 1)
