"""Logins that organisers make for their arbiters."""

from __future__ import annotations

import json

import pytest

from tests.actions.refusals import refused
from tests.factories import EventFactory, UserFactory
from tournaments.actions.ledger import Actor
from tournaments.actions.logins import create_login
from tournaments.models import ActionLog, User
from tournaments.who_may_appoint import AppointPower, MayAppoint

pytestmark = pytest.mark.django_db


def test_new_login_has_the_role_that_was_chosen_and_no_other(actor: Actor) -> None:
    event = EventFactory()
    made, password = create_login(
        actor=actor, event=event, role="clerk", username=" nia ", full_name="Nia van  Dam"
    )
    user = User.objects.get(username="nia")
    assert (user, user.label, user.is_staff, user.is_superuser) == (made, "Nia van Dam", False, False)
    assert user.check_password(password)
    assert list(user.event_roles.values_list("event", "role")) == [(event.pk, "clerk")]


def test_password_is_not_in_the_log(actor: Actor) -> None:
    event = EventFactory()
    _, password = create_login(actor=actor, event=event, role="clerk", username="nia", full_name="Nia Dam")
    row = ActionLog.objects.get()
    assert (row.event, row.action, row.who, row.subject) == (event, "create_login", "arbiter", "nia")
    assert (row.before, row.after) == ({}, {"name": "Nia Dam", "role": "clerk"})
    everything = json.dumps(list(ActionLog.objects.values()), default=str)
    assert password not in everything


def test_new_login_gets_no_role_beyond_that_of_its_maker(actor: Actor) -> None:
    event = EventFactory()
    naming = MayAppoint((AppointPower(frozenset({"clerk"})),))
    with refused("role_beyond"):
        create_login(actor=actor, event=event, role="arbiter", username="nia", naming=naming)
    assert not User.objects.filter(username="nia").exists()


@pytest.mark.parametrize("username", ["nia", "NIA"])
def test_existing_login_keeps_its_password(actor: Actor, username: str) -> None:
    user = UserFactory(username="nia")
    user.set_password("knights-on-the-rim")
    user.save()
    event = EventFactory()
    with refused("user_taken", username=username):
        create_login(actor=actor, event=event, role="clerk", username=username, full_name="Somebody Else")
    user.refresh_from_db()
    assert user.check_password("knights-on-the-rim")


@pytest.mark.parametrize("username", ["", "nia dam", "x" * 151, "nia!"])
def test_impossible_user_names_are_refused(actor: Actor, username: str) -> None:
    event = EventFactory()
    with refused("invalid_values"):
        create_login(actor=actor, event=event, role="clerk", username=username)


def test_every_password_is_different(actor: Actor) -> None:
    event = EventFactory()
    made = {create_login(actor=actor, event=event, role="clerk", username=f"a{n}")[1] for n in range(3)}
    assert len(made) == 3
    assert {len(password) for password in made} == {19}
