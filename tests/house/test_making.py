"""What must be made first goes on in another task."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.request import urlopen

import pytest

from server.priority_queues import PAGES, PUBLIC, SENT_AWAY, Lanes
from tests.house.serving import Serve, lane, read_answer
from tests.waiting import LONG

pytestmark = pytest.mark.one_database


def test_who_asks_for_news_does_not_wait_behind_a_page_that_is_made(serve: Serve) -> None:
    inside, go, tasks = threading.Event(), threading.Event(), []

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        page = environ["PATH_INFO"] == "/page"
        if page and environ["evenboard.move"]:
            environ["evenboard.move"]()
            return []
        tasks.append(environ["evenboard.task"])
        if page:
            inside.set()
            assert go.wait(LONG)
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]

    made = [lane(name, 1, room=9, gated=True, patience=LONG) for name in (PUBLIC, PAGES)]
    port = serve(application, lanes=Lanes([*made, lane(SENT_AWAY, 1, room=9)], lambda _: PUBLIC))

    def ask(path: str) -> int:
        with urlopen(f"http://127.0.0.1:{port}{path}", timeout=LONG) as answer:
            return int(answer.status)

    with ThreadPoolExecutor(1) as pool:
        page = pool.submit(ask, "/page")
        assert inside.wait(LONG)
        try:
            assert [ask("/news"), ask("/news")] == [200, 200]
        finally:
            go.set()
        assert page.result(LONG) == 200
    assert tasks == [PAGES, PUBLIC, PUBLIC]


def test_answers_on_one_connection_keep_their_order_when_one_must_be_made(serve: Serve) -> None:
    tasks = []

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/page" and environ["evenboard.move"]:
            environ["evenboard.move"]()
            return []
        tasks.append(environ["evenboard.task"])
        start_response("200 OK", [("Content-Length", "5")])
        return [environ["PATH_INFO"].encode()]

    made = [lane(name, 1, room=9, gated=True, patience=LONG) for name in (PUBLIC, PAGES)]
    port = serve(application, lanes=Lanes([*made, lane(SENT_AWAY, 1, room=9)], lambda _: PUBLIC))
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as line:
        paths = ("/page", "/news", "/page", "/page", "/news")
        line.sendall(b"".join(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode() for path in paths))
        file = line.makefile("rb")
        assert [read_answer(file, "GET").body.decode() for _ in paths] == list(paths)
    assert tasks == [PAGES, PUBLIC, PAGES, PAGES, PUBLIC]
