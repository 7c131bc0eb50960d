"""Which buttons the bar of the queue has: the usual ones of each list, the others under More."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from registrations.web.staff.access import DECISION_WORDS

BAR = {
    "changed": ("wait", "withdraw"),
    "listed": ("listed", "leave"),
    "unlisted": ("enter", "withdraw"),
    "waiting": ("offer", "accept"),
    "owed": ("withdraw",),
    "repay": ("reopen",),
    "unwritten": ("write", "accept"),
    "mail": ("mail",),
    "accepted": ("withdraw", "wait"),
    "over": ("reopen",),
}
"""By list. The others have Accept."""
REASON = ("check", "fine", "player", "waiting", "unwritten", "all")
"""Lists with people who can be refused or asked to correct something."""
REST = ("accept", "wait", "offer", "reopen", "withdraw", "price", "check")
WORDS = {**DECISION_WORDS, "mail": _("Send the mails again")}


def buttons(pile: str) -> dict[str, Any]:
    """Return the buttons of the bar, and of those under More, with their words."""
    bar = BAR.get(pile, ("accept",))
    return {
        "bar": [(name, WORDS[name]) for name in bar],
        "rest": [(name, WORDS[name]) for name in REST if name not in bar],
        "reason_in_bar": pile in REASON,
    }
