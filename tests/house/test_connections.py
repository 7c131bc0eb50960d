"""Slow clients and many connections: nobody can block the others."""

from __future__ import annotations

import socket
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

import pytest

from server import connections as connections_module
from server.connections import POSSIBLE, Connection, Limits, Server
from server.priority_queues import SENT_AWAY, Lanes
from tests.house.serving import Serve, lane, read_answer
from tests.waiting import LONG

pytestmark = pytest.mark.one_database

HALF = b"GET / HTTP/1.1\r\nHost: a\r\n"
Connect = Callable[..., socket.socket]


class Clock:
    """The time of the server, which passes only when the test says so, and what the server has done until then."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._done = Counter[str]()
        self._news = threading.Condition()

    def now(self) -> float:
        with self._news:
            self._now += 0.000_001  # of two moments one is later
            return self._now

    def note(self, what: str, number: int = 1) -> None:
        with self._news:
            self._done[what] += number
            self._news.notify_all()

    def wait_for(self, what: str, number: int) -> None:
        """Wait until the server has taken so many `bytes`, has `served` so many requests, made so many `looks`, or so
        often did not read because it was `busy`.
        """
        with self._news:
            assert self._news.wait_for(lambda: self._done[what] >= number, LONG), self._done

    def pass_by(self, seconds: float) -> None:
        """Let time pass, and wait until the server has looked for slow clients."""
        with self._news:
            looks = self._done["looks"]
            self._now += seconds
        self.wait_for("looks", looks + 1)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    received, service, close_slow = Connection.received, Connection.service, Server.close_slow
    readable = Connection.readable

    def noted(self: Connection, data: bytes) -> bool:
        taken = received(self, data)
        clock.note("bytes", len(data))
        return taken

    def served(self: Connection) -> None:
        service(self)
        clock.note("served")

    def asked_whether(self: Connection) -> bool:
        reads = bool(readable(self))
        if self.requests:
            clock.note("busy")
        return reads

    def looked(self: Server) -> None:
        close_slow(self)
        clock.note("looks")

    monkeypatch.setattr(connections_module, "time", SimpleNamespace(monotonic=clock.now))
    monkeypatch.setattr(Connection, "received", noted)
    monkeypatch.setattr(Connection, "service", served)
    monkeypatch.setattr(Connection, "readable", asked_whether)
    monkeypatch.setattr(Server, "close_slow", looked)
    return clock


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer with the number of bytes that came; `/large` is larger than all buffers of a connection."""
    size = len(environ["wsgi.input"].read())
    body = b"x" * 12_000_000 if environ["PATH_INFO"] == "/large" else str(size).encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Return a function that connects to a port and sends some bytes."""
    with ExitStack() as open_ones:

        def connect(port: int, sent: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
            line = socket.create_connection(("127.0.0.1", port), timeout=LONG, source_address=(source, 0))
            open_ones.enter_context(line)
            line.sendall(sent)
            return line

        yield connect


def asked(line: socket.socket) -> bytes:
    """Finish the half-sent request on `line` or send a whole one, and return the body of the answer."""
    line.sendall(b"\r\n")
    return read_answer(line.makefile("rb"), "GET").body


def is_closed(line: socket.socket) -> bool:
    """Wait until the server has closed `line`; return whether it has, in time and without an answer."""
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def is_open(line: socket.socket) -> bool:
    """Return whether the server has neither answered on `line` nor closed it."""
    line.setblocking(False)
    try:
        line.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return True
    except ConnectionError:
        return False
    finally:
        line.settimeout(LONG)
    return False


@pytest.mark.parametrize(
    ("sent", "seconds"),
    [
        (b"", 10),
        (b"GET / HT", 10),
        (HALF, 10),
        (HALF + b"\r\n" + HALF, 10),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhal", 20),
    ],
    ids=["nothing", "line", "header", "second-header", "body"],
)
def test_a_client_that_sends_half_a_request_is_closed(
    serve: Serve, connect: Connect, clock: Clock, sent: bytes, seconds: float
) -> None:
    port = serve(application, Limits(head=10, body=20, idle=60, watch=0.05))
    if sent:
        line = connect(port, sent)
        clock.wait_for("bytes", len(sent))
    else:
        line = connect(port)
        connect(port, HALF)
        clock.wait_for("bytes", len(HALF))  # so the connection before it is accepted
    if sent.startswith(HALF + b"\r\n"):
        assert read_answer(line.makefile("rb", buffering=0), "GET").body == b"0"
        clock.wait_for("served", 1)
    clock.pass_by(seconds - 1)
    assert is_open(line)
    clock.pass_by(2)
    assert is_closed(line)


def test_a_byte_from_time_to_time_gives_no_more_time_for_the_header(
    serve: Serve, connect: Connect, clock: Clock
) -> None:
    line = connect(serve(application, Limits(head=10, watch=0.05)), b"G")
    clock.wait_for("bytes", 1)
    for second in range(1, 10):
        line.sendall(b"G")
        clock.wait_for("bytes", second + 1)
        clock.pass_by(1)
        assert is_open(line)
    clock.pass_by(2)
    assert is_closed(line)


def test_blank_lines_keep_no_connection_open(serve: Serve, connect: Connect, clock: Clock) -> None:
    line = connect(serve(application, Limits(idle=30, watch=0.05)), HALF + b"\r\n")
    assert read_answer(line.makefile("rb", buffering=0), "GET").body == b"0"
    clock.wait_for("served", 1)
    for number in range(1, 3):
        line.sendall(b"\r\n")
        clock.wait_for("bytes", len(HALF) + 2 + 2 * number)
        clock.pass_by(14)
        assert is_open(line)
    clock.pass_by(3)
    assert is_closed(line)


def test_a_body_that_comes_steadily_has_the_time_that_it_needs(
    serve: Serve, connect: Connect, clock: Clock
) -> None:
    port = serve(application, Limits(body=3, bytes_a_second=100, watch=0.05))
    begin = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 600\r\n\r\n"
    line = connect(port, begin)
    for hundreds in range(
        1, 7
    ):  # 100 bytes give a second more, so this takes longer than `body` and is in time
        line.sendall(b"x" * 100)
        clock.wait_for("bytes", len(begin) + 100 * hundreds)
        clock.pass_by(1)
    assert read_answer(line.makefile("rb"), "POST").body == b"600"


def test_half_sent_bodies_do_not_fill_the_disk(serve: Serve, connect: Connect, clock: Clock) -> None:
    """The largest one is closed as soon as all of them are too large together."""
    port = serve(application, Limits(bodies=3_000, watch=0.05))
    begin = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2001\r\n\r\n"
    small = connect(port, begin + b"x" * 1_000)
    large = connect(port, begin + b"x" * 2_000)
    connect(port, begin + b"x")
    clock.wait_for("bytes", 3 * len(begin) + 3_001)
    clock.pass_by(1)
    assert is_closed(large)
    small.sendall(b"x" * 1_001)
    assert read_answer(small.makefile("rb"), "POST").body == b"2001"


def test_a_client_that_does_not_read_its_answer_is_closed(
    serve: Serve, connect: Connect, clock: Clock
) -> None:
    port = serve(application, Limits(answer=60, bytes_a_second=100_000_000, watch=0.05))
    line = connect(port, b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
    clock.wait_for("served", 1)  # the answer has filled the buffers of the connection
    clock.pass_by(61)
    got = 0
    try:
        while data := line.recv(1_000_000):
            got += len(data)
    except ConnectionError:
        pass
    assert 0 < got < 12_000_000


def test_many_half_requests_of_one_address_exclude_nobody(serve: Serve, connect: Connect) -> None:
    port = serve(application, Limits(connections=100, from_one_network=40, watch=60))
    half = [connect(port, HALF) for _ in range(300)]
    assert asked(connect(port, HALF)) == b"0"
    open_ones = sum(answers(line) for line in half)
    assert 30 <= open_ones <= 40


def answers(line: socket.socket) -> bool:
    try:
        return asked(line) == b"0"
    except (AssertionError, OSError):
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have only one local address")
def test_a_full_server_closes_the_longest_waiting_connection_of_the_address_with_most_connections(
    serve: Serve, connect: Connect
) -> None:
    port = serve(application, Limits(connections=40, from_one_network=35, watch=60))
    phones = [connect(port, HALF, source="127.0.0.3") for _ in range(5)]
    half = [connect(port, HALF, source="127.0.0.2") for _ in range(34)]
    newest = [connect(port, HALF, source="127.0.0.4") for _ in range(3)]
    assert [answers(line) for line in newest] == [True] * 3
    assert [answers(line) for line in phones] == [True] * 5
    kept = [answers(line) for line in half]
    assert kept == [False] * kept.count(False) + [True] * kept.count(True)
    assert 1 <= kept.count(False) <= 5


@pytest.mark.parametrize("trusted", ["127.0.0.1", "*"])
def test_the_limit_of_one_address_is_not_for_the_trusted_proxy(
    serve: Serve, connect: Connect, trusted: str
) -> None:
    port = serve(application, Limits(connections=100, from_one_network=10, watch=60), proxy=trusted)
    lines = [connect(port, HALF) for _ in range(50)]
    assert [answers(line) for line in lines] == [True] * 50


def test_a_request_that_is_worked_on_is_never_closed_to_make_room(
    serve: Serve, connect: Connect, clock: Clock
) -> None:
    go, begun = threading.Event(), threading.Event()

    def slow(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        begun.set()
        go.wait(LONG)
        return application(environ, start_response)

    port = serve(slow, Limits(connections=10, from_one_network=10, watch=0.05))
    first = connect(port, HALF + b"\r\n")
    assert begun.wait(LONG)
    for _ in range(30):
        connect(port, HALF)
    clock.wait_for("bytes", len(HALF) + 2 + len(HALF))
    clock.pass_by(60)
    go.set()
    assert read_answer(first.makefile("rb"), "GET").body == b"0"


def test_half_sent_bodies_do_not_push_out_the_connection_of_an_arbiter(
    serve: Serve, connect: Connect
) -> None:
    """The page of the arbiter uses one connection for hours, so it often waits longest."""
    lanes = Lanes(
        [lane("arbiters", 1, room=9, first=True), lane("public", 1, room=99), lane(SENT_AWAY, 1, room=1000)],
        lambda request: "arbiters" if request.path == "/arbiter" else "public",
    )
    port = serve(application, Limits(connections=100, from_one_network=40, watch=60), lanes)
    arbiter = connect(port, b"GET /arbiter HTTP/1.1\r\nHost: a\r\n")
    assert asked(arbiter) == b"0"
    for _ in range(300):
        connect(port, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf")
    assert asked(connect(port, HALF)) == b"0"
    arbiter.sendall(b"GET /arbiter HTTP/1.1\r\nHost: a\r\n")
    assert asked(arbiter) == b"0"


@pytest.mark.parametrize("version", ["1.0", "1.1"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_request_with_two_lengths_is_refused_and_its_connection_closed(
    serve: Serve, connect: Connect, version: str, turned: bool
) -> None:
    """A proxy may believe the other length. Then the rest would be the beginning of the next visitor's request."""
    lengths = ["Content-Length: 5", "Transfer-Encoding: chunked"]
    fields = "\r\n".join(lengths[::-1] if turned else lengths)
    hidden = "GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n"
    line = connect(
        serve(application), f"POST / HTTP/{version}\r\nHost: a\r\n{fields}\r\n\r\n0\r\n\r\n{hidden}".encode()
    )
    file = line.makefile("rb")
    assert (read_answer(file, "POST").status, file.read()) == (400, b"")


def test_a_chunked_request_alone_is_read(serve: Serve, connect: Connect) -> None:
    line = connect(
        serve(application),
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    )
    assert read_answer(line.makefile("rb"), "POST").body == b"3"


@pytest.mark.skipif(not POSSIBLE, reason="this system has no epoll")
def test_silent_connections_cost_nothing_while_others_ask(
    serve: Serve, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = serve(application, Limits(watch=60))
    silent = [connect(port) for _ in range(100)]
    line = connect(port, HALF)
    assert asked(line) == b"0"
    looks = []
    real = Connection.readable

    def readable(self: Connection) -> bool:
        looks.append(self)
        return bool(real(self))

    monkeypatch.setattr(Connection, "readable", readable)
    for _ in range(20):
        line.sendall(HALF)
        assert asked(line) == b"0"
    assert len(set(looks)) == 1
    assert asked(connect(port, HALF, "127.0.0.2")) == b"0"
    silent[0].sendall(HALF)
    assert asked(silent[0]) == b"0"


def test_a_request_that_took_longer_than_silence_may_last_keeps_its_connection(
    serve: Serve, connect: Connect, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server looks for slow clients just after the answer. A proxy may send a save on this connection now."""
    begun, go, pull = threading.Event(), threading.Event(), Server.pull_trigger

    def slow(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        begun.set()
        assert go.wait(LONG)
        return application(environ, start_response)

    def looks(self: Server) -> None:
        self.close_slow()
        pull(self)

    monkeypatch.setattr(Server, "pull_trigger", looks)
    line = connect(serve(slow, Limits(watch=0.05)), HALF + b"\r\n")
    assert begun.wait(LONG)
    clock.pass_by(100)
    go.set()
    file = line.makefile("rb")
    assert read_answer(file, "GET").body == b"0"
    line.sendall(HALF + b"\r\n")
    assert read_answer(file, "GET").body == b"0"


@pytest.mark.parametrize("sent", [HALF, b"GET / HTTP/1.1\r\nContent-Length: x\r\n"])
def test_a_client_that_leaves_before_its_answer_is_no_error(
    sent: bytes,
    serve: Serve,
    connect: Connect,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    write = Connection.write_soon

    def leaves(self: Connection, data: bytes) -> Any:
        self.handle_close()
        assert self.send(data) == 0
        return write(self, data)

    monkeypatch.setattr(Connection, "write_soon", leaves)
    assert is_closed(connect(serve(application, Limits(watch=0.05)), sent + b"\r\n"))
    clock.wait_for("served", 1)
    assert [record.getMessage() for record in caplog.records if record.levelname != "INFO"] == []


def test_a_client_that_asks_again_before_its_answer_gets_both(
    serve: Serve, connect: Connect, clock: Clock
) -> None:
    inside, go = threading.Event(), threading.Event()

    def slow(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        inside.set()
        assert go.wait(LONG)
        return application(environ, start_response)

    line = connect(serve(slow, Limits(watch=0.05)), HALF + b"\r\n")
    assert inside.wait(LONG)
    line.sendall(HALF + b"\r\n")
    clock.wait_for("busy", 2)  # after the first question, and when the server learns of the second one
    go.set()
    file = line.makefile("rb")
    assert [read_answer(file, "GET").body for _ in range(2)] == [b"0", b"0"]
