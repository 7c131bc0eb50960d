"""Organisers make logins, and everybody changes their own password."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.factories import UserFactory
from tests.web.staff.conftest import LogIn, address
from tournaments.models import Event, EventRole, Section, User

OLD, NEW = "knights-on-the-rim", "bishops-behind-pawns"
SENT = {"how": "password", "username": "nia", "name": "Nia Dam", "role": "clerk"}


@pytest.fixture
def ada(arbiter: User) -> User:
    arbiter.set_password(OLD)
    arbiter.save()
    return arbiter


def own_password(page: Client, old: str = OLD, new: str = NEW, again: str = "") -> tuple[int, str]:
    sent = {"old_password": old, "new_password1": new, "new_password2": again or new}
    answer = page.post("/password/", sent)
    return answer.status_code, answer.content.decode()


def test_organiser_makes_a_login_that_works_at_once(
    owners_page: Client, event: Event, section: Section
) -> None:
    answer = owners_page.post(f"/{event.slug}/-/people/", SENT)
    found = re.search(r"<dt>Password</dt><dd><code>([^<]+)</code>", answer.content.decode())
    assert (answer.status_code, found is not None) == (200, True)
    assert "no-store" in answer["Cache-Control"]
    client = Client()
    logged_in = client.post("/login/", {"username": "nia", "password": found[1] if found else ""})
    assert (logged_in.status_code, logged_in.url) == (302, "/")
    assert client.get(address(section, "cockpit/")).status_code == 403  # a helper for results is no arbiter
    assert client.post(f"/{event.slug}/-/people/", SENT).status_code == 403


def test_account_never_says_that_only_the_person_knows_a_password(owners_page: Client, event: Event) -> None:
    """The organiser who made the login has seen its first password."""
    owners_page.post(f"/{event.slug}/-/people/", SENT)
    nia = Client()
    nia.force_login(User.objects.get(username="nia"))
    sentences = re.findall(r"<dt>Password</dt><dd[^>]*>([^<]*)", nia.get("/account/").text)
    assert sentences == [
        "Nobody can look up your password here. If somebody else gave you the password, change it."
    ]


def test_password_is_shown_once(owners_page: Client, event: Event) -> None:
    owners_page.post(f"/{event.slug}/-/people/", SENT)
    shown = owners_page.get(f"/{event.slug}/-/people/").content.decode()
    assert ("nia" in shown, "<dt>Password</dt>" in shown) == (True, False)


@pytest.mark.one_database
def test_impossible_login_has_an_error_at_its_field(owners_page: Client, event: Event, ada: User) -> None:
    for sent, sentence in [
        ({"username": "ada"}, "The login name ada is taken."),
        ({"username": "nia dam"}, "Enter a valid username."),
        ({"username": ""}, "This field is required."),
        ({"name": ""}, "This field is required."),
        ({"role": ""}, "This field is required."),
    ]:
        answer = owners_page.post(f"/{event.slug}/-/people/", {**SENT, **sent})
        assert answer.status_code == 422, sent
        assert re.search(rf'<span class="err"[^>]*>[^<]*{re.escape(sentence)}', answer.content.decode()), sent
        ada.refresh_from_db()
        assert ada.check_password(OLD), sent


def test_arbiter_makes_no_logins(page: Client, event: Event) -> None:
    assert page.post(f"/{event.slug}/-/people/", SENT).status_code == 403
    assert not User.objects.filter(username="nia").exists()


def test_organiser_of_another_event_makes_no_logins_here(event: Event, log_in: LogIn) -> None:
    stranger = UserFactory()
    EventRole.objects.create(event=Event.objects.create(
        name="Other", slug="other", start=event.start, end=event.end
    ), user=stranger, role=EventRole.Role.OWNER)  # fmt: skip
    assert log_in(stranger).post(f"/{event.slug}/-/people/", SENT).status_code == 403


def test_everybody_changes_their_own_password_and_stays_logged_in(ada: User, log_in: LogIn) -> None:
    page, elsewhere = log_in(ada), log_in(ada)
    assert own_password(page)[0] == 302
    ada.refresh_from_db()
    assert ada.check_password(NEW)
    assert "Your password is changed." in page.get("/").content.decode()
    assert page.get("/password/").status_code == 200
    assert elsewhere.get("/password/").status_code == 302


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"old": "wrong"}, "Your old password was entered incorrectly."),
        ({"new": "short"}, "This password is too short."),
        ({"new": "1234567890123"}, "This password is entirely numeric."),
        ({"again": "bishops-before-pawns"}, "The two password fields didn’t match."),
    ],
)
def test_impossible_password_is_refused(
    ada: User, log_in: LogIn, given: dict[str, str], sentence: str
) -> None:
    status, html = own_password(log_in(ada), **given)
    assert (status, sentence in html) == (422, True)
    ada.refresh_from_db()
    assert ada.check_password(OLD)


def test_account_is_beside_log_out_and_leads_to_the_password(page: Client) -> None:
    menu = page.get("/").text.partition('<details class="menu who"')[2].partition("</details>")[0]
    assert 'href="/account/"' in menu
    assert '<form method="post" action="/logout/"' in menu
    assert 'href="/password/">Change password</a>' in page.get("/account/").text


def test_without_a_login_there_is_no_password_to_change(client: Client, db: None) -> None:
    answer = client.get("/password/")
    assert (answer.status_code, answer.url) == (302, "/login/?next=/password/")
    assert own_password(client)[0] == 403
