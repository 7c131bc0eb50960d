"""The arbiter's cockpit: the phase of the section, the next step, and what must be done before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from evenboard_engine import ByeKind
from tournaments.declarations import ActionKind, names_with
from tournaments.models import Participant, RoundStart, Section

from .ahead import RoundAhead, round_ahead
from .field import PlayerCell, SectionField, load_field
from .last_steps import LastSteps, last_steps_of
from .log import LogRow, last_log_rows
from .next_step_checks import (
    DraftCheck,
    LeftBy,
    NextStepCheck,
    advice_of,
    blockers_of,
    checked_by,
    copy_advice,
    draft_check_outdated,
    last_step,
    left_notices,
    not_checked_in,
)
from .presence import Presence, presence
from .published_lists import DueList, list_due
from .rating_lists import new_differences
from .rounds import BoardRow, ByeRow, Floor, RoundPairings, floor_of, round_pairings

LOG_ROWS = 10
QUIET_ACTIONS = names_with(ActionKind.CHECK_IN)
"""There are hundreds of these in ten minutes. They would push everything else off the cockpit."""


class CockpitPhase(StrEnum):
    """SETUP: something is missing before round 1 can be paired. READY: round 1 can be. DRAFT: a round waits
    to be published. RUNNING: results come in, or slips were read differently. ALL_IN: the next round can be paired.
    COMPLETE: the last round is over.
    """

    SETUP = "setup"
    READY = "ready"
    DRAFT = "draft"
    RUNNING = "running"
    ALL_IN = "all_in"
    COMPLETE = "complete"
    CLOSED = "closed"


class NextStep(StrEnum):
    """The one next action of a cockpit."""

    ADD_PLAYERS = "add_players"
    SEE_BYES = "see_byes"
    DRAW_COLOUR = "draw_colour"
    DRAW_LOTS = "lots"
    SETTLE_ABSENT = "settle_absent"
    PAIR = "pair"
    END_BY_HAND = "end_by_hand"
    CHECK = "check"
    PAIR_AGAIN = "pair_again"
    PUBLISH = "publish"
    SETTLE_BOARDS = "settle_boards"
    ENTER_RESULTS = "enter_results"
    PUBLISH_LIST = "publish_list"
    CLOSE = "close"
    NOTHING = "nothing"


BEFORE_PAIRING = {
    "lots_missing": NextStep.DRAW_LOTS,
    "no_initial_colour": NextStep.DRAW_COLOUR,
    "check_in_missing": NextStep.SETTLE_ABSENT,
}
"""What blocks the pairing of a round, and the step that ends it, in the order of the steps."""


@dataclass(frozen=True, slots=True)
class RequestedRow:
    """A requested bye in the next round."""

    bye_id: int
    side: PlayerCell
    kind: ByeKind
    source: str


@dataclass(frozen=True, slots=True)
class LeftPlayerRow:
    """A player who has left. after: the last round that was paired then, None if unknown."""

    side: PlayerCell
    expelled: bool
    after: int | None


@dataclass(frozen=True, slots=True)
class Cockpit:
    """What an arbiter sees first.

    left: those of the notices that an arbiter left alone, by key. about: the round that the cockpit is about: the
    next one before round 1 and while its check-in is open, else the latest. current: the latest round, draft or not;
    floor: its boards. next_round: the number to be paired next, None when there is none. next_start: when it begins.
    presence: of the round that is about to be paired, or was. checked: the last check of the latest round while it
    was a draft. requested: the byes of the next round. withdrawn: players no longer paired, with the last round that
    was paired before. late: players who are not there yet. active: those who would be paired. drafts: how many rounds
    are drafts; several only where all rounds are fixed (`fixed_rounds`). lists_by_hand: an arbiter publishes the list
    after each round. lists: that after the latest round, None while results are missing. last_steps: after the last
    round, and of a closed section. ahead: the next round, if it can be prepared or is.
    """

    phase: CockpitPhase
    step: NextStep
    blockers: tuple[NextStepCheck, ...]
    notices: tuple[NextStepCheck, ...]
    left: Mapping[str, LeftBy]
    about: int
    current: RoundPairings | None
    floor: Floor | None
    presence: Presence | None
    checked: DraftCheck | None
    next_round: int | None
    next_start: RoundStart | None
    rounds: int
    missing: tuple[BoardRow, ...]
    byes: tuple[ByeRow, ...]
    requested: tuple[RequestedRow, ...]
    withdrawn: tuple[LeftPlayerRow, ...]
    late: tuple[PlayerCell, ...]
    active: int
    entered: int
    drafts: int
    fixed_rounds: bool
    lists_by_hand: bool
    lists: DueList | None
    last_steps: LastSteps | None
    ahead: RoundAhead | None
    log: tuple[LogRow, ...]
    revision: int

    @property
    def all_rounds(self) -> bool:
        """Return whether the rounds are fixed and several are left, so that all of them are paired at once."""
        return self.fixed_rounds and self.next_round is not None and self.next_round < self.rounds

    @property
    def nobody_left_to_meet(self) -> bool:
        """Return whether the players of the next round have all met each other."""
        return any(notice.code == "all_met" for notice in self.notices)


def cockpit(section: Section) -> Cockpit:
    """The cockpit of a section, drafts included: for arbiters.

    Eleven queries, one more with BACKUP_TO and while a notice is left alone, two more when a round is over, four more
    after the last round, and two more while the next round is prepared. What the rating lists say is looked up once
    while they and the entries are the same (VCL4THP.13 Q139).
    """
    field = load_field(section, include_drafts=True)
    latest = field.current
    current = round_pairings(field.before(latest.number), latest.number) if latest else None
    upcoming = field.latest_number + 1
    next_round = upcoming if upcoming <= section.rounds and not section.is_closed else None
    floor = floor_of(field, current) if current else None
    asked = presence(field, upcoming if _is_asked(section, next_round) else max(upcoming - 1, 1))
    blockers = blockers_of(field, current, asked if next_round else None)
    phase = _phase(field, current, blockers, next_round)
    ended = phase in (CockpitPhase.COMPLETE, CockpitPhase.CLOSED)
    over = section.lists and (ended or phase is CockpitPhase.ALL_IN)
    lists = list_due(section) if over else None
    last = last_step(section, current) if current else None
    checked = checked_by(last, current) if current else None
    changed = current is not None and draft_check_outdated(last, current)
    people = field.participants.values()
    active = sum(entry.is_active and entry.first_round <= upcoming for entry in people)
    ahead = next_round is not None and (
        current is None or (_is_asked(section, next_round) and phase is CockpitPhase.ALL_IN)
    )
    return Cockpit(
        phase=phase,
        step=_list_step(phase, lists) or _step(phase, blockers, active, floor, current, checked),
        blockers=blockers if phase is not CockpitPhase.CLOSED else (),
        notices=(
            *copy_advice(section),
            *not_checked_in(asked, next_round),
            *advice_of(field, next_round, floor, checked, changed=changed),
            *_of_lists(field),
        ),
        left=left_notices(section),
        about=upcoming if ahead else latest.number if latest else 1,
        current=current,
        floor=floor,
        presence=asked,
        checked=checked,
        next_round=next_round,
        next_start=section.start_of(next_round) if next_round else None,
        rounds=section.rounds,
        missing=tuple(row for row in current.boards if row.open) if current else (),
        byes=tuple(row for row in current.byes if _is_named_once(field, row)) if current else (),
        requested=_requested(field, next_round),
        withdrawn=tuple(
            LeftPlayerRow(field.side(entry.pk), entry.status == Participant.Status.EXPELLED, entry.left_after)
            for entry in people
            if not entry.is_active
        ),
        late=tuple(
            field.side(entry.pk) for entry in people if entry.is_active and entry.first_round > upcoming
        ),
        active=active,
        entered=len(field.participants),
        drafts=sum(row.is_draft for row in field.rounds),
        fixed_rounds=section.fixed_rounds,
        lists_by_hand=section.lists_by_hand and bool(section.lists),
        lists=lists,
        last_steps=last_steps_of(field, floor, lists) if ended else None,
        ahead=round_ahead(field),
        log=last_log_rows(section, LOG_ROWS, without=QUIET_ACTIONS),
        revision=section.revision,
    )


def _of_lists(field: SectionField) -> Iterator[NextStepCheck]:
    if number := new_differences(field.section, field.participants.values()):
        yield NextStepCheck("lists_differ", number=number)


def _is_asked(section: Section, next_round: int | None) -> bool:
    """The check-in for the next round is open."""
    return next_round is not None and section.check_in_round == next_round


def _phase(
    field: SectionField,
    current: RoundPairings | None,
    blockers: tuple[NextStepCheck, ...],
    next_round: int | None,
) -> CockpitPhase:
    if field.section.is_closed:
        return CockpitPhase.CLOSED
    if current is None:
        return CockpitPhase.SETUP if blockers else CockpitPhase.READY
    if current.is_draft:
        return CockpitPhase.DRAFT
    if field.open_games or any(row.in_conflict for row in current.boards):
        return CockpitPhase.RUNNING
    return CockpitPhase.COMPLETE if next_round is None else CockpitPhase.ALL_IN


def _list_step(phase: CockpitPhase, lists: DueList | None) -> NextStep | None:
    """Return the step that publishes the list, if that comes next."""
    due = phase is not CockpitPhase.CLOSED and lists is not None and lists.by_hand
    return NextStep.PUBLISH_LIST if due else None


def _step(
    phase: CockpitPhase,
    blockers: tuple[NextStepCheck, ...],
    active: int,
    floor: Floor | None,
    current: RoundPairings | None,
    checked: DraftCheck | None,
) -> NextStep:
    codes = {blocker.code for blocker in blockers}
    match phase:
        case CockpitPhase.SETUP | CockpitPhase.READY | CockpitPhase.ALL_IN:
            if "too_few_players" in codes and active >= 2:
                return NextStep.SEE_BYES
            if "too_few_players" in codes:
                return NextStep.ADD_PLAYERS if phase is not CockpitPhase.ALL_IN else NextStep.CLOSE
            if before := [step for code, step in BEFORE_PAIRING.items() if code in codes]:
                return before[0]
            return NextStep.PAIR
        case CockpitPhase.DRAFT:
            if "manual_phase_open" in codes:
                return NextStep.END_BY_HAND
            if checked is None:
                return NextStep.CHECK
            # A round that was paired by hand differs on purpose.
            by_hand = current is not None and current.manual
            return NextStep.PUBLISH if checked.same or by_hand else NextStep.PAIR_AGAIN
        case CockpitPhase.RUNNING:
            return NextStep.SETTLE_BOARDS if floor is not None and floor.to_settle else NextStep.ENTER_RESULTS
        case CockpitPhase.COMPLETE:
            return NextStep.CLOSE
        case CockpitPhase.CLOSED:
            return NextStep.NOTHING


def _is_named_once(field: SectionField, row: ByeRow) -> bool:
    """Return whether the player of a bye is not named below as gone. Where rounds are fixed, a leaver stays free."""
    return not field.section.fixed_rounds or field.participants[row.side.participant_id].is_active


def _requested(field: SectionField, next_round: int | None) -> tuple[RequestedRow, ...]:
    return tuple(
        RequestedRow(
            bye_id=bye.pk, side=field.side(bye.participant_id), kind=ByeKind(bye.kind), source=bye.source
        )
        for bye in field.byes
        if bye.round_number == next_round
    )
