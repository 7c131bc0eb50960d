"""Open registration: off at first, without rights, and limited."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.factories import EventFactory, UserFactory
from tournaments.models import SiteLog, SiteSettings, User

pytestmark = pytest.mark.django_db
PASSWORD = "knights-on-the-rim"
SENT = {"username": "nia", "full_name": "Nia Dam", "password": PASSWORD, "again": PASSWORD}


@pytest.fixture
def opened() -> SiteSettings:
    return SiteSettings.objects.create(pk=SiteSettings.ONLY, open_registration=True)


def test_registration_is_closed_at_first(client: Client) -> None:
    assert "/sign-up/" not in client.get("/login/").content.decode()
    for answer in (client.get("/sign-up/"), client.post("/sign-up/", SENT)):
        assert answer.status_code == 403
        assert "nobody can make a login without an invitation" in answer.content.decode()
    assert User.objects.count() == 0


def test_person_makes_a_login_without_rights(opened: SiteSettings, client: Client) -> None:
    EventFactory(slug="rijswijk", state="draft")
    assert 'href="/sign-up/"' in client.get("/login/").content.decode()
    answer = client.post("/sign-up/", SENT)
    assert (answer.status_code, answer.url) == (302, "/")
    user = User.objects.get()
    assert (user.label, user.check_password(PASSWORD)) == ("Nia Dam", True)
    assert (user.is_superuser, user.is_staff, user.owns_site) == (False, False, False)
    assert [client.get(path).status_code for path in ("/password/", "/new/", "/site/", "/rijswijk/")] == [
        200, 403, 403, 404,
    ]  # fmt: skip
    assert client.get("/sign-up/").url == "/"
    row = SiteLog.objects.get()
    assert (row.action, row.who, row.subject) == ("sign_up", "Nia Dam", "nia")


@pytest.mark.parametrize("name", ["olga", "OLGA", " olga "])
def test_taken_name_is_reported_at_its_field(opened: SiteSettings, client: Client, name: str) -> None:
    UserFactory(username="olga")
    answer = client.post("/sign-up/", {**SENT, "username": name})
    assert answer.status_code == 422
    errors = re.findall(r'<span class="err"[^>]*>([^<]*)', answer.content.decode())
    assert errors == [f"The login name {name.strip()} is taken. Choose another one."]


def test_address_that_tries_many_names_must_wait(opened: SiteSettings) -> None:
    for number in range(10):
        UserFactory(username=f"arbiter{number}")
        answer = Client().post("/sign-up/", {**SENT, "username": f"arbiter{number}"})
        assert answer.status_code == 422
    answer = Client().post("/sign-up/", {**SENT, "username": "free"})
    assert (answer.status_code, int(answer["Retry-After"]) > 20) == (429, True)
    assert not User.objects.filter(username="free").exists()
    elsewhere = Client(REMOTE_ADDR="192.0.2.9").post("/sign-up/", {**SENT, "username": "free"})
    assert elsewhere.status_code == 302


def test_form_without_a_valid_password_does_not_count_as_an_attempt(opened: SiteSettings) -> None:
    for number in range(20):
        answer = Client().post("/sign-up/", {**SENT, "username": f"free{number}", "again": "x"})
        assert answer.status_code == 422
    assert Client().post("/sign-up/", SENT).status_code == 302
