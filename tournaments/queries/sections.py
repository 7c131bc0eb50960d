"""Sections: whose settings a new one can have, what changed since round 1, and what is checked at the end."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q, QuerySet

from base.zones import today_in
from evenboard_engine.trf.file_warnings import BEGAN
from tournaments.models import ActionLog, Event, EventRole, Integrity, Section, User
from tournaments.models.events import EventState

from .field import SectionField
from .log import undone_in
from .next_step_checks import NextStepCheck, rating_advice

# The sections whose settings a new section can have.


def settings_sources(user: User, event: Event) -> QuerySet[Section]:
    """Return the sections of the event and of other events that the person manages, without hidden ones."""
    shown = Section.objects.filter(taken_away=False).exclude(event__state=EventState.DELETED)
    shown = shown.select_related("event").order_by("-event__start", "pk")
    if user.is_superuser:
        return shown
    managing = [EventRole.Role.OWNER, EventRole.Role.ORGANISER]
    roles = EventRole.objects.filter(user=user, role__in=managing).select_related("event")
    managed = [row.event_id for row in roles if row.counts_on(today_in(row.event.time_zone))]
    return shown.filter(Q(event=event) | Q(event__in=managed))


# Settings that changed after the players could read them in the rules of the section.


def deviations_of(section: Section) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield the last published round and the settings of each departure that was not undone, oldest first.

    Two queries.
    """
    undone = undone_in(section.pk)
    rows = ActionLog.objects.filter(section=section, integrity=Integrity.CONFIGURATION).order_by("pk")
    for row in rows.only("revision", "round_number", "after"):
        if row.revision not in undone:
            yield row.round_number or 0, frozenset(row.after)


def older_edition_of(section: Section) -> str:
    """Return the edition of the pairing rules under which a report file began, if the system has none such; else "".

    A comment of a file that was written later has it too. Two queries.
    """
    for line in section.report_records:
        if line.startswith(BEGAN):
            return str(line).removeprefix(BEGAN)[:4]
    rows = ActionLog.objects.filter(section=section, after__has_key="older_edition").order_by("-pk")
    undone = undone_in(section.pk)
    found = (
        row.after["older_edition"] for row in rows.only("revision", "after") if row.revision not in undone
    )
    return str(next(found, ""))


# Rating periods that follow from the days of the rounds.

MOST_DAYS = 30
"""Of a rating period, the first and the last day included."""


def suggested_starts(section: Section) -> tuple[int, ...]:
    """Return the first rounds of later periods, each as long as it may be; () if the rounds need one period only, or if
    the day of a round is not known.
    """
    days = [day for day in section.round_days if day]
    if len(days) < section.rounds:
        return ()
    starts, began = [], days[0]
    for number, day in enumerate(days, start=1):
        if (day - began).days >= MOST_DAYS:
            starts.append(number)
            began = day
    return tuple(starts)


# What the report will lack when a section is closed, and whether an event is over.


def closing_warnings(field: SectionField) -> tuple[NextStepCheck, ...]:
    """Return what the report will lack or name, so that somebody can still mend it. Two queries."""
    found = [*rating_advice(field), *_dates(field)]
    if departures := _departures(field.section):
        found.append(NextStepCheck("departures", number=departures))
    return tuple(found)


def _dates(field: SectionField) -> Iterator[NextStepCheck]:
    """Yield what the report needs to know about the days of the paired rounds. A closed section cannot get them."""
    section, event = field.section, field.section.event
    days = section.round_days[: len(field.rounds)]
    if undated := days.count(None):
        yield NextStepCheck("undated", number=undated)
    if outside := sum(day is not None and not event.includes(day) for day in days):
        yield NextStepCheck("dates_differ", number=outside)


def _departures(section: Section) -> int:
    """Return how many actions the report names as departures (`###`). Undone ones do not count."""
    rows = ActionLog.objects.filter(section=section).exclude(integrity=Integrity.NONE)
    undone = undone_in(section.pk)
    return sum(revision not in undone for revision in rows.values_list("revision", flat=True))


def event_closed(event: Event) -> bool:
    """Return whether the event is over: it has sections, and all of them are closed. Hidden ones do not count."""
    states = list(event.sections.filter(taken_away=False).values_list("status", flat=True))
    return bool(states) and set(states) == {Section.Status.CLOSED}
