"""What works without a password ends with it: access tokens, invitations and links that a login has made."""

from __future__ import annotations

import getpass
import re
import threading
from collections.abc import Callable
from unittest import mock

import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from tests.factories import EventFactory, EventRoleFactory, UserFactory
from tests.waiting import LONG
from tests.web.logins.conftest import ELSEWHERE, RIGHT, Clock, CodeOf, attempt, browser, shown
from tournaments.actions.ledger import Actor
from tournaments.actions.logins import make_device_link, make_link, make_mail_link, second_factor
from tournaments.actions.people import invite_by_link, invite_by_name
from tournaments.actions.programs import make_token
from tournaments.models import (
    AccessToken,
    DeviceLink,
    Event,
    EventRole,
    Invitation,
    PasswordLink,
    SiteLog,
    User,
)
from web import login_mail

NEW = "bishops-behind-pawns"
PROGRAMS = "/rijswijk/-/programs/"


@pytest.fixture
def event(ada: User) -> Event:
    User.objects.filter(pk=ada.pk).update(email="ada@chess.example", makes_events=True)
    ada.refresh_from_db()
    event = EventFactory(slug="rijswijk")
    EventRoleFactory(event=event, user=ada, role=EventRole.Role.OWNER)
    return event


@pytest.fixture
def opened(ada: User, event: Event, clock: Clock) -> User:
    """Ada made two tokens, two invitations, and a link with which Bob sets a password."""
    actor = Actor(ada)
    for of in (event, None):
        made = {"name": "club.example", "scopes": ["lists:read"], "expires_at": clock.now.replace(month=11)}
        make_token(actor=actor, event=of, **made)
    invite_by_link(actor=actor, event=event, role="arbiter")
    invite_by_name(actor=actor, event=event, username="nia", role="viewer")
    bob = EventRoleFactory(event=event, user=UserFactory(username="bob")).user
    make_link(actor=actor, event=event, username=bob.username)
    return ada


@pytest.fixture
def posted(settings: Settings, event: Event) -> Callable[[], list[str]]:
    """The texts of the mails, once their threads have ended."""
    settings.MAIL_IS_SET_UP = True

    def texts() -> list[str]:
        for thread in threading.enumerate():
            if thread.name == login_mail.THREAD:
                thread.join(LONG)
        assert {message.extra_headers["Auto-Submitted"] for message in mail.outbox} <= {"auto-generated"}
        return [f"{message.to[0]} {message.body}" for message in mail.outbox]

    return texts


def page_of_ada(address: str = "") -> Client:
    page = browser(address) if address else browser()
    assert attempt(page, password=RIGHT).status_code == 302
    return page


def is_open(ada: User) -> list[bool]:
    """Whether tokens, invitations and links for others are in force."""
    invitations = Invitation.objects.filter(made_by=ada, state=Invitation.State.OPEN)
    links = PasswordLink.objects.filter(made_by=ada, used_at=None)
    tokens = AccessToken.objects.filter(made_by=ada)
    return [any(token.is_valid for token in tokens), invitations.exists(), links.exists()]


def change(ada: User, clock: Clock, **more: str) -> None:
    old = {"old_password": RIGHT, "new_password1": NEW, "new_password2": NEW}
    assert page_of_ada().post("/password/", {**old, **more}).status_code == 302


def reset(ada: User, clock: Clock, **more: str) -> None:
    body = {"new_password1": NEW, "new_password2": NEW, **more}
    assert browser().post(f"/login/new-password/{make_mail_link(ada)}/", body).status_code == 302


def turn_on(ada: User, clock: Clock, **more: str) -> None:
    page = page_of_ada()
    page.get("/account/second-factor/")
    body = {"code": shown(second_factor.prepare(ada), clock), "password": RIGHT, **more}
    assert page.post("/account/second-factor/", body).status_code == 200


def end_others(ada: User, clock: Clock, **more: str) -> None:
    page = page_of_ada()
    page_of_ada(ELSEWHERE)
    assert "Keep: 2 access tokens" in page.get("/account/").text
    assert page.post("/account/end/", {"session": "others", **more}).status_code == 302


def change_at_server(ada: User, clock: Clock, **more: str) -> None:
    typed = mock.patch.object(getpass, "getpass", return_value=NEW)
    page = page_of_ada()
    with typed:
        call_command("changepassword", ada.username, *(["--keep"] if more else []))
    ada.refresh_from_db()
    assert ada.check_password(NEW)
    assert page.get("/account/").status_code == 302


WAYS = (change, reset, turn_on, end_others, change_at_server)


@pytest.mark.parametrize("way", WAYS)
def test_all_that_a_login_opened_ends_and_a_mail_says_so(
    opened: User, event: Event, clock: Clock, posted: Callable[[], list[str]], way: Callable[..., None]
) -> None:
    assert is_open(opened) == [True, True, True]
    way(opened, clock)
    assert is_open(opened) == [False, False, False]
    [text] = posted()
    assert text.startswith("ada@chess.example This is about your login ada.")
    assert text.endswith("\n\nEvenboard")
    assert "This change also ended: 2 access tokens, 2 open invitations and 1 link for a password." in text
    logged = event.log.filter(action__in=("end_access_token", "revoke_invitation"))
    assert (logged.count(), SiteLog.objects.filter(action="end_access_token").count()) == (3, 1)


@pytest.mark.parametrize("way", WAYS)
def test_a_tick_keeps_it(
    opened: User, clock: Clock, posted: Callable[[], list[str]], way: Callable[..., None]
) -> None:
    way(opened, clock, keep="on")
    assert is_open(opened) == [True, True, True]
    [text] = posted()
    assert "This change also ended" not in text


@pytest.mark.parametrize("way", [change, reset, turn_on, change_at_server])
def test_the_mail_is_wholly_in_the_language_of_the_person(
    opened: User, clock: Clock, posted: Callable[[], list[str]], way: Callable[..., None]
) -> None:
    """A browser in another language asks, or the server."""
    opened.language = "de"
    opened.save()
    way(opened, clock, keep="on")
    [text] = posted()
    assert "Ihr Login ada" in text
    assert not re.search(r"\b(your|was|were|is|the|with)\b", text)


@pytest.mark.parametrize("path", ["/password/", "/account/second-factor/"])
def test_the_form_says_how_much_ends(opened: User, path: str) -> None:
    kept = "Keep: 2 access tokens, 2 open invitations and 1 link for a password"
    assert kept in page_of_ada().get(path).text
    assert kept in browser().get(f"/login/new-password/{make_mail_link(opened)}/").text
    AccessToken.objects.all().delete()
    Invitation.objects.all().delete()
    PasswordLink.objects.all().delete()
    assert "Keep:" not in page_of_ada().get(path).text


@pytest.mark.parametrize("way", [turn_on, end_others, change_at_server])
def test_own_links_that_nobody_used_end_with_the_sessions(
    opened: User, clock: Clock, way: Callable[..., None]
) -> None:
    """Whoever was in the login made them, or asked for them."""
    make_mail_link(opened)
    make_device_link(actor=Actor(opened), user=opened)
    way(opened, clock, keep="on")
    assert not PasswordLink.objects.filter(user=opened).exists()
    assert not DeviceLink.objects.filter(user=opened, used_at=None).exists()


def test_another_address_is_told_to_both_and_ends_links_by_mail(
    ada: User, event: Event, posted: Callable[[], list[str]]
) -> None:
    make_mail_link(ada)
    page_of_ada().post("/account/mail/", {"email": "thief@chess.example", "password": RIGHT})
    assert sorted(text.split()[0] for text in posted()) == ["ada@chess.example", "thief@chess.example"]
    assert not PasswordLink.objects.filter(user=ada).exists()


def form(page: Client, **more: str) -> dict[str, object]:
    day = re.search(r'name="last_day" value="([-0-9]+)"', page.get(PROGRAMS).text)
    assert day
    return {"name": "club.example", "scopes": ["lists:read"], "last_day": day[1], **more}


@pytest.mark.parametrize("path", [PROGRAMS, "/account/programs/"])
def test_a_token_needs_the_password_and_is_told_by_mail(
    ada: User, event: Event, posted: Callable[[], list[str]], path: str
) -> None:
    page = page_of_ada()
    for wrong in ({}, {"password": ""}, {"password": "a-wrong-password"}):
        assert page.post(path, form(page, **wrong)).status_code == 422
    assert not AccessToken.objects.exists()
    assert "evb_" in page.post(path, form(page, password=RIGHT)).text
    [text] = posted()
    assert "An access token was made with your login. Name of the program: club.example." in text


def test_a_token_needs_a_code_if_the_second_factor_is_on(
    ada: User, event: Event, code_of_ada: tuple[CodeOf, list[str]]
) -> None:
    page = Client()
    page.force_login(ada)
    code, _codes = code_of_ada
    for wrong in ({}, {"code": ""}, {"code": "000000"}):
        assert page.post(PROGRAMS, form(page, password=RIGHT, **wrong)).status_code == 422
    assert not AccessToken.objects.exists()
    assert "evb_" in page.post(PROGRAMS, form(page, password=RIGHT, code=code())).text


def test_whoever_tries_passwords_there_must_wait(ada: User, event: Event) -> None:
    page = page_of_ada()
    sent = form(page, password="a-wrong-password")
    assert [page.post(PROGRAMS, sent).status_code for _ in range(6)] == [422] * 5 + [429]
    assert "evb_" not in page.post(PROGRAMS, {**sent, "password": RIGHT}).text


@pytest.mark.parametrize(
    ("do", "sentence"),
    [("codes", "New recovery codes were made."), ("off", "The second factor is off.")],
)
def test_other_changes_of_the_second_factor_are_told(
    ada: User,
    event: Event,
    code_of_ada: tuple[CodeOf, list[str]],
    posted: Callable[[], list[str]],
    do: str,
    sentence: str,
) -> None:
    page = Client()
    page.force_login(ada)
    code, _codes = code_of_ada
    page.post("/account/second-factor/", {"password": RIGHT, "code": code(), "do": do})
    [text] = posted()
    assert sentence in text


def test_turning_the_second_factor_off_at_the_server_is_told(
    ada: User, event: Event, code_of_ada: tuple[CodeOf, list[str]], posted: Callable[[], list[str]]
) -> None:
    call_command("turn_off_second_factor", ada.username)
    [text] = posted()
    assert "The second factor is off." in text


def test_the_server_says_what_ended_with_a_password(opened: User, capsys: pytest.CaptureFixture[str]) -> None:
    with mock.patch.object(getpass, "getpass", return_value=NEW):
        call_command("changepassword", opened.username)
    assert (
        "This change also ended: 2 access tokens, 2 open invitations and 1 link for a password."
        in capsys.readouterr().out
    )
