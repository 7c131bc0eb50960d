"""What strangers can do to the visitors and to the arbiter: `python -m bench.attacks`.

(head) Three clients send HEAD through Caddy with the shipped directives, if Caddy is installed, while twelve visitors
ask for pages. (half) One address sends the first half of 2,100 requests and waits, and opens each again that is closed,
while an arbiter saves results and new visitors come. (crowds) 40 connections of the same address ask for one thing
without a pause, while an arbiter saves results, a visitor reads the pairings, somebody opens the form to log in, and a
monitor asks /healthz. (logins) 12, 40 or 200 connections send the form to log in, and from the same address an arbiter
with a new phone logs in with the right password; after a refusal the arbiter tries again. bench/hall.py measures 40
connections on the dearest page.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import re
import resource
import shutil
import socket
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bench.arbiters import TOKEN, KilledServer, free_port
from bench.hall import ROOT, milliseconds, percentile, prepared
from bench.hall_load import HallLine, LoadTally, arbiter
from tests.house.serving import caddy

HALF_SENT, SOURCE = 2_100, "127.0.0.2" if Path("/proc").exists() else "127.0.0.1"
PATIENCE = 30.0
CONNECTIONS, EVERY = 40, 0.3
CROWDS = {
    "nobody": None,
    "crosstable, login without a role": ("{path}crosstable/", "Cookie: {plain}\r\n"),
    "crosstable, invented message": ("{path}crosstable/", "Cookie: messages=x\r\n"),
    "pairings of round 005": ("{path}round/005/pairings/", ""),
    "searches": ("{path}players/?q=a", ""),
    "a player who is not there": ("{path}players/999/", ""),
    "form to log in": ("/login/", ""),
    "/healthz": ("/healthz", ""),
}


def main() -> None:
    """Run the attacks one after another and print what the others noticed."""
    parser = argparse.ArgumentParser(description="What strangers can do to the visitors and to the arbiter.")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--only", choices=["head", "half", "crowds", "logins"])
    parser.add_argument(
        "--crowd", default="", help="only the logins beside crowds with this text in their name"
    )
    parser.add_argument("--program", type=Path, default=ROOT, help="another version to attack")
    options = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 3 * HALF_SENT)), hard))
    with prepared("", options.program) as (environment, hall):
        environment["TRUSTED_PROXY"] = "127.0.0.1"
        server = KilledServer(free_port(), environment, root=options.program)
        server.start()
        try:
            server.wait()
            if options.only in (None, "head") and shutil.which("caddy"):
                head(server.port, options.seconds)
            if options.only in (None, "half"):
                half(server.port, hall, options.seconds)
            if options.only in (None, "crowds"):
                for name, asked in CROWDS.items():
                    print(
                        f"| {name} | {asyncio.run(crowd(server.port, hall, asked, options.seconds))} |",
                        flush=True,
                    )
            if options.only in (None, "logins"):
                for name, each in LOGINS.items():
                    if options.crowd not in name:
                        continue
                    summary = asyncio.run(logins(server.port, hall, each, options.seconds))
                    print(f"| {name} | {summary} |", flush=True)
        finally:
            server.kill()


def head(port: int, seconds: float) -> None:
    """Three clients send HEAD through the proxy, while twelve visitors ask for two pages."""
    answers: Counter[str] = Counter()
    pages = ["/", "/login/"]  # quick pages, so that many requests share the connections of the proxy
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as directory:
        config = (ROOT / "docker" / "Caddyfile").read_text()
        with caddy(config, f"http://127.0.0.1:{port}", Path(directory)) as proxy:

            def visit(number: int) -> None:
                method = "HEAD" if number < 3 else "GET"
                line = http.client.HTTPConnection("127.0.0.1", proxy, timeout=PATIENCE)
                while time.monotonic() < end:
                    try:
                        line.request(method, pages[number % 2])
                        answer = line.getresponse()
                        page = answer.read()
                        whole = method == "HEAD" or b"</html>" in page
                        outcome = str(answer.status) if whole or answer.status != 200 else "another page"
                    except (OSError, http.client.HTTPException) as error:
                        line.close()
                        outcome = type(error).__name__
                    answers[f"{method} {outcome}"] += 1

            with ThreadPoolExecutor(15) as pool:
                list(pool.map(visit, range(15)))
    print("head:", ", ".join(f"{name} {count} times" for name, count in sorted(answers.items())), flush=True)


def half(port: int, hall: dict[str, Any], seconds: float) -> None:
    """One address holds 2,100 half-sent requests and opens each again that is closed; others work on."""
    cookies = {"Cookie": f"{hall['cookie']}; csrftoken={TOKEN}", "X-CSRFToken": TOKEN}
    form = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json", **cookies}
    end = time.monotonic() + seconds
    opened = Counter[str]()

    def save() -> list[float]:
        versions = dict.fromkeys(hall["games"], 0)
        turn = 0

        def one() -> int:
            nonlocal turn
            game = hall["games"][turn % len(versions)]
            turn += 1
            sent = {"result": "1-0", "version": versions[game], "user": hall["user"]}
            return ask(port, "POST", f"{hall['path']}game/{game}/result/", urlencode(sent), form)

        return repeat(one, 1.2, end, opened, "save")

    def visit() -> list[float]:
        return repeat(lambda: ask(port, "GET", f"{hall['path']}pairings/"), 0.5, end, opened, "visitor")

    with ThreadPoolExecutor(3) as pool:
        attacking = pool.submit(hold_half, port, end, opened)
        time.sleep(min(3, seconds / 4))  # until the attack is complete
        jobs = {"save": pool.submit(save), "visitor": pool.submit(visit)}
        for name, job in jobs.items():
            times = sorted(job.result())
            slow = (
                f"median {times[len(times) // 2]:.3f} s, longest {times[-1]:.3f} s"
                if times
                else "none answered"
            )
            print(f"half-sent: {name}: {len(times)} answered, {slow}", flush=True)
        attacking.result()
    print("half-sent:", ", ".join(f"{name} {count}" for name, count in sorted(opened.items())), flush=True)


async def crowd(port: int, hall: dict[str, Any], asked: tuple[str, str] | None, seconds: float) -> str:
    """Let a crowd ask for one thing; return what the others waited: median, 99 % and refusals of each."""
    tally, unseen = LoadTally(), LoadTally()

    async def attack() -> None:
        assert asked is not None
        path, headers = (part.format(**hall) for part in asked)
        line = HallLine(port, unseen, headers)
        while not tally.over:
            await line.ask("attack", path)

    async def look(name: str, path: str) -> None:
        line = HallLine(port, tally)
        while not tally.over:
            await line.ask(name, path)
            await asyncio.sleep(EVERY)

    watched = {"pairings": f"{hall['path']}pairings/", "form": "/login/", "health": "/healthz"}
    people = [arbiter(port, hall, tally), *(look(*each) for each in watched.items())]
    people += [attack() for _ in range(CONNECTIONS if asked else 0)]
    running = [asyncio.ensure_future(each) for each in people]
    await asyncio.sleep(min(3, seconds / 3))
    tally.since = time.perf_counter()
    await asyncio.sleep(seconds)
    tally.over = True
    for each in running:
        each.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    return " | ".join(cell(tally, name) for name in ("save", *watched))


def cell(tally: LoadTally, name: str) -> str:
    times = sorted(tally.times.get(name, ()))
    if not times:
        return "none answered"
    refused = sum(count for answer, count in tally.answers.items() if answer.startswith(f"{name} "))
    refused -= tally.answers[f"{name} 200"] + tally.answers[f"{name} 409"]
    slow = f"{milliseconds(percentile(times, 0.5))}, {milliseconds(percentile(times, 0.99))}"
    return f"{slow}, {refused} of {len(times)} refused" if refused else slow


def hold_half(port: int, end: float, counts: Counter[str]) -> None:
    """Keep so many connections with half a request open until the end."""
    lines: list[socket.socket] = []
    while time.monotonic() < end:
        lines = [line for line in lines if is_open(line)]
        while len(lines) < HALF_SENT and time.monotonic() < end:
            try:
                line = socket.create_connection(("127.0.0.1", port), 2, (SOURCE, 0))
                line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
                line.setblocking(False)
            except OSError:
                counts["refused"] += 1
                break
            lines.append(line)
            counts["opened"] += 1
        time.sleep(0.05)
    for line in lines:
        line.close()


def is_open(line: socket.socket) -> bool:
    """Return whether the server keeps the connection; close it if it does not."""
    try:
        if line.recv(1):
            return True
    except BlockingIOError:
        return True
    except OSError:
        pass
    line.close()
    return False


def repeat(one: Callable[[], int], every: float, end: float, counts: Counter[str], name: str) -> list[float]:
    """Do `one` at intervals until the end; return the seconds of those that were answered 200."""
    times = []
    while time.monotonic() < end:
        began = time.monotonic()
        try:
            status: object = one()
        except (OSError, http.client.HTTPException) as error:
            status = type(error).__name__
        counts[f"{name} {status}"] += 1
        if status == 200:
            times.append(time.monotonic() - began)
        time.sleep(max(0.0, began + every - time.monotonic()))
    return times


def ask(
    port: int, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
) -> int:
    """Send a request on a new connection and return the status."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        line.request(method, path, body, headers or {})
        answer = line.getresponse()
        answer.read()
        return answer.status
    finally:
        line.close()


# A crowd that sends the form to log in, and an arbiter with a new phone at the same address.

LOGINS_EVERY = 0.3
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
CSRF = f"csrftoken={TOKEN}"
NUMBERS = count()  # so that no crowd tries a name of another one
WRONG = f"csrfmiddlewaretoken={TOKEN}&password=a&username="


@dataclass(frozen=True)
class LoginCrowd:
    """What so many connections send without a pause, and who logs in beside them.

    loads: how often the crowd loads the form, whose cookie gives a place: "never", "once" for each connection, or
    "always": before each attempt, on a new connection, as so many new phones do. person: who logs in; "" for somebody
    else each time, who has never logged in from this address.
    """

    connections: int
    body: str
    person: str = ""
    loads: str = "never"


LOGINS = {
    "nobody": LoginCrowd(0, ""),
    "the form without its token": LoginCrowd(40, "username=a&password=a", "known here"),
    "passwords of another person": LoginCrowd(40, WRONG + "somebody"),
    **{
        f"passwords of ever new names, {number} connections{name}": LoginCrowd(
            number, WRONG + "name{number}", loads=loads
        )
        for loads, name in (
            ("never", ""),
            ("once", ", each loads the form"),
            ("always", ", all new each time"),
        )
        for number in (12, 40, 200)
    },
    "passwords of the arbiter": LoginCrowd(40, WRONG + "known+here", "known here"),
}


async def logins(port: int, hall: dict[str, Any], crowd: LoginCrowd, seconds: float) -> str:
    """Let a crowd send the form to log in; return after how long a new phone was in, and what refused it.

    The phone gets in, forgets its cookies, and is a new phone again. A last part says how long an arbiter's saves took.
    """
    unseen = LoadTally()
    times: list[float] = []
    refused: Counter[int] = Counter()

    async def attack() -> None:
        line, cookie = HallLine(port, unseen), ""
        while not unseen.over:
            if crowd.loads == "always" or (crowd.loads == "once" and not cookie):
                cookie = await form_cookie(line)
            sent = crowd.body.format(number=next(NUMBERS)).encode()
            await line.ask("attack", "/login/", f"{FORM}Cookie: {CSRF}{cookie}\r\n", sent)
            if crowd.loads == "always":
                line.hang_up()

    async def new_phone() -> None:
        while not unseen.over:
            name = crowd.person or hall["first time"].pop()
            right = {"csrfmiddlewaretoken": TOKEN, "username": name, "password": hall["password"]}
            sent = urlencode(right).encode()
            began = time.perf_counter()
            cookie = await form_cookie(HallLine(port, unseen))
            while (answer := await log_in(cookie, sent))[0] != 302:
                refused[answer[0]] += 1
                await asyncio.sleep(float(answer[1].get("retry-after", 3)))
            times.append(time.perf_counter() - began)
            await asyncio.sleep(LOGINS_EVERY)

    async def log_in(cookie: str, sent: bytes) -> tuple[int, dict[str, str], bytes]:
        return await HallLine(port, unseen).ask("login", "/login/", f"{FORM}Cookie: {CSRF}{cookie}\r\n", sent)

    running = [asyncio.ensure_future(attack()) for _ in range(crowd.connections)]
    saves = LoadTally()
    running.append(asyncio.ensure_future(arbiter(port, hall, saves)))
    await asyncio.sleep(min(5, seconds / 3))
    saves.since = time.perf_counter()
    running.append(asyncio.ensure_future(new_phone()))
    await asyncio.sleep(seconds)
    unseen.over = saves.over = True
    for each in running:
        each.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    slow = f"{len(times)} times in, after {percentile(sorted(times), 0.5):.1f} s" if times else "not in"
    slow += f", {max(times):.1f} s at most" if times else ""
    saved = sorted(saves.times.get("save", [])) or [0.0]
    return " | ".join(
        (
            slow,
            ", ".join(f"{number} times {status}" for status, number in refused.items()),
            f"{milliseconds(percentile(saved, 0.5))}, {milliseconds(percentile(saved, 0.99))}",
        )
    )


async def form_cookie(line: HallLine) -> str:
    """Load the form, and return the cookie that tells this browser from others, as the end of a header."""
    _status, headers, _body = await line.ask("form", "/login/")
    found = re.search(r"evenboard-device=[^;,]+", headers.get("set-cookie", ""))
    return f"; {found[0]}" if found else ""


if __name__ == "__main__":
    main()
