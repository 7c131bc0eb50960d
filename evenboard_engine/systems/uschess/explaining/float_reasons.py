"""Why these players float, and what a change of the floaters costs (docs/uschess.md, 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from evenboard_engine.systems.uschess.entrants import Field
from evenboard_engine.systems.uschess.floaters import Blocks
from evenboard_engine.systems.uschess.pairing import Work
from evenboard_engine.systems.uschess.pays import Decided
from evenboard_engine.systems.uschess.reading import Reading, rounds_of
from evenboard_engine.systems.uschess.settings import Settings
from evenboard_engine.trace import Float, Reason

from .switches import both_due
from .verdicts import SECTION_45, Verdict, verdict

OF_COLOURS = ("third", "equalisation", "alternation")
"""The places about colours. Their reason says first if the two are due the same colour."""
MATES = {"teams": "teammates", "dont_teams": "teammates", "clubs": "clubmates", "dont_clubs": "clubmates"}
"""The short reason for two who are mates themselves, by the place that is worse if they meet."""


def floats_of(reading: Reading, work: Work) -> tuple[Float, ...]:
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


def is_natural(work: Work, one: int, other: int) -> bool:
    """Return whether both are natural floaters, and natural opponents."""
    assert work.blocks is not None
    return one in work.blocks.floating and work.blocks.natural[one] == other


def size_of(work: Work, one: int, other: int) -> int:
    assert work.blocks is not None
    return work.blocks.size_of_float(one, other)


def float_reasons(reading: Reading, work: Work, one: int, other: int) -> list[Reason]:
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
        names = {
            "players": tuple(ids[place] for place in down),
            "others": tuple(ids[place] for place in up),
        }
        reasons.append(Reason("natural_floaters", names))
    if blocks.is_spared(one, gap):
        reasons.append(Reason("spared_dropped", {"player": ids[one]}))
    reasons += [why_not_pair(reading, work, *pair) for pair in _instead_of(work, one, other)]
    return reasons


def _instead_of(work: Work, one: int, other: int) -> list[tuple[int, int]]:
    """Return the pairs that would be made by ratings and are not: the natural one, and those with one new floater."""
    assert work.blocks is not None
    gap = work.field.points[one], work.field.points[other]
    down, up = work.blocks.dropped[gap], work.blocks.raised[gap]
    made = set(work.pairs)
    pairs = [pair for pair in zip(down, up, strict=True) if pair not in made][:1]
    if work.blocks.between[gap] == 1 and one not in down and other not in up:
        pairs += [(down[0], other), (one, up[0])]
    return pairs


def _natural(reading: Reading, work: Work, one: int, other: int) -> Iterator[Reason]:
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


def _of_dropped(field: Field, group: Sequence[int], one: int, leaving: set[int], raised: set[int]) -> str:
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


def gap_reasons(reading: Reading, work: Work, high: int, low: int) -> Iterator[Reason]:
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


def no_meeting(reading: Reading, field: Field, one: int, other: int) -> Reason | None:
    """Return whether two places may never meet, or have met already."""
    people = {"player": reading.ids[one], "other": reading.ids[other]}
    if field.never[one] >> other & 1:
        return Reason("forbidden", people)
    if field.met[one].get(other, 0):
        return Reason("met", {**people, "rounds": rounds_of(reading, one, other)})
    return None


def why_not_pair(reading: Reading, work: Work, one: int, other: int) -> Reason:
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


def _reason(found: Verdict, people: dict[str, Any], field: Field, one: int, other: int) -> Reason:
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


def limit_of(place: str, settings: Settings) -> dict[str, int]:
    """Return the limit of rating changes that a place counts, as a parameter; else nothing."""
    limits = {"high": settings.high, "low": settings.low}
    return {"limit": limits[place]} if place in limits else {}


def chain_steps(chain: Decided, settings: Settings) -> Iterator[Reason]:
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
