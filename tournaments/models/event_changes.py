"""Which events have changed, so that a copy of the site reads the rows of these alone.

Triggers of the database add a mark, a random number, for each row of an event that is added, changed or deleted. So
each change counts, whoever makes it: an action, a chore, an older version beside this one, or a person with SQL. After
each change the sum of the marks of the event is another one. A mark is a row of its own, because two sections that
change one row would wait for each other. docs/decisions/0104-a-copy-of-what-has-changed.md has the reasons.

The triggers are not made by migrations, because SQLite rebuilds a table to alter it, and loses its triggers by that:
each `migrate` compares them with these models (tournaments/apps.py).
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction

from .events import Event

MARKS = 2**40
"""A mark is below this number. Sums are kept below it too."""
PREFIX = "marks_change_of_"
NOT_COPIED = {"RatingList", "LoginSession", "CopyProof", "Chore", "KeptUpload", "EventChange"}
"""Models whose rows count on one machine alone, name files beside the database, or are marks."""


class EventChange(models.Model):
    """A mark. event_key: of the event; no foreign key, because no mark may wait for a lock of the event."""

    event_key = models.BigIntegerField()
    mark = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.event_key}: {self.mark}"


@cache
def way_to_event(model: type[models.Model]) -> tuple[models.ForeignKey[Any, Any], ...] | None:
    """Return the foreign keys that lead from a row to its event, None if rows of the model are of no event."""
    return _way(model, ())


def _way(
    model: type[models.Model], passed: tuple[type[models.Model], ...]
) -> tuple[models.ForeignKey[Any, Any], ...] | None:
    if model is Event:
        return ()
    ways = []
    for column in model._meta.local_concrete_fields:  # noqa: SLF001 - Django documents it
        if isinstance(column, models.ForeignKey) and column.related_model not in (model, *passed):
            rest = _way(column.related_model, (*passed, model))
            if rest is not None:
                ways.append((column, *rest))
    return min(ways, key=lambda way: (any(column.null for column in way), len(way)), default=None)


def watch_events() -> None:
    """Make the triggers, unless all are there. All events count as changed when one was missing."""
    there, wanted = _triggers_there(), _triggers_wanted()
    if {name: _text(statements) for name, statements in wanted.items()} == there:
        return
    with transaction.atomic(), connection.cursor() as cursor:
        _drop(cursor)
        for statement in chain.from_iterable(wanted.values()):
            cursor.execute(statement)
        table, marks = Event._meta.db_table, EventChange._meta.db_table  # noqa: SLF001
        cursor.execute(f"INSERT INTO {marks} (event_key, mark) SELECT id, {_random()} FROM {table}")  # noqa: S608


def stop_watching() -> None:
    """Remove the triggers, for as long as tables are altered or filled."""
    with transaction.atomic(), connection.cursor() as cursor:
        _drop(cursor)


def _drop(cursor: Any) -> None:
    for name in _triggers_there():
        if connection.vendor == "postgresql":
            cursor.execute(f"DROP FUNCTION {name}() CASCADE")
        else:
            cursor.execute(f"DROP TRIGGER {name}")


def _triggers_there() -> dict[str, str]:
    """Return the text of each trigger in the database; on PostgreSQL, of its function."""
    asked = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    if connection.vendor == "postgresql":
        asked = (
            "SELECT tgname, prosrc FROM pg_trigger JOIN pg_proc f ON f.oid = tgfoid WHERE NOT tgisinternal"
        )
    with connection.cursor() as cursor:
        cursor.execute(asked)
        return {name: text for name, text in cursor.fetchall() if name.startswith(PREFIX)}


def _text(statements: list[str]) -> str:
    return statements[0].split("$$")[1] if connection.vendor == "postgresql" else statements[0]


def _triggers_wanted() -> dict[str, list[str]]:
    """Return for each trigger the statements that make it."""
    tables = set(connection.introspection.table_names())
    found: dict[str, list[str]] = {}
    if EventChange._meta.db_table not in tables:  # noqa: SLF001 - the database is of an earlier version
        return found
    for model in apps.get_models(include_auto_created=True):
        table, way = model._meta.db_table, way_to_event(model)  # noqa: SLF001
        if way is None or model.__name__ in NOT_COPIED or table not in tables:
            continue
        name = f"{PREFIX}{table}"
        if connection.vendor == "postgresql":
            mark = _mark(way, ("NEW", "OLD"))
            runs = f"FOR EACH ROW EXECUTE FUNCTION {name}()"
            found[name] = [
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN {mark}; RETURN NULL; END$$",
                f"CREATE TRIGGER {name} AFTER INSERT OR UPDATE OR DELETE ON {table} {runs}",
            ]
            continue
        for occasion, rows in (("INSERT", ("NEW",)), ("UPDATE", ("NEW", "OLD")), ("DELETE", ("OLD",))):
            text = f"CREATE TRIGGER {name}_{occasion.lower()} AFTER {occasion} ON {table} BEGIN {_mark(way, rows)}; END"
            found[f"{name}_{occasion.lower()}"] = [text]
    return found


def _mark(way: tuple[models.ForeignKey[Any, Any], ...], rows: tuple[str, ...]) -> str:
    """Return the statement that adds a mark to the event to which these rows belong."""
    first = way[0].column if way else "id"
    tables = [column.related_model._meta.db_table for column in way[:-1]] or [Event._meta.db_table]  # noqa: SLF001
    joins = " ".join(
        f"JOIN {table} t{place} ON t{place}.id = t{place - 1}.{column.column}"
        for place, (table, column) in enumerate(zip(tables[1:], way[1:], strict=False), start=1)
    )
    key = f"t{len(tables) - 1}.{way[-1].column if len(way) > 1 else 'id'}"
    keys = ", ".join(f"{row}.{first}" for row in rows)
    return (
        f"INSERT INTO {EventChange._meta.db_table} (event_key, mark) "  # noqa: S608, SLF001
        f"SELECT {key}, {_random()} FROM {tables[0]} t0 {joins} WHERE t0.id IN ({keys}) AND {key} IS NOT NULL"
    )


def _random() -> str:
    return (
        f"(random() * {MARKS})::bigint" if connection.vendor == "postgresql" else f"abs(random() % {MARKS})"
    )
