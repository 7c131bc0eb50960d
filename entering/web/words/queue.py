"""Words of the organiser's queue."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

PILES = {
    "check": pgettext_lazy("pile", "To check"),
    "fine": pgettext_lazy("pile", "All fine"),
    "changed": pgettext_lazy("pile", "Changed since accepted"),
    "listed": pgettext_lazy("pile", "Other data in the rating list"),
    "unlisted": pgettext_lazy("pile", "Accepted without an entry"),
    "waiting": pgettext_lazy("pile", "Waiting list"),
    "player": pgettext_lazy("pile", "The player must act"),
    "owed": pgettext_lazy("pile", "Fee owed"),
    "repay": pgettext_lazy("pile", "To repay"),
    "unwritten": pgettext_lazy("pile", "First mail not sent"),
    "mail": pgettext_lazy("pile", "Mail failed"),
    "accepted": pgettext_lazy("pile", "Accepted"),
    "over": pgettext_lazy("pile", "Withdrawn, refused, expired"),
    "all": pgettext_lazy("pile", "All"),
}
SORTS = {"time": _("by time"), "name": _("by name"), "rating": _("by rating"), "owed": _("by money owed")}
