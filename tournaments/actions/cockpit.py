"""Notices of the cockpit that an arbiter has seen and leaves alone."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

from tournaments.declarations.rounds import LEAVE_NOTICE, TAKE_NOTICE_BACK
from tournaments.errors import Refusal, Stale
from tournaments.models import Section
from tournaments.queries.cockpit import cockpit

from .ledger import Actor, act

# Refusals
NOTICE_CHANGED = Refusal(
    "notice_changed",
    _("This notice has changed or is gone since the page was loaded. Look at the cockpit again."),
    raises=Stale,
)
NOTICE_STAYS = Refusal("notice_stays", _("This notice is about the next step. It cannot be hidden."))


def leave_notice(*, actor: Actor, section_id: int, notice: str, left: bool) -> Section:
    """Leave a notice of the cockpit alone, or take it back. notice: its `NextStepCheck.key`.

    The notice comes back by itself if its facts change, and when the section is closed.
    Raises Stale("notice_changed"), DomainError("notice_stays").
    """
    action = LEAVE_NOTICE if left else TAKE_NOTICE_BACK
    with act(section_id=section_id, actor=actor, action=action) as entry:
        section, state = entry.section, cockpit(entry.section)
        found = next((one for one in state.notices if one.key == notice), None)
        if found is None:
            raise NOTICE_CHANGED.error()
        if not found.can_be_left:
            raise NOTICE_STAYS.error()
        entry.unchanged = left == (notice in state.left)
        if entry.unchanged:
            return section
        about = notice.rpartition(".")[0]  # with other facts it was left before
        others = [text for text in section.left_notices if text.rpartition(".")[0] != about]
        section.left_notices = [*others, *([f"{notice} {section.revision + 1}"] if left else [])]
        section.save(update_fields=["left_notices"])
        entry.after, entry.round_number = {"code": found.code}, found.round_number
    return section
