"""Lanes: visitors do not slow arbiters, and no request waits without end."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser

from server import fair_queue as turns_module
from server import priority_queues as lanes_module
from server.dispatch import Door, browser_of, page, party_of, task_of
from server.priority_queues import SENT_AWAY, Lanes, usual_lanes
from tests.house.serving import Answered, Serve, lane, read_answer, signed
from tests.waiting import LONG, until

pytestmark = pytest.mark.one_database


class Hall:
    """An application whose requests wait until the test releases them, by path; it records when each began."""

    def __init__(self) -> None:
        self.go: dict[str, threading.Event] = {}
        self.began: list[str] = []
        self.tasks: list[str] = []
        self._lock = threading.Condition()

    def hold(self, path: str) -> threading.Event:
        return self.go.setdefault(path, threading.Event())

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        with self._lock:
            self.began.append(path)
            self.tasks.append(environ["evenboard.task"])
            self._lock.notify_all()
        if path in self.go:
            self.go[path].wait(LONG)
        start_response("200 OK", [("Content-Length", str(len(path)))])
        return [path.encode()]

    def wait_for(self, path: str) -> None:
        with self._lock:
            assert self._lock.wait_for(lambda: path in self.began, LONG), (path, self.began)


def by_path(request: HTTPRequestParser) -> str:
    return "arbiters" if request.path.startswith("/arbiter") else "public"


def some_lanes(
    *, arbiters: int = 1, public: int = 1, room: int = 100, gate: float = 60.0, patience: float = 4.0
) -> Lanes:
    return Lanes(
        [
            lane("arbiters", arbiters, room=100, first=True),
            lane("public", public, room=room, gated=True, patience=patience),
            lane(SENT_AWAY, 1, room=1000),
        ],
        by_path,
        gate=gate,
    )


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """Load all addresses and the template before the times of the first test count, as the server does."""
    page("en", 3, True)


class Clock:
    """The time of the lanes, which passes only when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def sleep(self, seconds: float) -> None:
        """Let a thread that looks again and again come to its end."""
        time.sleep(seconds)
        self.now += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    stopped = SimpleNamespace(monotonic=lambda: clock.now, sleep=clock.sleep)
    monkeypatch.setattr(lanes_module, "time", stopped)
    monkeypatch.setattr(turns_module, "time", stopped)
    return clock


@pytest.fixture
def hall() -> Iterator[Hall]:
    hall = Hall()
    yield hall
    for event in hall.go.values():
        event.set()


@pytest.fixture
def ask() -> Iterator[Callable[..., socket.socket]]:
    """Return a function that sends a request on a new connection."""
    with ExitStack() as lines:

        def ask(port: int, path: str, method: str = "GET", headers: str = "") -> socket.socket:
            line = socket.create_connection(("127.0.0.1", port), timeout=LONG)
            lines.enter_context(line)
            line.sendall(f"{method} {path} HTTP/1.1\r\nHost: a\r\n{headers}\r\n".encode())
            return line

        yield ask


def answer(line: socket.socket, method: str = "GET") -> Answered:
    return read_answer(line.makefile("rb"), method)


Ask = Callable[..., socket.socket]


def test_an_arbiter_does_not_wait_behind_visitors(serve: Serve, hall: Hall, ask: Ask) -> None:
    hall.hold("/page")
    port = serve(hall, lanes=some_lanes())
    for _ in range(20):
        ask(port, "/page")
    hall.wait_for("/page")
    assert answer(ask(port, "/arbiter/save")).body == b"/arbiter/save"
    assert hall.began == ["/page", "/arbiter/save"]


def test_no_visitor_is_served_while_an_arbiter_is(serve: Serve, hall: Hall, ask: Ask) -> None:
    save = hall.hold("/arbiter/save")
    lanes = some_lanes(public=2)
    port = serve(hall, lanes=lanes)
    saving = ask(port, "/arbiter/save")
    hall.wait_for("/arbiter/save")
    pages = [ask(port, f"/page/{number}") for number in range(3)]
    waiting_in(lanes, "public", 3)
    assert hall.began == ["/arbiter/save"]
    save.set()
    assert [answer(line).status for line in [saving, *pages]] == [200] * 4


def test_a_slow_arbiter_does_not_stop_the_visitors(serve: Serve, hall: Hall, ask: Ask, clock: Clock) -> None:
    hall.hold("/arbiter/pair")
    lanes = some_lanes(gate=0.1)
    port = serve(hall, lanes=lanes)
    ask(port, "/arbiter/pair")
    hall.wait_for("/arbiter/pair")
    line = ask(port, "/page")
    waiting_in(lanes, "public", 1)
    clock.now += 0.15
    assert answer(line).body == b"/page"


def test_arbiters_without_a_pause_leave_visitors_half_of_the_time(clock: Clock) -> None:
    lanes = some_lanes(arbiters=0, public=0, gate=0.25)
    lanes._closed_at = 100.0
    waits = []
    for tenth in range(11):
        clock.now = 100.0 + tenth / 10
        waits.append(round(lanes._gate_time(), 2))
    assert waits == [0.25, 0.15, 0.05, 0, 0, 0.25, 0.15, 0.05, 0, 0, 0.25]


def test_a_full_lane_sends_visitors_away_and_serves_arbiters(serve: Serve, hall: Hall, ask: Ask) -> None:
    held = hall.hold("/page")
    lanes = some_lanes(room=2)
    port = serve(Door(hall), lanes=lanes)
    working = ask(port, "/page")
    hall.wait_for("/page")
    waiting = [ask(port, "/page") for _ in range(2)]
    waiting_in(lanes, "public", 2)
    refused = answer(ask(port, "/page"))
    assert (refused.status, refused.headers["cache-control"]) == (503, "no-store")
    seconds = int(refused.headers["retry-after"])
    assert 3 <= seconds <= 8
    assert f'<meta http-equiv="refresh" content="{seconds}">'.encode() in refused.body
    assert answer(ask(port, "/arbiter/save")).status == 200
    held.set()
    assert [answer(line).status for line in [working, *waiting]] == [200] * 3


def test_a_lane_may_overflow_into_another_one(serve: Serve, hall: Hall, ask: Ask) -> None:
    held = hall.hold("/returning")
    lanes = Lanes(
        [
            lane("returning", 1, room=1, overflow="public"),
            lane("public", 1, room=1),
            lane(SENT_AWAY, 1, room=1000),
        ],
        lambda _request: "returning",
    )
    port = serve(Door(hall), lanes=lanes)
    lines = []
    for begun, waiting in ((1, 0), (1, 1), (2, 1), (2, 2)):
        lines.append(ask(port, "/returning"))
        waiting_in(lanes, "returning", min(waiting, 1))
        waiting_in(lanes, "public", max(waiting - 1, 0))
        until(lambda: len(hall.began) == begun)  # noqa: B023
    assert answer(ask(port, "/returning")).status == 503
    held.set()
    assert [answer(line).status for line in lines] == [200] * 4
    assert sorted(hall.tasks) == ["public", "public", "returning", "returning"]


def test_no_visitor_waits_longer_than_a_few_seconds(serve: Serve, hall: Hall, ask: Ask, clock: Clock) -> None:
    held = hall.hold("/page")
    lanes = some_lanes(patience=4.0)
    port = serve(Door(hall), lanes=lanes)
    ask(port, "/page")
    hall.wait_for("/page")
    waiting = ask(port, "/page")
    waiting_in(lanes, "public", 1)
    clock.now += 4.1
    assert answer(ask(port, "/page")).status == 503
    held.set()
    assert answer(waiting).status == 503  # this one has waited too long as well
    assert answer(ask(port, "/page")).status == 200


def full_room(serve: Serve, hall: Hall, ask: Ask) -> tuple[threading.Event, int]:
    """Fill the lane of visitors: one request is held, one waits. Return what lets them go, and the port."""
    held = hall.hold("/page")
    lanes = some_lanes(room=1)
    port = serve(Door(hall), lanes=lanes)
    ask(port, "/page")
    hall.wait_for("/page")
    ask(port, "/page")
    waiting_in(lanes, "public", 1)
    return held, port


@pytest.mark.parametrize(("method", "headers"), [("POST", ""), ("GET", "HX-Request: true\r\n")])
def test_only_a_whole_page_tries_again_by_itself(
    serve: Serve, hall: Hall, ask: Ask, method: str, headers: str
) -> None:
    """A form would be lost, and the script of a part of a page asks again itself."""
    held, port = full_room(serve, hall, ask)
    refused = answer(ask(port, "/page", method, headers))
    assert (refused.status, b"http-equiv" in refused.body) == (503, False)
    held.set()


def test_a_visitor_who_is_sent_away_gets_the_headers_that_protect_every_page(
    serve: Serve, hall: Hall, ask: Ask, client: Client
) -> None:
    held, port = full_room(serve, hall, ask)
    refused = answer(ask(port, "/page"))
    held.set()
    names = ("Content-Security-Policy", "X-Frame-Options", "X-Content-Type-Options", "Referrer-Policy")
    other = client.get("/healthz")
    assert refused.status == 503
    assert {name: refused.headers[name.lower()] for name in names} == {name: other[name] for name in names}
    assert refused.headers["content-type"] == "text/html; charset=utf-8"


def test_healthz_answers_while_readyz_hangs(serve: Serve, hall: Hall, ask: Ask) -> None:
    """A monitor that gets no answer to /healthz would start the program again, which does not repair a database."""
    hall.hold("/readyz")
    port = serve(Door(hall), lanes=Lanes(usual_lanes(1, 1), task_of))
    for _ in range(25):
        ask(port, "/readyz")
    hall.wait_for("/readyz")
    assert answer(ask(port, "/healthz")).status == 200
    assert hall.began == ["/readyz", "/healthz"]


def test_head_of_a_visitor_who_is_sent_away_has_no_body(serve: Serve, hall: Hall, ask: Ask) -> None:
    held, port = full_room(serve, hall, ask)
    line = ask(port, "/page", "HEAD")
    line.sendall(b"GET /arbiter/ HTTP/1.1\r\nHost: a\r\n\r\n")
    file = line.makefile("rb")
    assert [read_answer(file, method).status for method in ("HEAD", "GET")] == [503, 200]
    held.set()


def test_many_requests_on_one_connection_are_all_sent_away(serve: Serve, hall: Hall, ask: Ask) -> None:
    held, port = full_room(serve, hall, ask)
    line = ask(port, "/page")
    line.sendall(b"GET /page HTTP/1.1\r\n\r\n" * 300)
    file = line.makefile("rb")
    assert {read_answer(file, "GET").status for _ in range(301)} == {503}
    held.set()


def first_part(channel: HTTPChannel) -> str:
    """Take the first part of the path for the party."""
    return str(channel.requests[0].path.split("/")[1])


def waiting_in(lanes: Lanes, name: str, number: int) -> None:
    until(lambda: len(lanes.task(name).waiting) >= number, (name, number))


def test_client_that_asks_often_waits_behind_its_own_requests(serve: Serve, hall: Hall, ask: Ask) -> None:
    held = hall.hold("/page")
    lanes = Lanes([lane("public", 1, room=100), lane(SENT_AWAY, 1, room=1000)], by_path, first_part)
    port = serve(hall, lanes=lanes)
    lines = [ask(port, "/page")]
    hall.wait_for("/page")
    for number, path in enumerate(["/many/1", "/many/2", "/many/3", "/one/1", "/two/1", "/one/2"]):
        lines.append(ask(port, path))
        waiting_in(lanes, "public", number + 1)
    held.set()
    assert [answer(line).status for line in lines] == [200] * 7
    assert hall.began == ["/page", "/many/1", "/one/1", "/two/1", "/many/2", "/one/2", "/many/3"]


def test_one_login_takes_only_its_share_of_the_threads(serve: Serve, hall: Hall, ask: Ask) -> None:
    held = hall.hold("/greedy")
    lanes = Lanes(
        [lane("arbiters", 3, room=100, first=True, share=2), lane(SENT_AWAY, 1, room=1000)],
        lambda _request: "arbiters",
        first_part,
    )
    port = serve(hall, lanes=lanes)
    greedy = [ask(port, "/greedy") for _ in range(5)]
    waiting_in(lanes, "arbiters", 3)
    assert [answer(ask(port, f"/other/{number}")).status for number in range(2)] == [200] * 2
    assert hall.began == ["/greedy", "/greedy", "/other/0", "/other/1"]
    held.set()
    assert [answer(line).status for line in greedy] == [200] * 5


@pytest.mark.usefixtures("_sessions")
def test_one_comparison_is_made_at_a_time_and_other_pages_do_not_wait(
    serve: Serve, hall: Hall, ask: Ask
) -> None:
    first, second = "/hall/a/round/1/compare/", "/hall/a/round/2/compare/"
    go = hall.hold(first)
    port = serve(hall, lanes=Lanes(usual_lanes(2, 2), task_of, party_of))
    cookie = "Cookie: sessionid=known\r\n"
    ask(port, first, headers=cookie)
    hall.wait_for(first)
    waiting = ask(port, second, headers=cookie)
    assert answer(ask(port, "/hall/a/cockpit/", headers=cookie)).body == b"/hall/a/cockpit/"
    assert second not in hall.began
    go.set()
    assert answer(waiting).body == second.encode()


@pytest.mark.parametrize("slow", ["reading", "comparisons", "explanations", "pages"])
def test_a_slow_task_holds_up_no_other_task_of_its_lane(
    serve: Serve, hall: Hall, ask: Ask, slow: str
) -> None:
    """Requests that come while their task is full are served one after another, without a new one to wake them."""
    held = hall.hold(f"/{slow}")
    lanes = Lanes(usual_lanes(1, 2), lambda request: request.path.strip("/"))
    port = serve(hall, lanes=lanes)
    lines = [ask(port, f"/{slow}") for _ in range(4)]
    hall.wait_for(f"/{slow}")
    waiting_in(lanes, slow, 3)
    others = {"reading", "comparisons", "explanations", "pages"} - {slow}
    assert {answer(ask(port, f"/{other}")).status for other in others} == {200}
    assert hall.began.count(f"/{slow}") == 1
    held.set()
    assert [answer(line).status for line in lines] == [200] * 4


def test_in_a_full_lane_those_who_ask_most_are_sent_away(serve: Serve, hall: Hall, ask: Ask) -> None:
    held = hall.hold("/many/0")
    lanes = Lanes([lane("public", 1, room=3), lane(SENT_AWAY, 1, room=1000)], by_path, first_part)
    port = serve(Door(hall), lanes=lanes)
    many = [ask(port, "/many/0")]
    hall.wait_for("/many/0")
    for number in range(1, 4):
        many.append(ask(port, f"/many/{number}"))
        waiting_in(lanes, "public", number)
    one = ask(port, "/one")
    assert answer(many.pop()).status == 503
    assert answer(ask(port, "/many/4")).status == 503
    held.set()
    assert [answer(line).status for line in [*many, one]] == [200] * 4
    assert hall.began == ["/many/0", "/many/1", "/one", "/many/2"]


def test_a_login_waits_behind_many_wrong_ones_of_the_same_address(serve: Serve, hall: Hall, ask: Ask) -> None:
    """A hall shares one address. An arbiter with a new phone gets in, however many others send the form there."""
    held = hall.hold("/login/")
    lanes = Lanes(usual_lanes(1, 1), task_of, party_of)
    port = serve(Door(hall), lanes=lanes)
    many = [ask(port, "/login/", "POST")]
    hall.wait_for("/login/")
    many += [ask(port, "/login/", "POST") for _ in range(60)]
    waiting_in(lanes, "login", 60)
    phone = ask(port, "/login/code/", "POST")
    waiting_in(lanes, "login", 61)
    held.set()
    assert [answer(line, "POST").status for line in [phone, *many]] == [200] * 62
    assert hall.began == ["/login/"] * 61 + ["/login/code/"]


def test_a_new_phone_goes_before_those_of_its_address_who_have_just_tried(
    serve: Serve, hall: Hall, ask: Ask
) -> None:
    lanes = Lanes(usual_lanes(1, 1), task_of, party_of, browser_of)
    port = serve(Door(hall), lanes=lanes)
    guesser, phone = (f"Cookie: evenboard-device={signed(name)}\r\n" for name in ("guesser", "phone"))
    assert answer(ask(port, "/login/", "POST", guesser)).status == 200
    held = hall.hold("/login/held/")
    lines = [ask(port, "/login/held/", "POST")]
    hall.wait_for("/login/held/")
    for number, (path, browser) in enumerate(
        [("/login/a/", guesser), ("/login/b/", ""), ("/login/c/", phone)], start=1
    ):
        lines.append(ask(port, path, "POST", browser))
        waiting_in(lanes, "login", number)
    held.set()
    assert [answer(line).status for line in lines] == [200] * 4
    assert hall.began == ["/login/", "/login/held/", "/login/c/", "/login/a/", "/login/b/"]


def test_a_phone_that_is_sent_away_keeps_its_place_at_the_board_of_its_player(
    serve: Serve, hall: Hall, ask: Ask, clock: Clock
) -> None:
    lanes = Lanes(usual_lanes(1, 1), task_of, party_of, browser_of)
    port = serve(Door(hall), lanes=lanes)
    earlier, later, first, second = (f"/open/a/board/{link}/" for link in ("e", "l", "first", "second"))
    lines = []
    for path in (earlier, later):
        hall.hold(path)
    lines.append(ask(port, earlier))
    hall.wait_for(earlier)
    waits = ask(port, first)
    waiting_in(lanes, "board", 1)
    clock.now += lanes_module.BOARD_PATIENCE + 1
    assert answer(ask(port, second)).status == 503
    hall.go[earlier].set()
    assert answer(waits).status == 503
    lines.append(ask(port, later))
    hall.wait_for(later)
    for number, path in enumerate([second, first], start=1):
        lines.append(ask(port, path))
        waiting_in(lanes, "board", number)
    hall.go[later].set()
    assert [answer(line).status for line in lines] == [200] * 4
    assert hall.began == [earlier, later, first, second]


def test_who_is_sent_away_from_the_login_reads_that_the_place_is_kept(
    serve: Serve, hall: Hall, ask: Ask
) -> None:
    held = hall.hold("/login/")
    lanes = Lanes([lane("login", 1, room=1, gated=True, fair=True), lane(SENT_AWAY, 1, room=9)], task_of)
    port = serve(Door(hall), lanes=lanes)
    lines = [ask(port, "/login/", "POST")]
    hall.wait_for("/login/")
    lines.append(ask(port, "/login/", "POST"))
    waiting_in(lanes, "login", 1)
    refused = answer(ask(port, "/login/", "POST"))
    sentence = f"Go back and log in again in {refused.headers['retry-after']} seconds.".encode()
    assert (refused.status, sentence in refused.body, b"http-equiv" in refused.body) == (503, True, False)
    held.set()
    assert [answer(line).status for line in lines] == [200] * 2


@pytest.mark.parametrize("sent", [b"x\r\n\r\n", b"GET / HTTP/1.1\r\n:\r\n\r\n"], ids=["line", "header"])
def test_unreadable_request_is_refused_with_an_answer(serve: Serve, hall: Hall, sent: bytes) -> None:
    port = serve(hall, lanes=Lanes(usual_lanes(1, 1), task_of, party_of))
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as line:
        line.sendall(sent)
        assert answer(line).status == 400
