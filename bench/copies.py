"""Measure the copies in another place, with many events of the past and one at work.

    python -m bench.copies [--sizes 10 1000 10000] [--postgres]

Each size has a database of its own, with events of 67 players and seven rounds. Each event has a copy already, and a
file in the copy of the site, except the last 50. While `copy_tournaments` runs, this process saves the time control of
one event every 0.1 s. It runs for the first time; when only the event at work has changed since; and when a copy of the
site is due as well. For each run: the time, the processor time (of the server of PostgreSQL too), the memory, the bytes
written, and the saves beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PLAYERS, ROUNDS, FRESH = 67, 7, 50
COMMAND = [sys.executable, "manage.py", "copy_tournaments", "--verbosity", "0"]


def measure(events: int) -> list[list[str]]:
    """Fill the database of DATABASE_URL, make copies, and return a row of the table for each run."""
    from django.conf import settings
    from django.core.management import call_command

    from bench.saturday_database import copy_rows, played
    from server import site_copies
    from tournaments.actions.events import edit_event
    from tournaments.actions.ledger import Actor
    from tournaments.actions.stored_copies import EVENTS_OF_SITE
    from tournaments.copy_format import EVENT, pack
    from tournaments.files.copy_writing import event_content, event_states
    from tournaments.models import Event

    call_command("migrate", verbosity=0)
    copy_rows(played("past", (PLAYERS,), ROUNDS), 1, events - 1)
    at_work = Event.objects.order_by("pk")[0]
    content, found = event_content(at_work), []
    with tempfile.TemporaryDirectory() as place:
        states = event_states(Event.objects.order_by("pk"))
        fresh = min(FRESH, events)
        for event in Event.objects.order_by("pk")[: events - fresh]:
            copy = pack(content, "", kind=EVENT, state=states[event.pk], compressed=True)
            Path(place, f"{event.slug}-20200101T000000000000Z.json.gz").write_bytes(copy)
        of_site = site_copies.EventFiles(Path(place, EVENTS_OF_SITE), settings.SECRET_KEY)
        lines = b"".join(site_copies.rows_of_events([at_work.pk])[at_work.pk])
        for past in site_copies.site_events()[: events - fresh]:
            of_site.write(past.name(settings.SECRET_KEY, site_copies.applied()), lines)
        for kind in (
            f"the first copies of {fresh} events, and of the site",
            "one event",
            "one event and the site",
        ):
            if kind.endswith(" the site"):
                for index in Path(place).glob("*.index"):
                    index.unlink()
            before, began = bytes_in(place), processor_time()
            times: list[float] = []
            start = time.monotonic()
            process = subprocess.Popen([*COMMAND, place])
            while True:
                since = time.monotonic()
                edit_event(actor=Actor.command(), event=at_work, time_control=str(len(times)))
                times.append(1000 * (time.monotonic() - since))
                ended, status, used = os.wait4(process.pid, os.WNOHANG)
                if ended:
                    break
                time.sleep(0.1)
            assert status == 0, status
            work = used.ru_utime + used.ru_stime + processor_time() - began
            found.append(
                [
                    kind,
                    f"{time.monotonic() - start:.1f} s",
                    f"{work:.1f} s",
                    f"{used.ru_maxrss // 1024} MB",
                    f"{(bytes_in(place) - before) / 1e6:,.2f} MB",
                    f"{sorted(times)[len(times) // 2]:.0f} ms",
                    f"{max(times):.0f} ms",
                ]
            )
    return found


def bytes_in(place: str) -> int:
    return sum(path.stat().st_size for path in Path(place).rglob("*") if path.is_file())


def processor_time() -> float:
    """Return the seconds that all processes of PostgreSQL but the one that answers here have taken, those that have
    ended too; 0 on SQLite.
    """
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0.0
    connection.ensure_connection()
    own = connection.connection.info.backend_pid
    server = int(_fields(own)[1])
    ended = sum(map(int, _fields(server)[13:15]))
    others = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    running = sum(int(number) for each in others if int(each) != own for number in _fields(int(each))[11:13])
    return (ended + running) / os.sysconf("SC_CLK_TCK")


def _fields(process: int) -> list[str]:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sizes", type=int, nargs="*", default=[10, 1_000, 10_000])
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--measure", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        import django

        django.setup()
        print(json.dumps(measure(asked.measure)))
        return
    print("| events | what is written | time | processor | memory | written | save: median | longest |")
    print("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for size in asked.sizes:
        with tempfile.TemporaryDirectory() as var:
            command = [sys.executable, "-m", "bench.copies", "--measure", str(size)]
            if asked.postgres:
                command = [sys.executable, "-m", "tests.machine", *command]
            names = {"VAR_DIR": var, "DJANGO_SETTINGS_MODULE": "config.settings"}
            done = subprocess.run(
                command, env={**os.environ, **names}, stdout=subprocess.PIPE, text=True, check=True
            )
        for row in json.loads(done.stdout.splitlines()[-1]):
            print(f"| {size:,} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
