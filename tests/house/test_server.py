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
from tests.house.serving import ENDED, Start
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
def test_server_answers_while_150_phones_keep_their_connections_open(start: Start) -> None:
    server = start("--no-demo", PORT="0")
    address = urlsplit(server.url)
    with ExitStack() as phones:
        for _ in range(150):
            phone = phones.enter_context(
                closing(HTTPConnection(str(address.hostname), address.port, timeout=LONG))
            )
            phone.request("GET", "/healthz")
            assert phone.getresponse().read() == b"ok\n"
        assert get(f"{server.url}/healthz") == (200, "ok\n")
    assert server.stop() == ENDED


@pytest.mark.slow
def test_server_answers_a_too_large_upload_with_a_page(start: Start) -> None:
    server = start("--no-demo", PORT="0")
    address = urlsplit(server.url)
    with closing(HTTPConnection(str(address.hostname), address.port, timeout=LONG)) as browser:
        browser.request("POST", "/login/", body=b"x" * (11 * 1024**2))
        answer = browser.getresponse()
        assert answer.status == 413
        assert "more than 10 MB" in answer.read().decode()
    assert server.stop() == ENDED


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
