"""The visitors and the arbiter of bench/hall.py, in a process of their own: raw requests, so that they cost little.

Reads what to do as JSON from the standard input and prints all times as JSON.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import math
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any

TOKEN = "evenboardevenboardevenboard12345"  # noqa: S105 (the CSRF token in the cookie and in the header)
RESULTS = ("1-0", "1/2", "0-1")
SAVE_EVERY, LOOK_EVERY, POLL_EVERY = 1.2, 4.0, 5.0
PATIENCE = 300.0  # a press may wait for 280 seconds
PRESS_WITHIN = 30.0


@dataclass
class LoadTally:
    """Times in seconds and answers, by what was asked."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    answers: Counter[str] = field(default_factory=Counter)
    since: float = math.inf  # only requests that began after this moment count
    answered: set[str] = field(default_factory=set)  # what was answered 200 once
    stands: int = 0  # boards whose result both players see at the end
    pressed: dict[str, str] = field(default_factory=dict)  # by link: what the server accepted
    seconds: float = 0.0  # how long it was measured
    over: bool = False  # asked by each visitor: wait_for() of Python 3.11 can swallow a cancellation

    def add(self, name: str, began: float, status: object) -> None:
        seconds = time.perf_counter() - began
        if status == 200:
            self.answered.add(name)
        if began >= self.since and not self.over:
            self.times[name].append(seconds)
            self.answers[f"{name} {status}"] += 1


class HallLine:
    """A connection that is kept, and opened again if the server has closed it."""

    def __init__(self, port: int, tally: LoadTally, headers: str = "") -> None:
        self.port, self.tally = port, tally
        self.headers = f"Host: 127.0.0.1\r\nAccept-Encoding: gzip\r\n{headers}"
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(
        self, name: str, path: str, headers: str = "", body: bytes | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request and return status, headers and body; a connection that was closed meanwhile is no failure."""
        method = "GET" if body is None else "POST"
        length = "" if body is None else f"Content-Length: {len(body)}\r\n"
        sent = f"{method} {path} HTTP/1.1\r\n{self.headers}{headers}{length}\r\n".encode() + (body or b"")
        began = time.perf_counter()
        kept = self.writer is not None
        try:
            answer = await asyncio.wait_for(self._ask(sent), PATIENCE)
        except (OSError, EOFError, ValueError, IndexError) as error:
            self.hang_up()
            if kept:
                return await self.ask(name, path, headers, body)
            self.tally.add(name, began, type(error).__name__)
            return 0, {}, b""
        self.tally.add(name, began, answer[0])
        return answer

    async def _ask(self, sent: bytes) -> tuple[int, dict[str, str], bytes]:
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        assert self.reader is not None
        self.writer.write(sent)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split()[1])
        headers: dict[str, str] = {}
        for name, _, value in (line.partition(": ") for line in head[1:-2]):
            former = headers.get(name.lower())
            headers[name.lower()] = value if former is None else f"{former}, {value}"  # more than one cookie
        body = b""
        if status not in (204, 304):
            body = await self.reader.readexactly(int(headers["content-length"]))
        if headers.get("connection") == "close":
            self.hang_up()
        return status, headers, body

    def hang_up(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


async def phone(
    port: int, hall: dict[str, Any], tally: LoadTally, together: bool, source: random.Random
) -> None:
    """Open the pairings, then ask for news as the page does: each page at another moment, or `together`."""
    line = HallLine(port, tally)
    path = f"{hall['path']}round/{hall['round']}/pairings/"
    if not together:
        await asyncio.sleep(source.uniform(0, POLL_EVERY))
    _status, _headers, page = await line.ask("page", path)
    seen = revision(page) or "0"
    next_time = time.monotonic()
    while not tally.over:
        next_time += POLL_EVERY * (1 if together else source.uniform(0.75, 1.25))
        await asyncio.sleep(max(0.0, next_time - time.monotonic()))
        address = f"{path}?seen={seen}&round={hall['round']}"
        _status, _headers, part = await line.ask("poll", address, "HX-Request: true\r\n")
        seen = revision(part) or seen


def revision(page: bytes) -> str | None:
    """Return the revision in the address at which a page asks for news."""
    found = re.search(rb"[?&;]seen=(\d+)", plain(page))
    return found.group(1).decode() if found else None


async def hammer(port: int, path: str, tally: LoadTally) -> None:
    """Ask for one page again and again; when sent away, wait as a browser does."""
    line = HallLine(port, tally)
    while not tally.over:
        status, headers, _body = await line.ask("hammer", path)
        if status in (0, 503):
            await asyncio.sleep(float(headers.get("retry-after", 1)))


async def arbiter(port: int, hall: dict[str, Any], tally: LoadTally) -> None:
    """Save a result every 1.2 seconds, or as often as `hall` says, with the request of the page Results."""
    cookies = f"Cookie: {hall['cookie']}; csrftoken={TOKEN}\r\nAccept: application/json\r\n"
    line = HallLine(port, tally, cookies)
    form = f"X-CSRFToken: {TOKEN}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    versions: dict[int, int] = hall.setdefault("versions", dict.fromkeys(hall["games"], 0))  # over all loads
    turn = 0
    next_time = time.monotonic()
    while not tally.over:
        game = hall["games"][turn % len(versions)]
        result = RESULTS[(turn // len(versions) + turn) % 3].replace("/", "%2F")
        body = f"result={result}&version={versions[game]}&user={hall['user']}".encode()
        status, _headers, content = await line.ask("save", f"{hall['path']}game/{game}/result/", form, body)
        if status in (200, 409):
            versions[game] = read_json(status, content)["version"]
            turn += status == 200
        next_time += hall.get("save_every", SAVE_EVERY)
        await asyncio.sleep(max(0.0, next_time - time.monotonic()))


async def board(
    port: int, path: str, links: list[str], tally: LoadTally, source: random.Random, within: float
) -> None:
    """Two players scan their codes, each at another moment, and press the same result."""
    result = source.choice(RESULTS).replace("/", "%2F")
    cookie = f"Cookie: csrftoken={TOKEN}\r\n"
    form = "Content-Type: application/x-www-form-urlencoded\r\n"

    async def again(line: HallLine, *asked: Any) -> tuple[int, bytes]:
        """Ask as the page for many visitors does: it waits as long as it was told, and loads itself again."""
        while True:
            status, headers, page = await line.ask(*asked)
            if status != 503 or tally.over:
                return status, page
            await asyncio.sleep(float(headers["retry-after"]))

    async def press(link: str, pause: float) -> None:
        await asyncio.sleep(pause)
        line, address = HallLine(port, tally, cookie), f"{path}board/{link}/"
        await again(line, "board", address)
        body = f"csrfmiddlewaretoken={TOKEN}&result={result}".encode()
        status, _page = await again(line, "press", address, form, body)
        if status == 200:
            tally.pressed[link] = result.replace("%2F", "/")
        line.hang_up()

    await asyncio.gather(*(press(link, source.uniform(0, within)) for link in links))
    seen = [await again(HallLine(port, tally, cookie), "end", f"{path}board/{link}/") for link in links]
    tally.stands += all(status == 200 and b"csrfmiddlewaretoken" not in plain(page) for status, page in seen)


def read_json(answer: int, body: bytes) -> Any:
    """Return what a JSON answer says; if it is none, the error shows the status and the beginning."""
    try:
        return json.loads(plain(body))
    except ValueError:
        raise ValueError(f"{answer} without JSON: {plain(body)[:300]!r}") from None


def plain(page: bytes) -> bytes:
    return gzip.decompress(page) if page[:2] == b"\x1f\x8b" else page


async def arbiters_page(port: int, hall: dict[str, Any], tally: LoadTally) -> None:
    """Ask for news of the page Results, and open the cockpit and the page now and then."""
    line = HallLine(port, tally, f"Cookie: {hall['cookie']}; csrftoken={TOKEN}\r\n")
    while not tally.over:
        await line.ask("arbiter's page", f"{hall['path']}round/{hall['round']}/results/")
        await asyncio.sleep(LOOK_EVERY)


async def main(task: dict[str, Any]) -> LoadTally:
    """Let all of them come, and measure after the first seconds."""
    port, hall, tally = task["port"], task["hall"], LoadTally()
    source = random.Random(1)
    boards, arbiters = task.get("phones", 0) // 2, task.get("arbiters", 1)
    tables = [{**hall, "games": hall["games"][boards + each :: arbiters]} for each in range(arbiters)]
    people: list[Awaitable[None]] = [arbiter(port, table, tally) for table in tables]
    people += [arbiters_page(port, hall, tally) for _ in tables]
    people += [phone(port, hall, tally, task["together"], source) for _ in range(task.get("pages", 0))]
    people += [hammer(port, hall["path"] + task["hammer"], tally) for _ in range(task.get("connections", 0))]
    running = [asyncio.ensure_future(each) for each in people]
    await asyncio.sleep(task["warm"])
    wanted = {
        "save",
        "arbiter's page",
        *(["page"] * bool(task.get("pages"))),
        *(["hammer"] * bool(task.get("connections"))),
    }
    while not wanted <= tally.answered and not any(each.done() for each in running):
        await asyncio.sleep(0.1)
    tally.since = time.perf_counter()
    within = min(PRESS_WITHIN, task["seconds"] / 2)
    pairs = [hall["links"][at : at + 2] for at in range(0, 2 * boards, 2)]
    playing = [
        asyncio.ensure_future(board(port, hall["path"], pair, tally, source, within)) for pair in pairs
    ]
    # With phones it ends when the last player has seen the result, so that all figures are those of the crowd.
    await asyncio.wait(playing or running, timeout=task["seconds"], return_when=asyncio.FIRST_EXCEPTION)
    tally.over, tally.seconds = True, time.perf_counter() - tally.since
    running += playing
    for each in running:
        if each.done() and (error := each.exception()):
            raise error
        each.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    return tally


if __name__ == "__main__":
    found = asyncio.run(main(json.load(sys.stdin)))
    kept = ("times", "answers", "stands", "pressed", "seconds")
    print(json.dumps({name: getattr(found, name) for name in kept}))
