"""Lists in PostgreSQL: one table for each list, filled by COPY, indexed before anybody sees it.

The import has a connection of its own. The program's connections end a statement after some seconds, and an index of
1.8 million names takes longer.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import psycopg
from django.db import connection
from psycopg import sql

from ratings.names import PlayerSearch
from ratings.players import COLUMNS, ListedPlayer

from .layout import BEST, HITS, ORDER, SEARCHED, Built, Done, StepMade, column_types, listed

_NAMES = ", ".join(SEARCHED)
_SHOWN = ", ".join(COLUMNS)
STATISTICS = 1_000
FIRST = 20_000
"""Players at the beginning of the list who are looked through before the index of trigrams is asked."""
AT_ONCE = 10_000
"""Players who are fetched together when all are read."""
LOCK_SECONDS = 5


def _name(table: str, ending: str = "") -> sql.Identifier:
    return sql.Identifier(f"{table}{ending}")


def own_connection() -> psycopg.Connection[Any]:
    """Return a new connection to the database of the program, without limits of time."""
    opened = psycopg.connect(**connection.get_connection_params(), autocommit=True)
    opened.execute("SET statement_timeout = 0")
    opened.execute("SET maintenance_work_mem = '256MB'")
    return opened


class PostgresBuilding:
    """An import. Lines are copied into a staging table, then put in order into the table of the list."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._own = own_connection()
        self._run(
            "CREATE UNLOGGED TABLE IF NOT EXISTS {stage} (line bigint NOT NULL, "
            + column_types("integer", "text")
            + "); CREATE UNLOGGED TABLE IF NOT EXISTS {done} (state text NOT NULL)"
        )

    def _run(self, command: str, values: Sequence[Any] | None = None) -> psycopg.Cursor[Any]:
        names = {
            "table": "",
            "stage": "_stage",
            "done": "_done",
            "by_id": "_id",
            "by_number": "_number",
            "gin": "_gin",
        }
        return self._own.execute(
            sql.SQL(command).format(**{key: _name(self._table, end) for key, end in names.items()}), values
        )

    def done(self) -> Done:
        """Return how far an import of this list was, or where a new one begins."""
        row = self._run("SELECT state FROM {done}").fetchone()
        return Done(**json.loads(row[0])) if row else Done()

    def begin(self, done: Done) -> None:
        """Begin again, with nothing read."""
        with self._own.transaction():
            self._run("TRUNCATE {stage}, {done}")
            self._note(done)

    def add(self, rows: Sequence[tuple[Any, ...]], done: Done) -> None:
        """Keep rows, each with its line in front, and how far the reading is, in one transaction."""
        with self._own.transaction():
            with self._own.cursor() as cursor:
                command = sql.SQL("COPY {} FROM STDIN").format(_name(self._table, "_stage"))
                with cursor.copy(command) as copy:
                    for row in rows:
                        copy.write_row(row)
            self._run("DELETE FROM {done}")
            self._note(done)

    def _note(self, done: Done) -> None:
        self._run("INSERT INTO {done} VALUES (%s)", [json.dumps(asdict(done))])

    def finish(self, step: StepMade) -> Built:
        """Make the list. The staging table goes last, so that a stop repeats only this part."""
        step("ordering", 0.0)
        repeated = sum(self._without_repeated(name) for name in ("fide_id", "number"))
        order = ORDER.format(best=BEST.replace("max(", "greatest("))
        self._run("DROP TABLE IF EXISTS {table}")
        # the search goes through rows in the order of rank, and a row is unpacked up to the column that is compared
        columns = column_types("integer", "text", ("search", *COLUMNS))
        self._run("CREATE TABLE {table} (rank integer PRIMARY KEY, " + columns + ")")
        self._run(
            f"INSERT INTO {{table}} (rank, {_NAMES}) SELECT row_number() OVER (ORDER BY {order}), {_NAMES} "  # noqa: S608
            "FROM {stage} ORDER BY 1"
        )
        step("indexing", 0.0)
        self._run("CREATE INDEX {by_id} ON {table} (fide_id) WHERE fide_id IS NOT NULL")
        self._run("CREATE INDEX {by_number} ON {table} (number) WHERE number <> ''")
        indexed = self._has_trigrams()
        if indexed:
            self._run("CREATE INDEX {gin} ON {table} USING gin (search gin_trgm_ops) WITH (fastupdate = off)")
            step("indexing", 0.8)
            self._run(f"ALTER TABLE {{table}} ALTER COLUMN search SET STATISTICS {STATISTICS}")
        self._run("ANALYZE {table}")
        rows = self._run("SELECT count(*) FROM {table}").fetchone()
        size = self._run("SELECT pg_total_relation_size(%s)", [self._table]).fetchone()
        step("indexing", 1.0)
        self._run("DROP TABLE IF EXISTS {stage}, {done}")
        self.close()
        return Built(rows[0] if rows else 0, repeated, size[0] if size else 0, indexed)

    def _has_trigrams(self) -> bool:
        """Return whether the database has pg_trgm. It is made if the login may."""
        with suppress(psycopg.Error):
            self._own.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        found = self._own.execute("SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'").fetchone()
        return found is not None

    def _without_repeated(self, column: str) -> int:
        """Delete lines with an ID that an earlier line has. Return how many they were."""
        kept = f"{column} IS NOT NULL AND {column}::text <> ''"
        count = f"SELECT count({column}) - count(DISTINCT {column}) FROM {{stage}} WHERE {kept}"  # noqa: S608
        row = self._run(count).fetchone()
        if row is None or not row[0]:
            return 0
        first = f"SELECT min(line) FROM {{stage}} WHERE {kept} GROUP BY {column}"  # noqa: S608
        return self._run(f"DELETE FROM {{stage}} WHERE {kept} AND line NOT IN ({first})").rowcount  # noqa: S608

    def close(self) -> None:
        self._own.close()


class PostgresList:
    """A finished list."""

    def __init__(self, table: str, *, by_index: bool) -> None:
        self._table = table
        self._by_index = by_index

    def _rows(self, command: str, values: Sequence[Any]) -> Iterator[ListedPlayer]:
        quoted = connection.ops.quote_name(self._table)
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {_SHOWN} FROM {quoted} WHERE {command}", values)  # noqa: S608
            return iter([listed(row) for row in cursor.fetchall()])

    def search(self, wanted: PlayerSearch, limit: int = HITS) -> list[ListedPlayer]:
        """Return the first players who match, in the order of the list.

        Frequent parts are found among the first players, and the index has few players for all others. The planner is
        not asked which way is shorter: it knows parts from a sample of names, and takes several parts for independent.
        Where it is wrong, it goes through the whole list for 20 players who are not there.
        """
        likes = [f"%{part}%" for part in wanted.long] + [f"% {part}%" for part in wanted.short]
        if wanted.year:
            likes.append(f"% {wanted.year}")
        where = " AND ".join(["search LIKE %s"] * len(likes))
        if not self._by_index:
            return list(self._rows(f"{where} ORDER BY rank LIMIT %s", [*likes, limit]))
        found = list(self._rows(f"rank <= {FIRST} AND {where} ORDER BY rank LIMIT %s", [*likes, limit]))
        if len(found) < limit:  # "+ 0" so that the index of ranks is of no use
            found = list(self._rows(f"{where} ORDER BY rank + 0 LIMIT %s", [*likes, limit]))
        return found

    def by_ids(self, ids: Sequence[int]) -> dict[int, ListedPlayer]:
        """Return the players with these FIDE IDs."""
        found = self._rows("fide_id = ANY(%s)", [list(ids)])
        return {player.fide_id: player for player in found if player.fide_id is not None}

    def by_numbers(self, numbers: Sequence[str]) -> dict[str, ListedPlayer]:
        """Return the players with these numbers of the list itself."""
        found = self._rows("number <> '' AND number = ANY(%s)", [list(numbers)])
        return {player.number: player for player in found}

    def known(self, count: int) -> list[int]:
        """Return FIDE IDs from the beginning of the list: of active players with high ratings."""
        found = self._rows("fide_id IS NOT NULL ORDER BY rank LIMIT %s", [count])
        return [player.fide_id for player in found if player.fide_id is not None]

    def everybody(self) -> Generator[ListedPlayer]:
        """Yield all players, in the order of the list."""
        query = sql.SQL(f"SELECT {_SHOWN} FROM {{}} ORDER BY rank").format(_name(self._table))  # noqa: S608
        with own_connection() as own, own.transaction(), own.cursor("everybody") as cursor:
            cursor.itersize = AT_ONCE
            for row in cursor.execute(query):
                yield listed(row)


def delete(table: str) -> None:
    """Delete the tables of a list, finished or not."""
    with own_connection() as own:
        own.execute(f"SET lock_timeout = '{LOCK_SECONDS}s'")
        names = sql.SQL(", ").join(_name(table, ending) for ending in ("", "_stage", "_done"))
        with suppress(psycopg.errors.LockNotAvailable):
            own.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(names))


def tables() -> set[str]:
    """Return the names of all lists that have a table, finished or not."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE tablename LIKE 'rating\\_player\\_%%'", [])
        return {name.removesuffix("_stage").removesuffix("_done") for (name,) in cursor.fetchall()}
