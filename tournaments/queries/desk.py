"""The arbiter's desk: where the section stands, what is to be done now, and what stands in the way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Q

from pairing.engine import ByeKind
from tournaments.models import Game, Participant, Round, RoundStart, Tournament

from .field import Field, Side, load_field
from .log import LogRow, last_log_rows
from .pairings import BoardRow, ByeRow, OutRow, RoundView, view_of

LOG_ROWS = 10


class Phase(StrEnum):
    """SETUP: something is missing before round 1 can be paired. READY: round 1 can be. DRAFT: a round waits
    to be published. RUNNING: results come in. ALL_IN: the next round can be paired. COMPLETE: the last round
    is over.
    """

    SETUP = "setup"
    READY = "ready"
    DRAFT = "draft"
    RUNNING = "running"
    ALL_IN = "all_in"
    COMPLETE = "complete"
    CLOSED = "closed"


class Step(StrEnum):
    """The one next action of a desk."""

    ADD_PLAYERS = "add_players"
    DRAW_COLOUR = "draw_colour"
    PAIR = "pair"
    PUBLISH = "publish"
    ENTER_RESULTS = "enter_results"
    CLOSE = "close"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Matter:
    """A thing that blocks the next step, or that an arbiter should know before taking it.

    code: one of BLOCKERS or NOTICES. round_number: where it belongs to a round. boards: where it belongs to
    boards. sides: the players it is about. number: a count, where the code has one.
    """

    code: str
    round_number: int | None = None
    boards: tuple[int, ...] = ()
    sides: tuple[Side, ...] = ()
    number: int = 0


BLOCKERS = {
    "too_few_players": "fewer than two active players; number: how many there are",
    "no_initial_colour": "the initial-colour has not been drawn",
    "draft_unpublished": "the round is paired and not published",
    "manual_phase_open": "pairing by hand of the round has not ended",
    "results_missing": "boards of the round without a result",
    "adjourned_open": "adjourned games of a round, when nothing but closing the section is left",
}
NOTICES = {
    "adjourned": "games of a round to be finished later; they count as draws (GHR 3.1) and block no round",
    "too_many_rounds": "more rounds than this field can play without a second meeting; number: the most",
    "no_fide_id": "active players without a FIDE ID; number: how many",
    "no_official_rating": "active players with a provisional rating; number: how many",
    "late_entries": "players who come in with the next round",
    "forbidden_pairs": "players kept apart in the next round, which no rule of FIDE asks for",
}


@dataclass(frozen=True, slots=True)
class RequestedRow:
    """A bye asked for in the next round to be paired."""

    bye_id: int
    side: Side
    kind: ByeKind
    source: str


@dataclass(frozen=True, slots=True)
class Desk:
    """What an arbiter sees first.

    current: the latest round, draft or not. missing: its boards without a result. next_round: the number to be
    paired next, None when there is none. next_start: when it begins. requested: its byes. withdrawn: players no
    longer paired. late: players who are not there yet. active: those who would be paired.
    """

    phase: Phase
    step: Step
    blockers: tuple[Matter, ...]
    notices: tuple[Matter, ...]
    current: RoundView | None
    next_round: int | None
    next_start: RoundStart | None
    rounds: int
    missing: tuple[BoardRow, ...]
    byes: tuple[ByeRow, ...]
    out: tuple[OutRow, ...]
    requested: tuple[RequestedRow, ...]
    withdrawn: tuple[Side, ...]
    late: tuple[Side, ...]
    active: int
    entered: int
    log: tuple[LogRow, ...]
    revision: int


def desk(tournament: Tournament) -> Desk:
    """The desk of a section, drafts included: for arbiters. Six queries."""
    field = load_field(tournament, include_drafts=True)
    latest = field.latest
    current = view_of(field.before(latest.number), latest.number) if latest else None
    upcoming = field.latest_number + 1
    next_round = upcoming if upcoming <= tournament.rounds and not tournament.is_closed else None
    blockers = _blockers(field, current)
    phase = _phase(field, current, blockers, next_round)
    people = field.participants.values()
    return Desk(
        phase=phase,
        step=_step(phase, blockers),
        blockers=blockers if phase is not Phase.CLOSED else (),
        notices=_notices(field, next_round),
        current=current,
        next_round=next_round,
        next_start=tournament.start_of(next_round) if next_round else None,
        rounds=tournament.rounds,
        missing=tuple(row for row in current.boards if row.open) if current else (),
        byes=current.byes if current else (),
        out=current.out if current else (),
        requested=_requested(field, next_round),
        withdrawn=tuple(
            field.side(entry.pk) for entry in people if entry.status == Participant.Status.WITHDRAWN
        ),
        late=tuple(
            field.side(entry.pk) for entry in people if entry.is_active and entry.first_round > upcoming
        ),
        active=sum(entry.is_active and entry.first_round <= upcoming for entry in people),
        entered=len(field.participants),
        log=last_log_rows(tournament, LOG_ROWS),
        revision=tournament.revision,
    )


def _blockers(field: Field, current: RoundView | None) -> tuple[Matter, ...]:
    """What must be settled before the next round can be paired, or the section closed."""
    out = []
    upcoming = field.latest_number + 1
    more = upcoming <= field.tournament.rounds
    active = sum(entry.is_active and entry.first_round <= upcoming for entry in field.participants.values())
    if more and active < 2:
        out.append(Matter("too_few_players", number=active))
    if more and not field.tournament.initial_colour:
        out.append(Matter("no_initial_colour"))
    if current is not None and current.is_draft:
        if field.round(current.number).manual_phase:
            out.append(Matter("manual_phase_open", round_number=current.number))
        out.append(Matter("draft_unpublished", round_number=current.number))
    elif field.open_games:
        number = min(game.round.number for game in field.open_games)
        boards = tuple(game.board for game in field.open_games if game.round.number == number)
        out.append(Matter("results_missing", round_number=number, boards=boards, number=len(boards)))
    if not more:
        out.extend(_adjourned(field, "adjourned_open"))
    return tuple(out)


def _phase(
    field: Field, current: RoundView | None, blockers: tuple[Matter, ...], next_round: int | None
) -> Phase:
    if field.tournament.is_closed:
        return Phase.CLOSED
    if current is None:
        return Phase.SETUP if blockers else Phase.READY
    if current.is_draft:
        return Phase.DRAFT
    if field.open_games:
        return Phase.RUNNING
    return Phase.COMPLETE if next_round is None else Phase.ALL_IN


def _step(phase: Phase, blockers: tuple[Matter, ...]) -> Step:
    codes = {blocker.code for blocker in blockers}
    match phase:
        case Phase.SETUP | Phase.READY | Phase.ALL_IN:
            if "too_few_players" in codes:
                return Step.ADD_PLAYERS if phase is Phase.SETUP else Step.CLOSE
            return Step.DRAW_COLOUR if "no_initial_colour" in codes else Step.PAIR
        case Phase.DRAFT:
            return Step.PUBLISH
        case Phase.RUNNING:
            return Step.ENTER_RESULTS
        case Phase.COMPLETE:
            return Step.CLOSE
        case Phase.CLOSED:
            return Step.NOTHING


def _notices(field: Field, next_round: int | None) -> tuple[Matter, ...]:
    out = _adjourned(field, "adjourned") if field.latest_number < field.tournament.rounds else []
    active = [entry for entry in field.participants.values() if entry.is_active]
    most = len(active) - 1 if len(active) % 2 == 0 else len(active)
    if field.latest is None and len(active) >= 2 and field.tournament.rounds > most:
        out.append(Matter("too_many_rounds", number=most))
    if without := sum(entry.player.fide_id is None for entry in active):
        out.append(Matter("no_fide_id", number=without))
    if without := sum(entry.official_rating is None for entry in active):
        out.append(Matter("no_official_rating", number=without))
    if next_round is not None and next_round > 1:
        coming = tuple(field.side(entry.pk) for entry in active if entry.first_round == next_round)
        if coming:
            out.append(Matter("late_entries", round_number=next_round, sides=coming, number=len(coming)))
    if next_round is not None:
        forbidden = field.tournament.forbidden_pairs.filter(
            Q(last_round__isnull=True) | Q(last_round__gte=next_round), first_round__lte=next_round
        ).count()
        if forbidden:
            out.append(Matter("forbidden_pairs", round_number=next_round, number=forbidden))
    return tuple(out)


def _adjourned(field: Field, code: str) -> list[Matter]:
    """A matter for each round that has adjourned games."""
    return [
        Matter(code, round_number=row.number, boards=boards, number=len(boards))
        for row in field.rounds
        if (boards := _adjourned_boards(field, row))
    ]


def _adjourned_boards(field: Field, row: Round) -> tuple[int, ...]:
    games: tuple[Game, ...] = field.adjourned_games
    return tuple(game.board for game in games if game.round_id == row.pk)


def _requested(field: Field, next_round: int | None) -> tuple[RequestedRow, ...]:
    return tuple(
        RequestedRow(
            bye_id=bye.pk, side=field.side(bye.participant_id), kind=ByeKind(bye.kind), source=bye.source
        )
        for bye in field.byes
        if bye.round_number == next_round
    )
