"""Logins that organisers make for their arbiters."""

from __future__ import annotations

import json

import pytest

from tests.actions.refusals import refused
from tests.factories import EventFactory, UserFactory
from tournaments.actions.ledger import Actor
from tournaments.actions.logins import create_login
from tournaments.models import ActionLog, User

pytestmark = pytest.mark.django_db


def test_new_login_is_only_an_arbiter_of_the_event(actor: Actor) -> None:
    event = EventFactory()
    made, password = create_login(actor=actor, event=event, username=" nia ", full_name="Nia van  Dam")
    user = User.objects.get(username="nia")
    assert (user, user.label, user.is_staff, user.is_superuser) == (made, "Nia van Dam", False, False)
    assert user.check_password(password)
    assert list(user.event_roles.values_list("event", "role")) == [(event.pk, "arbiter")]


def test_password_is_not_in_the_log(actor: Actor) -> None:
    event = EventFactory()
    _, password = create_login(actor=actor, event=event, username="nia", full_name="Nia Dam")
    row = ActionLog.objects.get()
    assert (row.event, row.action, row.who, row.subject) == (event, "create_login", "arbiter", "nia")
    assert (row.before, row.after) == ({}, {"name": "Nia Dam", "role": "arbiter"})
    everything = json.dumps(list(ActionLog.objects.values()), default=str)
    assert password not in everything


@pytest.mark.parametrize("username", ["nia", "NIA"])
def test_existing_login_keeps_its_password(actor: Actor, username: str) -> None:
    user = UserFactory(username="nia")
    user.set_password("knights-on-the-rim")
    user.save()
    event = EventFactory()
    with refused("user_taken", username=username):
        create_login(actor=actor, event=event, username=username, full_name="Somebody Else")
    user.refresh_from_db()
    assert user.check_password("knights-on-the-rim")


@pytest.mark.parametrize("username", ["", "nia dam", "x" * 151, "nia!"])
def test_impossible_user_names_are_refused(actor: Actor, username: str) -> None:
    event = EventFactory()
    with refused("invalid_values"):
        create_login(actor=actor, event=event, username=username)


def test_every_password_is_different(actor: Actor) -> None:
    event = EventFactory()
    made = {create_login(actor=actor, event=event, username=f"a{n}")[1] for n in range(3)}
    assert len(made) == 3
    assert {len(password) for password in made} == {19}
