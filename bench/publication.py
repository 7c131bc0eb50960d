"""Publish a round of 500 boards while 10,000 phones have its page open: `python -m bench.publication`.

    --clients 10000    phones; each asks for news every --poll seconds, and opens the pairings once within --minute
    --poll 5           seconds, a quarter more or less
    --minute 60        seconds after the publication in which all phones open the pairings
    --boards 500
    --postgres         also on a private PostgreSQL in a temporary directory, deleted at the end
    --only-postgres
    --web 1            web processes; more than one needs PostgreSQL
    --direct           without the cache (at most 900 phones: the server keeps 1,000 connections from one address)
    --caddy            Caddy in front of the cache, as in docker-compose.yml
    --save-every 0.4   seconds between two results of each of the three arbiters
    --ratios 2         seconds of each comparison with a bare Django view (bare_view.py); 0 for none

The shipped cache (docker/nginx.conf) runs with its own configuration; only its addresses are others. The load comes
from one more process on the same machine. Beside the phones, three arbiters save results of another section. Prints a
table of times, and the processor time of each part. A time begins when the request is sent and ends with the last byte
of the answer. Then the program alone is asked for the pairings (whole page, 304, question without news), in turns with
a bare Django view on the same database, as in bench/public_pages.py: the goal is 0.6 of the bare view.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from bench.arbiters import KilledServer, free_port
from bench.hall import databases, empty, load_before, milliseconds, percentile
from bench.public_pages import cases_of_page, compare, processor_time, serving, show

ROOT = Path(__file__).resolve().parent.parent
GOALS = {"poll": 0.2, "open": 0.2, "reload": 0.2, "save": 0.1}
HEAD = ("database", "requests", "count", "a second", "median", "99 %", "longest", "goal", "answers")


def main() -> None:
    """Measure each database and print the tables."""
    options = parse()
    print(
        f"Measured on {date.today():%d %B %Y} with Python {platform.python_version()} on {os.cpu_count()} processors"  # noqa: DTZ011
        f" (load before: {load_before()}). {options.clients:,} phones ask every {options.poll:g} s,"
        f" {options.boards} boards, {options.web} web processes.\n"
    )
    print(f"| {' | '.join(HEAD)} |\n|---|---|{'---:|' * 5}---|---|")
    shares = []
    for name, url in databases(options.postgres or options.only_postgres):
        if url or not options.only_postgres:
            shares.append((name, measure(name, url, options)))
    for name, share in shares:
        print(f"\n{name}, share of one processor: {share}")


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Publish a round while many phones have its page open.")
    parser.add_argument("--clients", type=int, default=10_000)
    parser.add_argument("--poll", type=float, default=5.0)
    parser.add_argument("--minute", type=float, default=60.0)
    parser.add_argument("--before", type=float, default=5.0)
    parser.add_argument("--boards", type=int, default=500)
    parser.add_argument("--web", type=int, default=1)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--only-postgres", action="store_true")
    parser.add_argument("--direct", action="store_true")
    parser.add_argument("--caddy", action="store_true")
    parser.add_argument("--save-every", type=float, default=0.4)
    parser.add_argument("--ratios", type=float, default=2.0)
    options = parser.parse_args()
    if options.web > 1 and not options.only_postgres:
        parser.error("--web needs --only-postgres: SQLite is for one process")
    return options


def measure(name: str, url: str, options: argparse.Namespace) -> str:
    """Serve, let the load come, print the times, and return the share of each part."""
    with prepared(url, options.boards) as (environment, task), ExitStack() as running:
        if not options.direct:
            environment = {**environment, "TRUSTED_PROXY": "127.0.0.1"}
        servers = [KilledServer(free_port(), environment) for _ in range(options.web)]
        for server in servers:
            server.start()
            running.callback(server.kill)
        for server in servers:
            server.wait()
        parts = {f"web {number}": pid_of(server) for number, server in enumerate(servers, 1)}
        port = servers[0].port
        if not options.direct:
            port, parts["cache"] = running.enter_context(cached([server.port for server in servers]))
        if options.caddy:
            port, parts["Caddy"] = running.enter_context(tls_proxy(port))
        if url:
            parts["PostgreSQL"] = postmaster(url)
        with sampled(parts) as samples:
            found = load({**task, **vars(options), "port": port})
        for line in rows(name, found):
            print(f"| {' | '.join(line)} |", flush=True)
        if options.ratios:
            ratios(name, environment, (servers[0].port, pid_of(servers[0])), task["path"], options.ratios)
    shares = [f"{part} {share(samples[part], found):.2f}" for part in parts]
    notes = [*shares, f"the load {found['own']:.2f}", f"late by {milliseconds(found['late'])} at most"]
    return ", ".join(notes)


def load(task: dict[str, Any]) -> dict[str, Any]:
    command = [sys.executable, "-m", "bench.publication_load"]
    done = subprocess.run(
        command, cwd=ROOT, check=True, input=json.dumps(task), text=True, stdout=subprocess.PIPE
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def ratios(name: str, environment: dict[str, str], ours: tuple[int, int], path: str, seconds: float) -> None:
    """Print what one web process does without the cache, beside a bare view, after the publication."""
    cases = cases_of_page(path, ours[0])
    with serving({**environment, "DJANGO_SETTINGS_MODULE": "bench.bare_settings"}) as bare:
        compare(cases, ours, bare, argparse.Namespace(seconds=seconds, rounds=3, connections=4))
    show(f"{name}, the program beside a bare view", cases)


def pid_of(server: KilledServer) -> int:
    assert server.process is not None
    return server.process.pid


def postmaster(url: str) -> int:
    """Return the process from which all others of PostgreSQL come."""
    import psycopg

    with psycopg.connect(url) as connection:
        status = Path(f"/proc/{connection.info.backend_pid}/stat").read_text()
    return int(status.rsplit(")", 1)[1].split()[1])


@contextmanager
def sampled(parts: dict[str, int]) -> Iterator[dict[str, list[tuple[float, float]]]]:
    """Note every half second how much processor time each part has used."""
    samples: dict[str, list[tuple[float, float]]] = {part: [] for part in parts}
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.5):
            for part, process in parts.items():
                samples[part].append((time.time(), family_time(process)))

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield samples
    finally:
        over.set()
        thread.join()


def share(samples: list[tuple[float, float]], found: dict[str, Any]) -> float:
    """Return the processor time of a part while it was measured, as a share of one processor."""
    inside = [each for each in samples if 0 <= each[0] - found["from"] <= found["seconds"]]
    if len(inside) < 2:
        return float("nan")
    return (inside[-1][1] - inside[0][1]) / (inside[-1][0] - inside[0][0])


def rows(database: str, found: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield a line of the table for each kind of request."""
    for kind, times in sorted(found["times"].items()):
        times.sort()
        slow = percentile(times, 0.99)
        goal = GOALS.get(kind)
        verdict = "" if goal is None else f"{'met' if slow < goal else 'missed'}: {goal * 1000:.0f} ms"
        answers = ", ".join(
            f"{count} times {answer.removeprefix(kind).strip()}"
            for answer, count in sorted(found["answers"].items())
            if answer.startswith(f"{kind} ")
        )
        figures = [milliseconds(value) for value in (percentile(times, 0.5), slow, times[-1])]
        yield (
            database,
            kind,
            str(len(times)),
            f"{len(times) / found['seconds']:.0f}",
            *figures,
            verdict,
            answers,
        )


# The parts that are started: the database, the shipped cache, and Caddy.


@contextmanager
def prepared(url: str, boards: int) -> Iterator[tuple[dict[str, str], dict[str, Any]]]:
    """Make the sections; on PostgreSQL the former ones are deleted first."""
    with tempfile.TemporaryDirectory() as var:
        environment = {
            **os.environ,
            "VAR_DIR": var,
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "SECRET_KEY": "of-the-bench-" * 5,
            "PYTHONPATH": str(ROOT),
        }
        if url:
            empty(url)
        command = [sys.executable, "-m", "bench.publication_database", str(boards)]
        done = subprocess.run(command, env=environment, cwd=ROOT, check=True, stdout=subprocess.PIPE)
        yield environment, json.loads(done.stdout)


@contextmanager
def cached(ports: list[int], workers: int = 0, hosts: str = "web.conf") -> Iterator[tuple[int, int]]:
    """Run the shipped cache before web processes on these ports; yield its own port and process.

    hosts: the file in docker/ that names them.

    workers: more of its processes than processors, each with an address of its own (127.0.0.1, 127.0.0.2, ...): neither
    a process nor an address has as many open connections as a large crowd.

    An nginx older than 1.27.3 cannot look up names again, and needs no resolver here.
    """
    program = shutil.which("nginx")
    if program is None:
        raise SystemExit("There is no nginx on this machine.")
    port = free_port()
    here = "; listen ".join(f"127.0.0.{number}:{port} reuseport" for number in range(1, workers + 1))
    with tempfile.TemporaryDirectory() as home:
        servers = "".join(rf"server 127.0.0.1:{each}\1;" for each in ports)
        web = re.sub(r"server \w+:\d+ resolve(.*);", servers, (ROOT / "docker" / hosts).read_text())
        web = re.sub(r"^resolver .*$", "", web, flags=re.MULTILINE)
        content = (ROOT / "docker" / "nginx.conf").read_text()
        for former, now in (
            ("/tmp/", f"{home}/"),  # noqa: S108 (first: the directory of this run may be in it)
            ("/etc/nginx/", f"{home}/"),
            ("/var/cache/nginx", f"{home}/cache"),
            ("listen 8080", f"listen {here or f'127.0.0.1:{port}'}"),
            (
                "worker_processes auto",
                f"daemon off;\nmaster_process on;\nuser root;\nworker_processes {workers or 'auto'}",
            ),
            ("worker_rlimit_nofile 40000;", ""),
        ):
            content = content.replace(former, now)
        Path(home, "web.conf").write_text(web)
        Path(home, "nginx.conf").write_text(content)
        process = subprocess.Popen([program, "-c", f"{home}/nginx.conf", "-p", home])
        try:
            wait_for(port)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(timeout=20)


@contextmanager
def tls_proxy(
    cache: int, chooses: int = 0, hosts: Sequence[int] = (), name: str = "Caddyfile"
) -> Iterator[tuple[int, int]]:
    """Run Caddy with the shipped Caddyfile before the cache, without TLS; yield its port and process.

    chooses, hosts: with Caddyfile.hosts, the port at which the cache asks Caddy, and the web processes.
    """
    port = free_port()
    with tempfile.TemporaryDirectory() as home:
        for each in ("Caddyfile", name):
            content = (ROOT / "docker" / each).read_text().replace("cache:8080", f"127.0.0.1:{cache}")
            content = content.replace("{\n", "{\n\tadmin off\n", 1) if each == "Caddyfile" else content
            Path(home, each).write_text(content.replace("\n:8081 {", f"\nhttp://:{chooses} {{"))
        environment = {**os.environ, "SITE_ADDRESS": f"http://:{port}", "HOME": home, "XDG_DATA_HOME": home}
        environment["WEB_HOSTS"] = " ".join(f"127.0.0.1:{each}" for each in hosts)
        command = ["caddy", "run", "--adapter", "caddyfile", "--config", f"{home}/{name}"]
        process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        try:
            wait_for(port)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(timeout=20)


def wait_for(port: int) -> None:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(f"nothing answers on port {port}")


def family_time(process: int) -> float:
    """Return the seconds of processor time of a process and its children so far."""
    total = processor_time(process)
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if fields[1] == str(process):
            total += processor_time(int(status.parent.name))
    return total


if __name__ == "__main__":
    main()
