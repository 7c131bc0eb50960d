"""Measure notices on phones: `python -m bench.notices [--phones 10000] [--trip 50]`.

A section has so many phones that asked for notices. A round is published, and `manage.py send_notices` runs as the
server starts it. The push service is not there: a new connection waits for three round trips (TCP and TLS), and a
message for one. Prints how long it takes until the last phone is told, the processor time, and how long an arbiter's
results take meanwhile and before.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import django

ROOT = Path(__file__).resolve().parent.parent
BOARDS = 100
SERVICE = """
import http.client, time
TRIP = {trip}
class Line:
    status, will_close = 201, False
    def __init__(self, host, **options):
        self.fresh = True
    def request(self, method, path, body, headers):
        time.sleep(TRIP * (4 if self.fresh else 1))
        self.fresh = False
    def getresponse(self):
        return self
    def read(self):
        return b""
    def close(self):
        self.fresh = True
http.client.HTTPSConnection = Line
"""


def main() -> None:
    """Prepare a database, send the notices, and print what they cost."""
    parser = argparse.ArgumentParser(description="Measure notices on phones.")
    parser.add_argument("--phones", type=int, default=10_000)
    parser.add_argument("--trip", type=float, default=50, help="milliseconds to the push service and back")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        os.environ |= {"VAR_DIR": directory, "DJANGO_SETTINGS_MODULE": "config.settings"}
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{directory}/notices.sqlite3")
        Path(directory, "sitecustomize.py").write_text(SERVICE.format(trip=options.trip / 1000))
        django.setup()
        section = prepare(options.phones)
        quiet = saves(section, lambda: False, BOARDS // 2)
        began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        sending = subprocess.Popen(
            [sys.executable, str(ROOT / "manage.py"), "send_notices", "--gently"],
            env={**os.environ, "PYTHONPATH": os.pathsep.join((directory, str(ROOT)))},
        )
        meanwhile = saves(section, lambda: sending.poll() is not None, 10**6)
        sending.wait()
        took = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{options.phones} phones were told in {took:.0f} s, with {used:.0f} s of processor time.")
        for name, times in (("before", quiet), ("meanwhile", meanwhile)):
            slowest = statistics.quantiles(times, n=100)[-1]
            middle = statistics.median(times)
            print(f"{len(times)} results {name}: {middle:.0f} ms, 99 % under {slowest:.0f} ms")


def prepare(phones: int) -> int:
    """Make a section with subscriptions of many phones and a round that is published after that; return its key."""
    from django.core.management import call_command

    from pairing.rounds import pair_next_round, publish_round
    from tests.factories import section_of
    from tournaments.actions.ledger import Actor

    call_command("migrate", verbosity=0)
    section, actor = section_of(2 * BOARDS), Actor.command()
    subscribed(section, phones)
    draft = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    publish_round(actor=actor, round_id=draft.pk, seen_version=draft.version, copy=False)
    return int(section.pk)


def subscribed(section: Any, phones: int, told_round: int = 0) -> None:
    """Let so many phones want notices of a section, of the rounds after this one."""
    from cryptography.hazmat.primitives.asymmetric import ec

    from tournaments.models import NoticeSubscription
    from tournaments.push_messages import CURVE, encoded, point_of

    point, secret = encoded(point_of(ec.generate_private_key(CURVE))), encoded(b"0123456789abcdef")
    NoticeSubscription.objects.bulk_create(
        NoticeSubscription(
            section=section,
            endpoint=f"https://fcm.googleapis.com/{number}",
            point=point,
            secret=secret,
            language="en",
            told_round=told_round,
        )
        for number in range(phones)
    )


def saves(section: int, enough: object, most: int) -> list[float]:
    """Save results, one every 0.2 seconds, until it is enough; return the milliseconds of each."""
    from evenboard_engine import Result
    from tournaments.actions.ledger import Actor
    from tournaments.actions.results import record_result
    from tournaments.models import Game

    assert callable(enough)
    times: list[float] = []
    results = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)
    while len(times) < most and not enough():
        game = Game.objects.filter(round__section=section).order_by("pk")[len(times) % BOARDS]
        began = time.perf_counter()
        record_result(
            actor=Actor.command(),
            game_id=game.pk,
            result=results[(len(times) // BOARDS + game.board) % 3],
            seen_version=game.version,
        )
        times.append((time.perf_counter() - began) * 1000)
        time.sleep(0.2)
    return times


if __name__ == "__main__":
    main()
