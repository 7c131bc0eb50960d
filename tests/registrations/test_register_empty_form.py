"""The empty form is made once for all strangers, and nothing of one stranger is in that of another."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.messages import constants
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.cookie import CookieStorage
from django.db import connection
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registrations.models import EventRegistration
from registrations.web.forms import registration
from registrations.web.public import register
from tests.factories import UserFactory
from tests.registrations.factories import desk, section, sent
from tests.registrations.test_register_form import TYPED, address
from tournaments.models import Event, Section

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
OWN = re.compile(r'name="(?:stamp|csrfmiddlewaretoken)" value="([^"]+)"')


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "QUICKEST", timedelta(seconds=-1))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list to which each form that is made adds its address."""
    pages: list[str] = []
    render = register.render

    def noted(request: object, template: str, *parts: object, **more: object) -> HttpResponse:
        pages.append(template)
        return render(request, template, *parts, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(register, "render", noted)
    return pages


def shown(of: Section, client: Client | None = None, **headers: str) -> str:
    return (client or Client()).get(address(of), **headers).content.decode()


def test_all_strangers_get_one_form_with_a_key_and_a_token_of_their_own(made: list[str]) -> None:
    into = desk()
    first = shown(into)
    with CaptureQueriesContext(connection) as queries:
        second = shown(into)
    assert (len(made), len(queries)) == (1, 2)
    assert OWN.sub("", first) == OWN.sub("", second)
    mine, others = OWN.findall(first), OWN.findall(second)
    assert len(mine) == len(others) == 2
    assert not set(mine) & set(others)


def test_the_form_is_the_one_that_is_made_for_one_visitor() -> None:
    """A logged-in person has the same form below another head."""
    into, client = desk(capacity=5, fee=1200), Client()
    client.force_login(UserFactory())
    pages = shown(into), shown(into, client)
    forms = [re.search(r'<form[^>]* id="form".*?</form>', page, re.DOTALL) for page in pages]
    one, other = (OWN.sub("", found[0]) if found else "" for found in forms)
    assert one == other != ""


def test_the_form_is_made_again_when_something_changes(
    made: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    into = desk(capacity=5)
    assert "5 places free of 5" in shown(into)
    sent(into)
    assert "4 places free of 5" in shown(into)
    EventRegistration.objects.update(intro="Bring a clock.")
    assert "Bring a clock." in shown(into)
    Event.objects.update(city="Utrecht")
    assert "Utrecht" in shown(into)
    other = section(into.event)
    assert other.name in shown(into)
    assert len(made) == 5
    later = timezone.now() + timedelta(minutes=1)
    monkeypatch.setattr(timezone, "now", lambda: later)
    EventRegistration.objects.update(opens_at=later - timedelta(seconds=1))
    shown(into)
    assert len(made) == 6


def test_registration_opens_at_its_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    opens = timezone.now().replace(second=0, microsecond=0) + timedelta(minutes=5)
    into = desk()
    EventRegistration.objects.update(opens_at=opens)
    for moment, is_open in ((opens - timedelta(seconds=1), False), (opens, True)):
        monkeypatch.setattr(timezone, "now", lambda moment=moment: moment)
        assert ("Send the registration" in shown(into)) is is_open


def test_two_strangers_with_one_form_are_two_registrations_and_each_sees_the_own() -> None:
    into, clients = desk(), (Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True))
    for number, client in enumerate(clients):
        stamp, token = (
            re.search(rf'name="{name}" value="([^"]+)"', shown(into, client))
            for name in ("stamp", "csrfmiddlewaretoken")
        )
        assert stamp
        assert token
        own = {"name": f"Twin{number}, Ada", "section": into.pk, "stamp": stamp[1]}
        answer = client.post(address(into), {**TYPED, **own, "csrfmiddlewaretoken": token[1]}, follow=True)
        assert f"Twin{number}, Ada" in answer.content.decode()


def test_a_token_of_another_stranger_is_refused() -> None:
    into, client = desk(), Client(enforce_csrf_checks=True)
    shown(into, client)
    stamp, token = (
        re.search(rf'name="{name}" value="([^"]+)"', shown(into)) for name in ("stamp", "csrfmiddlewaretoken")
    )
    assert stamp
    assert token
    typed = {**TYPED, "section": into.pk, "stamp": stamp[1], "csrfmiddlewaretoken": token[1]}
    assert client.post(address(into), typed).status_code == 422


def test_nothing_of_the_first_visitor_is_in_the_form_of_the_next() -> None:
    into = desk()
    first = Client(HTTP_ACCEPT_LANGUAGE="en")
    first.cookies["mark"] = "cookie-of-the-first"
    answer = first.get(
        f"{address(into)}?from=first-query",
        HTTP_USER_AGENT="agent-of-the-first",
        HTTP_REFERER="http://first/",
    )
    assert answer.status_code == 200
    page = shown(into)
    assert "first" not in page.replace("first_", "")
    assert "testserver" not in shown(into, HTTP_HOST="127.0.0.1")


def test_who_is_logged_in_or_has_a_message_gets_an_own_page(rf: RequestFactory) -> None:
    into, client = desk(), Client()
    client.force_login(UserFactory(username="magda-own"))
    assert "magda-own" in shown(into, client)
    assert "magda-own" not in shown(into)
    storage = CookieStorage(rf.get("/"))
    answer = HttpResponse()
    storage._store([Message(constants.INFO, "A message for one")], answer)
    reader = Client()
    reader.cookies["messages"] = answer.cookies["messages"].value
    assert "A message for one" in shown(into, reader)
    assert "A message for one" not in shown(into)
