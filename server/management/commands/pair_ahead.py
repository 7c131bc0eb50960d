"""`manage.py pair_ahead`: prepare the next rounds for which arbiters asked. The server calls it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from pairing.ahead import prepare_all
from tournaments.actions.chores import be_gentle


class Command(BaseCommand):
    help = "Pair the rounds that arbiters asked for, for each combination of the results that are open."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--gently", action="store_true", help="run with low priority")

    def handle(self, *, gently: bool = False, **options: Any) -> None:
        if gently:
            be_gentle()
        made = prepare_all()
        if options["verbosity"] > 0:
            self.stdout.write(f"{made} rounds prepared")
