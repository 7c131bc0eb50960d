"""`manage.py go_on_here`: let this machine write, and the other one stop; also after PostgreSQL was promoted."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from tournaments.actions.ledger import Actor
from tournaments.actions.spare import go_on_here, next_term, take_over
from tournaments.models.spare import guard


class Command(BaseCommand):
    help = "Raise the term of this machine: it accepts changes, and another one stops when it learns of it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--promoted",
            metavar="ADDRESS",
            help="the database is a standby that was promoted; the address of the first server",
        )

    def handle(self, *, promoted: str | None = None, **_options: Any) -> None:
        guard.load()
        if promoted is None:
            go_on_here(actor=Actor.command())
        else:
            now = timezone.now().isoformat()
            take_over(term=next_term(guard.heard), state=now, peer=promoted.rstrip("/"))
        self.stdout.write(
            f"This machine writes with the term {guard.term.number}. A server that runs here notices it in seconds."
        )
