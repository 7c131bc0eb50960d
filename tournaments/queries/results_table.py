"""The crosstable of a section in which everybody meets everybody: a row and a column for each pairing number."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Participant, Section

from .field import load_field
from .rulings import Decision
from .standings import State, Uncounted, table
from .turns import Turn, turns


@dataclass(frozen=True, slots=True)
class NumberRow:
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
    cells: tuple[tuple[Turn, ...] | None, ...]
    points: int
    place: int | None
    withdrawn: bool
    counted: bool


@dataclass(frozen=True, slots=True)
class ResultsTable:
    """rows: by pairing number; the columns are in the same order."""

    after_round: int
    rows: tuple[NumberRow, ...]
    state: State
    uncounted: tuple[Uncounted, ...]
    decisions: tuple[Decision, ...] = ()

    @property
    def numbers(self) -> tuple[int | None, ...]:
        return tuple(row.tpn for row in self.rows)


def results_table(section: Section, after_round: int | None = None) -> ResultsTable:
    """Return the table after a published round, by default the latest. Four queries. Raises Round.DoesNotExist."""
    field = load_field(section, before_round=None if after_round is None else after_round + 1)
    ranked = table(field)
    by_player = turns(field, until=ranked.after_round)
    standing = {row.participant_id: row for row in ranked.rows}
    out = {row.participant_id for row in ranked.uncounted}
    rows = []
    for key, entry in field.participants.items():
        against: dict[int, list[Turn]] = {}
        for turn in by_player[key]:
            if turn.opponent is not None:
                against.setdefault(turn.opponent, []).append(turn)
        rows.append(
            NumberRow(
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
