"""`manage.py play_rehearsals`: let the clocks of rehearsals type slips while they run. The server calls it."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.actions.chores import be_gentle
from tournaments.actions.rehearsal_clock import rehearsals_run, tick

EVERY = 1.0
"""Seconds between two looks: at x100 less than two minutes of a game."""
LONGEST = 600.0
"""Seconds until the server starts the command again."""


class Command(BaseCommand):
    help = "Let the clocks of rehearsals run: results come in, and whatever else was chosen happens."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--gently", action="store_true", help="run with low priority")

    def handle(self, *, gently: bool = False, **_options: Any) -> None:
        if gently:
            be_gentle()
        ends = time.monotonic() + LONGEST
        while rehearsals_run() and time.monotonic() < ends:
            tick()
            time.sleep(EVERY)
