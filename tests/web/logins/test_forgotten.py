"""A forgotten password: a link by mail, or from an organiser."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from tests.factories import EventFactory, EventRoleFactory, UserFactory
from tests.waiting import LONG
from tests.web.logins.conftest import HALL, RIGHT, WRONG, Clock, CodeOf, attempt, browser, is_in, statuses
from tournaments.actions.ledger import Actor
from tournaments.actions.logins import make_link, make_mail_link
from tournaments.errors import DomainError
from tournaments.models import ActionLog, Event, EventRole, PasswordLink, User
from web import login_mail

NEW = "bishops-behind-pawns"
PASSWORDS = {"new_password1": NEW, "new_password2": NEW}


@pytest.fixture
def event(ada: User) -> Event:
    """Ada is an arbiter of the event, and Olga its organiser."""
    event = EventFactory(slug="rijswijk")
    EventRoleFactory(event=event, user=ada)
    EventRoleFactory(event=event, user=UserFactory(username="olga"), role=EventRole.Role.OWNER)
    return event


@pytest.fixture
def olga(event: Event) -> User:
    return User.objects.get(username="olga")


def of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def link_from(maker: User, name: str = "ada") -> str:
    """Make a link on the page People; return its path, or "" if the page refuses."""
    answer = of(maker).post("/rijswijk/-/people/link/", {"username": name})
    found = re.search(r'value="http://testserver(/login/new-password/[\w-]+/)"', answer.text)
    return found[1] if found else ""


def refused_link(maker: User, name: str = "ada") -> int:
    return of(maker).post("/rijswijk/-/people/link/", {"username": name}).status_code


def test_organiser_makes_a_link_and_the_arbiter_sets_a_password_with_it(ada: User, olga: User) -> None:
    path = link_from(olga)
    page = browser()
    assert "For the login ada." in page.get(path).text
    answer = page.post(path, PASSWORDS)
    assert (answer.status_code, answer.url) == (302, "/login/")
    assert "Your new password is saved. Log in with it." in page.get("/login/").text
    assert attempt(browser(), password=RIGHT).status_code == 200
    assert (attempt(page, password=NEW).status_code, is_in(page)) == (302, True)


def test_link_is_shown_once_and_its_token_is_stored_nowhere(ada: User, olga: User) -> None:
    token = link_from(olga).split("/")[-2]
    assert token not in of(olga).get("/rijswijk/-/people/").text
    kept = list(PasswordLink.objects.values()) + list(ActionLog.objects.values())
    assert token not in json.dumps(kept, default=str)


def test_log_says_who_made_a_link_and_that_it_was_used(ada: User, olga: User) -> None:
    browser().post(link_from(olga), PASSWORDS)
    logged = list(ActionLog.objects.order_by("pk").values_list("action", "who", "subject", "origin"))
    assert logged == [
        ("make_password_link", "olga", "ada", "127.0.0.1"),
        ("use_password_link", "ada", "ada", HALL),
    ]


def test_link_works_only_once(ada: User, olga: User) -> None:
    path = link_from(olga)
    browser().post(path, PASSWORDS)
    for answer in (browser().get(path), browser().post(path, PASSWORDS)):
        assert (answer.status_code, "This link was used already, or it is too old." in answer.text) == (
            410,
            True,
        )


def test_opening_the_page_or_a_bad_password_does_not_use_the_link(ada: User, olga: User) -> None:
    path = link_from(olga)
    for _ in range(3):
        assert browser().get(path).status_code == 200
    bad = browser().post(path, {"new_password1": "short", "new_password2": "short"})
    assert (bad.status_code, "This password is too short." in bad.text) == (422, True)
    assert browser().post(path, PASSWORDS).status_code == 302


def test_of_two_people_who_send_the_form_at_once_one_succeeds(ada: User, olga: User) -> None:
    """Both have looked up the link before either has used it."""
    from tournaments.actions.logins import use_link

    token = link_from(olga).split("/")[-2]
    one, other = User.objects.get(pk=ada.pk), User.objects.get(pk=ada.pk)
    one.set_password(NEW)
    other.set_password(WRONG)
    use_link(token=token, user=one, origin="")
    with pytest.raises(DomainError, match="link_gone"):
        use_link(token=token, user=other, origin="")
    ada.refresh_from_db()
    assert ada.check_password(NEW)


@pytest.mark.parametrize(("hours", "status"), [(23.9, 200), (24.1, 410)])
def test_link_of_an_organiser_ends_after_a_day(
    ada: User, olga: User, clock: Clock, hours: float, status: int
) -> None:
    path = link_from(olga)
    clock.forward(hours=hours)
    assert browser().get(path).status_code == status


def test_newer_link_ends_the_older_one(ada: User, olga: User) -> None:
    older, newer = link_from(olga), link_from(olga)
    assert [browser().get(path).status_code for path in (older, newer)] == [410, 200]


def test_new_password_ends_all_sessions(ada: User, olga: User) -> None:
    thief = browser()
    attempt(thief, password=RIGHT)
    browser().post(link_from(olga), PASSWORDS)
    assert is_in(thief) is False


def test_browser_that_used_a_link_is_not_delayed_by_guessers(ada: User, olga: User, clock: Clock) -> None:
    statuses(browser(), 10)
    page = browser()
    page.post(link_from(olga), PASSWORDS)
    assert attempt(browser(), password=NEW).status_code == 429
    assert attempt(page, password=NEW).status_code == 302


def test_person_sees_whose_link_set_the_password_until_the_password_changes(ada: User, olga: User) -> None:
    """The organiser who makes a link could use it. The person must be able to notice this."""
    page = browser()
    page.post(link_from(olga), PASSWORDS)
    attempt(page, password=NEW)
    sentence = "with a link that olga made."
    assert sentence in page.get("/account/").text
    link_from(olga)
    assert sentence in page.get("/account/").text
    changed = "queens-on-open-files"
    page.post("/password/", {"old_password": NEW, "new_password1": changed, "new_password2": changed})
    assert sentence not in page.get("/account/").text


def test_changing_the_password_ends_links_that_were_not_used(ada: User, olga: User) -> None:
    path = link_from(olga)
    page = browser()
    attempt(page, password=RIGHT)
    page.post("/password/", {"old_password": RIGHT, **PASSWORDS})
    assert browser().get(path).status_code == 410


def test_link_does_not_replace_the_second_factor(
    ada: User, olga: User, code_of_ada: tuple[CodeOf, list[str]]
) -> None:
    page = browser()
    page.post(link_from(olga), PASSWORDS)
    answer = attempt(page, password=NEW)
    assert (answer.url, is_in(page)) == ("/login/code/", False)


def test_arbiter_makes_no_links(ada: User, olga: User) -> None:
    assert (refused_link(ada, "olga"), PasswordLink.objects.count()) == (403, 0)


def test_organiser_makes_no_link_for_a_person_outside_the_event(ada: User, olga: User) -> None:
    UserFactory(username="bo")
    assert [refused_link(olga, name) for name in ("bo", "nobody")] == [404, 404]


def test_organiser_cannot_take_over_a_person_who_also_works_elsewhere(ada: User, olga: User) -> None:
    """Otherwise an organiser could add anybody to an own event, and use the link."""
    EventRoleFactory(event=EventFactory(), user=ada)
    answer = of(olga).post("/rijswijk/-/people/link/", {"username": "ada"})
    assert (answer.status_code, PasswordLink.objects.count()) == (422, 0)
    assert "this person also has rights that you do not have" in answer.text


@pytest.mark.parametrize(
    "field", ["is_superuser", "is_staff", "site_owner", "makes_events", "makes_logins", "keeps_lists"]
)
def test_organiser_cannot_take_over_a_login_with_more_rights_on_the_site(
    ada: User, olga: User, field: str
) -> None:
    User.objects.filter(pk=ada.pk).update(**{field: True})
    assert (refused_link(olga), PasswordLink.objects.count()) == (422, 0)


def test_organiser_with_the_same_rights_makes_a_link(ada: User, olga: User) -> None:
    User.objects.filter(pk__in=(ada.pk, olga.pk)).update(makes_events=True, makes_logins=True)
    olga.refresh_from_db()
    assert bool(link_from(olga))


def test_owner_of_the_site_makes_links_for_everybody_in_an_event(ada: User, olga: User) -> None:
    root = UserFactory(is_superuser=True)
    EventRoleFactory(event=EventFactory(), user=ada)
    assert [bool(link_from(root, name)) for name in ("ada", "olga")] == [True, True]


def test_closed_login_gets_no_link_and_cannot_use_one(ada: User, olga: User) -> None:
    path = link_from(olga)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert browser().get(path).status_code == 410
    assert refused_link(olga) == 404


def test_command_line_makes_no_links(ada: User, event: Event) -> None:
    with pytest.raises(DomainError, match="link_not_allowed"):
        make_link(actor=Actor.command(), event=event, username="ada")


# By mail


@pytest.fixture
def by_mail(transactional_db: None, settings: Settings) -> Callable[..., str]:
    """Mail is set up. Return a function that asks for a link and returns the page when the mail is sent."""
    settings.MAIL_IS_SET_UP = True

    def ask(name: str, address: str = HALL, **headers: str) -> str:
        answer = browser(address).post("/login/forgotten/", {"username": name}, **headers)
        for thread in threading.enumerate():
            if thread.name == login_mail.THREAD:
                thread.join(LONG)
        return answer.text

    return ask


@pytest.fixture
def ada_with_mail(transactional_db: None, ada: User) -> User:
    ada.email = "ada@example.org"
    ada.save()
    return ada


def test_mail_is_in_the_language_of_the_person_whoever_asks(
    ada_with_mail: User, by_mail: Callable[..., str]
) -> None:
    ada_with_mail.language = "de"
    ada_with_mail.save()
    by_mail("ada", headers={"accept-language": "fr"})
    assert mail.outbox[0].subject == "Evenboard: ein neues Passwort"
    assert "Jemand, wahrscheinlich Sie," in mail.outbox[0].body
    assert mail.outbox[0].body.endswith("\n\nEvenboard")


def test_mail_has_a_link_that_sets_a_password(ada_with_mail: User, by_mail: Callable[..., str]) -> None:
    by_mail("ada")
    sent = mail.outbox[0]
    assert (sent.to, sent.subject) == (["ada@example.org"], "Evenboard: a new password")
    path = re.search(r"http://testserver(/login/new-password/[\w-]+/)", sent.body)
    assert path is not None
    assert browser().post(path[1], PASSWORDS).status_code == 302
    assert attempt(browser(), password=NEW).status_code == 302
    assert ActionLog.objects.count() == 0


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("public", "asked_at", "port", "begin"),
    [
        ("", "testserver:6666", "8000", "http://testserver:8000/"),
        ("", "testserver:8000", "8000", "http://testserver:8000/"),
        ("", "testserver:6666", "80", "http://testserver/"),
        ("", "testserver", "8000", "http://testserver/"),
        ("", "[::1]:6666", "8000", "http://[::1]:8000/"),
        ("https://chess.example:8443", "testserver:6666", "8000", "https://chess.example:8443/"),
    ],
)
def test_nobody_chooses_the_port_of_a_mailed_link(
    ada_with_mail: User, by_mail: Callable[..., str], settings: Settings,
    public: str, asked_at: str, port: str, begin: str,
) -> None:  # fmt: skip
    """Somebody else may have opened a program on another port of the same computer, to catch the link."""
    settings.PUBLIC_URL = public
    settings.ALLOWED_HOSTS = ["testserver", "[::1]"]
    by_mail("ada", HTTP_HOST=asked_at, SERVER_PORT=port)
    assert re.findall(r"(http\S+/)login/new-password/", mail.outbox[0].body) == [begin]


def test_port_of_the_http_address_is_not_written_behind_https(
    ada_with_mail: User, by_mail: Callable[..., str], settings: Settings
) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    by_mail("ada", HTTP_HOST="testserver:6666", SERVER_PORT="443", HTTP_X_FORWARDED_PROTO="https")
    assert re.findall(r"(http\S+/)login/new-password/", mail.outbox[0].body) == ["https://testserver/"]


def test_later_request_leaves_the_mailed_link_as_it_was(
    ada_with_mail: User, by_mail: Callable[..., str]
) -> None:
    """Otherwise a stranger who asks again and again would end each link before its owner has read the mail."""
    by_mail("ada")
    by_mail("ada", "10.0.0.9")
    first, second = (
        re.findall(r"http://testserver(/login/new-password/[\w-]+/)", sent.body)[0] for sent in mail.outbox
    )
    assert [browser().get(path).status_code for path in (first, second)] == [200, 200]
    assert browser().post(first, PASSWORDS).status_code == 302
    assert [browser().get(path).status_code for path in (first, second)] == [410, 410]


def test_request_by_mail_leaves_the_link_of_an_organiser_as_it_was(ada: User, olga: User) -> None:
    path = link_from(olga)
    make_mail_link(ada)
    assert browser().get(path).status_code == 200


def test_links_that_are_too_old_are_deleted_with_the_next_request(ada: User, clock: Clock) -> None:
    for _ in range(3):
        make_mail_link(ada)
    clock.forward(minutes=61)
    make_mail_link(ada)
    assert PasswordLink.objects.count() == 1


def test_answer_is_the_same_for_every_name(ada_with_mail: User, by_mail: Callable[..., str]) -> None:
    UserFactory(username="bohumil")
    pages = [by_mail(name).replace(name, "NAME") for name in ("ada", "bohumil", "nobody")]
    assert pages[0] == pages[1] == pages[2]
    assert "If there is a login NAME with an e-mail address, a mail is on its way." in pages[0]
    assert len(mail.outbox) == 1


def test_nobody_can_fill_a_mailbox(ada_with_mail: User, by_mail: Callable[..., str], clock: Clock) -> None:
    pages = [by_mail("ada") for _ in range(4)] + [by_mail("ada", f"10.0.0.{n}") for n in range(4)]
    assert len(mail.outbox) == 4
    assert ["Too many attempts" in page for page in pages] == [False] * 2 + [True] * 2 + [False] * 2 + [
        True
    ] * 2


def test_link_of_a_mail_ends_after_an_hour(ada: User, clock: Clock) -> None:
    path = f"/login/new-password/{make_mail_link(ada)}/"
    clock.forward(minutes=59)
    assert browser().get(path).status_code == 200
    clock.forward(minutes=2)
    assert browser().get(path).status_code == 410


def test_failed_mail_is_in_the_console_and_not_in_the_answer(
    ada_with_mail: User, by_mail: Callable[..., str], monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    def broken(*_given: object) -> None:
        raise OSError("no route to the mail server")

    monkeypatch.setattr(login_mail, "_mail", broken)
    assert "a mail is on its way" in by_mail("ada")
    assert "A mail for a new password was not sent." in caplog.text


def test_slow_mail_server_does_not_fill_the_program_with_threads(
    ada_with_mail: User,
    by_mail: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(login_mail, "_places", threading.BoundedSemaphore(1))
    with login_mail._places:
        assert "a mail is on its way" in by_mail("ada")
    assert (len(mail.outbox), "the mail server is too slow" in caplog.text) == (0, True)
    by_mail("ada")
    assert len(mail.outbox) == 1


def test_without_mail_the_page_says_whom_to_ask(client: Client, db: None) -> None:
    page = client.get("/login/forgotten/")
    assert ("An owner of your event can make a link" in page.text, "<form" in page.text) == (True, False)
    assert client.post("/login/forgotten/", {"username": "ada"}).status_code == 200
    assert mail.outbox == []


def test_everybody_sets_their_own_address_with_the_password(ada: User) -> None:
    page = browser()
    attempt(page, password=RIGHT)
    sent = {"email": "ada@example.org", "password": WRONG}
    assert page.post("/account/mail/", sent).status_code == 422
    assert page.post("/account/mail/", {**sent, "password": RIGHT, "email": "ada"}).status_code == 422
    ada.refresh_from_db()
    assert ada.email == ""
    assert page.post("/account/mail/", {**sent, "password": RIGHT}).status_code == 302
    assert "ada@example.org" in page.get("/account/").text
    assert page.post("/account/mail/", {"email": "", "password": RIGHT}).status_code == 302
    ada.refresh_from_db()
    assert ada.email == ""


def test_lifetimes_are_those_that_the_pages_name() -> None:
    from tournaments.actions.logins import BY_HAND, BY_MAIL

    assert (timedelta(hours=24), timedelta(hours=1)) == (BY_HAND, BY_MAIL)
