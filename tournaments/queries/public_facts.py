"""The facts from which all public pages of a section are made: while they are the same, so is every page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Count, OuterRef, Subquery, Sum

from tournaments.models import Event, Tournament


@dataclass(frozen=True, slots=True)
class PublicFacts:
    """revision: of the section. public: strangers may see the section. time_zone: of the event.

    everything: all columns of the event that people write, the section's key, revision and seal of its log, and the
    number and the sum of the revisions of the event's sections, because a player may be in several. Two equal values
    mean equal pages. The seal tells two histories apart if a copy of the database was restored.
    """

    revision: int
    public: bool
    time_zone: str
    everything: tuple[Any, ...]


def public_facts(event: str, section: str) -> PublicFacts | None:
    """Return the facts of a section, None if it does not exist. One query with indexes, and no models."""
    sql, names = _statement()
    with connection.cursor() as cursor:
        cursor.execute(sql, [event, section])
        row = cursor.fetchone()
    if row is None:
        return None
    told = dict(zip(names, row, strict=True))
    return PublicFacts(
        revision=told["revision"],
        public=bool(told["event__public"]) and not told["taken_away"],
        time_zone=told["event__time_zone"],
        everything=tuple(row),
    )


@cache
def _statement() -> tuple[str, tuple[str, ...]]:
    """Return the SQL, made once: Django needs longer to make it than the database to run it."""
    sections = Tournament.objects.filter(event=OuterRef("event")).order_by().values("event")
    names = (
        "pk",
        "revision",
        "taken_away",
        "log_head",
        "event",
        *(f"event__{field.attname}" for field in Event._meta.concrete_fields if field.editable),  # noqa: SLF001
        "sections",
        "revisions",
    )
    query = (
        Tournament.objects.filter(event__slug="event", slug="section")
        .order_by()
        .annotate(
            sections=Subquery(sections.annotate(count=Count("pk")).values("count")),
            revisions=Subquery(sections.annotate(total=Sum("revision")).values("total")),
        )
        .values_list(*names)
    )
    sql, values = query.query.sql_with_params()
    assert values == ("event", "section")
    return sql, names
