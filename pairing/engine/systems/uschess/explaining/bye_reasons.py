"""Why a player does not have the bye (docs/uschess.md, 2.1)."""

from __future__ import annotations

from pairing.engine.systems.uschess.bye import ByeKey, bye_key, rematches_without
from pairing.engine.systems.uschess.reading import Reading
from pairing.engine.trace import ByeTrace, Passed, Reason

MOST_PASSED = 12
"""How many of the players ranked below the one with the bye the trace names, the lowest first."""


def bye_trace(reading: Reading, bye: int | None) -> ByeTrace:
    """Return who has the bye, and why not those who are ranked lower. bye: a place."""
    if bye is None:
        return ByeTrace(None)
    last = len(reading.ids) - 1
    lower = range(last, max(bye, last - MOST_PASSED), -1)
    passed = tuple(Passed(reading.ids[place], why_not_bye(reading, place, bye)) for place in lower)
    return ByeTrace(reading.ids[bye], passed)


def why_not_bye(reading: Reading, place: int, bye: int | None) -> Reason:
    """Return the first place of the key of 2.1 that keeps the bye from a player."""
    player = reading.ids[place]
    if bye is None:
        return Reason("bye_even", {"player": player})
    people = {"player": player, "other": reading.ids[bye]}
    with_mine, best = rematches_without(reading.field, place), rematches_without(reading.field, bye)
    if with_mine is None:
        return Reason("bye_blocks", {"player": player})
    assert best is not None
    if with_mine > best:
        return Reason("bye_rematches", {**people, "found": with_mine, "best": best})
    levels = sorted(set(reading.field.points))
    mine, right = (bye_key(reading.field, reading.occasion, one, levels) for one in (place, bye))
    return _first_difference(reading, people, mine, right, (place, bye))


def _first_difference(
    reading: Reading, people: dict[str, int], mine: ByeKey, right: ByeKey, places: tuple[int, int]
) -> Reason:
    if mine.unplayed != right.unplayed:
        return Reason("bye_full" if mine.unplayed == 2 else "bye_forfeit", people)
    if mine.group != right.group:
        points, more = (reading.field.points[place] for place in places)
        if points <= more:
            return Reason("bye_28l5", people)
        return Reason("bye_group", {**people, "points": points, "more": more})
    if mine.half_bye != right.half_bye:
        return Reason("bye_half", people)
    if mine.kind != right.kind:
        return Reason({1: "bye_late", 2: "bye_unrated", 3: "bye_new"}[mine.kind], people)
    return Reason("bye_rank", people)
