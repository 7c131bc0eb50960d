"""What is checked before a section is closed, and whether an event is over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tournaments.models import ActionLog, Event, Game, Integrity, Section

from .cockpit_matters import Matter, rating_notices
from .field import SectionField, load_field
from .undone import undone_in


@dataclass(frozen=True, slots=True)
class Closing:
    """The state of a section before it is closed.

    blockers: they must be settled first. warnings: the arbiter must have seen them. paired: rounds that are paired, of
    `rounds`. games: all of them; finished: those with a final result.
    """

    blockers: tuple[Matter, ...]
    warnings: tuple[Matter, ...]
    paired: int
    rounds: int
    games: int
    finished: int

    @property
    def rounds_left(self) -> int:
        return max(self.rounds - self.paired, 0)


def closing(section: Section) -> Closing:
    """Return what is checked before the section is closed. Six queries for any number of players."""
    field = load_field(section, include_drafts=True)
    return Closing(
        blockers=_blockers(field),
        warnings=closing_warnings(field),
        paired=sum(not row.is_draft for row in field.rounds),
        rounds=section.rounds,
        games=len(field.games),
        finished=sum(not (game.is_open or game.is_adjourned) for game in field.games),
    )


def _blockers(field: SectionField) -> tuple[Matter, ...]:
    """Return what `close_section` refuses, except that rounds are left. Each round has its own matters."""
    if not field.rounds:
        return (Matter("nothing_paired"),)
    found = []
    for row in field.rounds:
        if row.manual_phase:
            found.append(Matter("manual_phase_open", round_number=row.number))
        if row.is_draft:
            found.append(Matter("draft_unpublished", round_number=row.number))
            continue
        games = [game for game in field.games if game.round_id == row.pk]
        disputed = [game for game in games if game.is_in_conflict and not row.is_finished]
        for code, those in (
            ("results_missing", [game for game in games if game.is_open]),
            ("results_in_conflict", disputed),
            ("adjourned_open", [game for game in games if game.is_adjourned]),
        ):
            if those:
                found.append(_about(code, row.number, those))
    return tuple(found)


def _about(code: str, number: int, games: list[Game]) -> Matter:
    return Matter(code, round_number=number, boards=tuple(game.board for game in games), number=len(games))


def closing_warnings(field: SectionField) -> tuple[Matter, ...]:
    """Return what the report will lack or name, so that somebody can still mend it. Two queries."""
    found = [*rating_notices(field), *_dates(field)]
    if departures := _departures(field.section):
        found.append(Matter("departures", number=departures))
    return tuple(found)


def _dates(field: SectionField) -> Iterator[Matter]:
    """Yield what the report needs to know about the days of the paired rounds. A closed section cannot get them."""
    section, event = field.section, field.section.event
    days = section.round_days[: len(field.rounds)]
    if undated := days.count(None):
        yield Matter("undated", number=undated)
    if outside := sum(day is not None and not event.includes(day) for day in days):
        yield Matter("dates_differ", number=outside)


def _departures(section: Section) -> int:
    """Return how many actions the report names as departures (`###`). Undone ones do not count."""
    rows = ActionLog.objects.filter(section=section).exclude(integrity=Integrity.NONE)
    undone = undone_in(section.pk)
    return sum(revision not in undone for revision in rows.values_list("revision", flat=True))


def event_closed(event: Event) -> bool:
    """Return whether the event is over: it has sections, and all of them are closed. Hidden ones do not count."""
    states = list(event.sections.filter(taken_away=False).values_list("status", flat=True))
    return bool(states) and set(states) == {Section.Status.CLOSED}
