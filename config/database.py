"""Whether the database is one that this program can work with: its own, not of a newer version, and not damaged.

A start asks this before it changes anything. SQLite reads all pages of its file (`PRAGMA quick_check`) at the start and
once a day; 200 MB take about a second. A large file is checked beside serving. PostgreSQL checks its own pages.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from config.failures import DAMAGED, failure_of
from tournaments.actions.backups import backup_directory

logger = logging.getLogger(__name__)
AT_START = 200 * 1024**2
"""Bytes; a larger file would hold up the start."""
SHOWN = 5
"""Copies that the console names."""
CODES = "In DATABASE_URL, a special character of the password is written as a code, such as %40 for @."
OF_DJANGO = {"auth", "contenttypes", "sessions"}


class Pages:
    """What the last check of all pages found. fault: "" for nothing. at: when, in ISO format; "" before the first."""

    def __init__(self) -> None:
        self.at = self.fault = ""

    def check(self) -> None:
        """Read all pages of an SQLite file, and note what is wrong."""
        if connection.vendor != "sqlite":
            return
        try:
            with connection.cursor() as cursor:
                rows = cursor.execute("PRAGMA quick_check(1)").fetchall()
            fault = "" if rows == [("ok",)] else str(rows[0][0])
        except DatabaseError as error:
            if failure_of(error) is not DAMAGED:
                raise
            fault = str(error)
        self.at, self.fault = (
            timezone.now().isoformat(timespec="seconds"),
            fault.splitlines()[-1] if fault else "",
        )
        if fault:
            logger.error("The database is damaged: %s", self.fault)


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
            "Move the file of the database and those whose names begin with it to another directory. Start the "
            "program with --no-demo, and stop it."
        )
    else:
        lines.append("Restore PostgreSQL from its own backup (pg_dump), or begin with an empty database.")
    lines += [
        "Then make a login, and load each copy that you need:",
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
