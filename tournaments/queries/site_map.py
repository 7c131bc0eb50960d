"""The site map: the addresses of the events that want to be found by search engines, in parts."""

from __future__ import annotations

from datetime import datetime

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from tournaments.models import ActionLog, Event
from tournaments.models.events import FOUND_BY_ENGINES

MAP_PART = 5_000


def parts_of_map() -> int:
    """Return how many parts the site map has: each is a range of keys, so an event never moves. One query."""
    return state_of_map()[0]


def state_of_map() -> tuple[int, int | None]:
    """Return how many parts the site map has, and the newest row in the log of all events; None if no event wants to be
    found. One query.
    """
    newest = ActionLog.objects.filter(section=None).order_by("-pk").values("pk")[:1]
    found = Event.objects.filter(FOUND_BY_ENGINES).order_by("-pk").values_list("pk", Subquery(newest))
    event, row = found.first() or (0, None)
    return event // MAP_PART + 1, row


def part_of_map(number: int) -> list[tuple[str, datetime]]:
    """Return the address and the last change of each event in a part of the site map, from part 1. One query."""
    first = (number - 1) * MAP_PART
    newest = ActionLog.objects.filter(event=OuterRef("pk")).order_by("-pk").values("at")[:1]
    events = Event.objects.filter(FOUND_BY_ENGINES, pk__gte=first, pk__lt=first + MAP_PART).order_by("pk")
    return list(events.values_list("slug", Coalesce(Subquery(newest), "created_at")))
