"""`manage.py prove_copies`: prove by a test restore that the stored copies can be loaded."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.actions.chores import be_gentle
from tournaments.actions.restore_tests import all_unproved, prove_copy
from web.words.copies import fault_sentence

MOST = 1_000


class Command(BaseCommand):
    help = (
        "Load each stored copy that was not proved yet into an empty database in memory, and compare every row. The "
        "exit code is 1 if a copy cannot be restored."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--most", type=int, default=MOST, metavar="N", help=f"at most so many copies (default: {MOST})"
        )
        parser.add_argument(
            "--sections", type=int, nargs="+", default=[], metavar="KEY", help="only copies of these sections"
        )
        parser.add_argument("--gently", action="store_true", help="run with low priority")

    def handle(self, *, most: int, sections: list[int], gently: bool = False, **options: Any) -> None:
        if gently:
            be_gentle()
        failed = 0
        for (section, copy), _ in zip(all_unproved(sections), range(most), strict=False):
            proof = prove_copy(section, copy)
            line = f"{section.event.slug}/{section.slug}/{copy.name}: {fault_sentence(proof.fault, proof.detail)}"
            if proof.fault:
                failed += 1
                self.stderr.write(line)
            elif options["verbosity"] > 0:
                self.stdout.write(line)
        if failed:
            raise CommandError(f"{failed} copies cannot be restored.")
