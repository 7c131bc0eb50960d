"""Fixtures for tests of the server: a server in a thread of the test, and one in its own process."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from server.connections import Limits, Server, make_server
from server.priority_queues import Lanes, usual_lanes
from tests.house.serving import Serve, Start, Started
from tests.migrated import migrated_copy
from tests.waiting import LONG
from web.page_cache import shared
from web.recent_logins import RecentLogin, known


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Return a function that serves an application in a thread and returns the port."""
    running: list[tuple[Server, threading.Thread]] = []

    def serve(
        application: Callable[..., Iterable[bytes]],
        limits: Limits | None = None,
        lanes: Lanes | None = None,
        **named: object,
    ) -> int:
        listening = socket.create_server(("127.0.0.1", 0))
        lanes = lanes or Lanes(usual_lanes(1, 2), lambda _request: "public")
        server = make_server(application, listening, limits or Limits(), lanes, **named)  # type: ignore[arg-type]
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        running.append((server, thread))
        return int(listening.getsockname()[1])

    yield serve
    for server, thread in running:
        server.stop()
        thread.join(LONG)
        server.asyncore.close_all(server._map)


@pytest.fixture
def start(root: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Return a function that starts a server with its data in a directory of this test. Without a demo event, its
    database has been migrated before.
    """
    running: list[Started] = []

    def start(*options: str, **environment: str) -> Started:
        inherited = {
            name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "PORT", "HOST"}
        }
        inherited |= {"VAR_DIR": str(tmp_path / "var"), "EVENBOARD_STARTED": repr(time.time()), **environment}
        database = tmp_path / "var" / "evenboard.sqlite3"
        if "--no-demo" in options and not database.exists():
            migrated_copy(database, tmp_path_factory)
        running.append(Started([sys.executable, "-m", "server.main", *options], root, inherited))
        return running[-1]

    yield start
    for server in running:
        if server.process.poll() is None:
            server.process.kill()
        server.process.communicate()


@pytest.fixture
def _sessions() -> None:
    """Sessions of an arbiter and of a plain login, and two pages that are made once."""
    known.put("known", RecentLogin(7, works=True))
    known.put("plain", RecentLogin(8, works=False))
    for path in ("/hall/a/pairings/", "/"):
        shared.put(path, True)
