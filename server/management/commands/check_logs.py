"""`manage.py check_logs`: check the seals of the logs, and print the newest seal of each."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.hash_chain import check_event, check_section
from tournaments.models import Event
from web.words.log import CheckWords, check_words


class Command(BaseCommand):
    help = (
        "Check that no row of a log was changed, added or removed outside the program, and print the newest seal of "
        "each log. The exit code is 1 if a row does not fit."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--event", metavar="ADDRESS", help="check only this event and its sections")

    def handle(self, *, event: str | None = None, **options: Any) -> None:
        events = Event.objects.order_by("slug")
        if event is not None:
            events = events.filter(slug=event)
            if not events.exists():
                raise CommandError(f"No such event: {event}.")
        faults = 0
        for check in (check for one in events for check in _checks(one)):
            if not check.fits:
                faults += 1
                self.stderr.write(f"{check.title}: {check.result} {check.meaning}")
            elif options["verbosity"] > 0:
                self.stdout.write(f"{check.title}: {check.result} {check.whole}")
        if faults:
            raise CommandError(f"{faults} of the logs do not fit their seals.")


def _checks(event: Event) -> Iterator[CheckWords]:
    yield check_words(check_event(event), event.slug)
    for section in event.sections.order_by("pk"):
        yield check_words(check_section(section), f"{event.slug}/{section.slug}")
