"""Crosstables: by place in the standings, and by pairing number where everybody meets everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from evenboard_engine.tiebreaks import TieBreak
from tournaments.models import Participant, Section

from .decided_points import PointsDecision
from .field import SectionField, load_field
from .player_rounds import PlayerRound, PlayerRoundsOf, player_rounds, player_rounds_of
from .row_cache import LazyRows
from .standings import StandingRow, StandingsState, StandingsTable, Uncounted, standings_of

# The crosstable: one line for each player, with opponents named by their place in this table.


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """One round of one player. place: that of the opponent; None without an opponent, or if the opponent was
    expelled.
    """

    turn: PlayerRound
    place: int | None
    opponent_name: str


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    standing: StandingRow
    cells: tuple[CrosstableCell, ...]


@dataclass(frozen=True, slots=True)
class Crosstable:
    """standings: the table that it belongs to. rounds: the numbers of the columns. rows: by place."""

    standings: StandingsTable
    rounds: tuple[int, ...]
    rows: Sequence[CrosstableRow]

    @property
    def after_round(self) -> int:
        return self.standings.after_round

    @property
    def state(self) -> StandingsState:
        return self.standings.state

    @property
    def decisions(self) -> tuple[PointsDecision, ...]:
        return self.standings.decisions

    @property
    def columns(self) -> tuple[tuple[int, TieBreak], ...]:
        """Return the tie-breaks, as `StandingsTable.columns`."""
        return self.standings.columns


def crosstable(section: Section, after_round: int | None = None) -> Crosstable:
    """Return the crosstable after a published round, by default the latest. Four queries.

    Raises Round.DoesNotExist.
    """
    field = load_field(section, before_round=None if after_round is None else after_round + 1)
    standings = standings_of(field)
    return Crosstable(
        standings=standings,
        rounds=tuple(row.number for row in field.rounds if row.number <= standings.after_round),
        rows=LazyRows(
            standings.rows,
            partial(_row, field, standings.places, player_rounds_of(field, until=standings.after_round)),
        ),
    )


def _row(
    field: SectionField, places: Mapping[int, int], own: PlayerRoundsOf, standing: StandingRow
) -> CrosstableRow:
    cells = tuple(
        CrosstableCell(
            turn=turn,
            place=places.get(turn.opponent) if turn.opponent else None,
            opponent_name=field.participants[turn.opponent].shown_name if turn.opponent else "",
        )
        for turn in own(standing.participant_id)
    )
    return CrosstableRow(standing=standing, cells=cells)


# The crosstable of a section in which everybody meets everybody: a row and a column for each pairing number.


@dataclass(frozen=True, slots=True)
class ResultsTableRow:
    """A player. cells: for each number the games against that player in the order of rounds; None for the player's own.

    place: None for a player without one. points: in tenths, as in the standings. counted: the games count for the
    standings.
    """

    participant_id: int
    tpn: int | None
    name: str
    title: str
    federation: str
    rating: int
    cells: tuple[tuple[PlayerRound, ...] | None, ...]
    points: int
    place: int | None
    withdrawn: bool
    counted: bool


@dataclass(frozen=True, slots=True)
class ResultsTable:
    """rows: by pairing number; the columns are in the same order."""

    after_round: int
    rows: tuple[ResultsTableRow, ...]
    state: StandingsState
    uncounted: tuple[Uncounted, ...]
    decisions: tuple[PointsDecision, ...] = ()

    @property
    def numbers(self) -> tuple[int | None, ...]:
        return tuple(row.tpn for row in self.rows)


def results_table(section: Section, after_round: int | None = None) -> ResultsTable:
    """Return the table after a published round, by default the latest. Four queries. Raises Round.DoesNotExist."""
    field = load_field(section, before_round=None if after_round is None else after_round + 1)
    ranked = standings_of(field)
    by_player = player_rounds(field, until=ranked.after_round)
    standing = {row.participant_id: row for row in ranked.rows}
    out = {row.participant_id for row in ranked.uncounted}
    rows = []
    for key, entry in field.participants.items():
        against: dict[int, list[PlayerRound]] = {}
        for turn in by_player[key]:
            if turn.opponent is not None:
                against.setdefault(turn.opponent, []).append(turn)
        rows.append(
            ResultsTableRow(
                participant_id=key,
                tpn=entry.tpn,
                name=entry.shown_name,
                title=entry.player.title,
                federation=entry.player.federation,
                rating=entry.rating,
                cells=tuple(
                    None if other == key else tuple(against.get(other, ())) for other in field.participants
                ),
                points=field.counted[key].score,
                place=standing[key].place if key in standing else None,
                withdrawn=entry.status != Participant.Status.ACTIVE,
                counted=key not in out,
            )
        )
    return ResultsTable(ranked.after_round, tuple(rows), ranked.state, ranked.uncounted, ranked.decisions)
