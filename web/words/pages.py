"""What the pages of an event are called where other people read who has them open."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

PAIRINGS = pgettext_lazy("a tab", "Pairings")
STANDINGS = pgettext_lazy("a tab", "Standings")
ARO = pgettext_lazy("a tab", "ARO list")
WHY = _("Why this pairing? Round %(number)s")
PAGES: Mapping[str, Promise] = {
    "cockpit": _("Cockpit"),
    **dict.fromkeys(("enter-results", "board-result"), _("Results, round %(n)s")),
    **dict.fromkeys(("absent", "results"), _("Results")),
    **dict.fromkeys(
        ("entries", "add-entry", "edit-entry", "decide-points", "leave", "personal-data"), _("Entries")
    ),
    "equal-ratings": _("Order of equal ratings"),
    **dict.fromkeys(("import", "import-check"), _("Import of entries")),
    "section-lists": _("Rating lists"),
    "byes": _("Byes"),
    "absences": _("Absences"),
    "check-in": _("Check-in"),
    **dict.fromkeys(("documents", "print", "older-format"), _("Documents")),
    "rating-report": _("Report for rating"),
    "rating-changes": _("Rating changes"),
    "norms": _("Title norms"),
    "close": _("End of the section"),
    **dict.fromkeys(("log", "log-check", "undo"), _("Log")),
    "restore": _("Back to before round %(n)s"),
    "copies": _("Copies"),
    "settings": _("Settings"),
    **dict.fromkeys(("ratings", "period-ratings"), _("Ratings")),
    **dict.fromkeys(("tie-breaks", "tie-values"), _("Tie-breaks")),
    **dict.fromkeys(("prizes", "edit-prizes"), _("Prizes")),
    **dict.fromkeys(("forbidden-pairs", "forbidden-pair"), _("Forbidden pairs")),
    "lots": _("Drawing of lots"),
    "fide-mode": _("FIDE mode"),
    **dict.fromkeys(("by-hand", "by-hand-end"), _("Round %(number)s by hand")),
    **dict.fromkeys(("corrections", "correct"), _("Corrections, round %(number)s")),
    **dict.fromkeys(("why", "why-player", "explained", "explained-board", "work-out"), WHY),
    "compare": _("Compare systems, round %(number)s"),
    **dict.fromkeys(("fairness", "fairness-compare", "fairness-sheet"), _("Fairness")),
    **dict.fromkeys(("screens", "hall-screens", "hall-screen"), _("Screens")),
    "other-sites": _("For other web sites"),
    "edit-event": _("Edit event"),
    "people": _("People"),
    **dict.fromkeys(("event-rating-lists", "event-rating-list-columns"), _("Rating lists of this event")),
    "programs": _("Programs"),
    "webhooks": _("Webhooks"),
    **dict.fromkeys(
        ("new-section", "new-section-step", "copy-section", "new-section-from-report"), _("New section")
    ),
    **dict.fromkeys(("registrations", "registration", "upload-registrations"), _("Registrations")),
    "late-players": _("Players after round 1"),
    **dict.fromkeys(("registration-settings", "registration-mail"), _("Registration")),
    **dict.fromkeys(("registration-desk", "not-ready"), _("Desk")),
    **dict.fromkeys(("pairings", "names"), PAIRINGS),
    **dict.fromkeys(("standings", "sums"), STANDINGS),
    **dict.fromkeys(("published", "published-edition"), _("Published standings")),
    **dict.fromkeys(("aro", "aro-edition"), ARO),
    "crosstable": _("Crosstable"),
    "all-rounds": _("All rounds"),
    **dict.fromkeys(("players", "player"), _("Players")),
    "rules": _("Rules"),
    "statistics": _("Statistics"),
}
"""By the name in the URL configuration. A page without a name here is shown to nobody."""


def page_words(name: str, number: int | None) -> str:
    """Return what a page is called, with its round. `name` is in PAGES."""
    return str(PAGES[name]) % {"number": number, "n": number}
