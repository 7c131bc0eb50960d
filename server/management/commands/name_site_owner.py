"""`manage.py name_site_owner LOGIN`: make a login a site owner, if an installation has lost its own."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.actions.ledger import Actor
from tournaments.actions.site import name_site_owner
from tournaments.errors import DomainError
from web.words.refusals import explain


class Command(BaseCommand):
    help = "Make a login a site owner: it can then choose on the page Site who may make events and logins."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("login", metavar="LOGIN")

    def handle(self, *, login: str, **_options: Any) -> None:
        try:
            user = name_site_owner(actor=Actor.command(), username=login)
        except DomainError as error:
            raise CommandError(explain(error)) from error
        self.stdout.write(f"{user.username} is a site owner.")
