"""The decisions of a round, in the order in which they were made, each with those who were passed over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from evenboard_engine.matching import bits
from evenboard_engine.systems.dubov1997.pairing import Dubov1997Round, ScoreGroupSteps
from evenboard_engine.systems.dubov1997.pairing.field import NO_COLOUR, Dubov1997Field
from evenboard_engine.systems.dubov1997.pairing.offer import Offered, in_order
from evenboard_engine.systems.dubov1997.pairing.rows import RowsWork
from evenboard_engine.trace import Passed, Reason

from .obstacles import PlayerObstacles

MOST_PASSED = 20
"""So many who were passed over are listed for a pair."""


class DecisionKind(StrEnum):
    HALF = "half"
    FLOATER = "floater"
    ISLAND = "island"
    ROW = "row"
    ASIDE = "aside"
    OFFER = "offer"


@dataclass(frozen=True, slots=True)
class PairDecision:
    """A pair that was made. Players are seats.

    chooser, chosen: the two. group: the number of the score group, -1 for none. work: of
    `ScoreGroupSteps.works`, of a row. row: in its column. among: those from whom the chooser chose, in the order of
    preference.
    """

    kind: DecisionKind
    chooser: int
    chosen: int
    group: int
    among: tuple[int, ...]
    work: RowsWork | None = None
    row: int = 0

    def before(self) -> tuple[int, ...]:
        """Return who was passed over."""
        return self.among[: self.among.index(self.chosen)]


def decisions(sheet: Dubov1997Round, offered: Offered | None) -> list[PairDecision]:
    """Return the decisions of a round, or of the offer where the procedure cannot finish."""
    if sheet.field.round == 1:
        made = list(_halves(sheet))
    else:
        made = [one for number, group in enumerate(sheet.groups) for one in _of_group(sheet, number, group)]
    if offered is None:
        return made
    made = made[: len(offered.kept)]
    free = in_order(sheet.field, (seat for pair in offered.added for seat in pair))
    for one, other in offered.added:
        free.remove(one)
        made.append(PairDecision(DecisionKind.OFFER, one, other, -1, tuple(free)))
        free.remove(other)
    return made


def _halves(sheet: Dubov1997Round) -> Iterator[PairDecision]:
    left = [lower for _, lower in sorted(sheet.made, key=lambda pair: pair[1])]
    for row, (upper, lower) in enumerate(sheet.made):
        yield PairDecision(DecisionKind.HALF, upper, lower, -1, tuple(left), row=row)
        left.remove(lower)


def _of_group(sheet: Dubov1997Round, number: int, group: ScoreGroupSteps) -> Iterator[PairDecision]:
    field = sheet.field
    free = group.residents
    for floater, opponent in group.floaters:
        if opponent is not None:
            among = in_order_of_choice(sheet, free, field.due[floater])
            yield PairDecision(DecisionKind.FLOATER, floater, opponent, number, among)
            free &= ~(1 << opponent)
    taken = 0
    for island, search in group.islands:
        if search.chosen is not None:
            nearest = field.groups[field.group_of[search.chosen]] & group.before & ~taken
            among = in_order_of_choice(sheet, nearest, field.due[island])
            yield PairDecision(DecisionKind.ISLAND, island, search.chosen, number, among)
            taken |= 1 << search.chosen
    for work in group.works:
        yield from _of_work(number, work)


def _of_work(number: int, work: RowsWork) -> Iterator[PairDecision]:
    if work.looks is not None:
        ((one, other),) = work.pairs
        among = (*work.left[work.looks + 1 :], *reversed(work.left[: work.looks]))
        yield PairDecision(DecisionKind.ASIDE, one, other, number, among, work, work.looks)
        return
    left = list(work.right)
    for row, (one, other) in enumerate(work.pairs):
        yield PairDecision(DecisionKind.ROW, one, other, number, tuple(left), work, row)
        left.remove(other)


def in_order_of_choice(sheet: Dubov1997Round, mask: int, due: int) -> tuple[int, ...]:
    """Return these players in the order of S6.2 and S7. due: the colour that the first ones are not due."""
    field = sheet.field
    return tuple(
        sorted(
            bits(mask), key=lambda seat: (due != NO_COLOUR and field.due[seat] == due, field.by_rise[seat])
        )
    )


def passed_by(facts: PlayerObstacles, made: PairDecision, other: int) -> Reason:
    """Return why a player who comes before the chosen one was passed over."""
    names = {"player": facts.id(made.chooser), "other": facts.id(other)}
    obstacle = facts.obstacle(made.chooser, other)
    if obstacle is not None:
        return obstacle
    match made.kind:
        case DecisionKind.ISLAND:
            return Reason("barred_from_rising", rises(facts.field, other))
        case DecisionKind.HALF:
            return Reason("half_blocked", names)
        case DecisionKind.ASIDE:
            return Reason("aside_blocked", names)
        case DecisionKind.OFFER:
            return Reason("offer_blocked", names)
        case _:
            return Reason("row_blocked", names)


def rises(field: Dubov1997Field, seat: int) -> dict[str, int]:
    """Return the parameters of a player whom 2.5 bars: how often risen."""
    player = field.entrants[seat]
    return {"player": player.id, "count": player.rises, "last": int(player.rose_last)}


def passed(facts: PlayerObstacles, made: PairDecision) -> tuple[Passed, ...]:
    return tuple(
        Passed(facts.id(other), passed_by(facts, made, other)) for other in made.before()[:MOST_PASSED]
    )
