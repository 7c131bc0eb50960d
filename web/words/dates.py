"""Dates of an event and of its rounds that contradict each other, in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from django.utils.translation import gettext as _

from base.reader import date_format
from tournaments.models import Event


def dates_differ(event: Event, days: Iterable[date | None]) -> str:
    """Return the warning if a round is outside the dates of the event, "" otherwise. days: of the rounds."""
    known = [day for day in days if day]
    if all(map(event.includes, known)):
        return ""
    return _(
        "The rounds are %(rounds)s, but the event is %(event)s. The report of the section has dates that "
        "include all rounds (042, 052)."
    ) % {"rounds": _period(min(known), max(known)), "event": _period(event.start, event.end)}


def _period(first: date, last: date) -> str:
    days = {"first": date_format(first, "j M Y"), "last": date_format(last, "j M Y")}
    return (_("on %(first)s") if first == last else _("from %(first)s to %(last)s")) % days
