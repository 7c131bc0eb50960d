"""Why these players float, and what a change of the floaters costs (docs/uschess.md, 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from evenboard_engine.model import Colour
from evenboard_engine.systems.uschess.colours import WHITE
from evenboard_engine.systems.uschess.field import UsChessField, UsChessRound, rounds_of
from evenboard_engine.systems.uschess.float_choice import DecidedChain
from evenboard_engine.systems.uschess.floaters import Blocks
from evenboard_engine.systems.uschess.options import UsChessSettings
from evenboard_engine.systems.uschess.pairing import UsChessWork
from evenboard_engine.trace import Float, Reason

from .verdicts import PLACES_OF_GROUP, SECTION_45, Verdict, group_cost, verdict

OF_COLOURS = ("third", "equalisation", "alternation")
"""The places about colours. Their reason says first if the two are due the same colour."""
MATES = {"teams": "teammates", "dont_teams": "teammates", "clubs": "clubmates", "dont_clubs": "clubmates"}
"""The short reason for two who are mates themselves, by the place that is worse if they meet."""


def floats_of(reading: UsChessRound, work: UsChessWork) -> tuple[Float, ...]:
    """Return all float pairs, the highest first."""
    field, ids = work.field, reading.ids
    floats = sorted(pair for chain in work.chains for pair in chain.taken.floats)
    return tuple(
        Float(
            ids[one],
            ids[other],
            field.points[one],
            field.points[other],
            natural=is_natural(work, one, other),
            cost=size_of(work, one, other),
        )
        for one, other in floats
    )


def is_natural(work: UsChessWork, one: int, other: int) -> bool:
    """Return whether both are natural floaters, and natural opponents."""
    assert work.blocks is not None
    return one in work.blocks.floating and work.blocks.natural[one] == other


def size_of(work: UsChessWork, one: int, other: int) -> int:
    assert work.blocks is not None
    return work.blocks.size_of_float(one, other)


def float_reasons(reading: UsChessRound, work: UsChessWork, one: int, other: int) -> list[Reason]:
    """Return why two places are a float pair; the first reason says it in a sentence."""
    blocks, field, ids = work.blocks, work.field, reading.ids
    assert blocks is not None
    gap = field.points[one], field.points[other]
    people = {"player": ids[one], "other": ids[other], "points": gap[0], "more": gap[1]}
    if is_natural(work, one, other):
        return [Reason("float_natural", people), *_natural(reading, work, one, other)]
    size = size_of(work, one, other)
    down, up = blocks.dropped[gap], blocks.raised[gap]
    reasons = [Reason("float_changed", {**people, "size": size})]
    if blocks.between[gap] == 1:
        if one not in down:
            reasons.append(Reason("dropped_instead", {"player": ids[one], "opponent": ids[down[0]]}))
        if other not in up:
            reasons.append(Reason("raised_instead", {"player": ids[other], "opponent": ids[up[0]]}))
    else:
        names = {"players": tuple(ids[place] for place in down), "others": tuple(ids[place] for place in up)}
        reasons.append(Reason("natural_floaters", names))
    if blocks.is_spared(one, gap):
        reasons.append(Reason("spared_dropped", {"player": ids[one]}))
    reasons += [why_not_pair(reading, work, *pair) for pair in _instead_of(work, one, other)]
    return reasons


def _instead_of(work: UsChessWork, one: int, other: int) -> list[tuple[int, int]]:
    """Return the pairs that would be made by ratings and are not: the natural one, and those with one new floater."""
    assert work.blocks is not None
    gap = work.field.points[one], work.field.points[other]
    down, up = work.blocks.dropped[gap], work.blocks.raised[gap]
    made = set(work.pairs)
    pairs = [pair for pair in zip(down, up, strict=True) if pair not in made][:1]
    if work.blocks.between[gap] == 1 and one not in down and other not in up:
        pairs += [(down[0], other), (one, up[0])]
    return pairs


def _natural(reading: UsChessRound, work: UsChessWork, one: int, other: int) -> Iterator[Reason]:
    """Yield why ratings alone choose these two: the place of each in the score group, if it can be said shortly."""
    blocks, field, ids = work.blocks, work.field, reading.ids
    assert blocks is not None
    high, low = (work.groups[field.points[place]] for place in (one, other))
    leaving = {place for block in blocks.dropped.values() for place in block if place in high}
    code = _of_dropped(field, high, one, leaving, _raised(blocks))
    if code:
        yield Reason(code, {"player": ids[one], "points": field.points[one], "count": len(leaving)})
    coming = _raised(blocks) & set(low)
    above = [place for place in low if place < other]
    if len(low) == 1:
        code = "raise_only"
    elif not above:
        code = "raise_highest"
    elif coming == set(low[: len(coming)]):
        code = "raise_of_highest"
    else:
        code = "raise_not_kept" if all(field.keep[place] for place in above) else ""
    if code:
        yield Reason(code, {"player": ids[other], "points": field.points[other], "count": len(coming)})


def _of_dropped(
    field: UsChessField, group: Sequence[int], one: int, leaving: set[int], raised: set[int]
) -> str:
    """Return the code that says where a natural dropped player stands in the group; "" if none does."""
    below = [place for place in group if place > one]
    if len(group) == 1:
        return "drop_only"
    if not below:
        return "drop_lowest"
    if not field.unrated[one] and all(field.unrated[place] for place in below):
        return "drop_lowest_rated"
    if set(group[-len(leaving) :]) == leaving:
        return "drop_of_lowest"
    if field.settings.harkness:
        rest = [place for place in group if place not in raised]
        away = [abs(2 * at - (len(rest) - 1)) for at in range(len(rest))]
        nearer = sum(distance < away[rest.index(one)] for distance in away)
        return "drop_middle" if nearer < len(leaving) else ""
    return "drop_not_kept" if all(field.keep[place] for place in below) else ""


def _raised(blocks: Blocks) -> set[int]:
    return {place for block in blocks.raised.values() for place in block}


def gap_reasons(reading: UsChessRound, work: UsChessWork, high: int, low: int) -> Iterator[Reason]:
    """Yield why pairs join two score groups: the numbers of players, or a group that cannot be paired within itself."""
    assert work.structure is not None
    levels = list(work.groups)
    count = work.structure.pairs_between[high, low]
    values = {"points": high, "more": low}
    above = sum(len(work.groups[level]) for level in levels if level >= high)
    if count == 1 and above % 2 and levels.index(low) == levels.index(high) + 1:
        yield Reason("gap_odd", {**values, "count": above})
        return
    yield Reason("gap", {**values, "count": count})
    for level in (high, low):
        group = work.groups[level]
        if len(group) % 2 or work.field.can_pair(group):
            continue
        if len(group) == 2:
            yield why_not_pair(reading, work, *group)
        else:
            yield Reason("gap_blocked", {"count": len(group), "points": level})


def no_meeting(reading: UsChessRound, field: UsChessField, one: int, other: int) -> Reason | None:
    """Return whether two places may never meet, or have met already."""
    people = {"player": reading.ids[one], "other": reading.ids[other]}
    if field.never[one] >> other & 1:
        return Reason("forbidden", people)
    if field.met[one].get(other, 0):
        return Reason("met", {**people, "rounds": rounds_of(reading, one, other)})
    return None


def why_not_pair(reading: UsChessRound, work: UsChessWork, one: int, other: int) -> Reason:
    """Return why two places who are paired with others do not meet."""
    field, ids = work.field, reading.ids
    one, other = sorted((one, other))
    people: dict[str, Any] = {"player": ids[one], "other": ids[other]}
    assert work.structure is not None
    never = no_meeting(reading, field, one, other)
    if never is not None and (never.code == "forbidden" or work.structure.is_free):
        return never
    if work.structure.is_free:
        most = field.settings.max_drop
        if most is not None and field.points[one] - field.points[other] > most:
            return Reason("too_far", {**people, "points": most})
    found = verdict(work, one, other)
    mates = MATES.get(found.place)
    if mates == "teammates" and field.are_teammates(one, other):
        return Reason(mates, people)
    if mates == "clubmates" and field.are_clubmates(one, other):
        return Reason(mates, people)
    return _reason(found, people, field, one, other)


def _reason(found: Verdict, people: dict[str, Any], field: UsChessField, one: int, other: int) -> Reason:
    if found.stage == "blocked":
        return Reason("blocked", people)
    if not found.place:
        return Reason("tie_floats" if found.stage == "floats" else "tie_group", people)
    if found.place == "blocked":
        return Reason("group_blocked", people)
    values: dict[str, Any] = {
        **people,
        "found": found.found,
        "best": found.best,
        **limit_of(found.place, field.settings),
    }
    if found.place in ("points", "sizes", "levels"):
        return Reason(f"structure_{found.place}", values if found.place == "points" else people)
    if found.place in OF_COLOURS and (due := both_due(field, one, other)):
        values["due"] = due
    if found.place in SECTION_45:
        return Reason(f"{found.stage}_{found.place}", values)
    return Reason(found.place, values)


def limit_of(place: str, settings: UsChessSettings) -> dict[str, int]:
    """Return the limit of rating changes that a place counts, as a parameter; else nothing."""
    limits = {"high": settings.high, "low": settings.low}
    return {"limit": limits[place]} if place in limits else {}


def chain_steps(chain: DecidedChain, settings: UsChessSettings) -> Iterator[Reason]:
    """Yield what was decided for a chain of groups: whether the change of the floaters pays (4.8)."""
    if chain.other is None:
        return
    levels = {"high": chain.levels[0], "low": chain.levels[-1]}
    if not chain.is_ahead:
        yield Reason("change_does_not_pay", levels)
        return
    for name, best, found in zip(SECTION_45, chain.taken.costs, chain.other.costs, strict=True):
        if best != found:
            limit = limit_of(name, settings)
            yield Reason(f"pays_{name}", {**levels, "found": found, "best": best, **limit})
            return


# Why pairs of a score group are switched: the natural pairs that are not made, and what was wrong with them
# (4.7).

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


class SwitchedPairs(NamedTuple):
    """Pairs that are switched together: nobody else is concerned. natural: those not made. made: the others."""

    natural: tuple[tuple[int, int], ...]
    made: tuple[tuple[int, int], ...]


def turns_of(
    group: Sequence[int], natural: Mapping[int, int], mate: Mapping[int, int]
) -> Iterator[SwitchedPairs]:
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
        yield SwitchedPairs(tuple(sorted(before)), tuple(sorted(made)))


def causes_of(
    reading: UsChessRound, group: Sequence[int], turn: SwitchedPairs
) -> dict[tuple[int, int], Reason]:
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
    reading: UsChessRound, group: Sequence[int], turn: SwitchedPairs, pair: tuple[int, int]
) -> Iterator[Reason]:
    """Yield why a pair of a turn is made: what is wrong with the natural opponents of the two, else with others."""
    causes = causes_of(reading, group, turn)
    mine = [cause for natural, cause in causes.items() if {*natural} & {*pair}]
    if not mine:
        yield Reason("turned_for_others", {"count": len(turn.made)})
    yield from mine or list(causes.values())[:MOST_CAUSES]


def _cause(reading: UsChessRound, code: str, pair: tuple[int, int]) -> Reason:
    one, other = pair
    people: dict[str, Any] = {"player": reading.ids[one], "other": reading.ids[other]}
    if code == "would_repeat":
        people["rounds"] = rounds_of(reading, one, other)
    if code == "would_be_due":
        people["colour"] = due_colour(reading.field, one)
    return Reason(code, people)


def both_due(field: UsChessField, one: int, other: int) -> Colour | None:
    """Return the colour that both players are due; None if they are due different colours, or one is due none."""
    due = field.state[one].due
    return due_colour(field, one) if due and due == field.state[other].due else None


def due_colour(field: UsChessField, place: int) -> Colour:
    """Return the colour that a player is due, who is due one."""
    return Colour.WHITE if field.state[place].due == WHITE else Colour.BLACK
