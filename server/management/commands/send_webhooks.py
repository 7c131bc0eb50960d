"""`manage.py send_webhooks`: tell other programs what has changed, and organisers which webhook has ended by itself.

The server calls it.
"""

from __future__ import annotations

import logging
from argparse import ArgumentParser
from smtplib import SMTPException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.management.base import BaseCommand
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from registrations.web.words.mails import footer_of
from tournaments.actions.chores import be_gentle
from tournaments.actions.programs import send_webhooks
from tournaments.models import EventRole, User, Webhook
from web.languages import for_logins
from web.login_mail import AUTOMATIC

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Send the messages to webhooks that are due."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--gently", action="store_true", help="run with low priority")

    def handle(self, *, gently: bool = False, **options: Any) -> None:
        if gently:
            be_gentle()
        arrived = send_webhooks()
        tell_organisers()
        if options["verbosity"] > 0:
            self.stdout.write(f"{arrived} messages sent")


def tell_organisers() -> None:
    """Send a mail about each webhook that has ended by itself to the organisers of its event, once."""
    for webhook in Webhook.objects.filter(told_at=None).exclude(ended="").select_related("event"):
        if not Webhook.objects.filter(pk=webhook.pk, told_at=None).update(told_at=timezone.now()):
            continue
        owners = EventRole.objects.filter(event=webhook.event_id, role=EventRole.Role.OWNER, section=None)
        people = User.objects.filter(pk__in=owners.values("user"), is_active=True).exclude(email="")
        for person in people if settings.MAIL_IS_SET_UP else ():
            try:
                _mail(webhook, person)
            except (OSError, SMTPException):  # the page Webhooks says it too
                logger.exception("A mail about a webhook that has ended was not sent.")


def _mail(webhook: Webhook, person: User) -> None:
    with override(for_logins(person.language or settings.LANGUAGE_CODE)):
        page = reverse("tournaments:webhooks", args=[webhook.event.slug])
        context = {"webhook": webhook, "event": webhook.event, "page": f"{settings.PUBLIC_URL}{page}"}
        text = render_to_string("staff/webhook_messages_mail.txt", context).strip()
        body = f"{text}\n\n{footer_of(webhook.event)}"
        subject = _("%(event)s: a webhook has ended") % {"event": webhook.event.name}
        EmailMessage(subject, body, None, [person.email], headers=AUTOMATIC).send()
