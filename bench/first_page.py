"""Measure the first page, its search and the list of the API with many events.

    python -m bench.first_page [--sizes 10 1000 10000 100000] [--players 40] [--postgres]

Each size has a database of its own. Half of the events are over, one in a hundred is in progress, each has two sections
with two rounds, and players in the first of them. One person works in every tenth event, one in 300, one in ten. For
each page: the processor time of one request in this process and in that of PostgreSQL (shortest of 9; only the second
line is from the store of finished pages) with the number of rows that it shows, how the largest size compares with the
smallest one and with the smallest one that shows as many rows, the queries, and the size of the answer of the largest
one, compressed. Events of GER and USA are all over, and no other event is.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

TIMES = 9
PART = 2_000
"""Events whose rows one statement makes."""
ROW = re.compile(rb'<th scope="row" class="nm">|<url>|"sections":')
FEDERATIONS = ("NED", "GER", "FRA", "USA")
PAGES = {
    "first page, a visitor": ("", "/"),
    "the same, made already": ("kept", "/"),
    "first page, a person who works in 10 events": ("few", "/"),
    "first page, a person who works in 300 events": ("busy", "/"),
    "first page, a person who works in every tenth event": ("person", "/"),
    "first page, a site owner": ("owner", "/"),
    "all past events, a site owner": ("owner", "/?when=past"),
    "past events, page 20": ("", "/?when=past&page=20"),
    "search for a name": ("", "/?q=Open+77"),
    "search for a name that no event has": ("", "/?q=Nowhere"),
    "search for two words that no event has both": ("", "/?q=Open+Nowhere"),
    "search for a place": ("", "/?q=City+77"),
    "search for a federation": ("", "/?q=NED"),
    "search for a word that only past events have": ("", "/?q=GER"),
    "search for two usual words that no event has both": ("", "/?q=NED+GER"),
    "search for a usual word and a rare one": ("", "/?q=Open+31415"),
    "search for a month": ("", "/?month=2026-11"),
    "search for a month without events": ("", "/?month=2999-01"),
    "search for a player": ("", "/?player=player777"),
    "search for a player, by FIDE ID": ("", "/?player=1000777"),
    "search for a player whom no event has": ("", "/?player=nowhere"),
    "search for a name that every player has": ("", "/?player=player"),
    "API, list of public events": ("", "/api/v1/public/events/"),
    "API, what has changed since a mark": ("", "/api/v1/public/events/changes/?changed_since={mark}"),
    "site map, its parts": ("", "/sitemap.xml"),
    "site map, a part": ("", "/sitemap-1.xml"),
}


def fill(events: int, players: int) -> None:
    """Make so many events and a row of the log for each, and people who work in some of them."""
    from django.core.management import call_command
    from django.db import connection

    from base.postgresql.base import with_limits, without_limits
    from base.zones import today_in
    from tournaments.models import ActionLog, Event, EventRole, User
    from tournaments.models.event_changes import stop_watching
    from tournaments.models.events import note_word_ends

    call_command("migrate", verbosity=0)
    stop_watching()
    if Event.objects.exists():
        return
    today = today_in("")
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            without_limits(cursor)
            cursor.execute("SET session_replication_role = replica")  # no triggers, also none of foreign keys
        else:
            cursor.execute("PRAGMA foreign_keys = OFF")
            cursor.execute("PRAGMA synchronous = OFF")
            cursor.execute("PRAGMA cache_size = -1000000")
        for first in range(0, events, PART):
            made = Event.objects.bulk_create(
                Event(
                    name=f"Open {number}",
                    slug=f"open-{number}",
                    city=f"City {number % 997}",
                    federation=FEDERATIONS[number % len(FEDERATIONS)],
                    start=today + timedelta(days=shift),
                    end=today + timedelta(days=shift + 2),
                    indexed=True,
                )
                for number in range(first, min(first + PART, events))
                for shift in [-1 if number % 100 == 0 else (number % 1000 + 1) * (-3 if number % 2 else 1)]
            )
            note_word_ends(made)
        everything = Event.objects.order_by("pk")
        ActionLog.objects.bulk_create(
            (ActionLog(event=event, who="bench", action="create_event") for event in everything),
            batch_size=PART,
        )
        User.objects.create_superuser("owner")
        for name, works in (
            ("person", everything[::10]),
            ("busy", everything[:300]),
            ("few", everything[:10]),
        ):
            person = User.objects.create_user(name)
            EventRole.objects.bulk_create(
                (EventRole(event=event, user=person, role="arbiter") for event in works), batch_size=PART
            )
        enter(players)
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
        if connection.vendor == "postgresql":
            with_limits(cursor)
    connection.close()


def enter(players: int) -> None:
    """Make two sections with two rounds in each event, and enter so many players in the first one: by statements that
    copy rows of the first event, for `PART` events each, because there may be millions. In the events of `person` and
    `busy`, the players of round 2 have games without a result.
    """
    from django.apps import apps
    from django.db import connection

    from tournaments.migrations import _triggers
    from tournaments.models import Event, Game, Participant, Player, Round, Section

    def insert(row: Any, source: str, **put: str) -> None:
        about = type(row)._meta  # noqa: SLF001
        fields = [each for each in about.concrete_fields if not (each.primary_key or each.generated)]
        values = [
            put.get(field.attname)
            or connection.ops.quote_name("x") + "." + connection.ops.quote_name(field.column)
            for field in fields
        ]
        columns = ", ".join(connection.ops.quote_name(field.column) for field in fields)
        table = about.db_table
        for first in range(0, last + 1, PART):
            part = f"x.id = {row.pk} AND e.id > {first} AND e.id <= {first + PART}"
            rows = f"SELECT {', '.join(values)} FROM {table} x, tournaments_event e, {source} AND {part}"  # noqa: S608
            with connection.cursor() as cursor:
                cursor.execute(f"INSERT INTO {table} ({columns}) {rows}")

    last = Event.objects.order_by("-pk")[0].pk
    section = Section.objects.create(event=Event.objects.order_by("pk")[0], name="X", slug="x", rounds=7)
    round_ = Round.objects.create(section=section, number=1)
    white, black = (Player.objects.create(event=section.event, name=name) for name in ("Nobody", "No one"))
    entry, other = (
        Participant.objects.create(section=section, player=player, rating=2000) for player in (white, black)
    )
    game = Game.objects.create(round=round_, board=1, white=entry, black=other)
    with connection.schema_editor() as editor:
        _triggers.drop(apps, editor)
    names = "(SELECT 'A' AS name, 'a' AS slug UNION ALL SELECT 'B', 'b') n WHERE true"
    insert(section, names, event_id="e.id", name="n.name", slug="n.slug")
    rounds = "(SELECT 1 AS number, 'finished' AS state UNION ALL SELECT 2, 'published') n"
    section_of = "tournaments_section s WHERE s.event_id = e.id AND s.name <> 'X'"
    insert(round_, f"{rounds}, {section_of}", section_id="s.id", number="n.number", state="n.state")
    number = "((e.id * 40 + n.n) * 7919 % 50000)"
    numbers = " UNION ALL ".join(f"SELECT {n} AS n" for n in range(players))
    insert(
        white,
        f"({numbers}) n WHERE true",
        event_id="e.id",
        name=f"'Player' || {number}",
        search_name=f"'player' || {number}",
        fide_id=f"1000000 + {number}",
    )
    section_a = "tournaments_section s WHERE s.event_id = e.id AND s.name = 'A'"
    insert(
        entry,
        f"tournaments_player p, {section_a} AND p.event_id = e.id AND p.fide_id > 0",
        player_id="p.id",
        section_id="s.id",
    )
    insert(
        game,
        f"tournaments_participant w, tournaments_participant b, tournaments_round r, {section_a} "
        "AND r.section_id = s.id AND r.number = 2 AND w.section_id = s.id AND b.section_id = s.id "
        f"AND b.id = w.id + 1 AND w.id % 2 = {other.pk + 1} % 2 AND (e.id % 10 = 1 OR e.id <= 300)",
        round_id="r.id",
        board="w.id % 1000 + 1",
        white_id="w.id",
        black_id="b.id",
    )


def processor_time() -> float:
    """Return the seconds that this process has taken, and on PostgreSQL the process that answers it."""
    from django.db import connection

    answers = 0.0
    if connection.vendor == "postgresql":
        connection.ensure_connection()
        process = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
        answers = int(process.read_text().split()[0]) / 1e9
    return time.process_time() + answers


def measure(events: int, players: int) -> dict[str, Any]:
    """Fill the database of DATABASE_URL and return [milliseconds, queries, bytes, rows] of each page."""
    from django.core.management import call_command
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from server.main import calm_collector
    from tournaments.models import User
    from tournaments.queries.public_facts import public_facts_of_log
    from web.page_cache import store

    fill(events, players)
    call_command("collectstatic", interactive=False, verbosity=0)
    Client(SERVER_NAME="127.0.0.1").get("/")
    calm_collector()  # as the server does
    found = {}
    for name, (who, page) in PAGES.items():
        client, times = Client(SERVER_NAME="127.0.0.1"), []
        if who not in ("", "kept"):
            client.force_login(User.objects.get(username=who))
        path = page
        if "{mark}" in page:
            (newest,) = public_facts_of_log().everything
            path = page.format(mark=newest)
        for _ in range(TIMES):
            if who != "kept":
                store.clear()
            began = processor_time()
            answer = client.get(path)
            times.append(1000 * (processor_time() - began))
            assert answer.status_code == 200, (path, answer.status_code)
        if who != "kept":
            store.clear()
        with CaptureQueriesContext(connection) as queries:  # this costs time itself
            client.get(path)
        rows = len(ROW.findall(answer.content))
        found[name] = [min(times), len(queries), len(gzip.compress(answer.content)), rows]
    return found


def table(found: dict[int, dict[str, list[float]]]) -> str:
    """Return the table of what `measure` found for each size."""
    sizes = sorted(found)
    heads = [
        "page",
        *(f"{size:,} events" for size in sizes),
        "ratio",
        "as many rows",
        "queries",
        "bytes, compressed",
    ]
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)]]
    for page, (longest, queries, length, most) in found[sizes[-1]].items():
        times = [f"{found[size][page][0]:.1f} ms ({found[size][page][3]:,})" for size in sizes]
        ratios = [
            longest / found[size][page][0]
            for size in (sizes[0], next(size for size in sizes if found[size][page][3] >= most))
        ]
        lines.append(
            [page, *times, *(f"{ratio:.2f}" for ratio in ratios), f"{queries:.0f}", f"{length:,.0f}"]
        )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sizes", type=int, nargs="*", default=[10, 1_000, 10_000, 100_000])
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--measure", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--fill", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure or asked.fill:
        import django

        django.setup()
        if asked.fill:
            fill(asked.fill, asked.players)
            return
        print(json.dumps(measure(asked.measure, asked.players)))
        return
    found = {}
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
        found[size] = json.loads(done.stdout.splitlines()[-1])
    print(table(found))


if __name__ == "__main__":
    main()
