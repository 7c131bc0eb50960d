"""The pairings of a round by board and by name, with the results entered so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from evenboard_engine import ByeKind, Colour, Result
from tournaments.boards import OwnBoards, are_own
from tournaments.models import Bye, Game, Participant, Round, RoundStart, Section

from .field import SectionField, Side, load_field
from .on_demand import OnDemand


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One board.

    result: None while the game is open. version: what a form must send back. entered_by: a name or "". second:
    the result when the slip was read a second time; None before that. over_at: when somebody marked the game as
    over before its slip was in. corrected: a later round was paired with another result.
    """

    game_id: int
    board: int
    white: Side
    black: Side
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

    @property
    def verified(self) -> bool:
        """The slip was read twice, with the same result."""
        return self.result is not None and self.second is self.result

    @property
    def in_conflict(self) -> bool:
        """The slip was read twice, with different results."""
        return self.second is not None and self.second is not self.result

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

    side: Side
    kind: ByeKind
    source: str


@dataclass(frozen=True, slots=True)
class OutRow:
    """A player without a game or a bye in the round. withdrawn: has left the section by now."""

    side: Side
    withdrawn: bool


@dataclass(frozen=True, slots=True)
class RoundView:
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
    boards: OnDemand[Game, BoardRow]
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

    def only(self, own: OwnBoards) -> RoundView:
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
    def in_conflict(self) -> Sequence[BoardRow]:
        """Boards whose slip was read twice, with different results. They block the next round."""
        return self.boards.of(lambda game: game.is_in_conflict)

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
    opponent: Side | None = None
    result: Result | None = None
    bye: ByeKind | None = None

    @property
    def out(self) -> bool:
        return self.board is None and self.bye is None


@dataclass(frozen=True, slots=True)
class NameList:
    """round: as by board. rows: by name."""

    round: RoundView
    rows: tuple[NameRow, ...]


def round_board_list(section: Section, number: int, include_drafts: bool = False) -> RoundView:
    """Return round `number` by board, with the players' points before the round. Four queries.

    Raises Round.DoesNotExist if there is no such round, or if it is a draft that the reader may not see.
    """
    return view_of(_field(section, number, include_drafts), number)


def name_list(section: Section, number: int, include_drafts: bool = False) -> NameList:
    """Return round `number` by name, as `names_of`. Raises Round.DoesNotExist."""
    return names_of(view_of(_field(section, number, include_drafts), number))


def names_of(view: RoundView) -> NameList:
    """Return a round by name. Withdrawn players without a bye are left out."""
    rows = []
    for row in view.boards:
        for colour, own, other in (
            (Colour.WHITE, row.white, row.black),
            (Colour.BLACK, row.black, row.white),
        ):
            rows.append(
                _name_row(own, board=row.board, colour=colour, opponent=other, result=row.result),
            )
    rows.extend(_name_row(row.side, bye=row.kind) for row in view.byes)
    rows.extend(_name_row(row.side) for row in view.out if not row.withdrawn)
    return NameList(round=view, rows=tuple(sorted(rows, key=lambda row: (row.name.casefold(), row.tpn or 0))))


def _field(section: Section, number: int, include_drafts: bool) -> SectionField:
    return load_field(section, before_round=number, include_drafts=include_drafts)


def view_of(field: SectionField, number: int) -> RoundView:
    """Return round `number` of a field that was loaded before this round. Raises Round.DoesNotExist."""
    shown = field.round(number)
    games = [game for game in field.games if game.round_id == shown.pk]
    byes = [bye for bye in field.byes if bye.round_number == number]
    busy = {key for game in games for key in (game.white_id, game.black_id)}
    busy.update(bye.participant_id for bye in byes)
    return RoundView(
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
        boards=OnDemand(games, partial(_board_row, field)),
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
    )


def _name_row(
    side: Side,
    *,
    board: int | None = None,
    colour: Colour | None = None,
    opponent: Side | None = None,
    result: Result | None = None,
    bye: ByeKind | None = None,
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
    )
