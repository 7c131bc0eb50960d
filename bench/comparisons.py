"""How long a comparison of systems takes, and what it does to a save beside it: `python -m bench.comparisons`.

    --players 1000 --rounds 5     size of the section that is compared, and its last round
    --saves 60                    how many results another arbiter saves, with a pause of 0.1 s between them

One login asks for the comparison page on four connections without a pause, each time with other options, so nothing is
kept. Meanwhile another arbiter saves results in another section, and the same login loads its cockpit.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Event
from typing import Any
from urllib.parse import urlencode

from bench.arbiters import ROOT, KilledServer, arbiter, ask_database, collect, free_port

READERS = 4
OPTIONS = {"options": "chosen", "uschess_low": "80", "uschess_avoid_unrated": "on", "uschess_max_drop": ""}
OPTIONS |= {"uschess_team_rule": "ignore", "uschess_club_rule": "ignore"}
PATIENCE = 120.0


def prepare(players: int, rounds: int) -> dict[str, str]:
    """Add a section whose rounds are played by chance, the last one published. Runs in a separate process."""
    import django

    django.setup()
    from pairing.rounds import pair_next_round, publish_round
    from tests.factories import EventFactory, ParticipantFactory, section_of
    from tournaments.actions.ledger import Actor
    from tournaments.models import EventRole, Game, User

    event = EventFactory(slug="compared")
    section = section_of(0, event=event, slug="a", rounds=rounds)
    for number in range(players):
        ParticipantFactory(section=section, tpn=number + 1, rating=2600 - number)
    source = random.Random(1)
    for number in range(rounds):
        row = pair_next_round(actor=Actor.command(), section_id=section.pk, after_round=number)
        row = publish_round(actor=Actor.command(), round_id=row.pk, seen_version=row.version, copy=False)
        games = list(row.games.all())
        for game in games:
            game.result = source.choice(("1-0", "1/2", "0-1"))
        if number + 1 < rounds:
            Game.objects.bulk_update(games, ["result"])
    for user in User.objects.filter(username__startswith="arbiter-"):
        EventRole.objects.create(event=event, user=user, role=EventRole.Role.OWNER)
    return {"path": f"/{event.slug}/{section.slug}/round/{rounds}/compare/"}


class Reader:
    """A browser with the login of an arbiter."""

    def __init__(self, port: int, headers: dict[str, str]) -> None:
        self.port, self.headers = port, {**headers, "Accept": "text/html"}

    def get(self, path: str) -> tuple[int, float]:
        """Return the status and the seconds of a page."""
        began = time.monotonic()
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        line.request("GET", path, headers=self.headers)
        answer = line.getresponse()
        answer.read()
        line.close()
        return answer.status, time.monotonic() - began


def other_options() -> Iterator[str]:
    for high in count(100):
        yield urlencode({**OPTIONS, "uschess_high": str(high)})


def without_a_pause(reader: Reader, page: str, options: Iterator[str], stop: Event) -> list[int]:
    found = []
    while not stop.is_set():
        status, _seconds = reader.get(f"{page}?{next(options)}")
        found.append(status)
    return found


def saves(typist: Any, games: list[int]) -> list[float]:
    """Save a result for each game, and return the seconds of each."""
    for game in games:
        typist.move(game, "result", "1/2", 0)
        time.sleep(0.1)
    waits: list[float] = typist.waits[-len(games) :]
    return waits


def pages(reader: Reader, path: str, stop: Event) -> list[float]:
    found = []
    while not stop.is_set():
        found.append(reader.get(path)[1])
        time.sleep(0.2)
    return found


def line(name: str, times: list[float]) -> None:
    print(f"{name:<52}{statistics.median(times) * 1e3:>9.0f}{max(times) * 1e3:>9.0f}", flush=True)


def measure(environment: dict[str, str], options: argparse.Namespace) -> None:
    hall = ask_database(environment, "prepare", 2 * options.saves, 2)
    command = [sys.executable, "-m", "bench.comparisons", "--prepare"]
    command += [f"--players={options.players}", f"--rounds={options.rounds}"]
    done = subprocess.run(command, env=environment, cwd=ROOT, check=True, stdout=subprocess.PIPE)
    page = json.loads(done.stdout)["path"]
    collect(environment)
    server = KilledServer(free_port(), environment)
    server.start()
    try:
        server.wait()
        typist, other = (arbiter(person, hall, [server.port], 1) for person in hall["people"])
        reader = Reader(server.port, other.headers)
        print(f"{'':<52}{'median':>9}{'most ms':>9}")
        different = other_options()
        reader.get(hall["path"])  # the first request of a login goes through another lane
        line("one comparison", [reader.get(f"{page}?{next(different)}")[1] for _ in range(3)])
        reader.get(page)
        line("the same page again", [reader.get(page)[1] for _ in range(5)])
        line("a save, alone", saves(typist, hall["games"][: options.saves]))
        stop = Event()
        with ThreadPoolExecutor(READERS + 1) as pool:
            asking = [pool.submit(without_a_pause, reader, page, different, stop) for _ in range(READERS)]
            own = pool.submit(pages, reader, f"{hall['path']}cockpit/", stop)
            time.sleep(1)
            line(
                "a save of another arbiter beside comparisons", saves(typist, hall["games"][options.saves :])
            )
            stop.set()
            line("cockpit of the login that compares", own.result())
            statuses = [status for job in asking for status in job.result()]
        print(f"comparisons: {statuses.count(200)}, sent away: {statuses.count(503)}")
    finally:
        server.kill()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure a comparison of systems, and saves beside it.")
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--saves", type=int, default=60)
    parser.add_argument("--prepare", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.prepare:
        print(json.dumps(prepare(options.players, options.rounds)))
        return
    with tempfile.TemporaryDirectory() as var:
        environment = {
            **os.environ,
            "VAR_DIR": var,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": "",
        }
        measure(environment, options)


if __name__ == "__main__":
    main()
