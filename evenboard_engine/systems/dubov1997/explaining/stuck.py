"""What is told where the procedure cannot finish, and how the offer was made (S12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from evenboard_engine.model import Tournament
from evenboard_engine.systems.dubov1997.pairing import Sheet
from evenboard_engine.systems.dubov1997.pairing.field import Field
from evenboard_engine.systems.dubov1997.pairing.offer import Offered, in_order, offer_for
from evenboard_engine.trace import Reason

from .decisions import rises
from .obstacles import Facts
from .steps import Steps

MOST_PAIRS = 30
"""So many pairs of unpaired players are told with the reason why they cannot meet."""


def reasons_of(tournament: Tournament, sheet: Sheet) -> tuple[Reason, ...]:
    """Return all steps until the procedure stops, where it stops, and why the unpaired players cannot meet."""
    return tuple(_reasons(Facts(tournament, sheet.field), sheet))


def _reasons(facts: Facts, sheet: Sheet) -> Iterator[Reason]:
    if sheet.bye is not None:
        given = "bye_last" if sheet.field.round == 1 else "bye_given"
        yield Reason(given, {"player": facts.id(sheet.bye)})
    steps = Steps(facts, sheet)
    for group in sheet.groups:
        yield from steps.of_group(group)
    yield Reason(f"stuck_{sheet.where}", {"players": tuple(map(facts.id, sheet.unpaired))})
    if sheet.where == "bye":
        yield from (facts.point_without_playing(seat) for seat in sheet.unpaired)
    elif sheet.where == "round_1":
        half = len(sheet.unpaired) // 2
        pairs = ((one, other) for one in sheet.unpaired[:half] for other in sheet.unpaired[half:])
        yield from _apart(facts, pairs)
    else:
        yield from _apart(facts, combinations(sheet.unpaired, 2))
    if offer_for(sheet) is None:
        yield Reason("no_round", {})


def _apart(facts: Facts, pairs: Iterable[tuple[int, int]]) -> Iterator[Reason]:
    named = 0
    for one, other in pairs:
        obstacle = facts.obstacle(one, other)
        if obstacle is not None and named < MOST_PAIRS:
            named += 1
            yield obstacle


def reasons_of_offer(sheet: Sheet, offered: Offered) -> tuple[Reason, ...]:
    """Return how the offer was made."""
    ids = sheet.field.ids.__getitem__
    reasons = []
    if offered.new_bye:
        assert offered.bye is not None
        reasons.append(Reason("other_bye", {"player": ids(offered.bye)}))
    elif offered.undone:
        pairs = tuple((ids(one), ids(other)) for one, other in offered.undone)
        reasons.append(Reason("undone", {"pairs": pairs, "count": len(pairs)}))
    else:
        reasons.append(Reason("undone_none", {}))
    free = in_order(sheet.field, (seat for pair in offered.added for seat in pair))
    players = tuple(map(ids, free))
    return (*reasons, Reason("offered_order", {"players": players}))


def broken_by_offer(field: Field, offered: Offered) -> tuple[Reason, ...]:
    """Return the limitations that an offer does not keep: only 2.5 does not count in it (S12.3)."""
    return tuple(reason for pair in offered.added for reason in rise_in_offer(field, *pair))


def rise_in_offer(field: Field, one: int, other: int) -> tuple[Reason, ...]:
    """Return that the player with fewer points in a pair of an offer may not be transferred up by 2.5; else ()."""
    lower, higher = sorted((one, other), key=field.score.__getitem__)
    if field.score[lower] == field.score[higher] or not field.barred_from_rising >> lower & 1:
        return ()
    return (Reason("offer_rise", {**rises(field, lower), "opponent": field.ids[higher]}),)
