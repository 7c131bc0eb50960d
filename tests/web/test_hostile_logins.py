"""The way to a login, and the pages of a login, take no text for markup: neither a name nor what was typed."""

from __future__ import annotations

import re

import pytest
from django.http import HttpResponse
from django.template import Template
from django.test import Client
from django.test.utils import instrumented_test_render
from django.utils.html import escape

from tests.factories import EventFactory, EventRoleFactory, UserFactory
from tests.web.hostile import hostile, injected
from tests.web.logins.conftest import RIGHT, Clock, clock, shown
from tournaments.actions.logins import second_factor
from tournaments.models import Event, EventRole, SiteSettings, User

__all__ = ["clock"]  # a fixture
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture(autouse=True)
def _included_templates_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """`check` looks for templates that a page includes; tests/conftest.py has only the page's own noted."""
    monkeypatch.setattr(Template, "_render", instrumented_test_render)


def person(what: str, **more: object) -> User:
    names = {name: hostile(f"{what} {name}") for name in ("username", "first_name", "last_name")}
    return UserFactory(**names, password=RIGHT, **more)


def of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def event() -> Event:
    return EventFactory(name=hostile("event"), slug="hostile")


@pytest.fixture
def organiser(event: Event) -> Client:
    user = person("organiser", is_superuser=True)
    EventRoleFactory(event=event, user=user, role=EventRole.Role.OWNER)
    return of(user)


def check(answer: HttpResponse, template: str, *texts: str) -> None:
    """Check that the page has this template in it and shows these texts, and that nothing of them is markup."""
    assert template in {used.name for used in answer.templates}
    assert injected(answer.text) == []
    assert [text for text in texts if escape(text) not in answer.text] == []


def test_registration_keeps_what_was_typed_as_text() -> None:
    SiteSettings.objects.create(pk=SiteSettings.ONLY, open_registration=True)
    taken = person("taken").username
    for name in (taken, hostile("new name"), "nia"):
        sent = {"username": name, "full_name": hostile("full name"), "password": RIGHT, "again": RIGHT + "x"}
        check(Client().post("/sign-up/", sent), "logins/sign_up.html", name, hostile("full name"))
    answer = Client().post("/sign-up/", sent | {"again": RIGHT}, follow=True)
    check(answer, "home.html", hostile("full name"))


def test_second_factor_that_is_on_shows_texts_as_text(clock: Clock) -> None:
    user = person("second")
    row = second_factor.prepare(user)
    second_factor.turn_on(user=user, code=shown(row, clock))
    clock.forward(minutes=1)
    client, page = of(user), "/account/second-factor/"
    check(client.get(page), "logins/factor_on.html", user.username)
    wrong = {"password": hostile("password"), "code": hostile("code"), "do": "codes"}
    check(client.post(page, wrong), "logins/factor_on.html", user.username, hostile("code"))
    check(client.get("/account/"), "logins/account.html", user.label)
    right = {"password": RIGHT, "code": shown(row, clock), "do": "codes"}
    check(client.post(page, right), "logins/codes.html", user.label)


def test_way_to_a_new_password_shows_texts_as_text(organiser: Client, event: Event) -> None:
    user = EventRoleFactory(event=event, user=person("forgot")).user
    made = organiser.post("/hostile/-/people/link/", {"username": user.username})
    check(made, "staff/people.html", user.label)
    found = re.search(r'value="http://testserver(/login/new-password/[^/]+/)"', made.text)
    assert found is not None
    check(Client().get(found[1]), "logins/new_password.html", user.username)
    wrong = {"new_password1": hostile("one"), "new_password2": hostile("other")}
    check(Client().post(found[1], wrong), "logins/new_password.html", user.username)
    check(Client().get(found[1].replace("new-password/", "new-password/x")), "logins/link_gone.html")
    check(Client().post("/login/forgotten/", {"username": hostile("nobody")}), "logins/forgotten.html")


def test_way_of_a_new_phone_shows_texts_as_text() -> None:
    user = person("phone")
    made = of(user).post("/account/new-phone/")
    check(made, "logins/new_phone.html", user.label)
    found = re.search(r"<code>http://testserver(/login/new-phone/[^/]+/)</code>", made.text)
    assert found is not None
    check(Client().get(found[1]), "logins/allow_phone.html", user.username)
    check(Client().post(found[1], follow=True), "logins/login.html", user.username)
    for _ in range(6):
        answer = Client().post("/login/", {"username": user.username, "password": hostile("guess")})
    check(answer, "logins/refused.html", user.username)


@pytest.mark.parametrize("address", ["/hostile/-/people/", "/site/login/"])
def test_login_that_was_made_is_shown_as_text(organiser: Client, address: str) -> None:
    full_name = hostile("full name")
    sent = {"how": "password", "username": "nia", "name": full_name, "role": "clerk"}
    sent |= {"new-username": "nia", "new-full_name": full_name}
    answer = organiser.post(address, sent)
    check(answer, "staff/logins_made.html", hostile("full name"))
    wrong = {name: hostile("username") if "username" in name else value for name, value in sent.items()}
    check(organiser.post(address, wrong), "components/field.html", hostile("username"), hostile("full name"))
