"""Start the server of the program for a measurement, and say how much memory it takes."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
THREADS = 8


@contextmanager
def running(command: list[str], environment: dict[str, str]) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run a server; yield its port and its process once it answers. PORT in the command is replaced by its port."""
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
        yield port, process
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
