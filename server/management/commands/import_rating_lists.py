"""`manage.py import_rating_lists [FILE]`: fetch and import the rating lists that wait, or one file."""

from __future__ import annotations

import os
import shutil
from argparse import ArgumentParser
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ratings.actions.fetching import fetch_due
from ratings.actions.importing import import_list, import_waiting, renew_outdated
from ratings.actions.offering import new_file, path_of, use_list
from ratings.models import RatingList
from tournaments.actions import chores, rating_lists
from tournaments.actions.chores import be_gentle
from tournaments.actions.ledger import Actor
from tournaments.errors import DomainError
from web.words.rating_lists import doubts_of, refused_list, step_of
from web.words.refusals import explain

LEASE = timedelta(minutes=10)


class Command(BaseCommand):
    help = (
        "Import the rating lists that wait for it, after fetching those that the program keeps up to date. With FILE: "
        "import a list of FIDE (TXT or XML, zipped or not) and show the progress."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", type=Path, metavar="FILE")
        parser.add_argument(
            "--kind", default="", choices=["", "standard", "rapid", "blitz"], help="of a list with one rating"
        )
        parser.add_argument("--month", default="", metavar="YYYY-MM", help="if the file does not say it")
        parser.add_argument(
            "--agree", action="store_true", help="use the list even if the checks find something odd"
        )
        parser.add_argument("--gently", action="store_true", help="run with low priority")

    def handle(self, *, file: Path | None = None, gently: bool = False, **options: Any) -> None:
        if gently:
            be_gentle()
        if file is None:
            import_waiting()  # first, because a server may be slow
            if fetch_due():
                import_waiting()
            renew_outdated()
            return
        holder = f"command-{os.getpid()}"
        if not chores.take_chore(chores.RATING_LISTS, holder, LEASE):
            raise CommandError("The server is importing a list. Import this one when it has finished.")
        try:
            self._import(file, holder, **options)
        finally:
            chores.give_back_chore(chores.RATING_LISTS, holder)

    def _import(self, file: Path, holder: str, **options: Any) -> None:
        token = new_file()
        try:
            shutil.copyfile(file, path_of(token))
            listing = rating_lists.take_list(
                actor=Actor.command(),
                file=token,
                file_name=file.name,
                kind=options["kind"],
                period=options["month"],
            )
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from error
        except DomainError as error:
            raise CommandError(f"{file}: {explain(error)}") from error

        def show(now: RatingList) -> None:
            chores.take_chore(chores.RATING_LISTS, holder, LEASE)
            if options["verbosity"] > 0:
                self.stdout.write(f"{now.progress / 10:5.1f} %  {step_of(now)} {now.rows}", ending="\r")

        made = import_list(listing.pk, show)
        if made is None:
            raise CommandError("Somebody removed the list.")
        if made.problem:
            raise CommandError(f"{file}: {refused_list(made.problem['code'], made.problem['params'])}")
        if made.state == RatingList.State.ASKING:
            doubts = " ".join(doubts_of(made))
            if not options["agree"]:
                raise CommandError(f"{doubts} Answer on the page Rating lists.")
            use_list(made.pk)
        if options["verbosity"] > 0:
            self.stdout.write(f"{made.label}: {made.rows} players, {made.bad} lines not read.          ")
