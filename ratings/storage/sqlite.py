"""Lists beside an SQLite database: one file for each list, which is only read once it is finished.

A list in the main file would make every arbiter wait while its indexes are built: SQLite has one writer for each file.
"""

from __future__ import annotations

import heapq
import json
import os
import secrets
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import asdict
from itertools import chain, islice
from pathlib import Path
from typing import Any

from django.conf import settings

from ratings.names import PlayerSearch
from ratings.players import COLUMNS, ListedPlayer

from .layout import BEST, HITS, ORDER, SEARCHED, Built, Done, StepMade, column_types, listed

STAGE = ".stage"
PART = ".part"
ENDING = ".sqlite3"
SECONDS = 10.0
CACHE_KB = 65_536
FEW = 3000
"""So many rows are read sooner than the ranks of a frequent part."""
AT_ONCE = 100
"""So many rows are read together."""
_MARKS = ", ".join("?" * len(SEARCHED))
_NAMES = ", ".join(SEARCHED)
_SHOWN = ", ".join(f"p.{name}" for name in COLUMNS)


def folder() -> Path:
    path = Path(settings.VAR_DIR) / "rating-lists"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def has_search() -> bool:
    """Return whether this SQLite has the full-text search with trigrams (3.34)."""
    with closing(sqlite3.connect(":memory:")) as memory, suppress(sqlite3.OperationalError):
        memory.execute("CREATE VIRTUAL TABLE t USING fts5(a, tokenize='trigram', detail=none)")
        return True
    return False


class SqliteBuilding:
    """An import. Lines are read into a staging file, then put in order into the file of the list."""

    def __init__(self, table: str) -> None:
        self._path = folder() / f"{table}{ENDING}"
        self._stage_path = folder() / f"{table}{STAGE}"
        self._stage = sqlite3.connect(self._stage_path, timeout=SECONDS, isolation_level=None)
        self._stage.executescript(
            f"""PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
            CREATE TABLE IF NOT EXISTS player (line INTEGER PRIMARY KEY, {column_types("INTEGER", "TEXT")});
            CREATE TABLE IF NOT EXISTS done (only INTEGER PRIMARY KEY, state TEXT NOT NULL);"""
        )

    def done(self) -> Done:
        """Return how far an import of this list was, or where a new one begins."""
        row = self._stage.execute("SELECT state FROM done").fetchone()
        return Done(**json.loads(row[0])) if row else Done()

    def begin(self, done: Done) -> None:
        """Begin again, with nothing read."""
        self._stage.executescript("BEGIN; DELETE FROM player; DELETE FROM done; COMMIT;")
        self.add([], done)

    def add(self, rows: Sequence[tuple[Any, ...]], done: Done) -> None:
        """Keep rows, each with its line in front, and how far the reading is, in one transaction."""
        with _Transaction(self._stage):
            self._stage.executemany(f"INSERT OR REPLACE INTO player VALUES (?, {_MARKS})", rows)  # noqa: S608
            self._stage.execute("INSERT OR REPLACE INTO done VALUES (1, ?)", [json.dumps(asdict(done))])

    def finish(self, step: StepMade) -> Built:
        """Make the list. The file has its name only when it is complete and on the disk."""
        # a name of its own: a process that was left over may still write to the former one
        self._delete_parts()
        part = self._path.with_suffix(f".{secrets.token_hex(4)}{PART}")
        indexed = has_search()
        with closing(sqlite3.connect(part, isolation_level=None)) as made:
            made.executescript(
                f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-{CACHE_KB};"
            )
            made.execute("ATTACH ? AS stage", [str(self._stage_path)])
            step("ordering", 0.0)
            repeated = sum(self._without_repeated(made, name) for name in ("fide_id", "number"))
            made.execute(f"CREATE TABLE player (rank INTEGER PRIMARY KEY, {column_types('INTEGER', 'TEXT')})")
            order = ORDER.format(best=BEST)
            made.execute(
                f"INSERT INTO player ({_NAMES}) SELECT {_NAMES} FROM stage.player ORDER BY {order}"  # noqa: S608
            )
            step("indexing", 0.0)
            made.execute("CREATE INDEX by_id ON player (fide_id) WHERE fide_id IS NOT NULL")
            made.execute("CREATE INDEX by_number ON player (number) WHERE number != ''")
            for place, command in enumerate(_indexes() if indexed else (), start=1):
                made.execute(command)
                step("indexing", place / 4)
            rows = made.execute("SELECT count(*) FROM player").fetchone()[0]
        _to_the_disk(part)
        step("indexing", 1.0)
        part.replace(self._path)
        self.close()
        for ending in ("", "-wal", "-shm"):
            Path(f"{self._stage_path}{ending}").unlink(missing_ok=True)
        return Built(rows, repeated, self._path.stat().st_size, indexed)

    def _delete_parts(self) -> None:
        for left in folder().glob(f"{self._path.stem}.*{PART}"):
            with suppress(OSError):
                left.unlink()

    def _without_repeated(self, made: sqlite3.Connection, column: str) -> int:
        """Delete lines with an ID that an earlier line has. Return how many they were."""
        kept = f"{column} IS NOT NULL AND {column} != ''"
        count = f"SELECT count({column}) - count(DISTINCT {column}) FROM stage.player WHERE {kept}"  # noqa: S608
        if not made.execute(count).fetchone()[0]:
            return 0
        first = f"SELECT min(line) FROM stage.player WHERE {kept} GROUP BY {column}"  # noqa: S608
        return made.execute(f"DELETE FROM stage.player WHERE {kept} AND line NOT IN ({first})").rowcount  # noqa: S608

    def close(self) -> None:
        self._stage.close()


def _indexes() -> tuple[str, ...]:
    outside = "content='player', content_rowid='rank', detail=none"
    return (
        f"CREATE VIRTUAL TABLE parts USING fts5(search, {outside}, tokenize='trigram')",
        "INSERT INTO parts (parts) VALUES ('rebuild')",
        f"CREATE VIRTUAL TABLE words USING fts5(search, {outside}, tokenize='unicode61', prefix='1 2')",
        "INSERT INTO words (words) VALUES ('rebuild')",
    )


class _Transaction:
    """BEGIN and COMMIT, or ROLLBACK."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *_error: object) -> None:
        self._connection.execute("ROLLBACK" if kind else "COMMIT")


def _to_the_disk(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


class SqliteList:
    """A finished list. Each call opens the file and closes it, so that it can be deleted on every system."""

    def __init__(self, table: str, *, by_index: bool) -> None:
        self._path = folder() / f"{table}{ENDING}"
        self._by_index = by_index

    def _open(self) -> closing[sqlite3.Connection]:
        opened = sqlite3.connect(f"{self._path.as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
        opened.execute("PRAGMA mmap_size=1073741824")
        return closing(opened)

    def search(self, wanted: PlayerSearch, limit: int = HITS) -> list[ListedPlayer]:
        """Return the first players who match, in the order of the list."""
        found = []
        with self._open() as opened:
            for row in self._having_all(opened, wanted):
                player = listed(row)
                if player.born.startswith(wanted.year):
                    found.append(player)
                    if len(found) == limit:
                        break
        return found

    def _having_all(self, opened: sqlite3.Connection, wanted: PlayerSearch) -> Iterator[Sequence[Any]]:
        """Yield the rows whose names have all parts, in order of rank.

        The indexes say only which rows have all trigrams, somewhere. Most of these have not the part, if its trigrams
        are frequent. So SQLite compares the text itself, which costs less than a row in Python.
        """
        long = [f'"{part[at : at + 3]}"' for part in wanted.long for at in range(len(part) - 2)]
        short = [f'"{part}"*' for part in wanted.short]
        parts = [*wanted.long, *(f" {part}" for part in wanted.short)]
        has = " AND ".join(["instr(p.search, ?)"] * len(parts))
        shown = f"SELECT {_SHOWN} FROM"
        if not self._by_index:
            yield from opened.execute(f"{shown} player p WHERE {has} ORDER BY rank", parts)
            return
        if wanted.year:  # it stands in both indexes, so neither search goes through other years
            long += [f'"{wanted.year[:3]}"', f'"{wanted.year[1:]}"'] if long else []
            short += [f'"{wanted.year}"'] if short else []
        if long and short:
            ranks = _ranks(opened, "parts", " AND ".join(long)), _ranks(opened, "words", " AND ".join(short))
            perhaps = _perhaps_both(*ranks)
            while some := list(islice(perhaps, AT_ONCE)):
                query = (
                    f"{shown} player p WHERE rank IN ({', '.join('?' * len(some))}) AND {has} ORDER BY rank"
                )
                yield from opened.execute(query, [*some, *parts])
            return
        table, match = ("parts", long) if long else ("words", short)
        yield from opened.execute(
            f"{shown} {table} f JOIN player p ON p.rank = f.rowid WHERE {table} MATCH ? AND {has} ORDER BY f.rowid",
            [" AND ".join(match), *parts],
        )

    def by_ids(self, ids: Sequence[int]) -> dict[int, ListedPlayer]:
        """Return the players with these FIDE IDs."""
        return {
            player.fide_id: player for player in self._having("fide_id", ids) if player.fide_id is not None
        }

    def by_numbers(self, numbers: Sequence[str]) -> dict[str, ListedPlayer]:
        """Return the players with these numbers of the list itself."""
        return {player.number: player for player in self._having("number", [one for one in numbers if one])}

    def _having(self, column: str, values: Sequence[object]) -> Iterator[ListedPlayer]:
        query = (
            f"SELECT {_SHOWN} FROM player p WHERE {column} IS NOT NULL AND {column} != '' AND {column} = ?"  # noqa: S608
        )
        with self._open() as opened:
            for value in dict.fromkeys(values):
                yield from (listed(row) for row in opened.execute(query, [value]))

    def known(self, count: int) -> list[int]:
        """Return FIDE IDs from the beginning of the list: of active players with high ratings."""
        query = "SELECT fide_id FROM player WHERE fide_id IS NOT NULL ORDER BY rank LIMIT ?"
        with self._open() as opened:
            return [row[0] for row in opened.execute(query, [count])]

    def everybody(self) -> Generator[ListedPlayer]:
        """Yield all players, in the order of the list."""
        with self._open() as opened, closing(opened.cursor()) as cursor:
            for row in cursor.execute(f"SELECT {_SHOWN} FROM player p ORDER BY rank"):  # noqa: S608
                yield listed(row)


def _ranks(opened: sqlite3.Connection, table: str, match: str) -> Iterator[int]:
    query = f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rowid"  # noqa: S608
    return (row[0] for row in opened.execute(query, [match]))


def _perhaps_both(one: Iterator[int], other: Iterator[int]) -> Iterator[int]:
    """Yield all numbers that both ascending sequences have. If one has few, yield all of these: reading their rows
    costs less than going through the other, which may be every player with a K.
    """
    begun: list[Iterator[int]] = []
    for ranks in (one, other):
        first = list(islice(ranks, FEW + 1))
        if len(first) <= FEW:
            return iter(first)
        begun.append(chain(first, ranks))
    return _in_both(*begun)


def _in_both(one: Iterator[int], other: Iterator[int]) -> Iterator[int]:
    """Yield the numbers that both ascending sequences have."""
    last = None
    for number in heapq.merge(one, other):
        if number == last:
            yield number
        last = number


def is_here(table: str) -> bool:
    """Return whether the file of a finished list is here."""
    return (folder() / f"{table}{ENDING}").is_file()


def delete(table: str) -> None:
    """Delete the files of a list, finished or not. A file that another program has open stays until the next time."""
    for path in folder().glob(f"{table}.*"):
        with suppress(OSError):
            path.unlink()


def tables() -> set[str]:
    """Return the names of all lists that have a file, finished or not."""
    return {path.name.partition(".")[0] for path in folder().glob("rating_player_*")}
