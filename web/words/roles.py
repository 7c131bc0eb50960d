"""What each role may do, in a sentence for the page People."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.models import EventRole

Role = EventRole.Role
MAY: Mapping[str, Promise] = {
    Role.OWNER: _("Everything that organisers and chief arbiters may do, and owners name other owners."),
    Role.ORGANISER: _(
        "Event, sections, people, registrations, entries, presence, and settings until round 1 is paired. No pairings "
        "and no results."
    ),
    Role.CHIEF: _(
        "Everything that an arbiter may do, and settings, corrections, the end of a section, invitations of arbiters "
        "and helpers, and registrations if the role is for the whole event."
    ),
    Role.ARBITER: _("Entries, byes, presence, pairings, publication and results. Sees settings and the log."),
    Role.CLERK: _(
        "Enters results of published rounds, and nothing else. The role may be limited to a range of boards."
    ),
    Role.CHECK_IN: _("Notes who is present, and fees at the desk if the role is for the whole event."),
    Role.VIEWER: _(
        "Sees the pages of the section, and changes nothing. Sees no registrations and no copies."
    ),
}
