"""Measure the first page, its search and the list of the API with many events.

    python -m bench.first_page [--sizes 10 1000 10000 100000] [--players 40] [--postgres]

Each size has a database of its own. Half of the events are over, one in a hundred is in progress, each has two sections
with two rounds, and players in the first of them. A person works in every tenth event. For each page: the processor
time of one request in this process (median of 9; only the second line is from the store of finished pages), the
queries, and the size of the answer, compressed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from statistics import median
from typing import Any

PAGES = {
    "first page, a visitor": ("", "/"),
    "the same, made already": ("kept", "/"),
    "first page, a person who works in every tenth event": ("person", "/"),
    "search for a name": ("", "/?q=Open+77"),
    "search for a player": ("", "/?player=player777"),
    "search for a name that every player has": ("", "/?player=player"),
    "first page, a site owner": ("owner", "/"),
    "all events, a site owner": ("owner", "/?when=past"),
    "a month": ("", "/?month=2026-11"),
    "past events, page 20": ("", "/?when=past&page=20"),
    "API, list of public events": ("", "/api/v1/public/events/"),
}


def fill(events: int) -> None:
    """Make so many events, with two sections and two rounds each, and a person with roles in every tenth of them."""
    from base.zones import today_in
    from tournaments.models import Event, EventRole, Round, Section, User

    today = today_in("")
    made = Event.objects.bulk_create(
        (
            Event(
                name=f"Open {number}",
                slug=f"open-{number}",
                city=f"City {number % 997}",
                federation="NED",
                start=today + timedelta(days=shift),
                end=today + timedelta(days=shift + 2),
            )
            for number in range(events)
            for shift in [-1 if number % 100 == 0 else (number % 1000 + 1) * (-3 if number % 2 else 1)]
        ),
        batch_size=2_000,
    )
    sections = Section.objects.bulk_create(
        (
            Section(event=event, name=name, slug=name.lower(), rounds=7)
            for event in made
            for name in ("A", "B")
        ),
        batch_size=2_000,
    )
    Round.objects.bulk_create(
        (Round(section=section, number=number) for section in sections for number in (1, 2)), batch_size=2_000
    )
    User.objects.create_superuser("owner")
    person = User.objects.create_user("person")
    EventRole.objects.bulk_create(
        (EventRole(event=event, user=person, role="arbiter") for event in made[::10]), batch_size=2_000
    )


def enter(players: int) -> None:
    """Enter so many players in the first section of each event, by two statements: there may be millions."""
    from django.apps import apps
    from django.db import connection

    from tournaments.migrations import _triggers
    from tournaments.models import Participant, Player, Section

    def insert(row: Any, source: str, **put: str) -> str:
        fields = [field for field in type(row)._meta.concrete_fields if not field.primary_key]  # noqa: SLF001
        values = [
            put.get(field.attname)
            or connection.ops.quote_name("x") + "." + connection.ops.quote_name(field.column)
            for field in fields
        ]
        columns = ", ".join(connection.ops.quote_name(field.column) for field in fields)
        table = type(row)._meta.db_table  # noqa: SLF001
        rows = f"SELECT {', '.join(values)} FROM {table} x, {source} WHERE x.id = {row.pk}"  # noqa: S608
        return f"INSERT INTO {table} ({columns}) {rows}"

    section = Section.objects.order_by("pk")[0]
    player = Player.objects.create(event=section.event, name="Nobody")
    entry = Participant.objects.create(section=section, player=player, rating=2000)
    number = "((e.id * 40 + n.n) * 7919 % 50000)"
    numbers = " UNION ALL ".join(f"SELECT {n} AS n" for n in range(players))
    with connection.schema_editor() as editor:
        _triggers.drop(apps, editor)
    with connection.cursor() as cursor:
        cursor.execute(
            insert(
                player,
                f"tournaments_event e, ({numbers}) n",
                event_id="e.id",
                name=f"'Player' || {number}",
                search_name=f"'player' || {number}",
            )
        )
        cursor.execute(
            insert(
                entry,
                "tournaments_player p JOIN tournaments_section s ON s.event_id = p.event_id AND s.name = 'A'",
                player_id="p.id",
                section_id="s.id",
            )
            + f" AND p.id <> {player.pk}"
        )


def measure(events: int, players: int) -> dict[str, Any]:
    """Fill the database of DATABASE_URL and return [milliseconds, queries, bytes] of each page."""
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from tournaments.models import User
    from web.page_cache import store

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    fill(events)
    enter(players)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    found = {}
    for name, (who, path) in PAGES.items():
        client, times = Client(SERVER_NAME="127.0.0.1"), []
        if who in ("person", "owner"):
            client.force_login(User.objects.get(username=who))
        for _ in range(9):
            if who != "kept":
                store.clear()
            began = time.process_time()
            with CaptureQueriesContext(connection) as queries:
                answer = client.get(path)
            times.append(1000 * (time.process_time() - began))
            assert answer.status_code == 200, (path, answer.status_code)
        found[name] = [median(times), len(queries), len(gzip.compress(answer.content))]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sizes", type=int, nargs="*", default=[10, 1_000, 10_000, 100_000])
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--measure", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        import django

        django.setup()
        print(json.dumps(measure(asked.measure, asked.players)))
        return
    print("| events | page | processor, ms | queries | bytes, compressed |\n|---:|---|---:|---:|---:|")
    for size in asked.sizes:
        with tempfile.TemporaryDirectory() as var:
            command = [sys.executable, "-m", "bench.first_page", "--measure", str(size)]
            command += ["--players", str(asked.players)]
            if asked.postgres:
                command = [sys.executable, "-m", "tests.machine", *command]
            names = {"VAR_DIR": var, "DJANGO_SETTINGS_MODULE": "config.settings"}
            done = subprocess.run(
                command, env={**os.environ, **names}, capture_output=True, text=True, check=True
            )
        for page, (spent, queries, length) in json.loads(done.stdout.splitlines()[-1]).items():
            print(f"| {size:,} | {page} | {spent:.1f} | {queries} | {length:,} |", flush=True)


if __name__ == "__main__":
    main()
