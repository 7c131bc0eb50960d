"""CACHE_URL: all processes count together in Valkey, and each by itself while Valkey does not answer."""

from __future__ import annotations

import logging
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from base import common_cache
from base.networks import counted, counted_before
from config.settings import common_cache as place_of
from tests.factories import UserFactory
from tests.waiting import LONG, until

SERVER = shutil.which("valkey-server") or shutil.which("redis-server")
needs_server = pytest.mark.skipif(SERVER is None, reason="needs Valkey or Redis")
COUNTS = """
import django; django.setup()
from base.networks import counted
print(*(counted("together", 86_400) for _ in range(200)))
"""


class Valkey:
    """A server that a test stops and starts again."""

    def __init__(self, directory: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = int(probe.getsockname()[1])
        self.url = f"valkey://:p%40ss@127.0.0.1:{self.port}/3"
        self._directory = directory
        self.start()

    def start(self) -> None:
        options = {"port": str(self.port), "save": "", "dir": str(self._directory), "requirepass": "p@ss"}
        arguments = [word for name, value in options.items() for word in (f"--{name}", value)]
        self.process = subprocess.Popen([str(SERVER), *arguments], stdout=subprocess.DEVNULL)
        until(self._answers)

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=LONG):
            return True
        return False

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def valkey(tmp_path: Path, settings: Settings) -> Iterator[Valkey]:
    running = Valkey(tmp_path)
    settings.CACHES = {"default": place_of(running.url)}
    yield running
    running.kill()
    common_cache.outage.since = None


@needs_server
@pytest.mark.django_db
def test_processes_count_together_and_go_on_without_valkey(
    valkey: Valkey,
    root: Path,
    client: Client,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    environment = {**os.environ, "CACHE_URL": valkey.url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-c", COUNTS]
    both = [
        subprocess.Popen(command, cwd=root, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    numbers = [int(word) for one in both for word in one.communicate(timeout=LONG)[0].split()]
    assert sorted(numbers) == list(range(1, 401))
    assert (counted("together", 86_400), counted_before("together", 86_400)) == (401, 401)
    assert (cache.add("sum", 1), cache.add("sum", 1)) == (True, False)
    assert client.get("/readyz").json()["limits"] == {"ok": True, "counted": "together"}

    client.force_login(UserFactory(site_owner=True))
    with caplog.at_level(logging.WARNING):
        valkey.kill()
        assert [counted("together", 86_400) for _ in range(3)] == [1, 2, 3]
        state = client.get("/readyz")
        assert (state.status_code, state.json()["warnings"]) == (200, ["the common cache does not answer"])
        assert "Valkey has not answered since" in client.get("/site/status/").content.decode()
    assert [line.partition(". ")[0] for line in caplog.messages] == ["CACHE_URL: no answer"]
    assert "p@ss" not in caplog.text

    monkeypatch.setattr(common_cache, "AGAIN", 0.0)
    valkey.start()
    until(lambda: client.get("/readyz").json()["limits"]["counted"] == "together")
    assert counted("together", 86_400) == 1, "what Valkey has counted is gone with it"
    assert "All processes count attempts together" in client.get("/site/status/").content.decode()


@pytest.mark.parametrize(
    ("url", "begins"),
    [
        ("valkey://host:6379/0", None),
        ("valkeys://:p%2Fw@host:6379/1", None),
        ("redis://host", None),
        ("rediss://name:word@host:6379", None),
        ("memcached://host:11211", "CACHE_URL begins with memcached"),
        ("host:6379", "CACHE_URL begins with host"),
        ("valkey://", "CACHE_URL cannot be read"),
        ("valkey://:p/w@host:6379/0", "CACHE_URL cannot be read"),
        ("valkey://:p#w@host:6379/0", "CACHE_URL cannot be read"),
        ("valkey://host:port/0", "CACHE_URL cannot be read"),
    ],
)
def test_an_address_is_read_or_refused_without_its_password(url: str, begins: str | None) -> None:
    if begins is None:
        assert place_of(url)["LOCATION"] == [url.replace("valkey", "redis")]
        return
    with pytest.raises(SystemExit, match=begins) as refused:
        place_of(url)
    assert "p/w" not in str(refused.value)
    assert "p#w" not in str(refused.value)
