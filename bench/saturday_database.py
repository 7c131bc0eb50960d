"""Fill the database for bench/saturday.py: `python -m bench.saturday_database EVENTS ENDING PAST`.

EVENTS events are played today, 67 players each; every fourth has two sections. Round 4 of 7 is published and has no
results, except that in the first ENDING events only the last results of their first section are missing. PAST events
are over, with seven rounds. Each kind is made once by the actions of the program, then its rows are copied. Ten more
events take registrations. Prints as JSON what the load needs to know.
"""

from __future__ import annotations

import json
import os
import random
import sys
from datetime import timedelta
from typing import Any

import django

PLAYERS, ROUNDS, PLAYED, LAST = 67, 7, 3, 5
LOGINS = 300
FORMS = 10  # events that take registrations, and one in ten of as many as are past
STRIDE = 4_000  # keys of a copied event are those of its model and this many more for each copy
AT_ONCE = 200  # events that a statement copies
APPS = ("tournaments", "registrations")
PASSWORD = "a password of the bench"  # noqa: S105 (of a database that is deleted)


def fill(events: int, ending: int, past: int) -> dict[str, Any]:
    """Make all events and return addresses, games, sessions and logins."""
    from django.core.management import call_command

    from base.zones import today_in
    from bench.hall_database import session_of
    from bench.registration_forms import event_for_forms
    from tournaments.models import Event, EventRole, Section, User

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    two = events // 4
    kinds: list[tuple[str, tuple[int, ...], int, int]] = [
        ("open", (PLAYERS,), PLAYED, events - two),
        ("two", (PLAYERS // 2 + 1, PLAYERS // 2), PLAYED, two),
        ("past", (PLAYERS,), ROUNDS, past),
    ]
    first, facts = 1, {}
    for kind, players, rounds, count in kinds:
        if count:
            keys, before = played(kind, players, rounds), size()
            copy_rows(keys, first, count - 1)
            first += count
            facts[kind] = {
                "rows": sum(high - low for low, high in keys.values()),
                "bytes": (size() - before) // max(1, count - 1),
            }
    today = today_in("")
    Event.objects.filter(slug__startswith="past").update(
        start=today - timedelta(days=30), end=today - timedelta(days=29)
    )
    Event.objects.exclude(slug__startswith="past").update(start=today, end=today + timedelta(days=1))
    Section.objects.filter(event__slug__startswith="past").update(status=Section.Status.CLOSED)
    live = []
    for number, event in enumerate(Event.objects.exclude(slug__startswith="past").order_by("slug")):
        user, cookie = session_of(f"arbiter-{number}")
        EventRole.objects.create(event=event, user=user, role=EventRole.Role.ARBITER)
        sections = [in_play(section, ends=number < ending) for section in event.sections.order_by("slug")]
        ends = number < ending
        live.append(
            {
                "key": event.pk,
                "path": f"/{event.slug}/",
                "user": user.pk,
                "cookie": cookie,
                "ends": ends,
                "sections": sections,
            }
        )
    known = User.objects.create_user("login-0", password=PASSWORD)
    User.objects.bulk_create(User(username=f"login-{n}", password=known.password) for n in range(1, LOGINS))
    forms = [(f"/next{n}/-/register/", event_for_forms(f"next{n}")) for n in range(FORMS + past // 10)]
    return {
        "events": live,
        "forms": forms,
        "password": PASSWORD,
        "logins": [f"login-{n}" for n in range(LOGINS)],
        "all": events + past,
        "facts": facts,
    }


def size() -> int:
    """Return the bytes of the database on disk; 0 for SQLite."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        return int(cursor.fetchone()[0])


def played(slug: str, sizes: tuple[int, ...], rounds: int) -> dict[Any, tuple[int, int]]:
    """Make an event by actions, `rounds` of it played, and one more published if there is one. Return its keys."""
    from pairing.rounds import pair_next_round, publish_round
    from tests.factories import EventFactory, section_of
    from tournaments.actions.ledger import Actor
    from tournaments.actions.results import record_result

    before, actor, source = {row: newest(row) for row in copied()}, Actor.command(), random.Random(1)
    event = EventFactory(slug=slug, name=f"Open of {slug}")
    for letter, players in zip("ab", sizes, strict=False):
        section = section_of(players, event=event, slug=letter, name=letter.upper(), rounds=ROUNDS)
        for number in range(min(rounds + 1, ROUNDS)):
            draft = pair_next_round(actor=actor, section_id=section.pk, after_round=number)
            publish_round(actor=actor, round_id=draft.pk, seen_version=draft.version, copy=False)
            for game in draft.games.all() if number < rounds else ():
                result = source.choice(["1-0", "1/2", "0-1"])
                record_result(actor=actor, game_id=game.pk, result=result, seen_version=game.version)
    return {row: (before[row], newest(row)) for row in copied()}


def copied() -> list[Any]:
    """Return the models whose rows belong to an event, those of an event first."""
    from django.apps import apps

    from tournaments.models import Event

    found: list[Any] = [Event]
    models = [row for app in APPS for row in apps.get_app_config(app).get_models()]
    for _ in models:
        found += [row for row in models if row not in found and any(each in found for each in related(row))]
    return found


def related(row: Any) -> list[Any]:
    return [field.related_model for field in row._meta.concrete_fields if field.is_relation]  # noqa: SLF001


def newest(row: Any) -> int:
    return row.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def copy_rows(keys: dict[Any, tuple[int, int]], first: int, count: int) -> None:
    """Copy the rows with these keys so many times, by statements for each table. No trigger looks at them."""
    from django.apps import apps
    from django.core.management.color import no_style
    from django.db import connection

    from tournaments.migrations import _triggers
    from tournaments.models.event_changes import stop_watching, watch_events

    of_events, key = copied(), connection.ops.quote_name
    named = {
        "slug": "{0} || '-' || g.n",
        "name": "{0} || ' ' || g.n",
        "search_name": "{0} || ' ' || g.n",
    }
    rows = {row: span for row, span in keys.items() if span[0] < span[1]}
    assert all(high - low < STRIDE for low, high in rows.values())
    of_postgres = connection.vendor == "postgresql"
    stop_watching()
    with connection.schema_editor() as editor:
        _triggers.drop(apps, editor)
        if of_postgres:
            editor.execute("SET session_replication_role = replica")
            editor.execute("SET statement_timeout = 0")
    for row, (low, high) in rows.items():
        table, columns, values = row._meta.db_table, [], []  # noqa: SLF001
        for field in row._meta.concrete_fields:  # noqa: SLF001
            if field.generated:
                continue
            column = f"x.{key(field.column)}"
            columns.append(key(field.column))
            if field.related_model in of_events if field.is_relation else field.primary_key:
                column += f" + {STRIDE} * g.n"
            elif table in ("tournaments_event", "tournaments_player") and field.name in named:
                column = named[field.name].format(column)
            values.append(column)
        pk = f"x.{row._meta.pk.column}"  # noqa: SLF001
        for start in range(first, first + count, AT_ONCE):
            last = min(start + AT_ONCE, first + count) - 1
            with connection.cursor() as cursor:
                cursor.execute(
                    f"INSERT INTO {table} ({', '.join(columns)}) "  # noqa: S608
                    f"WITH RECURSIVE g(n) AS (SELECT {start} UNION ALL SELECT n + 1 FROM g WHERE n < {last})"
                    f" SELECT {', '.join(values)} FROM {table} x, g WHERE {pk} > {low} AND {pk} <= {high}"
                )
    with connection.schema_editor() as editor:
        if of_postgres:
            editor.execute("RESET session_replication_role")
            editor.execute("RESET statement_timeout")
        _triggers.install(apps, editor)
    watch_events()
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(rows)):
            cursor.execute(statement)


def in_play(section: Any, *, ends: bool) -> dict[str, Any]:
    """Return the games of the published round. ends: all have a result but the last ones, which are returned."""
    from tournaments.models import Game

    latest = section.played_rounds.order_by("-number")[0]
    games = list(latest.games.order_by("board"))
    if ends and section.slug == "a":
        Game.objects.filter(pk__in=[game.pk for game in games[:-LAST]]).update(result="1/2")
        games = games[-LAST:]
    return {"slug": section.slug, "round": latest.number, "games": [game.pk for game in games]}


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    print(json.dumps(fill(*map(int, sys.argv[1:]))))
