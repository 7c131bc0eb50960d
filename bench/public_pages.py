"""Measure public pages: `python -m bench.public_pages [--seconds 3] [--rounds 3] [--connections 4]`.

Two servers of this program run side by side on one database. One of them has only a bare Django view (bare_view.py:
no middleware, one query, an answer of the same size). They are asked in turns, first on SQLite, then on PostgreSQL if
its programs are here. A section of 201 players is in its sixth round. Prints the tables of docs/performance.md:
requests in a second, the processor time of the server for one request, and both as ratios to the bare view. Compare
ratios: seconds depend on the machine and on its other work.
"""

from __future__ import annotations

import argparse
import gzip
import html
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from bench.servers import running
from tests.machine import find_postgres, private_postgres

ROOT = Path(__file__).resolve().parent.parent
PLAYERS, ROUNDS = 201, 5
TICKS = os.sysconf("SC_CLK_TCK")
Head = dict[str, str]
QUESTION = re.compile(rb'hx-get="([^"]*[?;&]seen=[^"]*)"')
"""Where an open page asks for news."""


@dataclass
class PageCase:
    """A kind of request. bare: the address of the bare view with an answer of the same size."""

    name: str
    path: str
    headers: Head
    status: int
    size: int = 0
    ours: list[tuple[float, float]] = field(default_factory=list)
    bare: list[tuple[float, float]] = field(default_factory=list)


def main() -> None:
    """Measure both databases and print a table for each."""
    parser = argparse.ArgumentParser(description="Measure public pages against a bare Django view.")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each; the middle one counts")
    parser.add_argument("--connections", type=int, default=4)
    options = parser.parse_args()
    programs = find_postgres()
    databases: dict[str, AbstractContextManager[str]] = {"SQLite": nullcontext("")}
    if programs is not None:
        databases["PostgreSQL"] = private_postgres(programs)
    for name, database in databases.items():
        with tempfile.TemporaryDirectory() as directory, database as url:
            measure(name, Path(directory), url, options)


def measure(name: str, directory: Path, url: str, options: argparse.Namespace) -> None:
    """Measure all cases on one database, and print them."""
    environment = {
        **os.environ,
        "VAR_DIR": str(directory / "var"),
        "DATABASE_URL": url,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": str(ROOT),
    }
    run = subprocess.run(
        [sys.executable, "-m", "bench.public_pages_database", str(PLAYERS), str(ROUNDS)],
        env=environment,
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
    )
    section = json.loads(run.stdout.splitlines()[-1])
    with (
        serving(environment) as ours,
        serving({**environment, "DJANGO_SETTINGS_MODULE": "bench.bare_settings"}) as bare,
    ):
        cases = cases_of(section, ours[0])
        compare(cases, ours, bare, options)
    show(name, cases)


def compare(
    cases: list[PageCase], ours: tuple[int, int], bare: tuple[int, int], options: argparse.Namespace
) -> None:
    """Ask both servers for all cases, in turns."""
    for case in cases:
        cold(ours, case)
    for _ in range(options.rounds):
        for case in cases:
            case.ours.append(ask(ours, case.path, case.headers, case.status, options))
            wanted = 200 if case.size else 204
            case.bare.append(ask(bare, f"/bare/{case.size}/", {}, wanted, options))


def cases_of_page(path: str, port: int) -> list[PageCase]:
    """Return the pairings of a section: the whole page, 304, and the question of an open page without news."""
    packed = {"Accept-Encoding": "gzip"}
    head, body = once(port, f"{path}pairings/", packed)
    asked = QUESTION.search(gzip.decompress(body))
    assert asked is not None
    question = html.unescape(asked.group(1).decode())
    return [
        PageCase("pairings, whole page", f"{path}pairings/", packed, 200, len(body)),
        PageCase("pairings, 304", f"{path}pairings/", {**packed, "If-None-Match": head["etag"]}, 304),
        PageCase("question without news, 204", question, {**packed, "HX-Request": "true"}, 204),
    ]


def cases_of(section: dict[str, str], port: int) -> list[PageCase]:
    """Return what is measured: whole pages, 304, and the question of an open page without news."""
    path, packed = section["path"], {"Accept-Encoding": "gzip"}
    cases = []
    for name, page in (("pairings", "pairings/"), ("crosstable", "crosstable/"), ("standings", "standings/")):
        head, body = once(port, path + page, packed)
        cases.append(PageCase(f"{name}, whole page", path + page, packed, 200, len(body)))
        if name == "pairings":
            cases.append(
                PageCase("pairings, 304", path + page, {**packed, "If-None-Match": head["etag"]}, 304)
            )
    others = (
        ("list of 21 events", "/"),
        ("page of an event", section["event"]),
        ("standings, JSON", section["json"]),
    )
    for name, page in others:
        _, body = once(port, page, packed)
        cases.append(PageCase(name, page, packed, 200, len(body)))
    question = f"{path}pairings/?seen={section['revision']}&round={ROUNDS + 1}"
    cases.append(PageCase("question without news, 204", question, {**packed, "HX-Request": "true"}, 204))
    return cases


@contextmanager
def serving(environment: dict[str, str]) -> Iterator[tuple[int, int]]:
    """Run a server; yield its port and the number of its process."""
    command = [sys.executable, "-m", "server.main", "--only-serve", "--port=PORT"]
    with running(command, environment) as (port, process):
        yield port, process.pid


def cold(server: tuple[int, int], case: PageCase) -> None:
    """Ask once, so that the page is made."""
    once(server[0], case.path, case.headers)


def ask(
    server: tuple[int, int], path: str, headers: Head, status: int, options: argparse.Namespace
) -> tuple[float, float]:
    """Ask on several connections at once. Return requests in a second, and milliseconds of processor time for each."""
    port, process = server

    def work(_: int) -> int:
        with KeptConnection(port) as connection:
            done = 0
            while time.monotonic() < end:
                if connection.ask(path, headers)[0] != status:
                    raise SystemExit(f"{path}: not {status}")
                done += 1
            return done

    end = time.monotonic() + 0.3
    with ThreadPoolExecutor(options.connections) as pool:
        list(pool.map(work, range(options.connections)))  # not measured
        end = time.monotonic() + options.seconds
        before, began = processor_time(process), time.monotonic()
        done = sum(pool.map(work, range(options.connections)))
        return done / (time.monotonic() - began), (processor_time(process) - before) / done * 1e3


def processor_time(process: int) -> float:
    """Return the seconds of processor time of a process so far; nan if there is no /proc."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / TICKS


def once(port: int, path: str, headers: Head) -> tuple[Head, bytes]:
    """Return the headers, with small letters, and the body of one answer."""
    with KeptConnection(port) as connection:
        _, head, body = connection.ask(path, headers)
    return head, body


class KeptConnection:
    """A connection that is kept. http.client would need more time than the server."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> KeptConnection:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def ask(self, path: str, headers: Head) -> tuple[int, Head, bytes]:
        """Return status, headers and body. The answer must have a Content-Length, or no body."""
        lines = [
            f"GET {path} HTTP/1.1",
            "Host: 127.0.0.1",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        self._socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        got = b""
        while b"\r\n\r\n" not in got:
            got += self._receive()
        head, body = got.split(b"\r\n\r\n", 1)
        first, *rest = head.decode("latin-1").split("\r\n")
        received = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in rest)}
        status = int(first.split()[1])
        length = 0 if status in (204, 304) else int(received["content-length"])
        while len(body) < length:
            body += self._receive()
        return status, received, body

    def _receive(self) -> bytes:
        got = self._socket.recv(65536)
        if not got:
            raise SystemExit("the server closed the connection")
        return got


def show(name: str, cases: list[PageCase]) -> None:
    """Print the table of one database."""
    print(f"\n{name}\n")
    print("| Answer | Bytes | Requests/s | bare | ratio | Processor, ms | bare | ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for case in cases:
        rate, own = (statistics.median(column) for column in zip(*case.ours, strict=True))
        bare_rate, bare_own = (statistics.median(column) for column in zip(*case.bare, strict=True))
        print(
            f"| {case.name} | {case.size:,} | {rate:.0f} | {bare_rate:.0f} | {rate / bare_rate:.2f} "
            f"| {own:.2f} | {bare_own:.2f} | {bare_own / own:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
