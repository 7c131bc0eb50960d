"""Words about people who run an event: what each role may do, and their browsers."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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
