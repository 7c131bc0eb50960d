"""What is done after the last round: nine steps until the section is closed, and how far each one is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from itertools import groupby

from django.db.models import Q

from evenboard_engine.regulations.norms import Code, required_half_wins
from tournaments.declarations import names_of
from tournaments.declarations.events import TAKE_ARCHIVE
from tournaments.declarations.results import CONFIRM_RESULT, MARK_OVER
from tournaments.declarations.rounds import BACKUP_FAILED, PUBLISH_LISTS
from tournaments.declarations.sections import (
    CLOSE_SECTION,
    SET_COUNTDOWN,
    SET_HALL_MESSAGE,
    TAKE_LAST_STEP,
)
from tournaments.models import ActionLog, Game, Section

from .field import SectionField, load_field
from .next_step_checks import NextStepCheck
from .prizes import PrizeList, prize_list_of
from .published_lists import DueList, list_due
from .rounds import Floor, floor_of, round_pairings
from .sections import closing_warnings
from .standings import StandingRow, StandingsTable, standings_of
from .statistics import NormRow, Norms, norms_of

FIRST_PLACES = 8
MENDABLE = ("undated", "dates_differ", "no_fide_id", "no_official_rating", "names_without_latin")
"""Warnings before closing about what somebody can still fill in. The others say what the report tells by itself."""
_CHANGE_NOTHING = names_of(
    (
        BACKUP_FAILED,
        CLOSE_SECTION,
        CONFIRM_RESULT,
        MARK_OVER,
        PUBLISH_LISTS,
        SET_COUNTDOWN,
        SET_HALL_MESSAGE,
        TAKE_LAST_STEP,
    )
)
"""Actions after which a report, a paper and an archive are still those of the section as it is."""


class LastStep(StrEnum):
    """The steps in the order of the page. They may be taken in any order, except the last one."""

    RESULTS = "results"
    STANDINGS = "standings"
    TIES = "ties"
    PRIZES = "prizes"
    NORMS = "norms"
    REPORT = "report"
    PAPER = "paper"
    ARCHIVE = "archive"
    CLOSE = "close"


class StepState(StrEnum):
    """NONE: the step does not apply, and counts as done. WAITS: for another step."""

    DONE = "done"
    OPEN = "open"
    NONE = "none"
    WAITS = "waits"


@dataclass(frozen=True, slots=True)
class StepNote:
    """When a step was taken last, and by whom. holds: nothing has changed since that matters for it."""

    at: datetime
    who: str
    holds: bool


@dataclass(frozen=True, slots=True)
class NearNorm:
    """A norm that only the score misses. short: by how many halves of a point."""

    row: NormRow
    short: int


@dataclass(frozen=True, slots=True)
class LastSteps:
    """How far the steps are.

    notes: of those that were taken. shared: the first and the last place of each group of players who share a place.
    first_places: of the standings. contested: prizes go to players who share a place. reached, near: norms.
    missing: what the report lacks and somebody can fill in; undated: the rounds without a date.
    rated: the report is for FIDE.
    """

    states: Mapping[LastStep, StepState]
    notes: Mapping[LastStep, StepNote]
    floor: Floor | None
    adjourned: bool
    lists: DueList | None
    table: StandingsTable
    shared: Sequence[tuple[int, int]]
    prizes: PrizeList
    contested: bool
    norms: Norms
    reached: Sequence[NormRow]
    near: Sequence[NearNorm]
    missing: Sequence[NextStepCheck]
    undated: Sequence[int]
    rated: bool
    mark: str

    @property
    def done(self) -> int:
        """How many steps are done or do not apply."""
        return sum(state in (StepState.DONE, StepState.NONE) for state in self.states.values())

    @property
    def next_step(self) -> LastStep | None:
        """The first step that is open."""
        return next((step for step, state in self.states.items() if state is StepState.OPEN), None)

    @property
    def left_open(self) -> Sequence[LastStep]:
        """Return the open steps before the last one."""
        open_steps = [step for step, state in self.states.items() if state is StepState.OPEN]
        return [step for step in open_steps if step is not LastStep.CLOSE]

    @property
    def first_places(self) -> Sequence[StandingRow]:
        return self.table.rows[:FIRST_PLACES]


def last_steps_of(field: SectionField, floor: Floor | None, lists: DueList | None) -> LastSteps:
    """Return how far the steps of a section are whose rounds are over. Four queries.

    floor: the boards of the last round. lists: the list after it, None if the section publishes none.
    """
    section = field.section
    table, prizes, found = standings_of(field), prize_list_of(field), norms_of(field)
    mark = _mark(table, section)
    warnings = closing_warnings(field)
    missing = [one for one in warnings if one.code in MENDABLE]
    rated = not any(one.code == "not_fide_ratings" for one in warnings) and any(
        entry.official_rating for entry in field.participants.values()
    )
    shared = _shared_places(table)
    reached = [row for row in found.rows if row.check.met]
    notes = dict(_notes(section, mark))
    adjourned = bool(field.adjourned_games)

    def taken(step: LastStep) -> StepState:
        return StepState.DONE if step in notes and notes[step].holds else StepState.OPEN

    read_half = floor is not None and floor.verifying and floor.verified < floor.total
    results = StepState.OPEN if adjourned or read_half else StepState.DONE
    report = taken(LastStep.REPORT)
    states = {
        LastStep.RESULTS: results,
        LastStep.STANDINGS: StepState.OPEN if lists and lists.by_hand else StepState.DONE,
        LastStep.TIES: taken(LastStep.TIES) if shared else StepState.NONE,
        LastStep.PRIZES: taken(LastStep.PRIZES) if section.prizes else StepState.NONE,
        LastStep.NORMS: taken(LastStep.NORMS) if reached else StepState.NONE,
        LastStep.REPORT: report if rated or missing else StepState.NONE,
        LastStep.PAPER: taken(LastStep.PAPER),
        LastStep.ARCHIVE: taken(LastStep.ARCHIVE),
        LastStep.CLOSE: StepState.DONE
        if section.is_closed
        else StepState.WAITS
        if adjourned
        else StepState.OPEN,
    }
    return LastSteps(
        states=states,
        notes=notes,
        floor=floor,
        adjourned=adjourned,
        lists=lists,
        table=table,
        shared=shared,
        prizes=prizes,
        contested=any(winner.row.shared for one in prizes.categories for winner in one.winners),
        norms=found,
        reached=reached,
        near=list(_near(found)),
        missing=missing,
        undated=[row.number for row in field.rounds if section.start_of(row.number) is None],
        rated=rated,
        mark=mark,
    )


def mark_of_places(section: Section) -> str:
    """Return the mark of the places and prizes as they are, see `note_last_step`. Four queries."""
    return _mark(standings_of(load_field(section)), section)


def _mark(table: StandingsTable, section: Section) -> str:
    """Return a text that differs for other places, points or prizes."""
    shown = repr((sorted(table.places.items()), table.column("points"), section.prize_plan.digest))
    return sha256(shown.encode()).hexdigest()[:16]


def _shared_places(table: StandingsTable) -> list[tuple[int, int]]:
    groups = ((place, len(list(group))) for place, group in groupby(table.column("place")))
    return [(place, place + count - 1) for place, count in groups if count > 1]


def _near(found: Norms) -> Iterator[NearNorm]:
    reached = {row.side.participant_id for row in found.rows if row.check.met}
    for row in found.near:
        if row.side.participant_id not in reached and [condition.code for condition in row.check.missed] == [
            Code.PERFORMANCE
        ]:
            needed = required_half_wins(row.check.norm, row.check.value(Code.AVERAGE), row.games)
            if needed is not None:
                yield NearNorm(row, needed - row.half_wins)


def _notes(section: Section, mark: str) -> Iterator[tuple[LastStep, StepNote]]:
    """Yield the newest note of each step. Ties, prizes and norms hold while the places and the prizes are the same; a
    report, a paper and an archive until something of the section changes. Two queries.
    """
    changed = (
        section.log.exclude(action__in=_CHANGE_NOTHING).order_by("-pk").values_list("at", flat=True).first()
    )
    of_archives = Q(
        event=section.event_id,
        section=None,
        action=TAKE_ARCHIVE.name,
        subject__in=(section.name, section.event.name),
    )
    of_section = Q(section=section, action__in=(TAKE_LAST_STEP.name, CLOSE_SECTION.name))
    for row in ActionLog.objects.filter(of_section | of_archives).defer("changes").order_by("at", "pk"):
        if row.action == CLOSE_SECTION.name:
            yield LastStep.CLOSE, StepNote(row.at, row.who, holds=section.is_closed)
            continue
        step = "archive" if row.action == TAKE_ARCHIVE.name else str(row.after.get("step", ""))
        if step in set(LastStep):
            same = changed is None or row.at >= changed
            by_mark = step in (LastStep.TIES, LastStep.PRIZES, LastStep.NORMS)
            yield (
                LastStep(step),
                StepNote(row.at, row.who, row.after.get("mark") == mark if by_mark else same),
            )


# What is checked before a section is closed.


@dataclass(frozen=True, slots=True)
class Closing:
    """The state of a section before it is closed.

    blockers: they must be settled first. warnings: the arbiter must have seen them. paired: rounds that are paired, of
    `rounds`. games: all of them; finished: those with a final result. last_steps: None while rounds are left or
    something blocks.
    """

    blockers: tuple[NextStepCheck, ...]
    warnings: tuple[NextStepCheck, ...]
    paired: int
    rounds: int
    games: int
    finished: int
    last_steps: LastSteps | None

    @property
    def rounds_left(self) -> int:
        return max(self.rounds - self.paired, 0)


def closing(section: Section) -> Closing:
    """Return what is checked before the section is closed. Six queries for any number of players, six more when all
    rounds are over.
    """
    field = load_field(section, include_drafts=True)
    blockers = _blockers(field)
    steps = None
    if not blockers and field.latest_number >= section.rounds:
        floor = floor_of(field, round_pairings(field.before(field.latest_number), field.latest_number))
        steps = last_steps_of(field, floor, list_due(section) if section.lists else None)
    return Closing(
        blockers=blockers,
        warnings=closing_warnings(field),
        paired=sum(not row.is_draft for row in field.rounds),
        rounds=section.rounds,
        games=len(field.games),
        finished=sum(not (game.is_open or game.is_adjourned) for game in field.games),
        last_steps=steps,
    )


def _blockers(field: SectionField) -> tuple[NextStepCheck, ...]:
    """Return what `close_section` refuses, except that rounds are left. Each round has its own matters."""
    if not field.rounds:
        return (NextStepCheck("nothing_paired"),)
    found = []
    for row in field.rounds:
        if row.manual_phase:
            found.append(NextStepCheck("manual_phase_open", round_number=row.number))
        if row.is_draft:
            found.append(NextStepCheck("draft_unpublished", round_number=row.number))
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


def _about(code: str, number: int, games: list[Game]) -> NextStepCheck:
    return NextStepCheck(
        code, round_number=number, boards=tuple(game.board for game in games), number=len(games)
    )
