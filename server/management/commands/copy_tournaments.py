"""`manage.py copy_tournaments DIR`: write a copy of every event and of the site, for cron or the Task Scheduler."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from server.site_copies import copy_site
from tournaments.actions.chores import be_gentle
from tournaments.actions.restore_tests import prove_event_copy
from tournaments.actions.stored_copies import EVENT_COPIES_KEPT, Copied, copy_event, event_copies, sweep
from tournaments.files.copy_writing import event_states
from tournaments.models import Event
from tournaments.models.events import EventState
from web.words.copies import fault_sentence


class Command(BaseCommand):
    help = (
        "Write a copy of every event with all its sections to a directory, one compressed file each. An event that "
        "has not changed since its newest copy is not written again. Once an hour, write a copy of the whole site too, "
        "sealed with SECRET_KEY. The exit code is 1 if a copy failed."
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
            default=EVENT_COPIES_KEPT,
            metavar="N",
            help=f"keep the newest N copies of each event (default: {EVENT_COPIES_KEPT})",
        )

        parser.add_argument(
            "--must-exist", action="store_true", help="fail if the directory does not exist, such as a stick"
        )
        parser.add_argument(
            "--prove",
            action="store_true",
            help="restore each new copy on trial, and fail if it cannot be restored",
        )
        parser.add_argument("--gently", action="store_true", help="run with low priority")

    def handle(self, *, directory: Path, keep: int, event: list[str] | None = None, **options: Any) -> None:
        if options.get("gently"):
            be_gentle()
        _refuse(directory, keep, must_exist=bool(options.get("must_exist")))
        events = Event.objects.exclude(state=EventState.DELETED).order_by("slug")
        if event is not None:
            events = events.filter(slug__in=event)
            if unknown := set(event) - {found.slug for found in events}:
                raise CommandError(f"No such event: {', '.join(sorted(unknown))}.")
        try:
            sweep(Path(directory))
            there = event_copies(Path(directory))
        except OSError as error:
            raise CommandError(f"{directory}: {error.strerror}") from error
        failed, states = 0, event_states(events)
        for each in events:
            try:
                copied = copy_event(
                    each,
                    Path(directory),
                    keep,
                    state=states.get(each.pk, ""),
                    there=there.get(each.slug, []),
                )
                if copied.written and options.get("prove"):
                    _prove(copied.path)
            except (OSError, DatabaseError) as error:
                failed += 1
                reason = error.strerror if isinstance(error, OSError) else None
                self.stderr.write(f"{each.slug}: {reason or error}")
            else:
                if options["verbosity"] > 0:
                    self.stdout.write(f"{each.slug}: {_line_of(copied)}")
        copied_site = event is not None or self._copy_site(Path(directory), options["verbosity"])
        if failed:
            raise CommandError(f"{failed} of {len(events)} events could not be copied.")
        if not copied_site:
            raise CommandError("The site could not be copied.")

    def _copy_site(self, directory: Path, verbosity: int) -> bool:
        try:
            copied = copy_site(directory)
        except (OSError, DatabaseError) as error:
            self.stderr.write(f"site: {error}")
            return False
        if copied and verbosity > 0:
            self.stdout.write(f"site: {copied.name}, {copied.stat().st_size} bytes")
        return True


def _refuse(directory: Path, keep: int, *, must_exist: bool) -> None:
    if keep < 1:
        raise CommandError("--keep must be 1 or more.")
    if must_exist and not Path(directory).is_dir():
        raise CommandError(f"the directory {directory} does not exist")


def _prove(path: Path) -> None:
    """Make a test restore of the copy. A copy that fails is left, so that somebody can look at it. Raises OSError."""
    fault, detail = prove_event_copy(path)
    if fault:
        raise OSError(f"{path.name} cannot be restored: {fault_sentence(fault, detail)}")


def _line_of(copied: Copied) -> str:
    name = copied.path.name
    return f"{name}, {copied.path.stat().st_size} bytes" if copied.written else f"not changed since {name}"
