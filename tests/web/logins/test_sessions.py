"""Everybody sees where they are logged in, and ends sessions."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from base.cache import Cache
from tests.web.logins.conftest import ELSEWHERE, HALL, RIGHT, Clock, attempt, browser, is_in
from tournaments.actions.logins import sessions as login_sessions
from tournaments.models import LoginSession, User
from web.words.people import agent_words

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
CHROME = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"
)
EDGE = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0"


def logged_in(address: str = HALL, agent: str = FIREFOX) -> Client:
    page = browser(address, HTTP_USER_AGENT=agent)
    assert attempt(page, password=RIGHT).status_code == 302
    return page


def rows(page: Client) -> list[list[str]]:
    """Return the cells of the list of sessions as text, without the buttons."""
    body = page.get("/account/").text.split("<tbody>")[1].split("</tbody>")[0]
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in body.split("</tr>")[:-1]]
    return [[re.sub(r"<span.*?</span>|<[^>]+>", "", cell).strip() for cell in row[:4]] for row in cells]


def test_list_says_browser_address_and_times_and_marks_this_one(ada: User, clock: Clock) -> None:
    phone = logged_in(ELSEWHERE, CHROME)
    clock.forward(hours=3)
    laptop = logged_in()
    assert rows(laptop) == [
        ["Firefox on Windows", HALL, "17 Oct 2026, 12:00", "This browser"],
        ["Chrome on Android", ELSEWHERE, "17 Oct 2026, 09:00", "3\xa0hours ago"],
    ]
    clock.forward(minutes=15)
    phone.get("/account/")
    assert [row[3] for row in rows(laptop)] == ["in the last 20 minutes", "This browser"]


def test_beginning_of_a_long_name_of_a_browser_is_kept(ada: User) -> None:
    logged_in(agent="x" * 400)
    assert LoginSession.objects.get().agent == "x" * 300


def test_list_never_shows_the_key_of_a_session(ada: User) -> None:
    page, other = logged_in(), logged_in()
    html = page.get("/account/").text
    keys = [client.cookies["sessionid"].value for client in (page, other)]
    assert [key for key in keys if key in html] == []


def test_ended_session_fails_at_once_and_the_others_stay(ada: User) -> None:
    here, first, second = logged_in(), logged_in(), logged_in()
    ended = LoginSession.objects.get(session_key=first.cookies["sessionid"].value)
    answer = here.post("/account/end/", {"session": ended.pk})
    assert (answer.status_code, answer.url) == (302, "/account/")
    assert [is_in(page) for page in (here, first, second)] == [True, False, True]
    assert not Session.objects.filter(session_key=first.cookies["sessionid"].value).exists()
    assert len(rows(here)) == 2


def test_all_other_sessions_end_together(ada: User) -> None:
    here, *others = (logged_in() for _ in range(3))
    here.post("/account/end/", {"session": "others"})
    assert [is_in(page) for page in (here, *others)] == [True, False, False]
    assert "You are not logged in anywhere else." in here.get("/account/").text


@pytest.mark.parametrize(
    "which", ["bo", "", "-1", "x" * 50, "9" * 40, "99999999", pytest.param("9" * 5_000, id="5,000 digits")]
)
def test_nobody_ends_a_session_of_somebody_else(ada: User, which: str) -> None:
    User.objects.create_user("bo", password=RIGHT)
    bo = browser()
    attempt(bo, "bo", RIGHT)
    if which == "bo":
        which = str(LoginSession.objects.get(user__username="bo").pk)
    assert logged_in().post("/account/end/", {"session": which}).status_code == 302
    assert is_in(bo) is True


def test_new_password_ends_the_others_in_the_database_and_keeps_this_one(ada: User) -> None:
    here, other = logged_in(), logged_in(ELSEWHERE)
    new = "bishops-behind-pawns"
    sent = {"old_password": RIGHT, "new_password1": new, "new_password2": new}
    assert here.post("/password/", sent).status_code == 302
    keys = list(Session.objects.values_list("session_key", flat=True))
    assert keys == [here.cookies["sessionid"].value]
    assert [is_in(page) for page in (here, other)] == [True, False]
    assert [row[3] for row in rows(here)] == ["This browser"]


def test_logged_out_and_expired_sessions_are_not_listed(ada: User, clock: Clock) -> None:
    logged_in().post("/logout/")
    old = logged_in()
    Session.objects.filter(session_key=old.cookies["sessionid"].value).update(expire_date=clock.now)
    clock.forward(seconds=1)
    here = logged_in()
    assert (len(rows(here)), LoginSession.objects.count()) == (1, 1)


def test_session_from_before_the_list_existed_is_listed_at_its_next_visit(ada: User, clock: Clock) -> None:
    page = logged_in()
    LoginSession.objects.all().delete()
    clock.forward(minutes=11)
    page.get("/account/")
    assert [row[:2] for row in rows(page)] == [["Firefox on Windows", HALL]]


def test_visits_are_written_every_five_minutes_at_most(ada: User, clock: Clock) -> None:
    page = logged_in()

    def written() -> int:
        with CaptureQueriesContext(connection) as captured:
            page.get("/keys/")
        return len([query for query in captured if "loginsession" in query["sql"]])

    counts = [written(), written()]
    clock.forward(minutes=5)
    counts += [written(), written()]
    assert counts == [0, 0, 1, 0]


def test_readers_without_a_login_cost_nothing(db: None) -> None:
    with CaptureQueriesContext(connection) as captured:
        browser().get("/login/forgotten/")
    assert len(captured) == 0


def test_page_comes_although_the_visit_cannot_be_written(
    ada: User, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = logged_in()
    clock.forward(minutes=11)

    def locked(**_facts: object) -> None:
        raise DatabaseError("database is locked")

    monkeypatch.setattr("web.middleware.note_session", locked)
    assert page.get("/keys/").status_code == 200


def test_memory_of_written_visits_is_limited(
    ada: User, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(login_sessions, "_written", Cache(2))

    def writes(key: str) -> bool:
        with CaptureQueriesContext(connection) as captured:
            login_sessions.note_session(user=ada, key=key, address="", agent="")
        return bool(len(captured))

    assert [writes(key) for key in ("a", "b", "a", "c", "b")] == [True, True, False, True, True]


def test_number_of_queries_does_not_grow_with_sessions(ada: User) -> None:
    here = logged_in()

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            here.get("/account/")
        return len(captured)

    before = queries()
    for _ in range(5):
        logged_in()
    assert (queries(), before) == (before, 10)


def test_session_made_without_a_login_page_is_noted_too(ada: User) -> None:
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    client = Client()
    client.force_login(ada)
    assert store.exists(LoginSession.objects.get().session_key)


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (FIREFOX, "Firefox on Windows"),
        (CHROME, "Chrome on Android"),
        (SAFARI, "Safari on iPhone"),
        (EDGE, "Edge on Windows"),
        ("curl/8.0", "Unknown browser"),
        ("", "Unknown browser"),
    ],
)
def test_browsers_have_names(agent: str, words: str) -> None:
    assert agent_words(agent) == words


AWAY = [
    "foo",
    "new-password",
    "home",
    "../new/",
    "https://example.org/",
    "//example.org/",
    "/login/",
    "/login/?next=/",
]


@pytest.mark.one_database
@pytest.mark.parametrize("after", AWAY)
def test_login_leads_home_if_the_page_asked_for_is_none_of_this_server(ada: User, after: str) -> None:
    answer = browser().post("/login/", {"username": "ada", "password": RIGHT, "next": after})
    assert (answer.status_code, answer.url) == (302, "/")


@pytest.mark.one_database
@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("after", AWAY)
def test_log_in_page_leads_a_person_who_is_logged_in_away(ada: User, method: str, after: str) -> None:
    answer = getattr(logged_in(), method)("/login/", query_params={"next": after})
    assert (answer.status_code, answer.url) == (302, "/")


def test_login_leads_to_the_page_asked_for(ada: User) -> None:
    sent = {"username": "ada", "password": RIGHT, "next": "/new/?x=1"}
    assert browser().post("/login/", sent).url == "/new/?x=1"
    assert logged_in().get("/login/", query_params={"next": "/new/?x=1"}).url == "/new/?x=1"
