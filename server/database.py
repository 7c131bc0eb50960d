"""Whether the database is one that this program can work with: its own, not of a newer version, and not damaged.

A start asks this before it changes anything. SQLite reads all pages of its file (`PRAGMA quick_check`) at the start and
once a day; 200 MB take about a second. A large file is checked beside serving, and so are the tables of PostgreSQL.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from server.failures import BUSY, DAMAGED, SLOW, failure_of
from tournaments.actions.stored_copies import backup_directory, site_copies

logger = logging.getLogger(__name__)
AT_START = 200 * 1024**2
"""Bytes; a larger file would hold up the start."""
SHOWN = 5
"""Copies that the console names."""
CODES = "In DATABASE_URL, a special character of the password is written as a code, such as %40 for @."
BEFORE_THE_FIRST_RELEASE = ("tournaments", "0002_triggers")
"""A migration that databases from before the first release have, and later ones have not."""
OF_DJANGO = {"auth", "contenttypes", "sessions"}
LONGEST_CHECK = 600.0  # seconds for the tables of PostgreSQL
PART = 5_000  # rows that one statement reads
OF_DAMAGE = ("XX", "22", "58")
"""Classes of PostgreSQL's errors that reading gives for damage alone: of the data, of a value, of a file."""
GONE = "42P01"  # the table was deleted since the list was made
TABLES = """
SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'm') AND c.relpersistence <> 't' AND n.nspname !~ '^(pg_|information_schema$)'
AND has_table_privilege(c.oid, 'SELECT') ORDER BY pg_relation_size(c.oid), c.oid"""
INDEXES = """
SELECT c.oid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
JOIN pg_namespace n ON n.oid = c.relnamespace WHERE a.amname = 'btree' AND i.indisvalid AND c.relpersistence <> 't'
AND n.nspname !~ '^(pg_|information_schema$)' ORDER BY pg_relation_size(c.oid), c.oid"""
CHECKERS = """
SELECT has_function_privilege(to_regprocedure('verify_heapam(regclass,boolean,boolean,text,bigint,bigint)'), 'EXECUTE'),
has_function_privilege(to_regprocedure('bt_index_check(regclass)'), 'EXECUTE')"""


class Pages:
    """What the last check of all pages found. fault: "" for nothing. at: when, in ISO format; "" before the first.

    unread: how many tables and indexes of PostgreSQL could not be read in time.
    """

    def __init__(self) -> None:
        self.at = self.fault = ""
        self.unread = 0

    def check(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Read all pages, and note what is wrong. Notes nothing if the program is stopped meanwhile."""
        fault, unread = _fault_of_file() if connection.vendor == "sqlite" else _fault_of_tables(stopped)
        if stopped():
            return
        self.at, self.fault, self.unread = timezone.now().isoformat(timespec="seconds"), fault, unread
        if fault:
            logger.error("The database is damaged: %s", fault)

    def know(self, at: datetime, fault: str, unread: int) -> None:
        """Note what another process has found in the same database."""
        self.at, self.fault, self.unread = at.isoformat(timespec="seconds"), fault, unread


def _fault_of_file() -> tuple[str, int]:
    try:
        with connection.cursor() as cursor:
            rows = cursor.execute("PRAGMA quick_check(1)").fetchall()
        fault = "" if rows == [("ok",)] else str(rows[0][0])
    except DatabaseError as error:
        if failure_of(error) is not DAMAGED:
            raise
        fault = str(error)
    return _last_line(fault), 0


def _fault_of_tables(stopped: Callable[[], bool]) -> tuple[str, int]:
    """Read each value of each table, the small ones first. With the extension amcheck, check rows and indexes too.

    A page with a wrong checksum or head, a missing file and a value that cannot be unpacked are errors. A page in the
    memory of the server is not read from its disk.
    """
    ends = time.monotonic() + LONGEST_CHECK
    unread = 0
    for kind, name in _to_read():
        if stopped():
            break
        if time.monotonic() > ends:
            unread += 1
            continue
        try:
            with transaction.atomic(using=connection.alias):
                found = READERS[kind](name, lambda: stopped() or time.monotonic() > ends)
        except DatabaseError as error:
            code = str(getattr(error.__cause__, "sqlstate", None) or "")
            if code.startswith(OF_DAMAGE):
                return f"{name}: {_last_line(str(error))}", unread
            if code != GONE and failure_of(error) not in (SLOW, BUSY):
                raise
            found = "" if code == GONE else None
        if found:
            return f"{name}: {found}", unread
        unread += found is None
    return "", unread


def _to_read() -> list[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        tables = [name for (name,) in cursor.fetchall()]
        cursor.execute(CHECKERS)
        (rows, indexes) = cursor.fetchone()
        found = [("table", name) for name in tables]
        if rows:
            found += [("rows", name) for name in tables]
        if indexes:
            cursor.execute(INDEXES)
            found += [("index", name) for (name,) in cursor.fetchall()]
    return found


def _read_table(name: str, is_over: Callable[[], bool]) -> str | None:
    """Read a table in parts, none of which takes long. Returns None if it is not read to its end."""
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
        cursor.execute(f"DECLARE reading NO SCROLL CURSOR FOR SELECT whole::text FROM ONLY {name} AS whole")  # noqa: S608
        whole = False
        while not (whole or is_over()):
            cursor.execute(f"MOVE FORWARD {PART} FROM reading")
            whole = cursor.rowcount < PART
        cursor.execute("CLOSE reading")
    return "" if whole else None


def _check_rows(name: str, _is_over: Callable[[], bool]) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT msg FROM verify_heapam(%s::regclass, check_toast => true) LIMIT 1", [name])
        row = cursor.fetchone()
    return str(row[0]) if row else ""


def _check_index(name: str, _is_over: Callable[[], bool]) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT bt_index_check(%s::regclass)", [name])
    return ""


READERS: dict[str, Callable[[str, Callable[[], bool]], str | None]] = {
    "table": _read_table,
    "rows": _check_rows,
    "index": _check_index,
}


def _last_line(text: str) -> str:
    return text.strip().splitlines()[-1] if text.strip() else ""


pages = Pages()


def refuse_unusable() -> None:
    """End with a sentence if the database is of another program or of a newer version of this one, or is damaged."""
    tables = set(connection.introspection.table_names())
    loader = MigrationLoader(connection)
    applied = set(loader.applied_migrations)
    ours = {app for app, _name in applied} & set(loader.migrated_apps) - OF_DJANGO
    strange = tables - set(connection.introspection.django_table_names()) - {"django_migrations"}
    if not ours and strange:
        raise SystemExit(
            f"{_place()} is the database of another program: it has the table {min(strange)} and none of "
            "Evenboard. Give Evenboard a database of its own (DATABASE_URL)."
        )
    unknown = sorted(key for key in applied if key[0] in ours and key not in loader.disk_migrations)
    if BEFORE_THE_FIRST_RELEASE in unknown:
        raise SystemExit(
            f"{_place()} was made before the first release, and this version cannot use it. Start the program that "
            "made it, save a copy of each event, and load the copies into a new database (docs/copies.md)."
        )
    if unknown:
        app, name = unknown[-1]
        raise SystemExit(
            f"{_place()} belongs to a newer version of Evenboard: this program does not know its change {app} {name}. "
            "Start the newer version."
        )
    if connection.vendor == "sqlite" and (size := _size()) and size <= AT_START:
        pages.check()
        if pages.fault:
            raise SystemExit(damaged(pages.fault))


def keep_private() -> None:
    """Let only the owner read the database, its log and the copies, also those that older versions have written."""
    if os.name != "posix":
        return
    main = str(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else ""
    files = [Path(f"{main}{end}") for end in ("", "-wal", "-shm") if main]
    for path in [*files, backup_directory(), *backup_directory().rglob("*")]:
        wanted = 0o700 if path.is_dir() else 0o600
        with suppress(FileNotFoundError, PermissionError):  # of another owner, who decides
            if path.stat().st_mode & 0o077:
                path.chmod(wanted)


def explain_start(error: BaseException) -> str:
    """Return why the database does not let the program start, for the console; "" if the program itself is wrong."""
    failure = failure_of(error)
    if failure is None:
        return ""
    text = str(error).strip().splitlines()[-1]
    if failure is DAMAGED:
        return damaged(text)
    lines = [f"{failure.title}. {failure.happened} {failure.todo}", f"The database says: {text}"]
    if "password authentication" in text:
        lines.append(CODES)
    return "\n".join(lines)


def damaged(fault: str) -> str:
    """Return what to do about a damaged database: where the newest copies are, and the command that loads one."""
    python = "python" if os.name == "nt" else ".venv/bin/python"
    copies = list(newest_copies())
    lines = [f"{_place()} is damaged, or another file is in its place ({fault}).", "Nothing was changed."]
    if copies:
        lines += ["The newest copies are:", *(f"  {path}" for path in copies)]
    else:
        lines.append(f"There are no copies in {backup_directory()}.")
    if connection.vendor == "sqlite":
        lines.append(
            "Move the file of the database and those whose names begin with it to another directory."
        )
    else:
        lines.append("Restore PostgreSQL from its own backup (pg_dump), or begin with an empty database.")
    if settings.BACKUP_TO and site_copies(Path(settings.BACKUP_TO)):
        lines += [
            "Then restore the whole site, before you start the program:",
            f"  {python} manage.py restore {settings.BACKUP_TO}",
            "docs/copies.md says more.",
        ]
        return "\n".join(lines)
    lines += [
        "Start the program with --no-demo, and stop it. Then make a login, and load each copy that you need:",
        f"  {python} manage.py createsuperuser",
        f"  {python} manage.py load_copy {copies[0] if copies else 'FILE'} --owner LOGIN",
        "docs/copies.md says more.",
    ]
    return "\n".join(lines)


def newest_copies() -> Iterator[Path]:
    """Yield the newest copies of whole events in BACKUP_TO, then the newest of each section on this machine."""
    elsewhere = Path(settings.BACKUP_TO) if settings.BACKUP_TO else None
    for root, pattern in ((elsewhere, "*.json.gz"), (backup_directory(), "*/*/*.json.gz")):
        newest: dict[str, Path] = {}
        for path in sorted(root.glob(pattern), key=_written) if root is not None and root.is_dir() else ():
            newest[str(path.parent) if root != elsewhere else path.name.rpartition("-")[0]] = path
        yield from sorted(newest.values(), key=_written, reverse=True)[:SHOWN]


def _written(path: Path) -> tuple[float, str]:
    return path.stat().st_mtime, path.name


def _place() -> str:
    name = connection.settings_dict["NAME"]
    return str(name) if connection.vendor == "sqlite" else f"The database {name}"


def _size() -> int:
    path = Path(str(connection.settings_dict["NAME"]))
    return path.stat().st_size if path.is_file() else 0


def stop_with(error: BaseException) -> None:
    """End the program with the sentence about an error of the database. Returns if the program itself is wrong."""
    if sentence := explain_start(error):
        print(sentence, file=sys.stderr)
        raise SystemExit(1) from None
