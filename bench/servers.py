"""Compare servers on our own pages: `python bench/servers.py [--seconds 4] [--connections 8] [--idle 300]`.

Waitress is in the lock; granian is not, and is installed into a temporary directory. Each server serves the demo event
from a new SQLite database on 127.0.0.1 with one process and eight threads. A few connections ask for two pages, while
many more stay open, like those of the phones in a hall. Prints requests per second, latency, memory and the time from
the command to the first answer.
"""

from __future__ import annotations

import argparse
import http.client
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("/healthz", "/")
THREADS = 8


def main() -> None:
    """Measure each server and print a table."""
    parser = argparse.ArgumentParser(description="Compare web servers on the program's own pages.")
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--idle", type=int, default=300, help="connections that stay open without a request")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        environment = prepare(Path(directory))
        print(
            f"{'server':<12}{'page':<10}{'requests/s':>12}{'median ms':>12}{'p95 ms':>10}{'MB':>8}{'start s':>10}"
        )
        for name, command in servers(directory).items():
            with running(command, environment) as (port, start, process):
                idle = [open_and_ask(port) for _ in range(options.idle)]
                for page in PAGES:
                    times = load(port, page, options.connections, options.seconds)
                    rate = len(times) / options.seconds
                    p95 = statistics.quantiles(times, n=20)[-1]
                    median = statistics.median(times)
                    print(
                        f"{name:<12}{page:<10}{rate:>12.0f}{median * 1e3:>12.1f}{p95 * 1e3:>10.1f}"
                        f"{memory(process.pid):>8.0f}{start:>10.2f}",
                        flush=True,
                    )
                for connection in idle:
                    connection.close()


def prepare(directory: Path) -> dict[str, str]:
    """Make a database with the demo event, collect static files, and return the servers' environment."""
    environment = {**os.environ, "VAR_DIR": str(directory / "var"), "DATABASE_URL": ""}
    environment["PYTHONPATH"] = os.pathsep.join((str(ROOT), str(directory / "packages")))
    code = "import django; django.setup(); from server import prepare; prepare.everything(demo=True)"
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, check=True, stdout=subprocess.DEVNULL
    )
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(directory / "packages")]
    subprocess.run([*install, "granian"], check=True)
    return environment


def servers(directory: str) -> dict[str, list[str]]:
    """Return the command of each server; PORT is replaced by its port."""
    granian = Path(directory, "packages", "bin", "granian")
    return {
        "waitress": [sys.executable, "-m", "server.main", "--only-serve", "--port=PORT"],
        "granian": [
            *(
                sys.executable,
                str(granian),
                "server.wsgi:application",
                "--interface=wsgi",
                "--host=127.0.0.1",
            ),
            *("--port=PORT", "--workers=1", f"--blocking-threads={THREADS}", "--no-log"),
        ],
    }


@contextmanager
def running(
    command: list[str], environment: dict[str, str]
) -> Iterator[tuple[int, float, subprocess.Popen[bytes]]]:
    """Run a server; yield its port, the seconds until it first answered, and its process."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    began = time.monotonic()
    process = subprocess.Popen(
        [part.replace("PORT", str(port)) for part in command],
        env={**environment, "THREADS": str(THREADS)},
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        while not answers(port):
            if process.poll() is not None or time.monotonic() > began + 20:
                raise SystemExit(f"did not start: {' '.join(command)}")
            time.sleep(0.01)
        yield port, time.monotonic() - began, process
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=20)


def answers(port: int) -> bool:
    """Return whether the server answers its health check."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def open_and_ask(port: int) -> http.client.HTTPConnection:
    """Return a connection that has made one request and stays open, like that of a phone."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/healthz")
    connection.getresponse().read()
    return connection


def load(port: int, page: str, connections: int, seconds: float) -> list[float]:
    """Ask for `page` repeatedly on each of `connections`; return the seconds of every request."""

    def ask(_: int) -> list[float]:
        times = []
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        while time.monotonic() < end:
            began = time.perf_counter()
            connection.request("GET", page, headers={"Accept-Encoding": "gzip"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                raise SystemExit(f"{page}: {answer.status}")
            times.append(time.perf_counter() - began)
        connection.close()
        return times

    end = time.monotonic() + 0.5
    with ThreadPoolExecutor(connections) as pool:
        list(pool.map(ask, range(connections)))  # warm up, not measured
        end = time.monotonic() + seconds
        return [spent for times in pool.map(ask, range(connections)) for spent in times]


def memory(pid: int) -> float:
    """Return the resident megabytes of a process and its children; nan if there is no /proc."""
    total = 0
    try:
        for status in Path("/proc").glob("[0-9]*/status"):
            lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
            if status.parent.name == str(pid) or lines.get("PPid", "").strip() == str(pid):
                total += int(lines.get("VmRSS", "0 kB").split()[0])
    except OSError:
        return float("nan")
    return total / 1024 if total else float("nan")


if __name__ == "__main__":
    main()
