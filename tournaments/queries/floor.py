"""The hall during a round: which boards are in, in play, over without a slip or disputed, and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from evenboard_engine import RESULTS
from tournaments.models import Game, Round

from .field import SectionField, Side
from .pairings import BoardRow, RoundView

PACE_ROUNDS = 2
SHORTEST = timedelta(minutes=10)
LONGEST = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class Gone:
    """A board without a result whose player has left. white, black: whether that player has left."""

    row: BoardRow
    white: bool
    black: bool

    @property
    def absent(self) -> str:
        """As `actions.absences.Absent` names it."""
        return "both" if self.white and self.black else "white" if self.white else "black"


@dataclass(frozen=True, slots=True)
class Pace:
    """When the last game may end. rounds: the earlier rounds that the estimate uses."""

    rounds: tuple[int, ...]
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Floor:
    """The boards of the running round. first, latest: when results came in. began: the round, as far as is known.

    in_play: neither a result nor seen to end. gone: boards that wait for somebody who has left. left_out: players
    who take part and have neither a board nor a bye.
    """

    conflicts: tuple[BoardRow, ...]
    no_slip: tuple[BoardRow, ...]
    in_play: tuple[BoardRow, ...]
    gone: tuple[Gone, ...]
    left_out: tuple[Side, ...]
    total: int
    verified: int
    first: datetime | None
    latest: datetime | None
    began: datetime | None
    pace: Pace | None

    @property
    def to_settle(self) -> int:
        return len(self.conflicts) + len(self.no_slip) + len(self.gone)

    @property
    def first_to_settle(self) -> int | None:
        """The board that the arbiter should settle first: boards with two results come first."""
        rows = (*self.conflicts, *(found.row for found in self.gone), *self.no_slip)
        return rows[0].board if rows else None

    @property
    def verifying(self) -> bool:
        """The second reading has begun."""
        return bool(self.verified or self.conflicts)


def floor_of(field: SectionField, view: RoundView, *, now: datetime | None = None) -> Floor:
    """No query."""
    entered = [row.entered_at for row in view.boards if row.result is not None and row.entered_at]
    gone = tuple(
        Gone(
            row,
            white=not field.participants[row.white.participant_id].is_active,
            black=not field.participants[row.black.participant_id].is_active,
        )
        for row in view.boards
        if row.open
        and not (
            field.participants[row.white.participant_id].is_active
            and field.participants[row.black.participant_id].is_active
        )
    )
    waiting = {found.row.board for found in gone} if not view.is_draft else set()
    return Floor(
        conflicts=tuple(row for row in view.boards if row.in_conflict),
        no_slip=tuple(row for row in view.boards if row.no_slip and row.board not in waiting),
        in_play=tuple(
            row for row in view.boards if row.open and not row.no_slip and row.board not in waiting
        ),
        gone=gone,
        left_out=tuple(row.side for row in view.out if field.participants[row.side.participant_id].is_active),
        total=view.total,
        verified=sum(row.verified for row in view.boards),
        first=min(entered, default=None),
        latest=max(entered, default=None),
        began=_began(field, field.round(view.number)),
        pace=_pace(field, view, now or timezone.now()),
    )


def _pace(field: SectionField, view: RoundView, now: datetime) -> Pace | None:
    """Estimate from the last rounds whose results were entered when the games ended; None if there are none."""
    began = _began(field, field.round(view.number))
    if began is None or not view.missing or view.is_draft:
        return None
    lasted: dict[int, timedelta] = {}
    for row in reversed(field.rounds):
        if row.number < view.number and (span := _span(field, row)):
            lasted[row.number] = span
        if len(lasted) == PACE_ROUNDS:
            break
    if not lasted:
        return None
    ends_at = began + sum(lasted.values(), timedelta()) / len(lasted)
    return Pace(tuple(sorted(lasted)), ends_at) if ends_at > now else None


def _span(field: SectionField, row: Round) -> timedelta | None:
    """From the beginning of a round to its last played result, if all were entered while it was on."""
    began = _began(field, row)
    games = [game for game in field.games if game.round_id == row.pk and _was_played(game)]
    times = [game.entered_at for game in games if game.entered_at]
    if began is None or not times or len(times) < len(games):
        return None
    span = max(times) - began
    return span if min(times) >= began and SHORTEST <= span <= LONGEST else None


def _was_played(game: Game) -> bool:
    """Over the board and to its end: an adjourned game is none."""
    return game.outcome is not None and not game.is_adjourned and RESULTS[game.outcome].played


def _began(field: SectionField, row: Round) -> datetime | None:
    """At the time that was announced, or when the pairings were published if nothing was, or that was later."""
    planned = field.section.start_of(row.number)
    if planned is None or planned.time is None:
        return row.published_at
    start = timezone.make_aware(datetime.combine(planned.day, planned.time))
    if row.published_at is None or start > row.published_at + LONGEST:
        return row.published_at
    return max(start, row.published_at)
