"""Words about people who run an event: what each role may do, their browsers, and the pages they have open."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from tournaments.models import EventRole

# The name of a browser in words, for the list of sessions.

# The first match counts: Edge and Opera also call themselves Chrome, and Chrome also calls itself Safari.
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def agent_words(agent: str) -> str:
    """Return words such as "Firefox on Windows" for what the browser says about itself."""
    browser = next((name for mark, name in BROWSERS if mark in agent), "")
    system = next((name for mark, name in SYSTEMS if mark in agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or _("Unknown browser")


# What the pages of an event are called where other people read who has them open.

PAIRINGS = pgettext_lazy("a tab", "Pairings")
STANDINGS = pgettext_lazy("a tab", "Standings")
ARO = pgettext_lazy("a tab", "ARO list")
WHY = gettext_lazy("Why this pairing? Round %(number)s")
PAGES: Mapping[str, Promise] = {
    "cockpit": gettext_lazy("Cockpit"),
    **dict.fromkeys(("enter-results", "board-result"), gettext_lazy("Results, round %(n)s")),
    **dict.fromkeys(("absent", "results"), gettext_lazy("Results")),
    **dict.fromkeys(
        ("entries", "add-entry", "edit-entry", "decide-points", "leave", "personal-data"),
        gettext_lazy("Entries"),
    ),
    "equal-ratings": gettext_lazy("Order of equal ratings"),
    **dict.fromkeys(("import", "import-check"), gettext_lazy("Import of entries")),
    "section-lists": gettext_lazy("Rating lists"),
    "byes": gettext_lazy("Byes"),
    "absences": gettext_lazy("Absences"),
    "check-in": gettext_lazy("Check-in"),
    **dict.fromkeys(("documents", "print", "older-format"), gettext_lazy("Documents")),
    "rating-report": gettext_lazy("Report for rating"),
    "rating-changes": gettext_lazy("Rating changes"),
    "norms": gettext_lazy("Title norms"),
    "close": gettext_lazy("End of the section"),
    **dict.fromkeys(("log", "log-check", "undo"), gettext_lazy("Log")),
    "restore": gettext_lazy("Back to before round %(n)s"),
    "copies": gettext_lazy("Copies"),
    "settings": gettext_lazy("Settings"),
    **dict.fromkeys(("ratings", "period-ratings"), gettext_lazy("Ratings")),
    **dict.fromkeys(("tie-breaks", "tie-values"), gettext_lazy("Tie-breaks")),
    **dict.fromkeys(("prizes", "edit-prizes"), gettext_lazy("Prizes")),
    **dict.fromkeys(("forbidden-pairs", "forbidden-pair"), gettext_lazy("Forbidden pairs")),
    "lots": gettext_lazy("Drawing of lots"),
    "fide-mode": gettext_lazy("FIDE mode"),
    **dict.fromkeys(("by-hand", "by-hand-end"), gettext_lazy("Round %(number)s by hand")),
    **dict.fromkeys(("corrections", "correct"), gettext_lazy("Corrections, round %(number)s")),
    **dict.fromkeys(("why", "why-player", "explained", "explained-board", "work-out"), WHY),
    "compare": gettext_lazy("Compare systems, round %(number)s"),
    **dict.fromkeys(("fairness", "fairness-compare", "fairness-sheet"), gettext_lazy("Fairness")),
    **dict.fromkeys(("screens", "hall-screens", "hall-screen"), gettext_lazy("Screens")),
    "other-sites": gettext_lazy("For other web sites"),
    "edit-event": gettext_lazy("Edit event"),
    "people": gettext_lazy("People"),
    **dict.fromkeys(
        ("event-rating-lists", "event-rating-list-columns"), gettext_lazy("Rating lists of this event")
    ),
    "programs": gettext_lazy("Programs"),
    "webhooks": gettext_lazy("Webhooks"),
    **dict.fromkeys(
        ("new-section", "new-section-step", "copy-section", "new-section-from-report"),
        gettext_lazy("New section"),
    ),
    **dict.fromkeys(("registrations", "registration", "upload-registrations"), gettext_lazy("Registrations")),
    "late-players": gettext_lazy("Players after round 1"),
    **dict.fromkeys(("registration-settings", "registration-mail"), gettext_lazy("Registration")),
    **dict.fromkeys(("registration-desk", "not-ready"), gettext_lazy("Desk")),
    **dict.fromkeys(("pairings", "names"), PAIRINGS),
    **dict.fromkeys(("standings", "sums"), STANDINGS),
    **dict.fromkeys(("published", "published-edition"), gettext_lazy("Published standings")),
    **dict.fromkeys(("aro", "aro-edition"), ARO),
    "crosstable": gettext_lazy("Crosstable"),
    "all-rounds": gettext_lazy("All rounds"),
    **dict.fromkeys(("players", "player"), gettext_lazy("Players")),
    "rules": gettext_lazy("Rules"),
    "statistics": gettext_lazy("Statistics"),
}
"""By the name in the URL configuration. A page without a name here is shown to nobody."""


def page_words(name: str, number: int | None) -> str:
    """Return what a page is called, with its round. `name` is in PAGES."""
    return str(PAGES[name]) % {"number": number, "n": number}


# What each role may do, in a sentence for the page People.

Role = EventRole.Role
MAY: Mapping[str, Promise] = {
    Role.OWNER: gettext_lazy(
        "Everything that organisers and chief arbiters may do, and owners name other owners."
    ),
    Role.ORGANISER: gettext_lazy(
        "Event, sections, people, registrations, entries, presence, and settings until round 1 is paired. No pairings "
        "and no results."
    ),
    Role.CHIEF: gettext_lazy(
        "Everything that an arbiter may do, and settings, corrections, the end of a section, invitations of arbiters "
        "and helpers, and registrations if the role is for the whole event."
    ),
    Role.ARBITER: gettext_lazy(
        "Entries, byes, presence, pairings, publication and results. Sees settings and the log."
    ),
    Role.CLERK: gettext_lazy(
        "Enters results of published rounds, and nothing else. The role may be limited to a range of boards."
    ),
    Role.CHECK_IN: gettext_lazy(
        "Notes who is present, and fees at the desk if the role is for the whole event."
    ),
    Role.VIEWER: gettext_lazy(
        "Sees the pages of the section, and changes nothing. Sees no registrations and no copies."
    ),
}
