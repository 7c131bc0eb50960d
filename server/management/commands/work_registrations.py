"""`manage.py work_registrations`: what is due for registrations: states that run out, free places, mails, rating lists.

The server calls it.
"""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from registrations.actions.clock import move_lists, run_clock
from registrations.actions.list_news import compare_with_lists
from registrations.actions.mails import remind, send_mails
from registrations.web.words.mails import compose
from tournaments.actions.chores import be_gentle, sure_now


class Command(BaseCommand):
    help = "End what has run out, offer free places, send the mails that are due, and compare with new rating lists."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--gently", action="store_true", help="run with low priority")

    def handle(self, *, gently: bool = False, **options: Any) -> None:
        if gently:
            be_gentle()
        now = sure_now()
        ended, offered = run_clock(now), move_lists(now)
        remind(now)
        sent = send_mails(compose)
        compared = compare_with_lists()
        if options["verbosity"] > 0:
            self.stdout.write(
                f"{ended} run out, {offered} places offered, {sent} mails sent, {compared} sections compared"
            )
