"""HEAD on the pages of the program: no body, so that the next visitor on the connection gets their own page."""

from __future__ import annotations

import re
import shutil
import socket
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.house.serving import Start, caddy, read_answer
from tests.waiting import LONG

pytestmark = pytest.mark.one_database


@pytest.mark.slow
def test_each_answer_after_head_begins_where_the_client_expects_it(start: Start) -> None:
    port = urlsplit(start("--no-demo", PORT="0").url).port
    browser = HTTPConnection("127.0.0.1", port, timeout=LONG)
    browser.request("GET", "/login/")
    page = browser.getresponse().read().decode()
    browser.close()
    static = re.findall(r'href="(/static/[^"]+\.css)"', page)[0]
    asked = {
        "/": 200,
        "/login/": 200,
        static: 200,
        "/none/": 404,
        "/login": 301,
        "/password/": 302,
        "/logout/": 302,
        "/healthz": 200,
    }
    chain = [(method, path) for path in asked for method in ("HEAD", "GET")]
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as line:
        line.sendall(
            b"".join(
                f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() for method, path in chain
            )
        )
        file = line.makefile("rb")
        got = [read_answer(file, method) for method, _ in chain]
    assert [answer.status for answer in got] == [asked[path] for _, path in chain]
    pages = {path: answer for (method, path), answer in zip(chain, got, strict=True) if method == "GET"}
    assert [path for path, answer in pages.items() if not answer.body] == ["/login", "/password/", "/logout/"]
    assert [answer.headers.get("content-length") for answer in got[::2]] == [
        answer.headers.get("content-length") for answer in got[1::2]
    ]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("caddy") is None, reason="needs Caddy")
def test_head_through_a_proxy_spoils_no_answer_of_other_visitors(
    start: Start, root: Path, tmp_path: Path
) -> None:
    """The proxy shares its connections to the server between visitors."""
    server = start("--no-demo", PORT="0", TRUSTED_PROXY="127.0.0.1")
    with caddy((root / "docker" / "Caddyfile").read_text(), server.url, tmp_path) as port:

        def visit(number: int) -> list[object]:
            method = "HEAD" if number < 3 else "GET"
            line = HTTPConnection("127.0.0.1", port, timeout=LONG)
            wrong: list[object] = []
            for _ in range(60):
                try:
                    line.request(method, "/login/" if number % 2 else "/")
                    answer = line.getresponse()
                    page = answer.read()
                except HTTPException as error:
                    line.close()
                    wrong.append(error)
                else:
                    if answer.status != 200 or (method == "GET" and b"</html>" not in page):
                        wrong.append(answer.status)
            line.close()
            return wrong

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(visit, range(8))) == [[]] * 8
