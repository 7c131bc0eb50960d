"""The countdown and the message on the screens in the hall."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from base.text import one_line
from tournaments.errors import DomainError
from tournaments.models import Section

from .ledger import Actor, act
from .overtaken import merged

LONGEST_COUNTDOWN = timedelta(hours=24)
LONGEST_MESSAGE = 120


def set_countdown(*, actor: Actor, section_id: int, to: datetime | None) -> Section:
    """Let the screens count down to a moment; None ends the countdown.

    Raises DomainError("countdown_out_of_range") for a moment that is over or more than a day away.
    """
    with act(section_id=section_id, actor=actor, action="set_countdown", allow_closed=True) as entry:
        section = entry.section
        now = timezone.now()
        if to is not None and not now < to <= now + LONGEST_COUNTDOWN:
            raise DomainError("countdown_out_of_range", hours=LONGEST_COUNTDOWN // timedelta(hours=1))
        entry.before = {"countdown_to": _iso_text(section.countdown_to)}
        entry.after = {"countdown_to": _iso_text(to)}
        entry.unchanged = section.countdown_to == to
        section.countdown_to = to
        section.save(update_fields=["countdown_to"])
    return section


def set_hall_message(
    *, actor: Actor, section_id: int, message: str, seen: Mapping[str, Any] | None = None
) -> Section:
    """Set the message at the foot of the screens, such as "Phones off"; "" removes it.

    seen: what the form showed, as `message`.
    Raises Stale("overtaken"); DomainError("message_too_long").
    """
    line = one_line(message)
    with act(section_id=section_id, actor=actor, action="set_hall_message", allow_closed=True) as entry:
        section = entry.section
        if len(line) > LONGEST_MESSAGE:
            raise DomainError("message_too_long", limit=LONGEST_MESSAGE)
        line = merged({"message": section.hall_message}, {"message": line}, seen)["message"]
        entry.before, entry.after = {"hall_message": section.hall_message}, {"hall_message": line}
        entry.subject = line
        entry.unchanged = section.hall_message == line
        section.hall_message = line
        section.save(update_fields=["hall_message"])
    return section


def _iso_text(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""
