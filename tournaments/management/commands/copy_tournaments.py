"""`manage.py copy_tournaments DIR`: write a copy of every event to a directory, for cron or the Task Scheduler."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from datetime import UTC
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from tournaments.actions.backups import write_whole
from tournaments.copy_format import checksum_said
from tournaments.exports.section_copy import event_file
from tournaments.models import Event

KEEP = 30


class Command(BaseCommand):
    help = (
        "Write a copy of every event with all its sections to a directory, one compressed file each. An event that "
        "has not changed since its newest copy is not written again. The exit code is 1 if a copy failed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "directory", type=Path, metavar="DIR", help="the directory; it is made if it does not exist"
        )
        parser.add_argument(
            "--event", action="append", metavar="ADDRESS", help="copy only this event; may be repeated"
        )
        parser.add_argument(
            "--keep",
            type=int,
            default=KEEP,
            metavar="N",
            help=f"keep the newest N copies of each event (default: {KEEP})",
        )

    def handle(self, *, directory: Path, keep: int, event: list[str] | None = None, **options: Any) -> None:
        if keep < 1:
            raise CommandError("--keep must be 1 or more.")
        events = list(Event.objects.order_by("slug"))
        if event is not None:
            if unknown := set(event) - {found.slug for found in events}:
                raise CommandError(f"No such event: {', '.join(sorted(unknown))}.")
            events = [found for found in events if found.slug in event]
        failed = 0
        for each in events:
            try:
                said = _copied(each, Path(directory), keep)
            except (OSError, DatabaseError) as error:
                failed += 1
                self.stderr.write(f"{each.slug}: {error}")
            else:
                if options["verbosity"] > 0:
                    self.stdout.write(f"{each.slug}: {said}")
        if failed:
            raise CommandError(f"{failed} of {len(events)} events could not be copied.")


def _copied(event: Event, directory: Path, keep: int) -> str:
    """Write the copy, delete old ones, and return what was done as text. Raises OSError, DatabaseError."""
    data = event_file(event, compressed=True)
    there = _copies_in(directory, event)
    if there and checksum_said(there[0].read_bytes()) == checksum_said(data):
        return f"not changed since {there[0].name}"
    now = timezone.now().astimezone(UTC)
    path = write_whole(directory / f"{event.slug}-{now:%Y%m%dT%H%M%S%fZ}.json.gz", data)
    for old in _copies_in(directory, event)[keep:]:
        old.unlink(missing_ok=True)
    return f"{path.name}, {len(data)} bytes"


def _copies_in(directory: Path, event: Event) -> list[Path]:
    """Return the copies of an event, newest first."""
    name = re.compile(re.escape(event.slug) + r"-\d{8}T\d{12}Z\.json\.gz")
    try:
        return sorted((path for path in directory.iterdir() if name.fullmatch(path.name)), reverse=True)
    except FileNotFoundError:
        return []
