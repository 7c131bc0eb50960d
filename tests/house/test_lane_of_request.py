"""Which task of a lane a request is, how long it waits there, and whose request it is."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest
from django.urls import reverse
from waitress.adjustments import Adjustments
from waitress.parser import HTTPRequestParser

from server import fair_queue as turns_module
from server.dispatch import party_of, task_of
from server.fair_queue import Waiting
from server.priority_queues import usual_lanes
from tests.house.serving import signed
from web.recent_logins import MOST, REMEMBERED, RecentLogin, known

pytestmark = pytest.mark.one_database


def test_who_has_typed_a_password_or_a_form_waits_longer_than_a_visitor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    monkeypatch.setattr(turns_module, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    tasks = [task for lane in usual_lanes(1, 2) if lane.gated for task in lane.tasks]
    for task in tasks:
        asked = Waiting("a", "", SimpleNamespace())
        task.waiting.prepare(asked)
        task.waiting.add(asked)
    late = {}
    for clock[0] in (4.0, 4.1, 10.1, 20.0, 20.1, 60.1, 280.0, 280.1):
        late[clock[0]] = {task.name for task in tasks if task.late() is None}
    visitors = {"public", "pages", "other", "returning", "files", "form"}
    typed = {"login", "registration", "sending", "board", "press"}
    assert late == {
        4.0: {"comparisons", "reading", "explanations", *visitors, *typed},
        4.1: {"comparisons", "reading", "explanations", *typed},
        10.1: {"reading", *typed},
        20.0: {"reading", *typed},
        20.1: {"reading", "sending", "press"},
        60.1: {"sending", "press"},
        280.0: {"sending", "press"},
        280.1: set(),
    }


def request_of(path: str, headers: str = "", method: str = "GET") -> HTTPRequestParser:
    request = HTTPRequestParser(Adjustments())
    request.received(f"{method} {path} HTTP/1.1\r\nHost: a\r\n{headers}\r\n".encode())
    return request


@pytest.mark.usefixtures("_sessions")
@pytest.mark.parametrize(
    ("path", "cookie", "expected"),
    [
        ("/hall/a/pairings/", "", "public"),
        ("/hall/a/pairings/", "Cookie: sessionid=known\r\n", "arbiters"),
        ("/hall/a/pairings/", "Cookie: csrftoken=x; sessionid=known; a=b\r\n", "arbiters"),
        ("/hall/a/pairings/", "Cookie: sessionid=plain\r\n", "other"),
        ("/hall/a/pairings/", "Cookie: sessionid=invented\r\n", "returning"),
        ("/hall/a/pairings/", "Cookie: xsessionid=known\r\n", "public"),
        ("/hall/a/pairings/", "Cookie: sessionid=known; sessionid=invented\r\n", "returning"),
        ("/hall/a/pairings/", "Cookie: messages=x\r\n", "other"),
        ("/hall/a/pairings/?utm=1&seen=2&round=3", "", "public"),
        ("/hall/a/pairings/?q=a", "", "other"),
        ("/hall/a/pairings/?q=", "", "public"),
        (f"/hall/a/pairings/?a={'b' * 300}", "", "other"),
        ("/hall/a/round/007/pairings/", "", "public"),
        ("/hall/a/players/999/", "", "other"),
        ("/hall/a/round/7/why/", "", "other"),
        ("/sign-up/", "", "other"),
        ("/", "", "public"),
        ("/hall/a/round/7/compare/?show=different", "Cookie: sessionid=known\r\n", "comparisons"),
        ("/hall/a/round/7/explained/", "", "explanations"),
        ("/hall/a/round/7/explained/work/2/?part=2", "Cookie: sessionid=invented\r\n", "explanations"),
        ("/hall/a/round/7/explained/3/", "Cookie: sessionid=plain\r\n", "explanations"),
        ("/hall/a/round/7/explained/3/", "Cookie: sessionid=known\r\n", "arbiters"),
        ("/api/v1/public/sections/1/rounds/7/explained/", "", "explanations"),
        ("/hall/a/fairness/compare/", "Cookie: sessionid=known\r\n", "comparisons"),
        ("/hall/a/fairness/compare.csv", "Cookie: sessionid=known\r\n", "comparisons"),
        ("/hall/a/fairness/", "Cookie: sessionid=known\r\n", "arbiters"),
        ("/hall/compare/", "Cookie: sessionid=known\r\n", "arbiters"),
        ("/hall/a/game/3/result/", "Cookie: sessionid=known\r\n", "results"),
        ("/de/hall/a/game/3/confirm/", "Cookie: sessionid=known\r\n", "results"),
        ("/hall/a/game/3/result/", "", "other"),
        ("/hall/a/round/7/compare/", "", "other"),
        ("/hall/-/register/", "", "registration"),
        ("/de/hall/-/register/sent/", "", "registration"),
        ("/hall/-/register/", "Cookie: sessionid=invented\r\n", "registration"),
        ("/hall/-/entry/", "Cookie: sessionid=plain\r\n", "registration"),
        ("/hall/-/register/", "Cookie: sessionid=known\r\n", "arbiters"),
        ("/hall/-/registration/", "Cookie: sessionid=known\r\n", "arbiters"),
        ("/hall/-/entry-list/", "", "other"),
        ("/de/hall/a/board/7wx/", "", "board"),
        ("/hall/a/board/7wx/", "Cookie: sessionid=known\r\n", "arbiters"),
        ("/hall/a/entries/import/", "Cookie: sessionid=known\r\n", "arbiters"),
        ("/hall/a/entries/import/check/", "Cookie: sessionid=known\r\n", "reading"),
        ("/de/new/-/load/check/", "Cookie: sessionid=known\r\n", "reading"),
        ("/login/?next=/", "", "form"),
        ("/login/?next=/", "Cookie: sessionid=known\r\n", "arbiters"),
        ("/de/hall/a/pairings/", "", "public"),
        ("/de/login/?next=/", "", "form"),
        ("/healthz", "Cookie: sessionid=known\r\n", "health"),
        ("/readyz", "Cookie: sessionid=known\r\n", "ready"),
        ("/static/css/base.css", "Cookie: sessionid=known\r\n", "files"),
    ],
)
def test_the_task_of_a_request(path: str, cookie: str, expected: str) -> None:
    assert task_of(request_of(path, cookie)) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/login/", "login"),
        ("/uk/login/", "login"),
        ("/login/code/", "login"),
        ("/hall/-/register/", "sending"),
        ("/uk/hall/-/entry/", "sending"),
        ("/hall/a/board/7wx/", "press"),
        ("/hall/a/pairings/", "other"),
    ],
)
def test_the_task_of_a_form(path: str, expected: str) -> None:
    assert task_of(request_of(path, method="POST")) == expected
    assert task_of(request_of(path, "X-Sent-Away: 1\r\n", method="POST")) == "sent away"


@pytest.mark.usefixtures("_sessions")
def test_a_page_that_is_asked_for_with_a_body_is_for_one_visitor() -> None:
    """It cannot go on in another task, where pages for all are made."""
    assert task_of(request_of("/hall/a/pairings/", "Content-Length: 1\r\n")) == "other"
    assert task_of(request_of("/hall/a/pairings/", "Content-Length: 0\r\n")) == "public"


def test_the_lanes_and_their_tasks() -> None:
    assert {lane.name: [task.name for task in lane.tasks] for lane in usual_lanes(4, 2)} == {
        "arbiters": ["arbiters", "results"],
        "visitors": ["public", "other", "registration", "sending"],
        "players": ["board", "press"],
        "making": ["pages", "reading", "comparisons", "explanations"],
        "login": ["returning", "form", "login"],
        "files": ["files"],
        "health": ["health", "ready", "sent away"],
    }


@pytest.mark.usefixtures("_sessions")
def test_every_address_that_takes_a_file_has_the_lane_for_reading() -> None:
    """Of a login that works here. Others wait in their own lanes, and are refused."""
    paths = [
        reverse("tournaments:import", args=["hall", "a"]),
        reverse("tournaments:import-check", args=["hall", "a"]),
        reverse("tournaments:new-section-from-report", args=["hall"]),
        reverse("tournaments:load-copy"),
        reverse("tournaments:load-copy-check"),
        reverse("tournaments:open-copy", args=["hall", "a", "copy"]),
        reverse("tournaments:rating-list-file"),
        reverse("tournaments:rating-list-columns"),
        reverse("tournaments:event-rating-list-file", args=["hall"]),
        reverse("tournaments:event-rating-list-columns", args=["hall"]),
        reverse("registrations:upload-registrations", args=["hall"]),
        "/api/v1/sections/1/import-list/",
        "/api/v1/sections/1/import-list/preview/",
        "/api/v1/events/1/registrations/import-list/",
        "/api/v1/events/1/registrations/import-list/preview/",
        "/api/v1/sections/1/import-report/",
        "/api/v1/sections/1/import-report/preview/",
    ]
    lanes = {path: task_of(request_of(path, "Cookie: sessionid=known\r\n", "POST")) for path in paths}
    assert lanes == dict.fromkeys(paths, "reading")


@pytest.mark.usefixtures("_sessions")
@pytest.mark.parametrize(
    ("path", "headers", "address", "expected"),
    [
        ("/", "", "192.0.2.1", "192.0.2.1"),
        ("/", "", "2001:db8:0:1::5", "20010db800000001"),
        ("/", "X-Forwarded-For: 192.0.2.9\r\n", "192.0.2.1", "192.0.2.1"),
        ("/", "X-Forwarded-For: 192.0.2.8, 192.0.2.9\r\n", "127.0.0.1", "192.0.2.9"),
        ("/", "", "127.0.0.1", "127.0.0.1"),
        ("/", "Cookie: sessionid=known\r\n", "192.0.2.1", 7),
        ("/", "Cookie: sessionid=invented\r\n", "192.0.2.1", "192.0.2.1"),
        ("/login/", "Cookie: evenboard-device=DEVICE\r\n", "192.0.2.1", "browser"),
        ("/login/", "Cookie: evenboard-device=NEW\r\n", "192.0.2.1", "192.0.2.1"),
        ("/login/", "Cookie: evenboard-device=invented\r\n", "192.0.2.1", "192.0.2.1"),
        ("/", "Cookie: evenboard-device=DEVICE\r\n", "192.0.2.1", "192.0.2.1"),
    ],
)
def test_party_of_a_request(path: str, headers: str, address: str, expected: object) -> None:
    cookies = headers.replace("DEVICE", signed("browser", "a name")).replace("NEW", signed("browser"))
    channel = SimpleNamespace(
        requests=[request_of(path, cookies)],
        addr=(address, 1),
        server=SimpleNamespace(trusted="127.0.0.1"),
    )
    assert party_of(channel) == expected


def test_sessions_of_today_are_known_and_those_of_the_last_visitors(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    for number in range(MOST + 1):
        known.put(str(number), RecentLogin(1, works=True))
    assert ("0" in known, "1" in known, len(known)) == (False, True, MOST)
    clock[0] += REMEMBERED - 1
    assert "1" in known
    clock[0] += 1
    assert "1" not in known
