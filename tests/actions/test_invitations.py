"""Invitations: made, accepted, declined, revoked, and over."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.actions.refusals import refused, tables
from tests.factories import EventFactory, EventRoleFactory, UserFactory
from tournaments.actions import people
from tournaments.actions.ledger import Actor
from tournaments.actions.logins import sign_up
from tournaments.actions.people import (
    accept_invitation,
    add_role,
    decline_invitation,
    invite_by_link,
    invite_by_name,
    remove_role,
    revoke_invitation,
)
from tournaments.models import ActionLog, Event, Invitation, User
from tournaments.queries.people import invitation_of, invitations_for, invitations_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(actor: Actor) -> Event:
    return EventRoleFactory(user=actor.user, role="owner").event


def open_invitations(event: Event) -> list[Invitation]:
    return [sent.invitation for sent in invitations_of(event) if sent.state in ("sent", "opened")]


def roles(event: Event) -> dict[str, str]:
    return dict(event.roles.values_list("user__username", "role"))


def logged() -> list[tuple[str, str, str, object, object]]:
    """Return the actor, the action, its subject, and the values before and after, for each row of the log."""
    rows = ActionLog.objects.order_by("pk")
    return [(row.who, row.action, row.subject, row.before, row.after) for row in rows]


def test_person_invited_by_name_works_on_the_event_after_accepting(actor: Actor, event: Event) -> None:
    joost = UserFactory(username="joost")
    made = invite_by_name(actor=actor, event=event, username=" joost ", role="arbiter")
    assert isinstance(made, Invitation)
    assert roles(event) == {"arbiter": "owner"}
    assert (invitations_for(joost), open_invitations(event)) == ([made], [made])
    given = accept_invitation(actor=Actor(joost), invitation=made)
    assert (given.user, given.role) == (joost, "arbiter")
    assert roles(event) == {"arbiter": "owner", "joost": "arbiter"}
    assert (invitations_for(joost), open_invitations(event)) == ([], [])
    assert logged() == [
        ("arbiter", "invite", "joost", {}, {"role": "arbiter"}),
        ("joost", "accept_invitation", "joost", {}, {"role": "arbiter"}),
    ]


def test_declined_invitation_gives_nothing_and_is_over(actor: Actor, event: Event) -> None:
    joost = UserFactory(username="joost")
    made = invite_by_name(actor=actor, event=event, username="joost", role="owner")
    decline_invitation(actor=Actor(joost), invitation=made)
    assert roles(event) == {"arbiter": "owner"}
    assert logged()[-1] == ("joost", "decline_invitation", "joost", {}, {"role": "owner"})
    for answer in (accept_invitation, decline_invitation):
        with refused("not_found", kind="invitation"):
            answer(actor=Actor(joost), invitation=made)


def test_invitation_by_name_looks_the_same_whether_the_login_exists_or_not(
    actor: Actor, event: Event
) -> None:
    UserFactory(username="joost")
    UserFactory(username="gone", is_active=False)
    made = [
        invite_by_name(actor=actor, event=event, username=name, role="arbiter")
        for name in ("joost", "nobody", "gone")
    ]
    assert [(found.label, found.role, found.state) for found in open_invitations(event)] == [
        (name, "arbiter", "open") for name in ("gone", "nobody", "joost")
    ]
    assert [found.user_id is not None for found in made] == [True, False, False]
    assert {row[1:2] + row[3:] == ("invite", {}, {"role": "arbiter"}) for row in logged()} == {True}


def test_login_that_is_made_later_gets_no_earlier_invitation_by_its_name(actor: Actor, event: Event) -> None:
    made = invite_by_name(actor=actor, event=event, username="joost", role="owner")
    late = UserFactory(username="joost")
    assert invitations_for(late) == []
    with refused("not_found", kind="invitation"):
        accept_invitation(actor=Actor(late), invitation=made)


def test_second_invitation_of_a_name_to_the_same_role_ends_the_first(actor: Actor, event: Event) -> None:
    joost = UserFactory(username="joost")
    first, second = (
        invite_by_name(actor=actor, event=event, username="joost", role="arbiter") for _ in range(2)
    )
    other = invite_by_name(actor=actor, event=event, username="joost", role="organiser")
    assert open_invitations(event) == [other, second]
    with refused("not_found", kind="invitation"):
        accept_invitation(actor=Actor(joost), invitation=first)


def test_person_who_works_on_the_event_gets_another_role_at_once(actor: Actor, event: Event) -> None:
    EventRoleFactory(event=event, user=UserFactory(username="joost"))
    invite_by_name(actor=actor, event=event, username="joost", role="owner")
    assert roles(event) == {"arbiter": "owner", "joost": "owner"}
    assert open_invitations(event) == []


@pytest.mark.parametrize("username", ["", " ", "x" * 151])
def test_impossible_names_are_refused(actor: Actor, event: Event, username: str) -> None:
    with refused("user_name_impossible"):
        invite_by_name(actor=actor, event=event, username=username, role="arbiter")


def test_unknown_role_is_refused(actor: Actor, event: Event) -> None:
    with refused("role_unknown", role="king"):
        invite_by_name(actor=actor, event=event, username="joost", role="king")
    with refused("role_unknown", role="king"):
        invite_by_link(actor=actor, event=event, role="king")


def test_link_gives_its_role_to_one_person(actor: Actor, event: Event) -> None:
    made, token = invite_by_link(actor=actor, event=event, role="arbiter", note=" the  tall one ")
    assert (invitation_of(token), made.label, len(token)) == (made, "the tall one", 43)
    joost, other = UserFactory(username="joost"), UserFactory()
    accept_invitation(actor=Actor(joost), invitation=made)
    assert roles(event) == {"arbiter": "owner", "joost": "arbiter"}
    assert invitation_of(token) is None
    with refused("not_found", kind="invitation"):
        accept_invitation(actor=Actor(other), invitation=made)
    assert logged() == [
        ("arbiter", "invite", "the tall one", {}, {"role": "arbiter", "by_link": True}),
        ("joost", "accept_invitation", "joost", {}, {"role": "arbiter"}),
    ]


def test_token_is_stored_nowhere(actor: Actor, event: Event) -> None:
    _, token = invite_by_link(actor=actor, event=event, role="arbiter")
    assert token not in json.dumps(tables(), default=str)
    assert len({invite_by_link(actor=actor, event=event, role="arbiter")[1] for _ in range(3)}) == 3


@pytest.mark.parametrize("token", ["", "x" * 43, "\x00"])
def test_wrong_token_finds_nothing(actor: Actor, event: Event, token: str) -> None:
    invite_by_link(actor=actor, event=event, role="arbiter")
    assert invitation_of(token) is None


def test_revoked_invitation_is_over(actor: Actor, event: Event) -> None:
    made, token = invite_by_link(actor=actor, event=event, role="arbiter", note="Joost")
    revoke_invitation(actor=actor, event=event, invitation_id=made.pk)
    assert (invitation_of(token), open_invitations(event)) == (None, [])
    assert logged()[-1] == ("arbiter", "revoke_invitation", "Joost", {"role": "arbiter"}, {})
    with refused("not_found", kind="invitation"):
        revoke_invitation(actor=actor, event=event, invitation_id=made.pk)


def test_invitation_of_another_event_is_not_revoked(actor: Actor, event: Event) -> None:
    made, _ = invite_by_link(actor=actor, event=event, role="arbiter")
    other = EventFactory()
    with refused("not_found", kind="invitation"):
        revoke_invitation(actor=actor, event=other, invitation_id=made.pk)


def test_invitation_lasts_a_week(actor: Actor, event: Event) -> None:
    joost = UserFactory(username="joost")
    link, token = invite_by_link(actor=actor, event=event, role="arbiter")
    named = invite_by_name(actor=actor, event=event, username="joost", role="arbiter")
    assert timedelta(days=6) < link.expires_at - timezone.now() <= timedelta(days=7)
    Invitation.objects.update(expires_at=timezone.now())
    assert (invitation_of(token), invitations_for(joost), open_invitations(event)) == (None, [], [])
    for made in (link, named):
        with refused("not_found", kind="invitation"):
            accept_invitation(actor=Actor(joost), invitation=made)


def test_person_with_the_same_or_a_higher_role_has_nothing_to_accept(actor: Actor, event: Event) -> None:
    arbiter = EventRoleFactory(event=event).user
    made, token = invite_by_link(actor=actor, event=event, role="chief")
    for person in (arbiter, actor.user):
        with refused("already_in_event"):
            accept_invitation(actor=Actor(person), invitation=made)
    assert invitation_of(token) == made


def test_arbiter_becomes_owner_by_accepting(actor: Actor, event: Event) -> None:
    joost = EventRoleFactory(event=event, user=UserFactory(username="joost")).user
    made, _ = invite_by_link(actor=actor, event=event, role="owner")
    accept_invitation(actor=Actor(joost), invitation=made)
    assert roles(event) == {"arbiter": "owner", "joost": "owner"}
    assert logged()[-1] == ("joost", "accept_invitation", "joost", {"role": "chief"}, {"role": "owner"})


def test_link_makes_one_login_which_must_still_accept(actor: Actor, event: Event) -> None:
    made, _ = invite_by_link(actor=actor, event=event, role="arbiter")
    stranger = Actor(UserFactory())
    values = {"full_name": "Nia Dam", "password": "knights-on-the-rim", "origin": "192.0.2.7"}
    nia = sign_up(username="nia", invitation=made, **values)
    assert roles(event) == {"arbiter": "owner"}
    assert (nia.site_owner, nia.makes_events, nia.makes_logins, nia.is_superuser) == (False,) * 4
    assert invitations_for(nia) == [made]
    with refused("not_found", kind="invitation"):
        sign_up(username="bo", invitation=made, **values)
    assert not User.objects.filter(username="bo").exists()
    with refused("not_found", kind="invitation"):
        accept_invitation(actor=stranger, invitation=made)
    accept_invitation(actor=Actor(nia), invitation=made)
    assert roles(event) == {"arbiter": "owner", "nia": "arbiter"}


def test_invitations_of_a_removed_organiser_are_over(actor: Actor, event: Event) -> None:
    second = EventRoleFactory(event=event, role="owner").user
    mine, my_token = invite_by_link(actor=actor, event=event, role="owner")
    _, token = invite_by_link(actor=Actor(second), event=event, role="owner")
    remove_role(actor=actor, event=event, username=second.username)
    assert (invitation_of(my_token), invitation_of(token)) == (mine, None)


def test_invitations_of_an_organiser_who_becomes_arbiter_are_over(actor: Actor, event: Event) -> None:
    second = EventRoleFactory(event=event, role="owner").user
    _, token = invite_by_link(actor=Actor(second), event=event, role="owner")
    add_role(actor=actor, event=event, username=second.username, role="arbiter")
    assert invitation_of(token) is None


def test_invitation_gives_nothing_once_the_role_of_its_maker_is_over(actor: Actor, event: Event) -> None:
    for maker in (
        EventRoleFactory(event=event, role="organiser").user,
        EventRoleFactory(event=event, role="organiser", user=UserFactory(is_active=False)).user,
    ):
        made, _ = invite_by_link(actor=Actor(maker), event=event, role="arbiter")
        event.roles.filter(user=maker).update(until=timezone.localdate() - timedelta(days=1))
        guest = UserFactory()
        with refused("not_found", kind="invitation"):
            accept_invitation(actor=Actor(guest), invitation=made)
    event.roles.filter(role="organiser").update(until=None)
    made = event.invitations.earliest("pk")
    accept_invitation(actor=Actor(UserFactory()), invitation=made)


def test_open_invitations_have_a_limit(actor: Actor, event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MOST_OPEN", 2)
    made = [invite_by_link(actor=actor, event=event, role="arbiter")[0] for _ in range(2)]
    with refused("too_many_invitations", limit=2):
        invite_by_name(actor=actor, event=event, username="joost", role="arbiter")
    revoke_invitation(actor=actor, event=event, invitation_id=made[0].pk)
    invite_by_name(actor=actor, event=event, username="joost", role="arbiter")


def test_answer_of_somebody_else_changes_nothing(actor: Actor, event: Event) -> None:
    UserFactory(username="joost")
    made = invite_by_name(actor=actor, event=event, username="joost", role="arbiter")
    stranger = UserFactory()
    with refused("not_found", kind="invitation"):
        decline_invitation(actor=Actor(stranger), invitation=made)
    assert invitations_for(stranger) == []
