"""Points by decision of the arbiter, as lists of points show them below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from .field import SectionField
from .turns import turns_of


@dataclass(frozen=True, slots=True)
class Decision:
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


class Decided(Protocol):
    """A row of a list with the decisions that are in its points."""

    @property
    def tpn(self) -> int | None: ...
    @property
    def decisions(self) -> tuple[Decision, ...]: ...


def decisions_in(rows: Iterable[Decided]) -> tuple[Decision, ...]:
    """Return the decisions of a list, by pairing number and round."""
    decided = sorted((row for row in rows if row.decisions), key=lambda row: row.tpn or 0)
    return tuple(found for row in decided for found in row.decisions)


def decisions(field: SectionField, until: int) -> tuple[Decision, ...]:
    """Return the decisions that count after a round, by pairing number and round. No query."""
    if not field.engine.rulings:
        return ()
    return tuple(
        one
        for key, entry in field.participants.items()
        if entry.rulings
        for one in decisions_on(field, key, until)
    )


def decisions_on(field: SectionField, key: int, until: int) -> Iterator[Decision]:
    """Yield the decisions on one player that count after a round, by round."""
    entry = field.participants[key]
    before = sum(row["points"] for row in entry.rulings if not row["of"] and not row["round"])
    if before:
        yield Decision(key, entry.tpn, entry.shown_name, 0, before)
    for turn in turns_of(field, until=until)(key) if entry.rulings else ():
        if turn.ruled:
            yield Decision(key, entry.tpn, entry.shown_name, turn.round, turn.gained or 0, of_result=True)
        if turn.added:
            yield Decision(key, entry.tpn, entry.shown_name, turn.round, turn.added)
