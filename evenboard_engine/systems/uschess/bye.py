"""Who gets the bye (docs/uschess.md, 2; US Chess rules 28L)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evenboard_engine.matching import Matching, cheapest_perfect_matching

from .field import UsChessField
from .options import Occasion


class ByeKey(NamedTuple):
    """The key of 2.1 after its first place; the least gets the bye. group: counted in halves."""

    unplayed: int
    group: int
    half_bye: bool
    kind: int
    lowest: int


def bye_key(field: UsChessField, occasion: Occasion, place: int, levels: Sequence[int]) -> ByeKey:
    """Return the key of a player. levels: the points of all groups, lowest first."""
    entrant = field.entrants[place]
    unrated = field.unrated[place]
    raised = 3 if unrated and field.settings.bye_28l5 and occasion.rounds == 4 else 0
    late = occasion.round == 1 and entrant.late
    return ByeKey(
        unplayed=2 if entrant.full_byes else 1 if entrant.forfeit_wins else 0,
        group=2 * levels.index(entrant.points) + raised,
        half_bye=entrant.half_bye,
        kind=2 + entrant.new if unrated else int(late),
        lowest=-place,
    )


def bye_order(field: UsChessField, occasion: Occasion) -> list[int]:
    """Return all places in the order in which they get the bye, as far as nothing but places 2 to 6 decides."""
    levels = sorted(set(field.points))
    return sorted(range(len(field.entrants)), key=lambda place: bye_key(field, occasion, place, levels))


def choose_bye(field: UsChessField, occasion: Occasion) -> int | None:
    """Return the place of the player who gets the bye; None if nobody can get it."""
    order = bye_order(field, occasion)
    first = _without_rematch(field, order)
    return _fewest_rematches(field, order) if first is None else first


def rematches_without(field: UsChessField, place: int) -> int | None:
    """Return the least number of repeated meetings if this player has the bye; None if the others cannot be paired."""
    people = [other for other in range(len(field.entrants)) if other != place]
    rows = [
        {
            w: field.met[one].get(other, 0)
            for w, other in enumerate(people)
            if other != one and not field.never[one] >> other & 1
        }
        for one in people
    ]
    fresh = Matching([sum(1 << w for w, times in row.items() if not times) for row in rows])
    if fresh.maximise() == 0:
        return 0
    mate = cheapest_perfect_matching(rows)
    return None if mate is None else sum(rows[v][w] for v, w in enumerate(mate)) // 2


def _without_rematch(field: UsChessField, order: Sequence[int]) -> int | None:
    """Return the first without whom all others can be paired with new opponents."""
    everybody = (1 << len(order)) - 1
    rows = [
        everybody & ~field.never[place] & ~sum(1 << other for other in field.met[place]) & ~(1 << place)
        for place in range(len(order))
    ]
    matching = Matching(rows)
    if matching.maximise() != 1:
        return None
    single = matching.dispensable()
    return next(place for place in order if single >> place & 1)


def _fewest_rematches(field: UsChessField, order: Sequence[int]) -> int | None:
    """Return the first of those whose bye costs the fewest repeated meetings: one vertex more stands for the bye."""
    count = len(order)
    costs = [
        {
            other: count * field.met[place].get(other, 0)
            for other in range(count)
            if other != place and not field.never[place] >> other & 1
        }
        for place in range(count)
    ]
    costs.append({place: at for at, place in enumerate(order)})
    for place in range(count):
        costs[place][count] = costs[count][place]
    mate = cheapest_perfect_matching(costs)
    return None if mate is None else mate[count]
