"""The first parts of addresses that events have."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.models import Event


def slugs_in_use(slugs: Iterable[str]) -> frozenset[str]:
    """Return those of these slugs that an event has. One query."""
    return frozenset(Event.objects.filter(slug__in=list(slugs)).values_list("slug", flat=True))
