"""Why these players float, and what a change of the floaters costs (docs/uschess.md, 4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pairing.engine.model import RESULTS, Game
from pairing.engine.systems.uschess.pairing import Work
from pairing.engine.systems.uschess.pays import Decided
from pairing.engine.systems.uschess.reading import Reading
from pairing.engine.trace import Float, Reason

from .verdicts import SECTION_45, Verdict, verdict


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
        return [Reason("float_natural", people)]
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
    avoided = next((pair for pair in zip(down, up, strict=True) if pair not in work.pairs), None)
    if avoided is not None:
        reasons.append(why_not_pair(reading, work, *avoided))
    return reasons


def why_not_pair(reading: Reading, work: Work, one: int, other: int) -> Reason:
    """Return why two places who are paired with others do not meet."""
    field, ids = work.field, reading.ids
    one, other = sorted((one, other))
    people: dict[str, Any] = {"player": ids[one], "other": ids[other]}
    if field.never[one] >> other & 1:
        return Reason("forbidden", people)
    assert work.structure is not None
    if work.structure.is_free:
        if field.met[one].get(other, 0):
            return Reason("met", {**people, "rounds": rounds_of(reading, one, other)})
        most = field.settings.max_drop
        if most is not None and field.points[one] - field.points[other] > most:
            return Reason("too_far", {**people, "points": most})
    return _reason(verdict(work, one, other), people)


def _reason(found: Verdict, people: dict[str, Any]) -> Reason:
    if found.stage == "blocked":
        return Reason("blocked", people)
    if not found.place:
        return Reason("tie_floats" if found.stage == "floats" else "tie_group", people)
    if found.place == "blocked":
        return Reason("group_blocked", people)
    values = {**people, "found": found.found, "best": found.best}
    if found.place in ("points", "sizes", "levels"):
        return Reason(f"structure_{found.place}", values if found.place == "points" else people)
    if found.place in SECTION_45:
        return Reason(f"{found.stage}_{found.place}", values)
    return Reason(found.place, values)


def rounds_of(reading: Reading, one: int, other: int) -> tuple[int, ...]:
    """Return the rounds in which two places met over the board."""
    both = {reading.ids[one], reading.ids[other]}
    games = reading.tournament.games
    return tuple(sorted(game.round for game in games if {game.white, game.black} == both and _played(game)))


def _played(game: Game) -> bool:
    return RESULTS[game.result].played


def chain_steps(chain: Decided) -> Iterator[Reason]:
    """Yield what was decided for a chain of groups: whether the change of the floaters pays (4.8)."""
    if chain.other is None:
        return
    levels = {"high": chain.levels[0], "low": chain.levels[-1]}
    if not chain.is_ahead:
        yield Reason("change_does_not_pay", levels)
        return
    for name, best, found in zip(SECTION_45, chain.taken.costs, chain.other.costs, strict=True):
        if best != found:
            yield Reason(f"pays_{name}", {**levels, "found": found, "best": best})
            return
