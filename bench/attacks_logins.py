"""A crowd that sends the form to log in, and an arbiter with a new phone at the same address (bench/attacks.py)."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from dataclasses import dataclass
from itertools import count
from typing import Any
from urllib.parse import urlencode

from bench.arbiters import TOKEN
from bench.hall import milliseconds, percentile
from bench.hall_load import Line, Tally, arbiter

EVERY = 0.3
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
CSRF = f"csrftoken={TOKEN}"
NUMBERS = count()  # so that no crowd tries a name of another one
WRONG = f"csrfmiddlewaretoken={TOKEN}&password=a&username="


@dataclass(frozen=True)
class Crowd:
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
    "nobody": Crowd(0, ""),
    "the form without its token": Crowd(40, "username=a&password=a", "known here"),
    "passwords of another person": Crowd(40, WRONG + "somebody"),
    **{
        f"passwords of ever new names, {number} connections{name}": Crowd(
            number, WRONG + "name{number}", loads=loads
        )
        for loads, name in (
            ("never", ""),
            ("once", ", each loads the form"),
            ("always", ", all new each time"),
        )
        for number in (12, 40, 200)
    },
    "passwords of the arbiter": Crowd(40, WRONG + "known+here", "known here"),
}


async def logins(port: int, hall: dict[str, Any], crowd: Crowd, seconds: float) -> str:
    """Let a crowd send the form to log in; return after how long a new phone was in, and what refused it.

    The phone gets in, forgets its cookies, and is a new phone again. A last part says how long an arbiter's saves took.
    """
    unseen = Tally()
    times: list[float] = []
    refused: Counter[int] = Counter()

    async def attack() -> None:
        line, cookie = Line(port, unseen), ""
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
            cookie = await form_cookie(Line(port, unseen))
            while (answer := await ask(cookie, sent))[0] != 302:
                refused[answer[0]] += 1
                await asyncio.sleep(float(answer[1].get("retry-after", 3)))
            times.append(time.perf_counter() - began)
            await asyncio.sleep(EVERY)

    async def ask(cookie: str, sent: bytes) -> tuple[int, dict[str, str], bytes]:
        return await Line(port, unseen).ask("login", "/login/", f"{FORM}Cookie: {CSRF}{cookie}\r\n", sent)

    running = [asyncio.ensure_future(attack()) for _ in range(crowd.connections)]
    saves = Tally()
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


async def form_cookie(line: Line) -> str:
    """Load the form, and return the cookie that tells this browser from others, as the end of a header."""
    _status, headers, _body = await line.ask("form", "/login/")
    found = re.search(r"evenboard-device=[^;,]+", headers.get("set-cookie", ""))
    return f"; {found[0]}" if found else ""
