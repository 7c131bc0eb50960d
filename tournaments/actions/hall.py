"""The countdown and the message on the screens in the hall."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from tournaments.errors import DomainError
from tournaments.models import Tournament

from .ledger import Actor, act
from .overtaken import merged
from .text import one_line

LONGEST_COUNTDOWN = timedelta(hours=24)
LONGEST_MESSAGE = 120


def set_countdown(*, actor: Actor, tournament_id: int, to: datetime | None) -> Tournament:
    """Let the screens count down to a moment; None ends the countdown.

    Raises DomainError("countdown_out_of_range") for a moment that is over or more than a day away.
    """
    with act(tournament_id=tournament_id, actor=actor, action="set_countdown", allow_closed=True) as entry:
        tournament = entry.tournament
        now = timezone.now()
        if to is not None and not now < to <= now + LONGEST_COUNTDOWN:
            raise DomainError("countdown_out_of_range", hours=LONGEST_COUNTDOWN // timedelta(hours=1))
        entry.before = {"countdown_to": _told(tournament.countdown_to)}
        entry.after = {"countdown_to": _told(to)}
        entry.unchanged = tournament.countdown_to == to
        tournament.countdown_to = to
        tournament.save(update_fields=["countdown_to"])
    return tournament


def set_hall_message(
    *, actor: Actor, tournament_id: int, message: str, seen: Mapping[str, Any] | None = None
) -> Tournament:
    """Set the message at the foot of the screens, such as "Phones off"; "" removes it.

    seen: what the form showed, as `message`.
    Raises Stale("overtaken"); DomainError("message_too_long").
    """
    said = one_line(message)
    with act(tournament_id=tournament_id, actor=actor, action="set_hall_message", allow_closed=True) as entry:
        tournament = entry.tournament
        if len(said) > LONGEST_MESSAGE:
            raise DomainError("message_too_long", limit=LONGEST_MESSAGE)
        said = merged({"message": tournament.hall_message}, {"message": said}, seen)["message"]
        entry.before, entry.after = {"hall_message": tournament.hall_message}, {"hall_message": said}
        entry.subject = said
        entry.unchanged = tournament.hall_message == said
        tournament.hall_message = said
        tournament.save(update_fields=["hall_message"])
    return tournament


def _told(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""
