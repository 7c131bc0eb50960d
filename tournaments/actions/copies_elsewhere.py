"""Copies of whole events in another place, such as a mounted share."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from django.utils import timezone

from tournaments.copy_format import state_in_head
from tournaments.exports.section_copy import event_file, event_state
from tournaments.models import Event

from .backups import write_whole

KEEP = 30
HEAD = 4_096  # bytes of a file that are enough to read its state


@dataclass(frozen=True, slots=True)
class Copied:
    """The newest copy of an event. written: False if the event has not changed since that copy."""

    path: Path
    written: bool


def copy_event(event: Event, directory: Path, keep: int = KEEP) -> Copied:
    """Write a copy unless the event has not changed since its newest one, and delete old ones.

    Raises OSError, DatabaseError.
    """
    there = copies_of(directory, event)
    if there and _state_of(there[0]) == event_state(event):
        return Copied(there[0], written=False)
    now = timezone.now().astimezone(UTC)
    data = event_file(event, compressed=True)
    path = write_whole(directory / f"{event.slug}-{now:%Y%m%dT%H%M%S%fZ}.json.gz", data)
    for old in copies_of(directory, event)[keep:]:
        old.unlink(missing_ok=True)
    return Copied(path, written=True)


def _state_of(path: Path) -> str:
    with path.open("rb") as file:
        return state_in_head(file.read(HEAD))


def copies_of(directory: Path, event: Event) -> list[Path]:
    """Return the copies of an event, newest first; last those that a wrong clock has dated later than now."""
    now = f"{event.slug}-{timezone.now().astimezone(UTC):%Y%m%dT%H%M%S%fZ}.json.gz"
    name = re.compile(re.escape(event.slug) + r"-\d{8}T\d{12}Z\.json\.gz")
    try:
        found = [path for path in directory.iterdir() if name.fullmatch(path.name)]
    except FileNotFoundError:
        return []
    return sorted(found, key=lambda path: (path.name <= now, path.name), reverse=True)
