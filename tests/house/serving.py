"""Read answers from a raw socket, and run a server in its own process."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import randint
from typing import Any, BinaryIO

from django.core import signing

from server.priority_queues import Lane, LaneTask
from tests.waiting import LONG, until

ENDED = 1 if os.name == "nt" else 0  # Windows ends a process at once, without a request to stop
Serve = Callable[..., int]
Start = Callable[..., "Started"]


def lane(name: str, threads: int, *, first: bool = False, gated: bool = False, **task: Any) -> Lane:
    """Return a lane with one task of the same name."""
    return Lane(name, [LaneTask(name, threads=threads, **task)], first=first, gated=gated)


@dataclass
class Answered:
    """One answer of a server, with the names of its headers in small letters."""

    status: int
    headers: dict[str, str]
    body: bytes


def read_answer(file: BinaryIO, method: str) -> Answered:
    """Read one answer to `method` as a client does: after HEAD, 204 and 304 the next answer follows the header."""
    line = file.readline()
    assert line.startswith(b"HTTP/1."), line
    status = int(line.split()[1])
    headers = {}
    while (line := file.readline()) not in (b"\r\n", b""):
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.lower()] = value.strip()
    if method == "HEAD" or status in (204, 304):
        return Answered(status, headers, b"")
    if headers.get("transfer-encoding") == "chunked":
        body = b""
        while size := int(file.readline(), 16):
            body += file.read(size)
            file.readline()
        file.readline()
        return Answered(status, headers, body)
    return Answered(status, headers, file.read(int(headers["content-length"])))


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
        output, _ = self.process.communicate(timeout=LONG)
        self.printed += output
        return self.process.returncode


def free_port() -> int:
    """Return a free port below those that the system gives to outgoing connections."""
    while True:
        port = randint(20_000, 30_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


@contextmanager
def caddy(config: str, backend: str, directory: Path, site: str = "http://127.0.0.1") -> Iterator[int]:
    """Run Caddy with the shipped directives in front of `backend`, and yield its port. site: without the port; with
    https Caddy signs its own certificate.
    """
    port = free_port()
    file = directory / "Caddyfile"
    config = config.replace("cache:8080", backend.removeprefix("http://"))
    file.write_text(
        config.replace("{\n", "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n", 1)
    )
    process = subprocess.Popen(
        ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)],
        env={
            **os.environ,
            "SITE_ADDRESS": f"{site}:{port}",
            "XDG_CONFIG_HOME": str(directory),
            "XDG_DATA_HOME": str(directory),
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )

    def answers() -> bool:
        assert process.poll() is None
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=LONG):
            return True
        return False

    try:
        until(answers)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=LONG)


def signed(device: str, *names: str) -> str:
    """Return the cookie of a browser that has logged in under these names."""
    return signing.dumps([device, names], salt="tournaments.device")
