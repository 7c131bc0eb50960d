"""`manage.py restore DIR`: fill an empty database with what a directory of copies has."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from server.database import refuse_unusable
from server.site_copies import NotRestored, restore
from tournaments.models import Event, User


class Command(BaseCommand):
    help = (
        "Fill an empty database with what a directory of copies has (BACKUP_TO, copy_tournaments): the newest copy of "
        "the site, and each event whose own copy is newer. SECRET_KEY must be that of the lost server."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory", type=Path, metavar="DIR")
        parser.add_argument(
            "--without-damaged",
            action="store_true",
            help="restore also if files of events in the copy of the site are missing or damaged: these events then "
            "come from their own copies, as new events",
        )

    def handle(self, *, directory: Path, **options: Any) -> None:
        refuse_unusable()
        try:
            done = restore(Path(directory), without_damaged=bool(options.get("without_damaged")))
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}. Nothing was restored.") from error
        except NotRestored as error:
            raise CommandError(str(error)) from error
        for name, reason in done.left.items():
            self.stderr.write(f"Not restored: {name}: {reason}")
        if done.site:
            self.stdout.write(f"Restored: the site as it was at {done.made_at}, from {done.site.name}.")
        for name, event in done.events.items():
            self.stdout.write(f"Restored: {event.name}, as a new event /{event.slug}/, from {name}.")
        if not (done.site or done.events):
            raise CommandError(f"{directory} has no copy that can be restored.")
        self.stdout.write(f"There are {Event.objects.count()} events and {User.objects.count()} logins.")
        if not done.site:
            self.stdout.write(
                "Without a copy of the site there are no logins. Make one: manage.py createsuperuser"
            )
        self.stdout.write(
            "Not in the copies: sessions (everybody logs in again), rating lists (they are fetched or imported again), "
            "and the copies of sections in BACKUP_DIR."
        )
