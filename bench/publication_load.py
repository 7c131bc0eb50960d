"""The visitors and the arbiters of bench/publication.py, in a process of their own that costs little itself.

Reads what to do as JSON from the standard input, and prints all times as JSON.
"""

from __future__ import annotations

import asyncio
import gzip
import html
import json
import random
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.hall_load import TOKEN, HallLine, LoadTally, arbiter
from bench.public_pages import QUESTION

PAGES = ("pairings/", "pairings/", "pairings/", "pairings/", "standings/")
AGAIN = re.compile(rb"\r\nretry-after: *(\d+)", re.IGNORECASE)
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
TAG = re.compile(rb"\r\netag: *([^\r]+)", re.IGNORECASE)
OPENING = 15.0  # seconds in which all phones open their first page


@dataclass
class PhoneCrowd:
    """What all phones share. questions: where a page asks for news, by page and ETag, so that each is unpacked once."""

    task: dict[str, Any]
    tally: LoadTally
    loop: asyncio.AbstractEventLoop
    source: random.Random = field(default_factory=lambda: random.Random(1))
    questions: dict[tuple[str, bytes], bytes] = field(default_factory=dict)
    pages: Sequence[str] = PAGES  # what the phones read, in turn
    received: int = 0  # bytes
    late: float = 0.0  # the most seconds by which this process asked too late

    def question(self, page: str, head: bytes, body: bytes) -> bytes:
        """Return the address at which a page asks for news."""
        found = TAG.search(head)
        key = (page, found.group(1) if found else b"")
        if key not in self.questions:
            text = gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body
            asked = QUESTION.search(text)
            if asked is None:
                raise ValueError(f"{page} does not ask for news")
            self.questions[key] = html.unescape(asked.group(1).decode()).encode()
        return self.questions[key]


class Phone(asyncio.Protocol):
    """A page that is open: it asks for news, and loads the page again if the round is another one."""

    def __init__(self, crowd: PhoneCrowd, number: int) -> None:
        self.crowd = crowd
        self.page = crowd.pages[number % len(crowd.pages)]
        self.question = b""
        self.asked = ""
        self.began = self.due = 0.0
        self.got = b""
        self.open: asyncio.Transport | None = None
        self.later = ""  # what to ask after the present answer
        self.timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.open = transport

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self.open, self.got = None, b""
        if self.asked and not self.crowd.tally.over:
            self.crowd.tally.add(self.asked, self.began, "lost")
            self.asked = ""
            if not self.due:
                self.schedule()

    def ask(self, kind: str) -> None:
        """Ask for the page, or for news of it."""
        if self.crowd.tally.over:
            return
        if self.asked:  # still waits for an answer
            self.later = kind
            return
        self.asked, self.began = kind, time.perf_counter()
        if self.open is None:
            self.crowd.loop.create_task(self.connect())
        else:
            self.send()

    async def connect(self) -> None:
        try:
            host = self.crowd.task.get("host", "127.0.0.1")
            await self.crowd.loop.create_connection(lambda: self, host, self.crowd.task["port"])
            self.send()
        except OSError as error:
            self.crowd.tally.add(self.asked, self.began, type(error).__name__)
            self.asked = ""
            if not self.due:
                self.schedule()

    def send(self) -> None:
        news = self.asked == "poll"
        path = self.question if news else f"{self.crowd.task['path']}{self.page}".encode()
        mark = b"HX-Request: true\r\n" if news else b""
        assert self.open is not None
        self.open.write(
            b"GET %b HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: gzip, deflate, br\r\n%b\r\n"
            % (path, mark)
        )

    def data_received(self, data: bytes) -> None:
        self.crowd.received += len(data)
        self.got = self.got + data if self.got else data
        end = self.got.find(b"\r\n\r\n")
        if end < 0:
            return
        status = int(self.got[9:12])
        length = 0
        if status not in (204, 304):
            found = LENGTH.search(self.got, 0, end)
            length = int(found.group(1)) if found else 0
        if len(self.got) < end + 4 + length:
            return
        head, body, self.got = self.got[: end + 2], self.got[end + 4 :], b""
        self.answered(status, head, body)

    def answered(self, status: int, head: bytes, body: bytes) -> None:
        kind, self.asked = self.asked, ""
        self.crowd.tally.add(kind, self.began, status)
        refresh = b"\r\nhx-refresh" in head.lower() if kind == "poll" and status == 200 else False
        if status == 200 and not refresh:
            self.question = self.crowd.question(self.page, head, body)
        if status == 503 and (wait := AGAIN.search(head)):
            self.schedule(int(wait.group(1)) * self.crowd.source.uniform(1, 2))
        if refresh:
            self.ask("reload")
        elif self.later:
            kind, self.later = self.later, ""
            self.ask(kind)
        if not self.due:
            self.schedule()

    def schedule(self, least: float = 0.0) -> None:
        """Ask again after the usual time, or at least so many seconds (static/js/poll.js)."""
        if self.timer:
            self.timer.cancel()
        pause = max(least, self.crowd.task["poll"] * self.crowd.source.uniform(0.75, 1.25))
        self.due = time.perf_counter() + pause
        self.timer = self.crowd.loop.call_later(pause, self.poll)

    def poll(self) -> None:
        self.crowd.late = max(self.crowd.late, time.perf_counter() - self.due)
        self.schedule()
        if not self.asked:
            self.ask("poll" if self.question else "open")


async def typist(task: dict[str, Any], number: int, tally: LoadTally) -> None:
    """Save results every `save_every` seconds; the arbiters take turns."""
    await asyncio.sleep(task["save_every"] * number / len(task["saves"]))
    await arbiter(task["port"], {**task["saves"][number], "save_every": task["save_every"]}, tally)


async def publish(crowd: PhoneCrowd) -> None:
    """Press the button as the cockpit does."""
    task = crowd.task
    line = HallLine(task["port"], crowd.tally, f"Cookie: {task['saves'][0]['cookie']}; csrftoken={TOKEN}\r\n")
    form = f"X-CSRFToken: {TOKEN}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    body = f"version={task['version']}".encode()
    await line.ask("publish", f"{task['path']}round/{task['round']}/publish/", form, body)


async def main(task: dict[str, Any]) -> dict[str, Any]:
    """Let the phones open their page, publish, let each open the pairings within `minute`, and return all times."""
    loop = asyncio.get_running_loop()
    crowd = PhoneCrowd(task, LoadTally(), loop)
    phones = [Phone(crowd, number) for number in range(task["clients"])]
    opening = min(OPENING, task["clients"] / 500)
    for phone in phones:
        loop.call_later(crowd.source.uniform(0, opening), phone.ask, "open")
    typing = [
        asyncio.ensure_future(typist(task, number, crowd.tally)) for number in range(len(task["saves"]))
    ]
    await asyncio.sleep(opening + task["poll"] * 1.5)
    crowd.tally.since, crowd.received, crowd.late = time.perf_counter(), 0, 0.0
    used, from_time = time.process_time(), time.time()
    began = time.perf_counter()
    await asyncio.sleep(task["before"])
    await publish(crowd)
    for phone in phones:
        loop.call_later(crowd.source.uniform(0, task["minute"]), phone.ask, "open")
    await asyncio.sleep(task["minute"])
    seconds = time.perf_counter() - began
    own = (time.process_time() - used) / seconds
    crowd.tally.over = True
    for each in typing:
        if each.done():
            each.result()
        each.cancel()
    return {
        "times": crowd.tally.times,
        "answers": crowd.tally.answers,
        "from": from_time,
        "seconds": seconds,
        "own": own,
        "late": crowd.late,
        "received": crowd.received,
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(json.load(sys.stdin)))))
