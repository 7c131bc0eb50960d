"""`manage.py erase_registration 12`: erase a person who registered and has no entry. An entry has its own page."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from registrations.actions.erasing import erase_registration
from tournaments.actions.ledger import Actor
from tournaments.errors import DomainError


class Command(BaseCommand):
    help = "Erase what a registration says about a person."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("registration", type=int, help="the number of the registration")

    def handle(self, *, registration: int, **options: Any) -> None:
        try:
            erase_registration(registration_id=registration, actor=Actor.command())
        except DomainError as error:
            raise CommandError(f"There is no registration {registration}.") from error
        if options["verbosity"] > 0:
            self.stdout.write(f"Registration {registration} is erased.")
