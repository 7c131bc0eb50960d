"""A crowd that sends the form to log in, and an arbiter with a new phone at the same address (bench/attacks.py)."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from itertools import count
from typing import Any
from urllib.parse import urlencode

from bench.arbiters import TOKEN
from bench.hall import percentile
from bench.hall_load import Line, Tally

CONNECTIONS, EVERY = 40, 0.3
WRONG = f"csrfmiddlewaretoken={TOKEN}&password=a&username="
LOGINS = {  # what the crowd sends, and who logs in
    "nobody": (None, "known here"),
    "the form without its token": ("username=a&password=a", "known here"),
    "passwords of another person": (WRONG + "somebody", "known here"),
    "passwords of many names": (WRONG + "name{number}", "known here"),
    "passwords of many names, and the arbiter never logged in from this address": (
        WRONG + "other{number}",
        "first time",
    ),
    "passwords of the arbiter": (WRONG + "known+here", "known here"),
}


async def logins(port: int, hall: dict[str, Any], body: str | None, person: str, seconds: float) -> str:
    """Let a crowd send the form to log in; return after how long a new phone was in, and what refused it."""
    unseen, numbers = Tally(), count()
    cookie = f"Cookie: csrftoken={TOKEN}\r\n"
    form = "Content-Type: application/x-www-form-urlencoded\r\n"
    right = {"csrfmiddlewaretoken": TOKEN, "username": person, "password": hall["password"]}
    times: list[float] = []
    refused: Counter[int] = Counter()

    async def attack() -> None:
        assert body is not None
        line = Line(port, unseen, cookie)
        while not unseen.over:
            await line.ask("attack", "/login/", form, body.format(number=next(numbers)).encode())

    async def new_phone() -> None:
        while not unseen.over:
            began = time.perf_counter()
            while (told := await Line(port, unseen, cookie).ask("login", "/login/", form, sent))[0] != 302:
                refused[told[0]] += 1
                await asyncio.sleep(float(told[1].get("retry-after", 3)))
            times.append(time.perf_counter() - began)
            await asyncio.sleep(EVERY)

    sent = urlencode(right).encode()
    running = [asyncio.ensure_future(attack()) for _ in range(CONNECTIONS if body else 0)]
    await asyncio.sleep(min(3, seconds / 3))
    running.append(asyncio.ensure_future(new_phone()))
    await asyncio.sleep(seconds)
    unseen.over = True
    for each in running:
        each.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    slow = f"{len(times)} times in, after {percentile(sorted(times), 0.5):.1f} s" if times else "not in"
    slow += f", {max(times):.1f} s at most" if times else ""
    return f"{slow} | {', '.join(f'{number} times {status}' for status, number in refused.items())}"
