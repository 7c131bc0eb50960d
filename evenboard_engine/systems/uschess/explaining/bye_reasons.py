"""Why a player has the bye, and others do not (docs/uschess.md, 2.1)."""

from __future__ import annotations

from collections.abc import Iterator

from evenboard_engine.systems.uschess.bye import ByeKey, bye_key, rematches_without
from evenboard_engine.systems.uschess.reading import Reading
from evenboard_engine.trace import ByeTrace, Passed, Reason

MOST_PASSED = 12
"""How many of those who are nearer to the bye by rank the trace names, the lowest first."""
HAD = ("bye_had_none", "bye_had_forfeit", "bye_had_full")
UNRATED = 2
"""The kind of a `ByeKey` from which on a player is unrated."""


def bye_trace(reading: Reading, bye: int | None) -> ByeTrace:
    """Return who has the bye and why, and why not those who are nearer to it by rank. bye: a place."""
    if bye is None:
        return ByeTrace(None)
    field = reading.field
    nearer = list(range(len(reading.ids) - 1, bye, -1))
    if field.unrated[bye]:  # rated players come first, although they are ranked higher
        nearer += [place for place in _peers(reading, bye) if place < bye and not field.unrated[place]][::-1]
    passed = tuple(
        Passed(reading.ids[place], why_not_bye(reading, place, bye)) for place in nearer[:MOST_PASSED]
    )
    return ByeTrace(reading.ids[bye], passed, tuple(_why_bye(reading, bye)))


def _why_bye(reading: Reading, bye: int) -> Iterator[Reason]:
    """Yield what each place of the key of 2.1 says about the player with the bye."""
    field, occasion = reading.field, reading.occasion
    player = {"player": reading.ids[bye]}
    repeated = rematches_without(field, bye)
    if repeated:
        yield Reason("bye_repeats", {**player, "count": repeated})
    levels = sorted(set(field.points))
    key = bye_key(field, occasion, bye, levels)
    yield Reason(HAD[key.unplayed], player)
    if field.settings.bye_28l5 and occasion.rounds == 4 and any(field.unrated):
        yield Reason("bye_order_28l5", player)
        return
    score = {**player, "points": field.points[bye]}
    if field.points[bye] == levels[0]:
        yield Reason("bye_lowest_group", score)
    else:
        yield Reason("bye_lower_groups", score)
    yield from _within_group(reading, bye, key, levels)


def _within_group(reading: Reading, bye: int, key: ByeKey, levels: list[int]) -> Iterator[Reason]:
    """Yield what puts the player first in the score group."""
    field, occasion = reading.field, reading.occasion
    player = {"player": reading.ids[bye]}
    score = {**player, "points": field.points[bye]}
    group = _peers(reading, bye)
    if not group:
        yield Reason("bye_alone", score)
        return
    keys = [bye_key(field, occasion, place, levels) for place in group]
    if key.half_bye:
        yield Reason("bye_all_half", score)
    elif any(other.unplayed == key.unplayed and other.half_bye for other in keys):
        yield Reason("bye_no_half", player)
    kinds = {other.kind for other in keys if (other.unplayed, other.half_bye) == (key.unplayed, key.half_bye)}
    rated_left = [place for place in group if not field.unrated[place]]
    if key.kind >= UNRATED:
        yield Reason("bye_rated_cannot" if rated_left else "bye_all_unrated", score)
        if any(kind > key.kind for kind in kinds):
            yield Reason("bye_not_new", player)
    else:
        if any(kind >= UNRATED for kind in kinds):
            yield Reason("bye_is_rated", player)
        if key.kind:
            yield Reason("bye_all_late", player)
        elif 1 in kinds:
            yield Reason("bye_not_late", player)
    if key.kind in kinds:
        rating = field.entrants[bye].rating
        rated = {**player, "rating": rating}
        yield Reason("bye_rated_lowest", rated) if rating else Reason("bye_ranked_lowest", player)


def _peers(reading: Reading, bye: int) -> list[int]:
    """Return the others of the score group, in order of rank."""
    points = reading.field.points
    return [place for place in range(len(points)) if place != bye and points[place] == points[bye]]


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
