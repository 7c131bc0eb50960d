"""Rounds: the pairings by board and by name with the results so far, the boards in play, all rounds at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from operator import itemgetter

from django.utils import timezone

from evenboard_engine import RESULTS, ByeKind, Colour, NoLegalPairing, Result, pair_round
from tournaments.models import Bye, Game, Participant, Round, RoundStart, Section
from tournaments.models.events import OwnBoards, are_own
from tournaments.seating import numbered_boards
from tournaments.snapshot import fixed_boards

from .field import PlayerCell, SectionField, load_field
from .pairing_numbers import lots_missing
from .row_cache import LazyRows

# The pairings of a round by board and by name, with the results entered so far.


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One board.

    result: None while the game is open. version: what a form must send back. entered_by: a name or "". second:
    the result when the slip was read a second time; None before that. over_at: when somebody marked the game as
    over before its slip was in. corrected: a later round was paired with another result. step_free: it is the step-free
    board of a player. white_pressed, black_pressed: what the players pressed on their phones.
    """

    game_id: int
    board: int
    white: PlayerCell
    black: PlayerCell
    result: Result | None
    version: int
    entered_by: str
    entered_at: datetime | None
    second: Result | None = None
    second_by: str = ""
    second_at: datetime | None = None
    over_at: datetime | None = None
    over_by: str = ""
    corrected: bool = False
    step_free: bool = False
    white_pressed: Result | None = None
    black_pressed: Result | None = None

    @property
    def verified(self) -> bool:
        """The slip was read twice, with the same result."""
        return self.result is not None and self.second is self.result

    @property
    def in_conflict(self) -> bool:
        """The slip was read twice, with different results."""
        return self.second is not None and self.second is not self.result

    @property
    def pressed(self) -> Result | None:
        """What both players pressed; None if one of them has not, or if they differ."""
        return self.white_pressed if self.white_pressed is self.black_pressed else None

    @property
    def pressed_by_each(self) -> tuple[Result | None, Result | None]:
        return self.white_pressed, self.black_pressed

    @property
    def disputed(self) -> bool:
        """The players pressed different results, and none is entered."""
        return bool(self.open and self.white_pressed and self.black_pressed and not self.pressed)

    @property
    def no_slip(self) -> bool:
        """The game was marked as over, and has no result yet."""
        return self.over_at is not None and self.result is None

    @property
    def open(self) -> bool:
        return self.result is None

    @property
    def adjourned(self) -> bool:
        return self.result is Result.ADJOURNED


@dataclass(frozen=True, slots=True)
class ByeRow:
    """A player with a bye in the round. source: as in `Bye.Source`."""

    side: PlayerCell
    kind: ByeKind
    source: str


@dataclass(frozen=True, slots=True)
class OutRow:
    """A player without a game or a bye in the round. withdrawn: has left the section by now."""

    side: PlayerCell
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class RoundPairings:
    """A round. missing: boards without a result. total: boards. adjourned: boards to be finished later.

    manual, manual_phase, manual_reason, rules_gave_none, changed_at, start_position: as in `Round`. last: no later
    round has been paired. byes: the pairing-allocated bye is the first. out: players with neither a board nor a bye.
    outdated: how many results of earlier rounds were corrected after this round had been paired with the former ones.
    """

    round_id: int
    number: int
    state: str
    version: int
    manual: bool
    manual_phase: bool
    manual_reason: str
    rules_gave_none: bool
    paired_at: datetime
    published_at: datetime | None
    changed_at: datetime | None
    start_position: int | None
    start: RoundStart | None
    boards: LazyRows[Game, BoardRow]
    byes: tuple[ByeRow, ...]
    out: tuple[OutRow, ...]
    missing: int
    adjourned: int
    total: int
    last: bool
    outdated: int

    @property
    def is_draft(self) -> bool:
        return self.state == Round.State.DRAFT

    @property
    def is_published(self) -> bool:
        return self.state == Round.State.PUBLISHED

    @property
    def is_finished(self) -> bool:
        return self.state == Round.State.FINISHED

    @property
    def from_file(self) -> bool:
        """Whether the round was imported with a report file, which does not say when it was paired and published."""
        return self.published_at is None and not self.is_draft

    @property
    def complete(self) -> bool:
        """Every board has a result. An adjourned game has one for the pairing (GHR 3.1)."""
        return self.missing == 0

    @property
    def entered(self) -> int:
        """How many boards have a result, without adjourned games."""
        return self.total - self.missing - self.adjourned

    @property
    def untouched(self) -> bool:
        """No board has a result, and no game is adjourned."""
        return self.missing == self.total

    def only(self, own: OwnBoards) -> RoundPairings:
        """Return the round with these boards alone, and what is counted of them."""
        if own is None:
            return self
        mine = self.boards.of(lambda game: are_own(game.board, own))
        missing = len(mine.of(lambda game: game.is_open))
        adjourned = len(mine.of(lambda game: game.is_adjourned))
        return replace(self, boards=mine, total=len(mine), missing=missing, adjourned=adjourned)

    @property
    def open(self) -> Sequence[BoardRow]:
        """Boards without a result."""
        return self.boards.of(lambda game: game.is_open)

    @property
    def to_settle(self) -> Sequence[BoardRow]:
        """Boards with two results: those in conflict, and those whose players pressed different results."""
        return self.boards.of(lambda game: game.is_in_conflict or game.is_disputed)

    @property
    def verified(self) -> int:
        """How many boards were read twice, with the same result."""
        return sum(row.verified for row in self.boards)


@dataclass(frozen=True, slots=True)
class NameRow:
    """A player's line in the list by name.

    It has a board, a colour and an opponent, or a bye, or none of these (out).
    """

    participant_id: int
    tpn: int | None
    name: str
    title: str
    federation: str
    board: int | None = None
    colour: Colour | None = None
    opponent: PlayerCell | None = None
    result: Result | None = None
    bye: ByeKind | None = None
    step_free: bool = False

    @property
    def out(self) -> bool:
        return self.board is None and self.bye is None


@dataclass(frozen=True, slots=True)
class NameList:
    """round: as by board. rows: by name."""

    round: RoundPairings
    rows: tuple[NameRow, ...]


def round_board_list(section: Section, number: int, include_drafts: bool = False) -> RoundPairings:
    """Return round `number` by board, with the players' points before the round. Four queries.

    Raises Round.DoesNotExist if there is no such round, or if it is a draft that the reader may not see.
    """
    return round_pairings(_field(section, number, include_drafts), number)


def name_list(section: Section, number: int, include_drafts: bool = False) -> NameList:
    """Return round `number` by name, as `names_of_round`. Raises Round.DoesNotExist."""
    return names_of_round(round_pairings(_field(section, number, include_drafts), number))


def names_of_round(view: RoundPairings) -> NameList:
    """Return a round by name. Withdrawn players without a bye are left out."""
    rows = []
    for row in view.boards:
        for colour, own, other in (
            (Colour.WHITE, row.white, row.black),
            (Colour.BLACK, row.black, row.white),
        ):
            rows.append(
                _name_row(
                    own,
                    board=row.board,
                    colour=colour,
                    opponent=other,
                    result=row.result,
                    step_free=row.step_free,
                ),
            )
    rows.extend(_name_row(row.side, bye=row.kind) for row in view.byes)
    rows.extend(_name_row(row.side) for row in view.out if not row.withdrawn)
    return NameList(round=view, rows=tuple(sorted(rows, key=lambda row: (row.name.casefold(), row.tpn or 0))))


def _field(section: Section, number: int, include_drafts: bool) -> SectionField:
    return load_field(section, before_round=number, include_drafts=include_drafts)


def round_pairings(field: SectionField, number: int) -> RoundPairings:
    """Return round `number` of a field that was loaded before this round. Raises Round.DoesNotExist."""
    shown = field.round(number)
    games = [game for game in field.games if game.round_id == shown.pk]
    byes = [bye for bye in field.byes if bye.round_number == number]
    busy = {key for game in games for key in (game.white_id, game.black_id)}
    busy.update(bye.participant_id for bye in byes)
    return RoundPairings(
        round_id=shown.pk,
        number=number,
        state=shown.state,
        version=shown.version,
        manual=shown.manual,
        manual_phase=shown.manual_phase,
        manual_reason=shown.manual_reason,
        rules_gave_none=shown.rules_gave_none,
        paired_at=shown.paired_at,
        published_at=shown.published_at,
        changed_at=shown.changed_at,
        start_position=shown.start_position,
        start=field.section.start_of(number),
        boards=LazyRows(games, partial(_board_row, field)),
        byes=tuple(
            ByeRow(side=field.side(bye.participant_id), kind=ByeKind(bye.kind), source=bye.source)
            for bye in sorted(byes, key=lambda bye: _bye_order(field, bye))
        ),
        out=tuple(
            OutRow(side=field.side(key), withdrawn=participant.status == Participant.Status.WITHDRAWN)
            for key, participant in field.participants.items()
            if key not in busy and field.takes_part(participant, number)
        ),
        missing=sum(game.is_open for game in games),
        adjourned=sum(game.is_adjourned for game in games),
        total=len(games),
        last=number == field.latest_number,
        outdated=0 if field.section.fixed_rounds else _outdated(field.games, number),
    )


def _outdated(games: Iterable[Game], number: int) -> int:
    """Return with how many results round `number` was paired that were corrected later."""
    changed = [game for game in games if game.earlier and game.round.number < number]
    former = [(game, game.as_of(number)) for game in changed]
    return sum(then is not game and not then.is_adjourned for game, then in former)


def _bye_order(field: SectionField, bye: Bye) -> tuple[bool, bool, int]:
    tpn = field.participants[bye.participant_id].tpn
    return bye.source != Bye.Source.ALLOCATED, tpn is None, tpn or 0


def _board_row(field: SectionField, game: Game) -> BoardRow:
    return BoardRow(
        game_id=game.pk,
        board=game.board,
        white=field.side(game.white_id),
        black=field.side(game.black_id),
        result=game.outcome,
        version=game.version,
        entered_by=game.entered_by.label if game.entered_by else "",
        entered_at=game.entered_at,
        second=Result(game.second_result) if game.second_result else None,
        second_by=game.second_by.label if game.second_by else "",
        second_at=game.second_at,
        over_at=game.over_at,
        over_by=game.over_by.label if game.over_by else "",
        corrected=game.is_corrected,
        step_free=is_step_free(
            game.board, *(field.participants[key] for key in (game.white_id, game.black_id))
        ),
        white_pressed=Result(game.white_pressed) if game.white_pressed else None,
        black_pressed=Result(game.black_pressed) if game.black_pressed else None,
    )


def is_step_free(board: int, *players: Participant) -> bool:
    """Return whether a board is the step-free one of a player who plays there."""
    return any(player.step_free and player.fixed_board == board for player in players)


def _name_row(
    side: PlayerCell,
    *,
    board: int | None = None,
    colour: Colour | None = None,
    opponent: PlayerCell | None = None,
    result: Result | None = None,
    bye: ByeKind | None = None,
    step_free: bool = False,
) -> NameRow:
    return NameRow(
        participant_id=side.participant_id,
        tpn=side.tpn,
        name=side.name,
        title=side.title,
        federation=side.federation,
        board=board,
        colour=colour,
        opponent=opponent,
        result=result,
        bye=bye,
        step_free=step_free,
    )


# The hall during a round: which boards are in, in play, over without a slip or disputed, and how long it may
# take.

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

    disputed: the players pressed different results. in_play: neither a result nor seen to end. gone: boards that wait
    for somebody who has left. left_out: players who take part and have neither a board nor a bye.
    """

    conflicts: tuple[BoardRow, ...]
    disputed: tuple[BoardRow, ...]
    no_slip: tuple[BoardRow, ...]
    in_play: tuple[BoardRow, ...]
    gone: tuple[Gone, ...]
    left_out: tuple[PlayerCell, ...]
    total: int
    verified: int
    first: datetime | None
    latest: datetime | None
    began: datetime | None
    pace: Pace | None

    @property
    def to_settle(self) -> int:
        return self.two_results + len(self.no_slip) + len(self.gone)

    @property
    def two_results(self) -> int:
        """How many boards have two results, of two readings or of both players."""
        return len(self.conflicts) + len(self.disputed)

    @property
    def first_to_settle(self) -> int | None:
        """The board that the arbiter should settle first: boards with two results come first."""
        rows = (*self.conflicts, *self.disputed, *(found.row for found in self.gone), *self.no_slip)
        return rows[0].board if rows else None

    @property
    def verifying(self) -> bool:
        """The second reading has begun."""
        return bool(self.verified or self.conflicts)


def floor_of(field: SectionField, view: RoundPairings, *, now: datetime | None = None) -> Floor:
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
    disputed = tuple(row for row in view.boards if row.disputed and row.board not in waiting)
    waiting.update(row.board for row in disputed)
    return Floor(
        conflicts=tuple(row for row in view.boards if row.in_conflict),
        disputed=disputed,
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


def _pace(field: SectionField, view: RoundPairings, now: datetime) -> Pace | None:
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


# All rounds of a section whose rounds are fixed by the pairing numbers, played or not.


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """result: None for a game without a result, or one that is not paired yet."""

    board: int
    white: PlayerCell
    black: PlayerCell
    result: Result | None


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """A round as it is paired, or as the numbers will pair it. free: who has no opponent. shown: it is paired, and the
    reader may see it.
    """

    number: int
    start: RoundStart | None
    games: tuple[PlannedGame, ...]
    free: PlayerCell | None
    shown: bool


@dataclass(frozen=True, slots=True)
class PlannedOpponent:
    """A player's round. Both None: the player is free."""

    colour: Colour | None = None
    opponent: int | None = None


@dataclass(frozen=True, slots=True)
class PlannedPlayer:
    """The rounds of one player, in order. opponent: the pairing number."""

    side: PlayerCell
    turns: tuple[PlannedOpponent, ...]


@dataclass(frozen=True, slots=True)
class AllRounds:
    """players: by pairing number."""

    rounds: tuple[PlannedRound, ...]
    players: tuple[PlannedPlayer, ...]


def has_all_rounds(section: Section) -> bool:
    """Return whether the rounds are fixed and known. One query where they are fixed."""
    return section.fixed_rounds and not lots_missing(section.participants.all())


def all_rounds(section: Section, *, include_drafts: bool = False) -> AllRounds:
    """Return all rounds. Four queries. Raises Round.DoesNotExist if they are not fixed, or numbers are not drawn."""
    field = load_field(section, include_drafts=include_drafts)
    if not section.fixed_rounds or not field.participants or lots_missing(field.participants.values()):
        raise Round.DoesNotExist("the rounds are not known before they are paired")
    rounds = tuple(_round(field, number) for number in range(1, section.rounds + 1))
    return AllRounds(rounds, tuple(_of_players(field, rounds)))


def _round(field: SectionField, number: int) -> PlannedRound:
    start = field.section.start_of(number)
    shown = next((row for row in field.rounds if row.number == number), None)
    if shown is None:
        return _planned(field, number, start)
    games = tuple(
        PlannedGame(game.board, field.side(game.white_id), field.side(game.black_id), game.outcome)
        for game in field.games
        if game.round_id == shown.pk
    )
    free = next(
        (
            field.side(bye.participant_id)
            for bye in field.byes
            if bye.round_number == number and bye.source == Bye.Source.ALLOCATED
        ),
        None,
    )
    return PlannedRound(number, start, games, free, shown=True)


def _planned(field: SectionField, number: int, start: RoundStart | None) -> PlannedRound:
    try:
        pairing = pair_round(replace(field.engine, round=number, games=(), byes=()))
    except NoLegalPairing:  # the section has more rounds than the table
        return PlannedRound(number, start, (), None, shown=False)
    boards = numbered_boards(
        ((pair.white, pair.black) for pair in pairing.pairs), fixed_boards(field.participants.values())
    )
    games = tuple(
        PlannedGame(board, field.side(pair.white), field.side(pair.black), None)
        for board, pair in sorted(zip(boards, pairing.pairs, strict=True), key=itemgetter(0))
    )
    free = None if pairing.bye is None else field.side(pairing.bye)
    return PlannedRound(number, start, games, free, shown=False)


def _of_players(field: SectionField, rounds: Iterable[PlannedRound]) -> Iterable[PlannedPlayer]:
    turns: dict[int, list[PlannedOpponent]] = {key: [] for key in field.participants}
    for played in rounds:
        found: dict[int, PlannedOpponent] = {}
        for game in played.games:
            found[game.white.participant_id] = PlannedOpponent(Colour.WHITE, game.black.tpn)
            found[game.black.participant_id] = PlannedOpponent(Colour.BLACK, game.white.tpn)
        for key, row in turns.items():
            row.append(found.get(key, PlannedOpponent()))
    return (PlannedPlayer(field.side(key), tuple(row)) for key, row in turns.items())
