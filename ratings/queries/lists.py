"""Which lists there are, and which one is in force."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from ratings import storage
from ratings.models import KnownOrigin, RatingList

A_DAY = timedelta(days=1)


def ready_lists(event: int | None = None) -> list[RatingList]:
    """Return the lists that can be searched, newest month first within a series: those of the site and of all events,
    or only of the site and of one event, by its key.

    Without the files of its lists, such as on another computer, a database has none: people type what they need.
    """
    ready = RatingList.objects.filter(state=RatingList.State.READY).order_by("series", "-period", "-pk")
    if event is not None:
        ready = ready.filter(Q(event=None) | Q(event=event))
    return [one for one in ready if storage.is_here(one)]


def in_force(lists: Iterable[RatingList], series: str, rating: str, month: str = "") -> RatingList | None:
    """Return the newest list of a series that has a rating, of `month` (YYYY-MM) or the last one before it.

    A list of a later month never counts. series: `RatingList.name`. month: "" for the newest.
    """
    fitting = [
        one
        for one in lists
        if one.name == series and rating in one.ratings and (not month or one.period <= month)
    ]
    return max(fitting, key=lambda one: (one.period, one.pk), default=None)


def series_from_files() -> list[str]:
    """Return the series of the site that are not FIDE's and of which the program knows no address. Two queries."""
    kept = set(KnownOrigin.objects.values_list("series", flat=True))
    there = (
        RatingList.objects.filter(event=None).exclude(reading={}).exclude(series__in=kept).order_by("series")
    )
    return list(there.values_list("series", flat=True).distinct())


def series_up_to_date() -> set[str]:
    """Return the series whose servers all answered within a day and had nothing newer than what is in force.

    Two queries.
    """
    seen = timezone.now() - A_DAY
    origins = dict[str, bool]()
    for series, checked in KnownOrigin.objects.values_list("series", "checked_at"):
        origins[series] = origins.get(series, True) and checked is not None and checked >= seen
    fetched = RatingList.objects.filter(origin=RatingList.Origin.KNOWN).order_by("pk")
    fetched = fetched.exclude(state=RatingList.State.REPLACED)
    newest = dict(fetched.values_list("series", "state"))
    ready = RatingList.State.READY
    return {series for series, answered in origins.items() if answered and newest.get(series, ready) == ready}
