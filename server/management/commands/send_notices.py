"""`manage.py send_notices`: tell the phones that asked for it that a round is published. The server calls it."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from tournaments.actions.chores import be_gentle
from tournaments.actions.notices import send_notices
from tournaments.models import NoticeSubscription
from web.languages import in_language


class Command(BaseCommand):
    help = "Send the notices of published rounds that are due."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--gently", action="store_true", help="run with low priority")

    def handle(self, *, gently: bool = False, **options: Any) -> None:
        if gently:
            be_gentle()
        arrived = send_notices(notice)
        if options["verbosity"] > 0:
            self.stdout.write(f"{arrived} notices sent")


def notice(to: NoticeSubscription, number: int) -> bytes:
    """Return the notice of a round, in the language of the visitor. The phone shows it as it is."""
    section = to.section
    page = reverse("tournaments:pairings", args=[section.event.slug, section.slug])
    with override(to.language or None):
        title = _("Round %(number)s is published") % {"number": number}
    body = f"{section.event.name} · {section.name}"
    return json.dumps(
        {
            "title": title,
            "body": body[:200],
            "url": in_language(page, to.language),
            "tag": f"section-{section.pk}",
        }
    ).encode()
