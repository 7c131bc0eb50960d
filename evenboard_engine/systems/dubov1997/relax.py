"""Propose to the arbiter which rules to relax if no round keeps the limitations of 1997 (article 9)."""

from __future__ import annotations

from evenboard_engine.model import Tournament
from evenboard_engine.result import Relaxation, RelaxationKind
from evenboard_engine.systems.relaxing import MAX_PLAYERS, cheapest_relaxations

from .explaining.obstacles import Facts
from .pairing import pair
from .pairing.history import field_of
from .pairing.offer import offer_for

KINDS = {
    "met": RelaxationKind.REMATCH,
    "forbidden": RelaxationKind.FORBIDDEN,
    "both_barred": RelaxationKind.SAME_COLOUR,
    "no_way": RelaxationKind.SAME_COLOUR,
}
"""What a pair breaks, by what keeps it apart (`Facts.obstacles`)."""


def propose_relaxations(tournament: Tournament) -> tuple[Relaxation, ...]:
    """Return the rules to break so that a round exists, most serious first.

    () if the procedure finishes or a round is offered, and if the field is too large. Raises InvalidTournament.
    """
    field = field_of(tournament)
    count = len(field.ids)
    if count > MAX_PLAYERS:
        return ()
    sheet = pair(field)
    if not sheet.where or offer_for(sheet) is not None:
        return ()
    facts = Facts(tournament, field)

    def broken(one: int, other: int) -> tuple[RelaxationKind, ...]:
        if other == count:
            return (RelaxationKind.SECOND_BYE,) if field.entrants[one].had_point else ()
        return tuple(KINDS[obstacle.code] for obstacle in facts.obstacles(one, other))

    return cheapest_relaxations(field.ids, field.score, broken, range(count + count % 2))
