"""`manage.py send_webhooks`: tell other programs what was published. The server calls it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.actions.background import be_gentle
from tournaments.actions.webhook_sending import send_webhooks


class Command(BaseCommand):
    help = "Send the messages to webhooks that are due."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--gently", action="store_true", help="run with low priority")

    def handle(self, *, gently: bool = False, **options: Any) -> None:
        if gently:
            be_gentle()
        arrived = send_webhooks()
        if options["verbosity"] > 0:
            self.stdout.write(f"{arrived} messages sent")
