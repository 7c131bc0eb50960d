"""The server as an arbiter starts it: for the first and the second time, with a port in use, and until it stops."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest

from config.server import allowed_hosts, listen

ENDED = 1 if os.name == "nt" else 0  # Windows ends a process at once, without a request to stop
Start = Callable[..., "Started"]


class Started:
    """A server in its own process, and what it printed until it was ready."""

    def __init__(self, command: list[str], root: Path, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=root,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.printed = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed += line
            if "Stop it with Ctrl-C" in line:
                break
        self.url = "".join(re.findall(r"is at  (http://\S+?)/$", self.printed, re.MULTILINE))

    def stop(self) -> int:
        """Ask the server to stop, and return its exit status."""
        self.process.send_signal(signal.SIGTERM)
        output, _ = self.process.communicate(timeout=20)
        self.printed += output
        return self.process.returncode


@pytest.fixture
def start(root: Path, tmp_path: Path) -> Iterator[Start]:
    """Return a function that starts a server with its data in a directory of this test."""
    running: list[Started] = []

    def start(*options: str, **environment: str) -> Started:
        inherited = {
            name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "PORT", "HOST"}
        }
        inherited |= {"VAR_DIR": str(tmp_path / "var"), "EVENBOARD_STARTED": repr(time.time()), **environment}
        running.append(Started([sys.executable, "-m", "config.server", *options], root, inherited))
        return running[-1]

    yield start
    for server in running:
        if server.process.poll() is None:
            server.process.kill()
        server.process.communicate()


def get(url: str) -> tuple[int, str]:
    with urlopen(url, timeout=10) as answer:  # noqa: S310
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
    assert [" ".join(line.split()) for line in second.printed.splitlines()[:3]] == [
        "database up to date",
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
        assert server.process.wait(timeout=20) == 1
    assert f"Cannot listen on 127.0.0.1, port {port}" in server.printed
    assert "--port" in server.printed


@pytest.mark.slow
def test_server_answers_while_150_phones_keep_their_connections_open(start: Start) -> None:
    server = start("--no-demo", PORT="0")
    address = urlsplit(server.url)
    with ExitStack() as phones:
        for _ in range(150):
            phone = phones.enter_context(
                closing(HTTPConnection(str(address.hostname), address.port, timeout=10))
            )
            phone.request("GET", "/healthz")
            assert phone.getresponse().read() == b"ok\n"
        assert get(f"{server.url}/healthz") == (200, "ok\n")
    assert server.stop() == ENDED


@pytest.mark.slow
def test_server_answers_a_too_large_upload_with_a_page(start: Start) -> None:
    server = start("--no-demo", PORT="0")
    address = urlsplit(server.url)
    with closing(HTTPConnection(str(address.hostname), address.port, timeout=30)) as browser:
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
    monkeypatch.setattr("config.server.lan_addresses", lambda: ["192.0.2.7"])
    monkeypatch.setattr(socket, "gethostname", lambda: "Laptop")
    assert allowed_hosts("0.0.0.0", "") == [  # noqa: S104
        "localhost",
        "127.0.0.1",
        "[::1]",
        "192.0.2.7",
        "laptop",
        "laptop.local",
    ]
