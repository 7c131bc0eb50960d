"""The cache that is shipped (docker/nginx.conf) keeps what the program allows, and nothing else."""

from __future__ import annotations

import gzip
import http.client
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import SHUT_RDWR
from threading import Event, Thread

import pytest

from bench.publication import cached
from tests.house.serving import free_port
from tests.waiting import LONG, until
from web.page_cache import FOR_ALL_BY_CACHE, FOR_ONE

pytestmark = [
    pytest.mark.one_database,
    pytest.mark.skipif(shutil.which("nginx") is None, reason="needs nginx"),
]
Heads = dict[str, str]


@dataclass
class Program:
    """What stands behind the cache. asked: how often each address was asked for, with the cookie. sent: headers.
    free: while it is not set, visitors wait at /held/.
    """

    port: int = 0
    free: Event = field(default_factory=Event)
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    sent: list[Heads] = field(default_factory=list)


@contextmanager
def answering() -> Iterator[Program]:
    """Answer as the program does: /public/ for all visitors, all else for one, "come again" to those sent away."""
    found = Program()
    found.free.set()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            found.asked[self.path, self.headers.get("Cookie", "")] += 1
            found.sent.append(dict(self.headers.items()))
            news = self.path.startswith("/public/none")
            body = (
                b"" if news else gzip.compress(f"{self.path} {sum(found.asked.values())}".encode(), mtime=0)
            )
            public = self.path.startswith("/public/")
            if self.path.startswith("/held/"):
                found.free.wait(LONG)
            if self.path.startswith("/cut/"):
                self.close_connection = True
                self.connection.shutdown(SHUT_RDWR)
                return
            busy = "X-Sent-Away" in self.headers
            self.send_response(
                503
                if busy
                else 502
                if self.path == "/dead/"
                else 204
                if news
                else 404
                if self.path == "/missing/"
                else 200
            )
            if busy:
                self.send_header("Retry-After", "5")
            self.send_header("Cache-Control", FOR_ALL_BY_CACHE if public else FOR_ONE)
            self.send_header("Vary", "Accept-Language, Accept-Encoding" if public else "Cookie")
            if not news:
                self.send_header("Content-Encoding", "gzip")
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 200

    server = Server(("127.0.0.1", 0), Handler)
    found.port = server.server_port
    Thread(target=server.serve_forever, daemon=True).start()
    yield found
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def program() -> Iterator[Program]:
    with answering() as found:
        yield found


@pytest.fixture(scope="module")
def cache(program: Program) -> Iterator[int]:
    with cached([program.port]) as (port, _process):
        yield port


def ask(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes]:
    status, body, _state = ask_cache(port, path, method, **headers)
    return status, body


def ask_cache(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes, str | None]:
    """Return also what the cache did: HIT, MISS, STALE or UPDATING (a kept page that is no longer fresh), and so on."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)
    try:
        line.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = line.getresponse()
        return answer.status, answer.read(), answer.getheader("X-Cache")
    finally:
        line.close()


@pytest.mark.parametrize(("path", "status"), [("/public/a/", 200), ("/public/none/?seen=7", 204)])
def test_many_visitors_cost_one_question(program: Program, cache: int, path: str, status: int) -> None:
    answers = {ask(cache, path, Accept_Encoding="gzip", Cookie=f"me={number}") for number in range(20)}
    assert {each for each, _body in answers} == {status}
    assert sum(times for (asked, _), times in program.asked.items() if asked == path) <= 2


@pytest.mark.parametrize("path", ["/private/", "/missing/"])
def test_what_is_for_one_visitor_is_asked_each_time(program: Program, cache: int, path: str) -> None:
    assert len({ask(cache, path) for _ in range(3)}) == 3


@pytest.mark.parametrize("cookie", ["sessionid=x", "a=1; sessionid=x", "messages=x"])
def test_people_who_are_logged_in_pass_the_cache(program: Program, cache: int, cookie: str) -> None:
    path = f"/public/{len(cookie)}/"
    own = [ask(cache, path, Cookie=cookie) for _ in range(3)]
    assert program.asked[path, cookie] == 3
    assert ask(cache, path)[1] not in [body for _status, body in own]  # their answers were not kept


def test_languages_are_kept_apart_and_old_browsers_get_plain_text(program: Program, cache: int) -> None:
    german = ask(cache, "/public/l/", Accept_Language="de", Accept_Encoding="gzip")
    english = ask(cache, "/public/l/", Accept_Language="en", Accept_Encoding="gzip")
    plain = ask(cache, "/public/l/", Accept_Language="de")
    assert german != english
    assert (plain[0], plain[1].split()[0]) == (200, b"/public/l/")


def test_the_program_learns_who_asks_and_that_a_cache_does(program: Program, cache: int) -> None:
    ask(cache, "/private/sent/", Host="chess.example", X_Forwarded_For="192.0.2.7", X_Forwarded_Proto="https")
    sent = program.sent[-1]
    names = ("Host", "X-Forwarded-For", "X-Forwarded-Proto", "Via")
    assert [sent[name] for name in names] == ["chess.example", "192.0.2.7", "https", "1.1 evenboard-cache"]


def test_of_several_processes_one_makes_a_page() -> None:
    pages = [f"/private/{number}/" for number in range(20)]
    with answering() as one, answering() as other, cached([one.port, other.port]) as (port, _process):
        for page in [*pages, *pages]:
            ask(port, f"{page}?seen={page}")
    shares = [{path for path, _cookie in each.asked} for each in (one, other)]
    assert all(shares)
    assert not shares[0] & shares[1]


def test_a_save_goes_to_another_process_only_if_it_was_not_sent() -> None:
    saves = [f"/game/{number}/result/" for number in range(12)]
    with (
        answering() as one,
        answering() as other,
        cached([one.port, other.port, free_port()]) as (port, _process),
    ):
        assert {ask(port, path, "POST")[0] for path in saves} == {200}
        assert {ask(port, f"/cut{path}", "POST")[0] for path in saves} == {502}
    asked = one.asked + other.asked
    assert {path: asked[path, ""] for path in saves} == dict.fromkeys(saves, 1)
    assert sum(times for (path, _cookie), times in asked.items() if path.startswith("/cut/")) == len(saves)


def test_the_cache_of_several_hosts_asks_the_proxy_that_chooses_one() -> None:
    with answering() as program, cached([program.port], hosts="hosts.conf") as (port, _process):
        assert [ask(port, "/private/", method)[0] for method in ("GET", "POST")] == [200, 200]


def test_nginx_looks_at_all_connections_at_once(root: Path) -> None:
    """Else one that is ready waits for the next look, counts as failed, and a save on it ends with 502."""
    content = (root / "docker" / "nginx.conf").read_text()
    (looks,), (most,) = (
        re.findall(rf"{name} (\d+);", content) for name in ("epoll_events", "worker_connections")
    )
    assert int(looks) >= int(most)


def test_more_visitors_than_the_program_answers_take_no_place_from_those_who_save(root: Path) -> None:
    places = int(re.findall(r"max_conns=(\d+)", (root / "docker" / "web.conf").read_text())[0])
    with answering() as program, cached([program.port]) as (port, _process):
        before = ask(port, "/public/known/")
        program.free.clear()
        held = [Thread(target=ask, args=(port, f"/held/{number}/")) for number in range(places)]
        for each in held:
            each.start()
        until(lambda: sum(path.startswith("/held/") for path, _cookie in program.asked) == places)
        try:
            until(lambda: ask_cache(port, "/public/known/")[2] in ("STALE", "UPDATING"))
            assert ask(port, "/public/known/") == before
            sent = len(program.sent)
            for path in ("/public/new/", "/private/", "/de/public/new/?seen=3"):
                assert ask(port, path)[0] == 503
            busy = program.sent[sent:]
            assert {head["X-Sent-Away"] for head in busy} == {"1"}
            assert ask(port, "/public/new/", Cookie="me=1")[0] == 503
            assert ask(port, "/private/", Cookie="sessionid=x")[0] == 200
            assert ask(port, "/game/1/result/", "POST")[0] == 200
            assert ask(port, "/private/", Authorization="Bearer x")[0] == 200
            for path in ("/healthz", "/?q=a", "/de/login/?next=/", "/e/a/board/x/", "/e/-/register/"):
                assert ask(port, path)[0] == 200
        finally:
            program.free.set()
            for each in held:
                each.join()
        assert ask(port, "/public/new/")[0] == 200
        assert [ask(port, "/dead/", method)[0] for method in ("GET", "POST")] == [503, 502]
