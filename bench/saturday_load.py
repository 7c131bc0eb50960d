"""The people of bench/saturday.py: a process of its own for so many phones as may be open files.

Reads what to do as JSON from the standard input, and prints all times as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from bench.attacks import form_cookie
from bench.hall_load import RESULTS, TOKEN, HallLine, LoadTally, arbiter, plain, read_json
from bench.publication_load import PAGES, Phone, PhoneCrowd

FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
JSON = "Accept: application/json\r\n"
LIVE = 4.0  # seconds between two questions of an arbiter's page (static/js/live.js)
TYPES = 2.0  # seconds between two of the last results of a round
TYPING = 2.5  # a form for a registration that is sent sooner is that of a robot
LOOKS = "question of Results"
OTHERS = ("standings/", "crosstable/", "players/", "results/")
API = ("public/events/", "public/events/changes/", "public/events/{key}/")


class Saturday:
    """What all people of this process share."""

    def __init__(self, task: dict[str, Any]) -> None:
        self.task, self.tally, self.source = task, LoadTally(), random.Random(task["number"])
        self.jobs: set[asyncio.Future[None]] = set()
        self.crowds: list[PhoneCrowd] = []
        self.registered = 0

    def line(self, headers: str = "") -> HallLine:
        """Return a connection from an address of its own."""
        address = ".".join(str(self.source.randrange(1, 250)) for _ in range(3))
        return HallLine(self.task["port"], self.tally, f"X-Forwarded-For: 10.{address}\r\n{headers}")

    def start(self, job: Awaitable[None]) -> None:
        self.jobs.add(asyncio.ensure_future(job))

    async def often(self, rate: float, job: Callable[[], Awaitable[None]]) -> None:
        """Start a job so many times a second, at chance moments."""
        while rate and not self.tally.over:
            await asyncio.sleep(self.source.expovariate(rate))
            self.start(job())

    def event(self) -> dict[str, Any]:
        found: dict[str, Any] = self.source.choice(self.task["events"])
        return found

    # Visitors -----------------------------------------------------------------------------------------------

    def open_phones(self) -> None:
        """Let all phones open their page while it warms up, first a few of each section: they let the page be made."""
        places = [(event, section) for event in self.task["events"] for section in event["sections"]]
        loop = asyncio.get_running_loop()
        self.crowds = [
            PhoneCrowd(
                {
                    "path": f"{event['path']}{section['slug']}/",
                    "port": self.task["port"],
                    "host": self.task["host"],
                    "poll": 5.0 * self.task["stretch"],
                },
                self.tally,
                loop,
                self.source,
            )
            for event, section in places
        ]
        for number in range(self.task["phones"]):
            phone = Phone(self.crowds[number % len(places)], number // len(places))
            share = (
                self.source.uniform(0, 0.4)
                if number < len(PAGES) * len(places)
                else self.source.uniform(0.4, 0.9)
            )
            loop.call_later(share * self.task["warm"], phone.ask, "open")

    async def ask(self, kind: str, path: str) -> None:
        line = self.line()
        await line.ask(kind, path)
        line.hang_up()

    async def open_player(self) -> None:
        event = self.event()
        number = self.source.randrange(1, 30)
        await self.ask("player", f"{event['path']}{event['sections'][0]['slug']}/players/{number}/")

    async def open_other(self) -> None:
        event = self.event()
        await self.ask(
            "other list", f"{event['path']}{event['sections'][0]['slug']}/{self.source.choice(OTHERS)}"
        )

    async def first_page(self) -> None:
        await self.ask("first page", "/")

    async def search(self) -> None:
        number = self.source.randrange(self.task["all"])
        await self.ask("search", self.source.choice((f"/?q=open+{number}", f"/?player=surname{number:04}")))

    async def read_api(self) -> None:
        await self.ask("API", "/api/v1/" + self.source.choice(API).format(key=self.event()["key"]))

    async def register(self) -> None:
        page, section = self.source.choice(self.task["forms"])
        line = self.line()
        _status, headers, body = await line.ask("form", page)
        cookie = f"Cookie: {headers.get('set-cookie', '').partition(';')[0]}\r\n"
        found = re.findall(rb'name="(stamp|csrfmiddlewaretoken)" value="([^"]+)"', plain(body))
        await asyncio.sleep(TYPING)
        self.registered += 1
        who = f"{self.task['number']}-{self.registered}"
        typed = {name.decode(): value.decode() for name, value in found} | {
            "section": section,
            "name": f"Player{who}, Ada",
            "email": f"player{who}@example.org",
            "rating": 1800,
            "federation": "NED",
            "birth_date": "1990-02-03",
        }
        await line.ask("registration", page, cookie + FORM, urlencode(typed).encode())
        line.hang_up()

    # Arbiters -----------------------------------------------------------------------------------------------

    async def log_in(self) -> None:
        name = self.task["logins"].pop()
        line = self.line()
        cookie = f"Cookie: csrftoken={TOKEN}{await form_cookie(line)}\r\n"
        sent = {"csrfmiddlewaretoken": TOKEN, "username": name, "password": self.task["password"]}
        await line.ask("login", "/login/", cookie + FORM, urlencode(sent).encode())
        line.hang_up()

    async def type_results(self, event: dict[str, Any], save_every: float) -> None:
        """Save results, in the first section and the second in turns if the event has two."""
        section = self.source.choice(event["sections"])
        await asyncio.sleep(self.source.uniform(0, save_every))
        who = {"path": f"{event['path']}{section['slug']}/", "games": section["games"], "user": event["user"]}
        await arbiter(
            self.task["port"], {**who, "cookie": event["cookie"], "save_every": save_every}, self.tally
        )

    async def look(self, event: dict[str, Any]) -> None:
        """Have the page Results open."""
        section, seen, pause = event["sections"][0], "", LIVE * self.task["stretch"]
        line = self.line(f"Cookie: {event['cookie']}\r\n")
        path = f"{event['path']}{section['slug']}/round/{section['round']}/results/"
        await asyncio.sleep(self.source.uniform(0, pause))
        await line.ask("page Results", path)
        while not self.tally.over:
            await asyncio.sleep(pause * self.source.uniform(0.9, 1.1))
            status, _headers, body = await line.ask(LOOKS, f"{path}?seen={seen}", JSON)
            if status == 200:
                seen = read_json(status, body)["revision"]

    async def end_round(self, event: dict[str, Any], after: float) -> None:
        """Type the last results, pair, look at the draft, and publish it."""
        await asyncio.sleep(after)
        section = event["sections"][0]
        path, number = f"{event['path']}{section['slug']}/", section["round"]
        line = self.line(f"Cookie: {event['cookie']}; csrftoken={TOKEN}\r\nX-CSRFToken: {TOKEN}\r\n")
        for game in section["games"]:
            sent = {"result": self.source.choice(RESULTS), "version": 0, "user": event["user"]}
            body = urlencode(sent).encode()
            await line.ask("save", f"{path}game/{game}/result/", FORM + JSON, body)
            await asyncio.sleep(TYPES)
        await line.ask("cockpit", f"{path}cockpit/")
        await line.ask("pair", f"{path}pair/", FORM, urlencode({"after_round": number}).encode())
        _status, _headers, page = await line.ask("cockpit", f"{path}cockpit/")
        form = re.search(
            rb'/round/%d/publish/".*?name="version" value="([0-9]+)"' % (number + 1), plain(page), re.DOTALL
        )
        if form is None:
            self.tally.add("draft", time.perf_counter(), "missing")
            return
        await line.ask("publish", f"{path}round/{number + 1}/publish/", FORM, b"version=" + form[1])


async def main(task: dict[str, Any]) -> dict[str, Any]:
    """Let all of them come; measure from `begin` on, for so many seconds."""
    day, rates = Saturday(task), task["rates"]
    until = task["begin"] - time.time()
    day.open_phones()
    ending = [event for event in task["events"] if event["ends"]]
    for number, event in enumerate(ending):
        day.start(day.end_round(event, until + (task["seconds"] - 15) * number / len(ending)))
    typing = [event for event in task["events"] if not event["ends"]]
    for event in typing if rates["save"] else ():
        day.start(day.type_results(event, len(typing) / rates["save"]))
    for event in task["events"] if rates[LOOKS] else ():
        day.start(day.look(event))
    kinds = {
        "player": day.open_player,
        "other list": day.open_other,
        "first page": day.first_page,
        "search": day.search,
        "API": day.read_api,
        "registration": day.register,
        "login": day.log_in,
    }
    for kind, job in kinds.items():
        day.start(day.often(rates[kind], job))
    await asyncio.sleep(task["begin"] - time.time())
    day.tally.since = time.perf_counter()
    used = time.process_time()
    await asyncio.sleep(task["seconds"])
    day.tally.over = True
    for each in day.jobs:
        if each.done():
            each.result()
        each.cancel()
    return {
        "times": {kind: [round(each, 4) for each in times] for kind, times in day.tally.times.items()},
        "answers": day.tally.answers,
        "own": time.process_time() - used,
        "late": max((crowd.late for crowd in day.crowds), default=0),
        "received": sum(crowd.received for crowd in day.crowds),
    }


if __name__ == "__main__":
    with suppress(PermissionError):
        os.nice(-10)  # people wait for the server, and not for this process
    print(json.dumps(asyncio.run(main(json.load(sys.stdin)))))
