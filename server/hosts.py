"""What all processes of a site must have in common, and which of them differs.

Each process notes once a minute, in its row of `Chore`, the name of its keys and a keyed hash of each other setting,
from which nobody can work out the setting. Two processes with different keys on one database log people out at random.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import salted_hmac

from evenboard_engine import VERSION
from tournaments.copy_format import key_name
from tournaments.models import Chore

PROCESS = "process "
"""Begins the name of the row of a process. asked_at, done_at: its first and last note, by the clock of the database.
error_at: the last one by the clock of its host. place: what must be common.
"""
NOTES = 60.0  # seconds between two notes
SEEN = timedelta(minutes=3)  # a process without a note for so long has ended
KEPT = timedelta(hours=1)
UPGRADE = timedelta(hours=1)  # for so long, two versions may serve one site
CLOCKS = timedelta(seconds=10)
LETTERS = 8  # of each hash
FALLBACKS = 4


@dataclass(frozen=True, slots=True)
class Noted:
    """What a process has noted. late: by how much its clock is before that of the database."""

    host: str
    number: int
    since: datetime
    seen: datetime
    late: timedelta
    common: dict[str, Any]

    def meets(self, other: Noted) -> bool:
        """Return whether both served at the same time: one that ended before the other one began disturbs nobody."""
        return self.since <= other.seen and other.since <= self.seen


def note_process(holder: str) -> None:
    """Note what this process has. holder: its host, its number, and what only this start has. One query."""
    name = f"{PROCESS}{holder.rpartition('-')[2]}"
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS[:FALLBACKS]]
    common = {
        "keys": [key_name(key)[:LETTERS] for key in keys],
        "version": VERSION,
        **{each: salted_hmac(each, repr(value)).hexdigest()[:LETTERS] for each, value in _settings().items()},
    }
    noted = {
        "done_at": Now(),
        "error_at": timezone.now(),
        "place": json.dumps(common, separators=(",", ":")),
    }
    if not Chore.objects.filter(name=name).update(**noted):
        Chore.objects.create(name=name, holder=holder, asked_at=Now(), **noted)
        Chore.objects.filter(name__startswith=PROCESS, done_at__lt=Now() - KEPT).delete()


def _settings() -> dict[str, Any]:
    """Return the settings that must be common, beside SECRET_KEY, under the names by which they are set."""
    return {
        "CACHE_URL": settings.CACHES["default"].get("LOCATION"),
        "EMAIL_URL": (
            settings.MAIL_IS_SET_UP,
            settings.EMAIL_HOST,
            settings.EMAIL_PORT,
            settings.EMAIL_HOST_USER,
        ),
        **{
            name: getattr(settings, name)
            for name in ("BACKUP_TO", "HTTPS", "PUBLIC_URL", "PUSH_KEY", "TIME_ZONE")
        },
    }


def processes() -> list[Noted]:
    """Return the processes that serve this site now, by host. One query."""
    rows = Chore.objects.filter(name__startswith=PROCESS, done_at__gt=Now() - SEEN).order_by("holder")
    return [
        Noted(host, int(number), row.asked_at, row.done_at, row.done_at - row.error_at, json.loads(row.place))
        for row in rows
        for host, number, _start in [row.holder.rsplit("-", 2)]
        if row.asked_at and row.done_at and row.error_at
    ]


def differences(found: list[Noted]) -> dict[str, list[Noted]]:
    """Return what differs, with the processes that differ from most others, or with all if there is no majority."""
    names = dict.fromkeys(name for one in found for name in one.common if name != "keys")
    tests: dict[str, Callable[[Noted, Noted], bool]] = {
        "SECRET_KEY": _one_knows_the_key_of_the_other,
        **{name: _agree_on(name) for name in names},
        "clock": lambda one, other: abs(one.late - other.late) <= CLOCKS,
    }
    odd = {name: _odd(found, agree) for name, agree in tests.items()}
    return {name: ones for name, ones in odd.items() if ones}


def _odd(found: list[Noted], agree: Callable[[Noted, Noted], bool]) -> list[Noted]:
    against = [sum(one.meets(other) and not agree(one, other) for other in found) for one in found]
    fewest = min(filter(None, against), default=0)
    counted = list(zip(found, against, strict=True))
    return [one for one, count in counted if count > fewest] or [one for one, count in counted if count]


def _one_knows_the_key_of_the_other(one: Noted, other: Noted) -> bool:
    """While a key is replaced, one process has it among SECRET_KEY_FALLBACKS."""
    mine, theirs = one.common["keys"], other.common["keys"]
    return mine[0] in theirs or theirs[0] in mine


def _agree_on(name: str) -> Callable[[Noted, Noted], bool]:
    def agree(one: Noted, other: Noted) -> bool:
        mine, theirs = one.common.get(name), other.common.get(name)
        if name == "version":
            return mine == theirs or max(one.seen, other.seen) - max(one.since, other.since) < UPGRADE
        # the hashes have the key in them, and an older version may not note this setting
        comparable = one.common["keys"][0] == other.common["keys"][0] and mine and theirs
        return not comparable or mine == theirs

    return agree
