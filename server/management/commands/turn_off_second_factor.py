"""`manage.py turn_off_second_factor NAME`: for a person whose phone and recovery codes are lost."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext_lazy

from tournaments.actions.logins import second_factor
from tournaments.models import User
from web.login_mail import mail_change_at_server


class Command(BaseCommand):
    help = (
        "Turn off the second factor of a login, because the phone and the recovery codes are lost. "
        "First make sure that the right person asks. The password stays as it is."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", metavar="NAME")

    def handle(self, *, username: str, **_options: Any) -> None:
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"No such login: {username}.")
        if not second_factor.is_on(user):
            raise CommandError(f"{username} has no second factor.")
        second_factor.turn_off(user)
        mail_change_at_server(
            user, gettext_lazy("The second factor is off. Your password is enough to log in.")
        )
        self.stdout.write(f"{username} now logs in with the password alone.")
