"""People who guess passwords, and an arbiter beside them: `python -m bench.guessers [--guessers 12] [--seconds 15]`.

Starts the server on a new SQLite database, lets each guesser send a wrong password as soon as the last one is answered,
and prints the server's memory before and at its most, how many passwords it checked, how many attempts it refused, and
how long another page took. `--spread`: each attempt has a name and an address of its own, so that no count of failures
refuses it, and only the limit on hashes remains. `--root DIRECTORY`: measure the program in another directory.
Linux only: the memory is read from /proc.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from itertools import count
from pathlib import Path
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parent.parent
MEMORY = re.compile(r"^VmRSS:\s+(\d+) kB", re.MULTILINE)


def main() -> None:
    """Measure, and print one line."""
    parser = argparse.ArgumentParser(description="Guess passwords, and watch the server's memory.")
    parser.add_argument("--guessers", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--spread", action="store_true")
    parser.add_argument("--root", type=Path, default=ROOT)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        environment = {**os.environ, "VAR_DIR": directory, "DATABASE_URL": "", "TRUSTED_PROXY": "127.0.0.1"}
        command = [sys.executable, "-m", "server.main", f"--port={port}"]
        with subprocess.Popen(
            command, env=environment, cwd=options.root, stdout=subprocess.DEVNULL
        ) as server:
            try:
                _wait_for(port)
                _measure(server.pid, port, options)
            finally:
                server.send_signal(signal.SIGTERM)


def _measure(process: int, port: int, options: argparse.Namespace) -> None:
    _guess(port, 0, spread=True)  # the first password loads the library
    before = most = _memory(process)
    end = time.monotonic() + options.seconds
    numbers = count(1)
    pages: list[float] = []

    def guesser() -> Counter[int]:
        seen: Counter[int] = Counter()
        while time.monotonic() < end:
            seen[_guess(port, next(numbers), spread=options.spread)] += 1
        return seen

    with ThreadPoolExecutor(options.guessers) as pool:
        running = [pool.submit(guesser) for _ in range(options.guessers)]
        while time.monotonic() < end:
            began = time.monotonic()
            _ask(port, "GET", "/")
            pages.append(time.monotonic() - began)
            most = max(most, _memory(process))
            time.sleep(0.02)
        seen = sum((each.result() for each in running), Counter())
    refused = seen[429] + seen[503]
    print(
        f"{options.guessers} guessers, {options.seconds:.0f} s: {before:.0f} MB before, {most:.0f} MB at most; "
        f"{seen[200]} passwords checked, {seen[429]} told to wait, {seen[503]} told to come again "
        f"({refused / max(seen.total(), 1):.0%}), others {seen.total() - seen[200] - refused}; "
        f"home page {statistics.median(pages) * 1e3:.0f} ms in the middle, {max(pages) * 1e3:.0f} ms at most"
    )


def _guess(port: int, number: int, *, spread: bool) -> int:
    """Send a wrong password with its form; return the status."""
    address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}" if spread else "192.0.2.7"
    headers = {"X-Forwarded-For": address}
    _, cookies, page = _ask(port, "GET", "/login/", headers=headers)
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    sent = {"username": f"name{number}" if spread else "organiser", "password": f"guess {number}"}
    sent["csrfmiddlewaretoken"] = token[1] if token else ""
    headers |= {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
    return _ask(port, "POST", "/login/", body=urlencode(sent), headers=headers)[0]


def _ask(
    port: int, method: str, path: str, *, body: str | None = None, headers: dict[str, str] | None = None
) -> tuple[int, str, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request(method, path, body=body, headers=headers or {})
        answer = connection.getresponse()
        cookies = SimpleCookie(answer.getheader("Set-Cookie") or "")
        kept = "; ".join(f"{name}={cookie.value}" for name, cookie in cookies.items())
        return answer.status, kept, answer.read().decode()
    finally:
        connection.close()


def _memory(process: int) -> float:
    found = MEMORY.search(Path(f"/proc/{process}/status").read_text(encoding="ascii"))
    return int(found[1]) / 1024 if found else 0.0


def _wait_for(port: int) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        try:
            if _ask(port, "GET", "/healthz")[0] == 200:
                return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("The server did not start.")


if __name__ == "__main__":
    main()
