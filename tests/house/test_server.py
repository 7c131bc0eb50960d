"""The server as an arbiter starts it: for the first and the second time, with a port in use, and until it stops."""

from __future__ import annotations

import re
import socket
import sqlite3
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from server.main import allowed_hosts, listen
from tests.house.serving import ENDED, Start, read_answer
from tests.waiting import LONG

pytestmark = pytest.mark.one_database


def get(url: str) -> tuple[int, str]:
    with urlopen(url, timeout=LONG) as answer:  # noqa: S310
        return answer.status, answer.read().decode()


@pytest.mark.slow
def test_server_makes_what_is_missing_and_the_second_start_keeps_it(start: Start, tmp_path: Path) -> None:
    first = start(PORT="0")
    assert get(f"{first.url}/healthz") == (200, "ok\n"), first.printed
    assert get(f"{first.url}/")[0] == 200
    logins = (tmp_path / "var" / "demo-logins.txt").read_text().splitlines()
    assert all(line.split()[1] in first.printed for line in logins)
    assert first.stop() == ENDED

    with sqlite3.connect(tmp_path / "var" / "evenboard.sqlite3") as database:
        database.execute("UPDATE tournaments_user SET first_name = 'kept'")
    database.close()
    second = start(PORT="0")
    assert get(f"{second.url}/healthz") == (200, "ok\n")
    assert second.stop() == ENDED
    assert [" ".join(line.split()) for line in second.printed.splitlines()[:4]] == [
        "database up to date",
        "translations unchanged",
        "static files unchanged",
        f"demo logins kept in {tmp_path / 'var' / 'demo-logins.txt'}",
    ]
    assert len(re.findall(r"Ready after [\d.]+ s", second.printed)) == 1
    with sqlite3.connect(tmp_path / "var" / "evenboard.sqlite3") as database:
        names = {name for (name,) in database.execute("SELECT first_name FROM tournaments_user")}
    database.close()
    assert names == {"kept"}


@pytest.mark.slow
def test_server_says_that_the_given_port_is_in_use(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        server = start("--no-demo", f"--port={port}")
        assert server.process.wait(timeout=LONG) == 1
    assert f"Cannot listen on 127.0.0.1, port {port}" in server.printed
    assert "--port" in server.printed


@pytest.mark.slow
def test_server_answers_phones_that_stay_a_too_large_upload_and_each_request_after_head(start: Start) -> None:
    """One server for three kinds of visitors."""
    server = start("--no-demo", PORT="0")
    address = urlsplit(server.url)

    def browser() -> HTTPConnection:
        return HTTPConnection(str(address.hostname), address.port, timeout=LONG)

    with ExitStack() as phones:
        for _ in range(150):
            phone = phones.enter_context(closing(browser()))
            phone.request("GET", "/healthz")
            assert phone.getresponse().read() == b"ok\n"
        assert get(f"{server.url}/healthz") == (200, "ok\n")
    with closing(browser()) as uploading:
        uploading.request("POST", "/login/", body=b"x" * (11 * 1024**2))
        answer = uploading.getresponse()
        assert answer.status == 413
        assert "more than 10 MB" in answer.read().decode()
    each_answer_after_head_begins_where_the_client_expects_it(server.url)
    assert server.stop() == ENDED


def each_answer_after_head_begins_where_the_client_expects_it(url: str) -> None:
    """HEAD has no body, so that the next visitor on the connection gets their own page."""
    static = re.findall(r'href="(/static/[^"]+\.css)"', get(f"{url}/login/")[1])[0]
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
    with socket.create_connection(("127.0.0.1", urlsplit(url).port), timeout=LONG) as line:
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


def test_listen_takes_the_next_port_if_one_is_in_use() -> None:
    with listen("127.0.0.1", 0, 1) as first:
        port = first.getsockname()[1]
        with listen("127.0.0.1", port, 20) as second:
            assert port < second.getsockname()[1] < port + 20
        with pytest.raises(OSError, match=r"in use|only one usage"):
            listen("127.0.0.1", port, 1)


def test_allowed_hosts_are_only_this_machine_by_default() -> None:
    assert allowed_hosts("127.0.0.1", "") == ["localhost", "127.0.0.1", "[::1]"]


def test_allowed_hosts_are_the_configured_ones_and_the_one_listened_on() -> None:
    assert allowed_hosts("192.0.2.7", "open.example, chess.example") == [
        "open.example",
        "chess.example",
        "192.0.2.7",
    ]


def test_allowed_hosts_on_the_network_are_the_addresses_and_names_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.main.lan_addresses", lambda: ["192.0.2.7"])
    monkeypatch.setattr(socket, "gethostname", lambda: "Laptop")
    assert allowed_hosts("0.0.0.0", "") == [  # noqa: S104
        "localhost",
        "127.0.0.1",
        "[::1]",
        "192.0.2.7",
        "laptop",
        "laptop.local",
    ]
