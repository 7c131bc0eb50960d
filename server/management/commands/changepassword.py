"""`manage.py changepassword NAME`: Django's own, which also ends what the login has opened and tells the person."""

from __future__ import annotations

import getpass
from typing import Any

from django.contrib.auth.management.commands import changepassword
from django.core.management.base import CommandParser
from django.utils.translation import gettext_lazy

from tournaments.actions.ledger import Actor
from tournaments.actions.logins import end_all_access
from tournaments.models import User
from tournaments.models.log import COMMAND
from tournaments.queries.programs import NO_ACCESS, opened_by
from web.forms.logins import opened_words
from web.login_mail import mail_change_at_server


class Command(changepassword.Command):
    help = (
        "Set a new password for a login. Its sessions end, and so do its access tokens, its open invitations and its "
        "links for passwords of others. The person is told by mail."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--keep",
            action="store_true",
            help="Keep access tokens, invitations and links for passwords of others.",
        )

    def handle(self, *args: Any, keep: bool, **options: Any) -> None:
        self.stdout.write(super().handle(*args, **options) or "")
        user = User.objects.get(username=options["username"] or getpass.getuser())
        ended = NO_ACCESS if keep else opened_by(user).counts()
        end_all_access(actor=Actor(user, COMMAND), user=user, keep=keep)
        if words := opened_words(ended):
            self.stdout.write(f"This change also ended: {words}.")
        mail_change_at_server(user, gettext_lazy("Your password was changed."), ended=ended)
