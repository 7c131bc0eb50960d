"""What must be made first goes on in another lane."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.request import urlopen

import pytest

from server.priority_queues import MAKING, PUBLIC, SENT_AWAY, Lane, Lanes, ToBeMadeError
from tests.house.serving import Serve
from tests.waiting import LONG

pytestmark = pytest.mark.one_database


def test_who_asks_for_news_does_not_wait_behind_a_page_that_is_made(serve: Serve) -> None:
    inside, go, lanes = threading.Event(), threading.Event(), []

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        page = environ["PATH_INFO"] == "/page"
        if page and environ["evenboard.may_move"]:
            raise ToBeMadeError
        lanes.append(environ["evenboard.lane"])
        if page:
            inside.set()
            assert go.wait(LONG)
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]

    made = [Lane(name, 1, room=9, gated=True, patience=LONG) for name in (PUBLIC, MAKING)]
    port = serve(application, lanes=Lanes([*made, Lane(SENT_AWAY, 1, room=9)], lambda _: PUBLIC))

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
    assert lanes == [MAKING, PUBLIC, PUBLIC]
