"""Who else has a registration open now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from tournaments.models import Event, LoginSession, User
from tournaments.open_pages import OpenPage, Who, page_of_text, pages_of, watched_in

ONE, QUEUE = "registration", "registrations"
"""The page of one registration, and the queue, where the person works on one row."""
LOOKS_FOR = timedelta(seconds=90)
"""An open page asks every few seconds. One that was not asked for since then no longer counts as open."""

Looking = Mapping[int, list[str]]


def looking_here(event: Event, user: User) -> Looking:
    """Return who else has which registration of the event open, by its key, as far as this process knows. No query."""
    return _by_registration(watched_in(event.slug), user)


def looking(event: Event, user: User) -> Looking:
    """Return who else has which registration of the event open, by its key. One query.

    What another process has seen is known within half a minute.
    """
    named = Q(page__startswith=f"{ONE} {event.slug} ") | Q(page__startswith=f"{QUEUE} {event.slug} ")
    rows = LoginSession.objects.filter(named, seen_at__gte=timezone.now() - LOOKS_FOR).exclude(user=user)
    kept = {
        row.session_key: (page, Who(row.user.pk, row.user.label))
        for row in rows.select_related("user")
        if (page := page_of_text(row.page, row.seen_at)) is not None
    }
    seen = pages_of(kept)
    stale = {key for key, page in seen.items() if page.at > kept[key][0].at}
    elsewhere = [each for key, each in kept.items() if key not in stale]
    return _by_registration([*elsewhere, *watched_in(event.slug)], user)


def _by_registration(pages: Iterable[tuple[OpenPage, Who]], user: User) -> Looking:
    oldest = timezone.now() - LOOKS_FOR
    found: dict[int, set[str]] = {}
    for page, who in pages:
        if page.number is not None and page.at >= oldest and who.user != user.pk:
            found.setdefault(page.number, set()).add(who.name)
    return {number: sorted(names) for number, names in found.items()}
