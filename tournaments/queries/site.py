"""The installation for site owners: its logins with their rights, its log, and the room on its disks."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.db import DatabaseError, connection
from django.db.models import Q

from tournaments.models import SiteLog, User
from tournaments.models.spare import MayNotWrite

# The logins of the installation with their rights, for site owners.

PAGE_SIZE = 50
SEARCH_LENGTH = 80
LATEST = 30


def logins_page(page: int | str, search: str) -> Page[User]:
    """Return the logins whose user name or full name has all words of the search, by user name. Two queries."""
    logins = User.objects.filter(is_active=True).order_by("username")
    for word in search[:SEARCH_LENGTH].replace("\x00", " ").split():
        named = Q(username__icontains=word) | Q(first_name__icontains=word) | Q(last_name__icontains=word)
        logins = logins.filter(named)
    return Paginator(logins, PAGE_SIZE).get_page(page)


def site_log() -> list[SiteLog]:
    """Return the latest changes of rights and settings, newest first. One query."""
    return list(SiteLog.objects.order_by("-pk")[:LATEST])


# The disks on which the program writes, and how much room is left on them.

MB = 1024**2
LOW_MB = 300 * MB
"""Ten sections of 200 players and nine rounds write about 20 MB. But what fills a disk is mostly something else. With
fifteen times that, somebody has time to act before the present event is in danger."""
FULL_MB = 20 * MB
"""SQLite's log before a checkpoint (4 MB), the largest upload (10 MB) and a copy need about this much at once."""


@dataclass(frozen=True, slots=True)
class Disk:
    """A disk. holds: what the program has there: "data", "database", "backups". free, total: in bytes."""

    holds: tuple[str, ...]
    free: int
    total: int

    @property
    def is_low(self) -> bool:
        return self.free < LOW_MB

    @property
    def is_full(self) -> bool:
        return self.free < FULL_MB


def disks() -> list[Disk]:
    """Return the disks, each once. A directory that cannot be asked is left out. A PostgreSQL server is not asked:
    only its own machine knows its disk.
    """
    found: dict[int, tuple[list[str], Path]] = {}
    for name, path in _places():
        try:
            there = next(one for one in (path, *path.parents) if one.exists())
            found.setdefault(there.stat().st_dev, ([], there))[0].append(name)
        except OSError:
            continue
    answer = []
    for holds, path in found.values():
        try:
            usage = shutil.disk_usage(path)
        except OSError:
            continue
        answer.append(Disk(tuple(holds), usage.free, usage.total))
    return answer


def low_disk() -> Disk | None:
    """Return the disk with the least room if that is too little, else None."""
    return min((disk for disk in disks() if disk.is_low), key=lambda disk: disk.free, default=None)


def _places() -> Iterator[tuple[str, Path]]:
    var = Path(settings.VAR_DIR)
    yield "data", var
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite" and ":memory:" not in name and "mode=memory" not in name:
        yield "database", Path(name).parent
    yield "backups", Path(settings.BACKUP_DIR or var / "backups")


def last_backup() -> datetime | None:
    """Return when the newest copy of any section was written, None if there is none. Reads directories, no file."""
    newest = ""
    for path in Path(settings.BACKUP_DIR or Path(settings.VAR_DIR) / "backups").glob("*/*/[0-9]*.json.gz"):
        newest = max(newest, path.name[:16])
    try:
        return datetime.strptime(newest, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC) if newest else None
    except ValueError:
        return None


def cannot_write(error: DatabaseError) -> bool:
    """Return whether the database refused to write because of its disk: it is full, damaged or write-protected; or
    whether this machine does not write (`tournaments.models.spare`).
    """
    if isinstance(error, MayNotWrite):
        return True
    cause = error.__cause__ or error
    if name := getattr(cause, "sqlite_errorname", ""):
        return str(name).startswith(("SQLITE_FULL", "SQLITE_READONLY", "SQLITE_IOERR", "SQLITE_CANTOPEN"))
    return getattr(cause, "sqlstate", None) in {
        "53100",
        "58030",
        "25006",
    }  # full, an error of the disk, read-only
