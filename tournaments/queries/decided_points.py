"""Points by decision of the arbiter, as lists of points show them below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from .field import SectionField
from .player_rounds import player_rounds_of


@dataclass(frozen=True, slots=True)
class PointsDecision:
    """What changes the points of one player. points: in tenths.

    of_result: they are those of the result of the round, instead of those of the point system. Else they are added, or
    taken away if they are negative: after the round, or before round 1 for round 0.
    """

    participant_id: int
    tpn: int | None
    name: str
    round: int
    points: int
    of_result: bool = False


class DecidedRow(Protocol):
    """A row of a list with the decisions that are in its points."""

    @property
    def tpn(self) -> int | None: ...
    @property
    def decisions(self) -> tuple[PointsDecision, ...]: ...


def point_decisions_in(rows: Iterable[DecidedRow]) -> tuple[PointsDecision, ...]:
    """Return the decisions of a list, by pairing number and round."""
    decided = sorted((row for row in rows if row.decisions), key=lambda row: row.tpn or 0)
    return tuple(found for row in decided for found in row.decisions)


def point_decisions(field: SectionField, until: int) -> tuple[PointsDecision, ...]:
    """Return the decisions that count after a round, by pairing number and round. No query."""
    if not field.engine.rulings:
        return ()
    return tuple(
        one
        for key, entry in field.participants.items()
        if entry.rulings
        for one in point_decisions_on(field, key, until)
    )


def point_decisions_on(field: SectionField, key: int, until: int) -> Iterator[PointsDecision]:
    """Yield the decisions on one player that count after a round, by round."""
    entry = field.participants[key]
    before = sum(row["points"] for row in entry.rulings if not row["of"] and not row["round"])
    if before:
        yield PointsDecision(key, entry.tpn, entry.shown_name, 0, before)
    for turn in player_rounds_of(field, until=until)(key) if entry.rulings else ():
        if turn.ruled:
            yield PointsDecision(
                key, entry.tpn, entry.shown_name, turn.round, turn.gained or 0, of_result=True
            )
        if turn.added:
            yield PointsDecision(key, entry.tpn, entry.shown_name, turn.round, turn.added)
