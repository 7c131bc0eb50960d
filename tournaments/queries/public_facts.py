"""The facts from which public pages are made: while they are the same, so is every page.

They are the facts of a section, of an event with its sections, or of the public events on the first page.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from django.db import connection, models
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils.timezone import now

from base.zones import today_in
from tournaments.models import ActionLog, Event, Section
from tournaments.models.events import LISTED

from .events import When, first_of
from .programs import log_mark
from .site_map import state_of_map


@dataclass(frozen=True, slots=True)
class PublicFacts:
    """revision: of the section; 0 if the page is about more. public: strangers may see the page. time_zone: of the
    event. embed_sites: of the event of a section.

    everything: of a section all columns of the event that people write, the section's key, revision and seal of its
    log, and of all sections of the event their number and the sum of their `people_revision`, because a player may be
    in several. Of an event these columns, the seal of its own log, and key, revision and seal of each section. Two
    equal values mean equal pages. The seals tell two histories apart if a copy of the database was restored.
    """

    revision: int
    public: bool
    time_zone: str
    everything: tuple[Any, ...]
    embed_sites: str = ""


@dataclass(frozen=True, slots=True)
class _Statement:
    """SQL made once: Django needs longer to make it than the database to run it. names: of its columns."""

    sql: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, query: QuerySet[Any], names: tuple[str, ...], *, parameters: tuple[Any, ...]) -> _Statement:
        sql, values = query.values_list(*names).query.sql_with_params()
        assert values == parameters
        return cls(sql, names)

    def rows(self, *parameters: Any) -> list[tuple[Any, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(self.sql, parameters)
            return [tuple(row) for row in cursor.fetchall()]

    def as_dict(self, row: tuple[Any, ...]) -> dict[str, Any]:
        return dict(zip(self.names, row, strict=True))


def public_facts(event: str, section: str) -> PublicFacts | None:
    """Return the facts of a section, None if it does not exist. One query with indexes, and no models."""
    return _facts_of_section(_section_by_address(), event, section)


def public_facts_by_key(section: int) -> PublicFacts | None:
    """Return the facts of the section with this key, as `public_facts`."""
    if section > models.BigIntegerField.MAX_BIGINT:
        return None
    return _facts_of_section(_section_by_key(), section)


def public_facts_of_event(event: str) -> PublicFacts | None:
    """Return the facts of an event and its sections, None if it does not exist. One query, a row for each section."""
    return _facts_of_event(_event_by_address(), event)


def public_facts_of_event_by_key(event: int) -> PublicFacts | None:
    """Return the facts of the event with this key, as `public_facts_of_event`."""
    if event > models.BigIntegerField.MAX_BIGINT:
        return None
    return _facts_of_event(_event_by_key(), event)


def _facts_of_event(statement: _Statement, *parameters: Any) -> PublicFacts | None:
    rows = statement.rows(*parameters)
    if not rows:
        return None
    facts = statement.as_dict(rows[0])
    return PublicFacts(
        revision=0, public=bool(facts["public"]), time_zone=facts["time_zone"], everything=tuple(rows)
    )


def public_facts_of_first_page() -> PublicFacts:
    """Return the facts of the public events on the first page, and of their sections. One query, at most two."""
    return _facts_of_first(When.NOW, When.SOON, When.PAST)


def public_facts_of_newest_events() -> PublicFacts:
    """Return the facts of the first part of the list of all public events. One query, at most two."""
    return _facts_of_first(When.ANY)


def _facts_of_first(*lists: When) -> PublicFacts:
    """Return the facts of the first events of these lists. The cost does not depend on how many events there are.

    The newest row in the log of all events counts too, because it never comes back to a former value: a list that was
    made while somebody made an event public by mistake is not taken for the list after it became private again.
    """
    today = today_in("")
    rows = _first_events(lists).rows(
        *[connection.ops.adapt_datefield_value(today)] * sum(DAYS[when] for when in lists)
    )
    newest = () if rows else _log_of_events().values_list("pk").first() or ()
    return PublicFacts(revision=0, public=True, time_zone="", everything=(today, *newest, *rows))


def public_facts_of_site_map(part: int = 1) -> PublicFacts | None:
    """Return the facts of the site map, None if it has no such part: the hour, and the newest row in the log of all
    events, so that an event that is no longer public is gone at once. One query.
    """
    parts, newest = state_of_map()
    if not 1 <= part <= parts:
        return None
    hour = now().replace(minute=0, second=0, microsecond=0)
    return PublicFacts(revision=0, public=True, time_zone="", everything=(hour, newest))


def public_facts_of_log() -> PublicFacts:
    """Return the facts of the list of what has changed: the mark of the log of all events. One query."""
    return PublicFacts(revision=0, public=True, time_zone="", everything=(log_mark(),))


def _log_of_events() -> QuerySet[ActionLog]:
    return ActionLog.objects.filter(section=None).order_by("-pk")


def _facts_of_section(statement: _Statement, *parameters: Any) -> PublicFacts | None:
    rows = statement.rows(*parameters)
    if not rows:
        return None
    facts = statement.as_dict(rows[0])
    return PublicFacts(
        revision=facts["revision"],
        public=bool(facts["event__public"]) and not facts["taken_away"],
        time_zone=facts["event__time_zone"],
        everything=rows[0],
        embed_sites=facts["event__embed_sites"],
    )


@cache
def _section_by_address() -> _Statement:
    return _section_statement(event__slug="event", slug="section")


@cache
def _section_by_key() -> _Statement:
    return _section_statement(pk=1)


def _section_statement(**asked: Any) -> _Statement:
    sections = Section.objects.filter(event=OuterRef("event")).order_by().values("event")
    query = (
        Section.objects.filter(**asked)
        .order_by()
        .annotate(
            sections=Subquery(sections.annotate(count=Count("pk")).values("count")),
            people=Subquery(sections.annotate(total=Sum("people_revision")).values("total")),
        )
    )
    own = ("pk", "revision", "taken_away", "log_head", "event")
    events = tuple(f"event__{name}" for name in _columns_of_event())
    return _Statement.of(query, (*own, *events, "sections", "people"), parameters=tuple(asked.values()))


@cache
def _event_by_address() -> _Statement:
    return _event_statement(Event.objects.filter(slug="event"), parameters=("event",))


@cache
def _event_by_key() -> _Statement:
    return _event_statement(Event.objects.filter(pk=1), parameters=(1,))


DAYS = {When.ANY: 0, When.NOW: 2, When.SOON: 1, When.PAST: 1}
"""How often the condition of a list has the day of today."""


@cache
def _first_events(lists: tuple[When, ...]) -> _Statement:
    day = date(2000, 1, 1)
    parameters = [connection.ops.adapt_datefield_value(day)] * sum(DAYS[when] for when in lists)
    shown = Q(pk__in=first_of(Event.objects.filter(LISTED), lists, day))
    events = Event.objects.filter(shown).annotate(newest=Subquery(_log_of_events().values("pk")[:1]))
    return _event_statement(events, "newest", parameters=tuple(parameters))


def _event_statement(events: QuerySet[Event], *more: str, parameters: tuple[Any, ...]) -> _Statement:
    query = events.order_by("pk", "sections__pk")
    columns = tuple(f"sections__{name}" for name in ("pk", "revision", "taken_away", "log_head"))
    return _Statement.of(query, ("log_head", *_columns_of_event(), *columns, *more), parameters=parameters)


def _columns_of_event() -> tuple[str, ...]:
    """Return the columns that people write, and what the database works out of the state."""
    written = (field.attname for field in Event._meta.concrete_fields if field.editable)  # noqa: SLF001
    return (*written, "public", "listed")
