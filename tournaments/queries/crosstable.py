"""The crosstable: one line for each player, with opponents named by their place in this table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from evenboard_engine.tiebreaks import TieBreak
from tournaments.models import Section

from .field import SectionField, load_field
from .on_demand import OnDemand
from .rulings import Decision
from .standings import StandingRow, StandingsTable, State, table
from .turns import Turn, TurnsOf, turns_of


@dataclass(frozen=True, slots=True)
class Cell:
    """One round of one player. place: that of the opponent; None without an opponent, or if the opponent was
    expelled.
    """

    turn: Turn
    place: int | None
    opponent_name: str


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    standing: StandingRow
    cells: tuple[Cell, ...]


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
    def state(self) -> State:
        return self.standings.state

    @property
    def decisions(self) -> tuple[Decision, ...]:
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
    standings = table(field)
    return Crosstable(
        standings=standings,
        rounds=tuple(row.number for row in field.rounds if row.number <= standings.after_round),
        rows=OnDemand(
            standings.rows,
            partial(_row, field, standings.places, turns_of(field, until=standings.after_round)),
        ),
    )


def _row(
    field: SectionField, places: Mapping[int, int], own: TurnsOf, standing: StandingRow
) -> CrosstableRow:
    cells = tuple(
        Cell(
            turn=turn,
            place=places.get(turn.opponent) if turn.opponent else None,
            opponent_name=field.participants[turn.opponent].shown_name if turn.opponent else "",
        )
        for turn in own(standing.participant_id)
    )
    return CrosstableRow(standing=standing, cells=cells)
