"""Why pairs of a score group are switched: the natural pairs that are not made, and what was wrong with them (4.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from evenboard_engine.model import Colour
from evenboard_engine.systems.uschess.colours import WHITE
from evenboard_engine.systems.uschess.entrants import Field
from evenboard_engine.systems.uschess.reading import Reading, rounds_of
from evenboard_engine.trace import Reason

from .verdicts import PLACES_OF_GROUP, group_cost

CODES = {
    "rematches": "would_repeat",
    "dont_teams": "would_be_teammates",
    "dont_clubs": "would_be_clubmates",
    "teams": "would_be_teammates",
    "clubs": "would_be_clubmates",
    "third": "would_be_due",
    "equalisation": "would_be_due",
    "alternation": "would_be_due",
}
"""The sentence about a natural pair that costs something in this place. It costs nothing in the others."""


MOST_CAUSES = 3
"""How many pairs of others the reasons for a switched pair name."""


class Turn(NamedTuple):
    """Pairs that are switched together: nobody else is concerned. natural: those not made. made: the others."""

    natural: tuple[tuple[int, int], ...]
    made: tuple[tuple[int, int], ...]


def turns_of(group: Sequence[int], natural: Mapping[int, int], mate: Mapping[int, int]) -> Iterator[Turn]:
    """Yield the turns of a group, that of the highest ranked player first."""
    seen: set[int] = set()
    for first in group:
        if first in seen or natural[first] == mate[first]:
            continue
        before, made = [], []
        place = first
        while place not in seen:
            opposite = natural[place]
            before.append((min(place, opposite), max(place, opposite)))
            made.append((min(opposite, mate[opposite]), max(opposite, mate[opposite])))
            seen |= {place, opposite}
            place = mate[opposite]
        yield Turn(tuple(sorted(before)), tuple(sorted(made)))


def causes_of(reading: Reading, group: Sequence[int], turn: Turn) -> dict[tuple[int, int], Reason]:
    """Return why a turn is made, by natural pair: those that cost something in a place that the turn makes better.

    There always is one: natural pairs that cost no more than those that are made would be taken (docs/uschess.md, 4.7).
    """
    field = reading.field
    before, after = (group_cost(field, group, pairs) for pairs in turn)
    better = [at for at, (mine, best) in enumerate(zip(before, after, strict=True)) if mine > best]
    causes = {}
    for pair in turn.natural:
        if field.never[pair[0]] >> pair[1] & 1:
            causes[pair] = _cause(reading, "would_be_forbidden", pair)
            continue
        costs = group_cost(field, group, [pair])
        at = next((at for at in better if costs[at]), None)
        if at is not None:
            causes[pair] = _cause(reading, CODES[PLACES_OF_GROUP[at]], pair)
    return causes


def why_switched(
    reading: Reading, group: Sequence[int], turn: Turn, pair: tuple[int, int]
) -> Iterator[Reason]:
    """Yield why a pair of a turn is made: what is wrong with the natural opponents of the two, else with others."""
    causes = causes_of(reading, group, turn)
    mine = [cause for natural, cause in causes.items() if {*natural} & {*pair}]
    if not mine:
        yield Reason("turned_for_others", {"count": len(turn.made)})
    yield from mine or list(causes.values())[:MOST_CAUSES]


def _cause(reading: Reading, code: str, pair: tuple[int, int]) -> Reason:
    one, other = pair
    people: dict[str, Any] = {"player": reading.ids[one], "other": reading.ids[other]}
    if code == "would_repeat":
        people["rounds"] = rounds_of(reading, one, other)
    if code == "would_be_due":
        people["colour"] = due_colour(reading.field, one)
    return Reason(code, people)


def both_due(field: Field, one: int, other: int) -> Colour | None:
    """Return the colour that both players are due; None if they are due different colours, or one is due none."""
    due = field.state[one].due
    return due_colour(field, one) if due and due == field.state[other].due else None


def due_colour(field: Field, place: int) -> Colour:
    """Return the colour that a player is due, who is due one."""
    return Colour.WHITE if field.state[place].due == WHITE else Colour.BLACK
