"""What is told and proposed where the procedure cannot finish (article 9; S12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from evenboard_engine.model import Tournament
from evenboard_engine.result import Relaxation, RelaxationKind
from evenboard_engine.systems.dubov1997.pairing import Dubov1997Round, pair
from evenboard_engine.systems.dubov1997.pairing.field import Dubov1997Field, field_of
from evenboard_engine.systems.dubov1997.pairing.offer import Offered, in_order, offer_for
from evenboard_engine.systems.relaxing import MAX_PLAYERS, cheapest_relaxations
from evenboard_engine.trace import Reason

from .decisions import rises
from .obstacles import PlayerObstacles
from .steps import GroupSteps

MOST_PAIRS = 30
"""So many pairs of unpaired players are told with the reason why they cannot meet."""


def reasons_of(tournament: Tournament, sheet: Dubov1997Round) -> tuple[Reason, ...]:
    """Return all steps until the procedure stops, where it stops, and why the unpaired players cannot meet."""
    return tuple(_reasons(PlayerObstacles(tournament, sheet.field), sheet))


def _reasons(facts: PlayerObstacles, sheet: Dubov1997Round) -> Iterator[Reason]:
    if sheet.bye is not None:
        given = "bye_last" if sheet.field.round == 1 else "bye_given"
        yield Reason(given, {"player": facts.id(sheet.bye)})
    steps = GroupSteps(facts, sheet)
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


def _apart(facts: PlayerObstacles, pairs: Iterable[tuple[int, int]]) -> Iterator[Reason]:
    named = 0
    for one, other in pairs:
        obstacle = facts.obstacle(one, other)
        if obstacle is not None and named < MOST_PAIRS:
            named += 1
            yield obstacle


def reasons_of_offer(sheet: Dubov1997Round, offered: Offered) -> tuple[Reason, ...]:
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


def broken_by_offer(field: Dubov1997Field, offered: Offered) -> tuple[Reason, ...]:
    """Return the limitations that an offer does not keep: only 2.5 does not count in it (S12.3)."""
    return tuple(reason for pair in offered.added for reason in rise_in_offer(field, *pair))


def rise_in_offer(field: Dubov1997Field, one: int, other: int) -> tuple[Reason, ...]:
    """Return that the player with fewer points in a pair of an offer may not be transferred up by 2.5; else ()."""
    lower, higher = sorted((one, other), key=field.score.__getitem__)
    if field.score[lower] == field.score[higher] or not field.barred_from_rising >> lower & 1:
        return ()
    return (Reason("offer_rise", {**rises(field, lower), "opponent": field.ids[higher]}),)


# Propose to the arbiter which rules to relax if no round keeps the limitations of 1997 (article 9).

KINDS = {
    "met": RelaxationKind.REMATCH,
    "forbidden": RelaxationKind.FORBIDDEN,
    "both_barred": RelaxationKind.SAME_COLOUR,
    "no_way": RelaxationKind.SAME_COLOUR,
}
"""What a pair breaks, by what keeps it apart (`PlayerObstacles.obstacles`)."""


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
    facts = PlayerObstacles(tournament, field)

    def broken(one: int, other: int) -> tuple[RelaxationKind, ...]:
        if other == count:
            return (RelaxationKind.SECOND_BYE,) if field.entrants[one].had_point else ()
        return tuple(KINDS[obstacle.code] for obstacle in facts.obstacles(one, other))

    return cheapest_relaxations(field.ids, field.score, broken, range(count + count % 2))
