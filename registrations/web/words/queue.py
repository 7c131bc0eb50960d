"""Words of the organiser's queue."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from base.reader import READER
from registrations.machine import State
from registrations.models import Registration

SHORT = timedelta(hours=12)
"""A mail about an offer that ends earlier may be read too late."""

PILES = {
    "check": pgettext_lazy("list of registrations", "To check"),
    "fine": pgettext_lazy("list of registrations", "All fine"),
    "changed": pgettext_lazy("list of registrations", "Changed since accepted"),
    "listed": pgettext_lazy("list of registrations", "Other data in the rating list"),
    "unlisted": pgettext_lazy("list of registrations", "Accepted, but not playing"),
    "waiting": pgettext_lazy("list of registrations", "Waiting list"),
    "player": pgettext_lazy("list of registrations", "The player must act"),
    "owed": pgettext_lazy("list of registrations", "Fee owed"),
    "repay": pgettext_lazy("list of registrations", "To repay"),
    "unwritten": pgettext_lazy("list of registrations", "First mail not sent"),
    "mail": pgettext_lazy("list of registrations", "Mail failed"),
    "accepted": pgettext_lazy("list of registrations", "Accepted"),
    "over": pgettext_lazy("list of registrations", "Withdrawn, refused, expired"),
    "all": pgettext_lazy("list of registrations", "All"),
}
SORTS = {"time": _("by time"), "name": _("by name"), "rating": _("by rating"), "owed": _("by money owed")}


def to_telephone(ones: Iterable[Registration]) -> str:
    """Say whom to telephone, because the offer ends before a mail is surely read; "" for nobody."""
    soon = timezone.now() + SHORT
    names = [one.name for one in ones if one.state == State.OFFERED and one.deadline and one.deadline < soon]
    if not names:
        return ""
    sentence = gettext("Round 1 begins soon, so the offer ends in less than 12 hours. Telephone %(names)s.")
    return sentence % {"names": READER.listed(names, longest=10)}
