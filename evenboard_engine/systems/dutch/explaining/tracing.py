"""The explanation of a round: the bye, then each bracket step by step, with the colours of each pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any

from evenboard_engine.matching import Matching
from evenboard_engine.model import Colour, Tournament
from evenboard_engine.preference import Strength
from evenboard_engine.result import Pair, RoundPairing
from evenboard_engine.systems.colours import COLOUR_OF, other_side
from evenboard_engine.systems.dutch.pairing import work_on_round
from evenboard_engine.systems.dutch.pairing.colours import DutchColourRule
from evenboard_engine.systems.dutch.pairing.exact import PairedBracket
from evenboard_engine.systems.dutch.pairing.field import DutchField
from evenboard_engine.systems.fide_swiss import alternated, first_game, virtual_points
from evenboard_engine.trace import (
    BracketTrace,
    ByeTrace,
    Float,
    Late,
    LateReason,
    Member,
    PairTrace,
    Passed,
    Reason,
    RoundTrace,
)

from .reasons import BY_CRITERION, BY_KEY
from .verdicts import FinishedDutchRound

MOST_PASSED = 4
"""How many of those who come before in the order are named, the nearest first."""
ALL_PASSED = 40
"""With more residents, a row names only the nearest of those whom it passed."""
MOST_FOR_BYE = 12
"""If no more players could have the bye instead, all of them are compared; else the nearest before its holder."""
MOST_COMPARED = 1_000
"""In a bracket with more players, the steps compare no other floaters, and no S1 without an exchange."""


def pair_and_trace(tournament: Tournament) -> RoundPairing:
    """Pair a round and return it with its trace. Raises as `pair_round` does."""
    work = work_on_round(tournament)
    return replace(work.pairing, trace=trace_of(FinishedDutchRound(tournament, work)))


def trace_of(done: FinishedDutchRound) -> RoundTrace:
    field = done.field
    coloured = {frozenset((pair.white, pair.black)): pair for pair in done.work.pairs}
    floats = tuple(
        Float(done.id(one), done.id(other), field.score[one], field.score[other], natural=True)
        for bracket in done.brackets
        for one, other in bracket.met_moved
    )
    brackets = tuple(_bracket(done, at, coloured) for at in range(len(done.brackets)))
    return RoundTrace(done.tournament.round, _bye(done), brackets, floats=floats)


def _bye(done: FinishedDutchRound) -> ByeTrace:
    got = done.bye
    if got is None:
        return ByeTrace(None)
    field = done.field
    holder = field.rank(got)
    others = sorted((place for place in done.able if place != got), key=field.rank)
    named = sorted((place for place in field.present if field.rank(place) > holder), key=field.rank)[
        -MOST_PASSED:
    ]
    is_small = len(done.members[-1]) <= MOST_COMPARED
    all_named = is_small and len(others) <= MOST_FOR_BYE
    if all_named:
        named += others
    elif is_small:
        named += [place for place in others if field.rank(place) < holder][-MOST_PASSED:]
    passed = tuple(
        Passed(done.id(place), LateReason(partial(done.why_not_bye, place)))
        for place in sorted({*named}, key=field.rank, reverse=True)
    )

    def reasons() -> Iterator[Reason]:
        yield Reason("bye_lowest", {"points": field.score[got]})
        yield from virtual_points(field, (got,))
        if not others:
            yield Reason("bye_only", {"player": done.id(got)})
            return
        yield Reason("bye_able", {"count": len(others)})
        if all_named:
            able = {*map(done.id, others)}
            yield from _bye_decided([one for one in passed if one.player in able])

    return ByeTrace(done.id(got), passed, Late(lambda: tuple(reasons())))


def _bye_decided(passed: Sequence[Passed]) -> Iterator[Reason]:
    """Yield by what each of the players who could have the bye loses it, those with the same criterion together."""
    players: dict[str, list[int]] = {}
    for one in passed:
        players.setdefault(one.reason.code, []).append(one.player)
    found = {key: tuple(value) for key, value in players.items()}
    stuck = found.get("rest_bye", ())
    if stuck:
        yield Reason("bye_stuck", {"players": stuck})
    for (criterion, _), code in BY_CRITERION.items():
        if code in found:
            yield Reason("bye_worse", {"players": found[code], "criterion": criterion})
    later = tuple(one.player for one in passed if one.reason.code in BY_KEY)
    if later:
        yield Reason("bye_later", {"players": later, "count": len(later)})


def _bracket(done: FinishedDutchRound, at: int, coloured: Mapping[frozenset[int], Pair]) -> BracketTrace:
    bracket, field = done.brackets[at], done.field
    ids = field.ids
    here = {*bracket.moved, *bracket.residents}
    score = field.score[bracket.residents[0]]
    residents = tuple(ids[place] for place in bracket.residents)
    rows = [
        _row(done, at, number, coloured[frozenset((ids[one], ids[other]))])
        for number, (one, other) in enumerate(bracket.pairs)
    ]
    order = sorted((other for _, other in bracket.pairs), key=field.rank)
    missed = tuple(_missed(field, rows))
    return BracketTrace(
        score=score,
        residents=residents,
        count=Reason("residents", {"count": len(residents), "points": score}),
        unplayed=not any(field.colours[place].sides for place in here),
        g1=tuple(_member(field, one) for one, _ in bracket.pairs),
        g2=tuple(_member(field, other) for other in order),
        order=tuple(ids[place] for place in order),
        missed=missed,
        pairs=rows,
        virtual=field.virtual((*bracket.moved, *bracket.residents)),
        steps=Late(lambda: tuple(_steps(done, at, missed))),
        floaters=tuple(ids[place] for place in bracket.floaters),
    )


def _member(field: DutchField, place: int) -> Member:
    due = field.colours[place].due
    return Member(field.ids[place], 0, COLOUR_OF.get(due.side), due.strength.name.lower())


def _row(done: FinishedDutchRound, at: int, number: int, pair: Pair) -> PairTrace:
    rule, details = colour_reason(done.field, pair)
    first, second = map(done.id, done.brackets[at].pairs[number])
    return PairTrace(first, second, pair.white, rule, details, Late(lambda: tuple(_passed(done, at, number))))


def order_of_row(bracket: PairedBracket, number: int) -> list[int]:
    """Return the players among whom a row has its opponent, in their order: the residents, or S2."""
    if number < len(bracket.met_moved):
        return bracket.residents
    taken = {*bracket.s1, *(two for _, two in bracket.met_moved)}
    return [place for place in bracket.residents if place not in taken]


def passed_by(bracket: PairedBracket, number: int) -> list[int]:
    """Return the players before the opponent in the order whom a row did not take."""
    moved = len(bracket.met_moved)
    order = order_of_row(bracket, number)
    rows = bracket.pairs[:number] if number < moved else bracket.pairs[moved:number]
    taken = {two for _, two in rows}
    return [place for place in order[: order.index(bracket.pairs[number][1])] if place not in taken]


def _passed(done: FinishedDutchRound, at: int, number: int) -> Iterator[Passed]:
    """Yield whom a row did not take, and why; in a large bracket the nearest."""
    bracket = done.brackets[at]
    one, order = bracket.pairs[number][0], bracket.residents
    passed = passed_by(bracket, number)
    if len(order) > ALL_PASSED:
        passed = passed[-MOST_PASSED:]
    for place in passed:
        why = partial(done.why_not_meet, one, place)
        yield Passed(done.id(place), done.obstacle(one, place) or LateReason(why))


def _missed(field: DutchField, rows: Sequence[PairTrace]) -> Iterator[int]:
    """Yield who does not get the colour that is due, in the order of the pairs (C12)."""
    for row in rows:
        for key, colour in ((row.white, Colour.WHITE), (row.black, Colour.BLACK)):
            side = field.colours[field.past.place_of[key]].due.side
            if side and COLOUR_OF[side] is not colour:
                yield key


def _steps(done: FinishedDutchRound, at: int, missed: tuple[int, ...]) -> Iterator[Reason]:
    bracket, field = done.brackets[at], done.field

    def named(places: Sequence[int]) -> tuple[int, ...]:
        return tuple(map(done.id, places))

    score = field.score[bracket.residents[0]]
    yield Reason("residents", {"count": len(bracket.residents), "points": score})
    yield from virtual_points(field, (*bracket.moved, *bracket.residents))
    if bracket.moved:
        yield Reason("moved_down", {"players": named(bracket.moved), "count": len(bracket.moved)})
    top = [place for place in (*bracket.moved, *bracket.residents) if place in field.topscorers]
    if top:
        yield Reason("topscorers", {"players": named(top), "count": len(top)})
    yield from _floaters(done, at)
    for one, other in bracket.met_moved:
        yield Reason("moved_pair", {"player": done.id(one), "opponent": done.id(other)})
    if bracket.s1:
        yield from _rows(done, at)
    if missed:
        yield from _colours_missed(done, bracket, missed)


def _floaters(done: FinishedDutchRound, at: int) -> Iterator[Reason]:
    """Yield who floats, why not fewer, and why not those who come after them in the order."""
    bracket = done.brackets[at]
    floaters = bracket.floaters
    if not floaters:
        yield Reason("all_paired", {})
        return
    names = tuple(map(done.id, floaters))
    here = [*bracket.moved, *bracket.residents]
    if at == len(done.brackets) - 1:
        yield Reason("bye_left", {"player": names[0]})
    else:
        yield Reason("floaters", {"players": names, "count": len(names)})
    if len(here) == 1:
        yield Reason("alone", {"bracket": done.field.score[here[0]]})
    elif len(floaters) == 1:
        yield Reason("odd", {"count": len(here)})
    else:
        most = _most_pairs(done.field, bracket)
        pairs = len(bracket.pairs)
        if pairs == most:
            yield Reason("pairs_most" if pairs else "pairs_none", {"count": pairs})
        else:
            code = "pairs_rest" if pairs else "pairs_none_rest"
            yield Reason(code if done.bye is None else f"{code}_bye", {"count": pairs})
    limbo = tuple(done.id(place) for place in floaters if place in bracket.moved)
    if limbo:
        yield Reason("limbo", {"players": limbo, "count": len(limbo)})
        for player in limbo[:MOST_PASSED] if len(here) <= MOST_COMPARED else ():
            yield done.why_float(done.field.past.place_of[player], at)
    first = next((here.index(place) for place in floaters if place in bracket.residents), len(here))
    later = [
        place for place in reversed(here[first + 1 :]) if done.at.get(place) == at and place in done.mate
    ]
    for place in later[:MOST_PASSED] if len(here) <= MOST_COMPARED else ():
        yield done.why_not_float(place, at)


def _most_pairs(field: DutchField, bracket: PairedBracket) -> int:
    """Return how many pairs the bracket could have if nobody below mattered.

    Two moved-down players may count as a pair here. The round cannot be completed with it (else they would have met in
    a bracket before), so they belong to the pairs that the players below forbid.
    """
    masks = field.graph([*bracket.moved, *bracket.residents])
    return (len(masks) - Matching(masks).maximise()) // 2


def _rows(done: FinishedDutchRound, at: int) -> Iterator[Reason]:
    """Yield how S1 and S2 were made from the remainder, and why they exchange players or S2 has another order."""
    bracket = done.brackets[at]
    opponents = {other for _, other in bracket.met_moved}
    rest = [place for place in bracket.residents if place not in opponents]
    count = len(bracket.s1)
    over = [done.id(place) for place in rest if place in bracket.floaters]
    halves = {"players": tuple(map(done.id, rest)), "count": len(rest), "pairs": count, "paired": 2 * count}
    yield Reason("halves_over" if over else "halves", halves)
    number = {place: i for i, place in enumerate(rest, start=1)}
    down = [place for place in rest[:count] if place not in bracket.s1]
    up = [place for place in bracket.s1 if place not in rest[:count]]
    if down:
        names = {"players": tuple(map(done.id, down)), "others": tuple(map(done.id, up))}
        numbers = {"down": tuple(map(number.get, down)), "up": tuple(map(number.get, up))}
        yield Reason("exchange", {**names, **numbers})
        if len(rest) <= MOST_COMPARED:
            yield done.why_exchange(at)
    s2 = [place for place in rest if place not in bracket.s1]
    moved = [row for row, (one, other) in enumerate(zip(s2, bracket.s2, strict=False)) if one != other]
    if moved:
        one, other = bracket.s1[moved[0]], s2[moved[0]]
        row = {"player": done.id(one), "other": done.id(other), "row": moved[0] + 1}
        yield Reason("transposed", {**row, "count": len(moved)})
        if len(rest) <= MOST_COMPARED:
            yield done.obstacle(one, other) or done.why_not_meet(one, other)
    else:
        yield Reason("straight", {})
    if over:
        yield Reason("left_in_s2", {"players": tuple(over), "count": len(over)})


def _colours_missed(
    done: FinishedDutchRound, bracket: PairedBracket, missed: tuple[int, ...]
) -> Iterator[Reason]:
    """Yield who misses the due colour, and how many must: a colour exists as often as there are pairs (C10 to C13)."""
    field = done.field
    pairs = len(bracket.pairs)
    due = [field.colours[place].due for pair in bracket.pairs for place in pair]
    of_missed = [(key, field.colours[field.past.place_of[key]]) for key in missed]
    yield Reason("missed", {"players": missed, "count": len(missed)})

    def bound(code: str, least: Strength) -> tuple[int, list[Reason]]:
        sides = [one.side for one in due if one.strength >= least]
        side, most = max(((side, sides.count(side)) for side in COLOUR_OF), key=itemgetter(1))
        if most <= pairs:
            return 0, []
        counts = {"due": most, "paired": 2 * pairs, "pairs": pairs, "least": most - pairs}
        return most - pairs, [Reason(code, {"colour": COLOUR_OF[side], **counts})]

    enough, reasons = bound("missed_bound", Strength.MILD)
    of_strong, strong_reasons = bound("strong_bound", Strength.STRONG)
    if of_strong < enough:
        yield from reasons
    if len(missed) > enough:
        yield Reason("missed_more", {"least": enough, "count": len(missed)})
    lost = tuple(key for key, colours in of_missed if colours.due.strength >= Strength.STRONG)
    strong = tuple(key for key, colours in of_missed if colours.due.strength is Strength.STRONG)
    if strong:
        yield Reason("missed_strong", {"players": strong, "count": len(strong)})
    absolute_lost = any(colours.absolute for _, colours in of_missed)
    absolute_reasons = bound("absolute_bound", Strength.ABSOLUTE)[1] if absolute_lost else []
    if [one.params for one in strong_reasons] != [one.params for one in absolute_reasons]:
        yield from strong_reasons
    if len(strong) > of_strong and lost == strong and (len(missed) > len(strong) or len(missed) == enough):
        yield Reason("strong_more", {"least": of_strong, "count": len(strong)})
    for one, other in bracket.pairs:
        mine, theirs = field.colours[one].absolute, field.colours[other].absolute
        if mine and mine == theirs:
            yield from _lifted(done, one, other, missed)
    yield from absolute_reasons


def _lifted(done: FinishedDutchRound, one: int, other: int, missed: Sequence[int]) -> Iterator[Reason]:
    """Yield that C3 does not hold for a pair, and what this costs the player who misses the colour (C10, C11)."""
    due = done.field.colours[one].due.side
    yield Reason("lifted", {"player": done.id(one), "other": done.id(other), "colour": COLOUR_OF[due]})
    place = one if done.id(one) in missed else other
    had, colour = done.field.colours[place], COLOUR_OF[due].opposite
    if abs(had.difference) > 1:
        yield Reason("lifted_difference", {"player": done.id(place), "count": abs(had.difference) + 1})
    if had.sides[-2:] == bytes((other_side(due),)) * 2:
        yield Reason("lifted_third", {"player": done.id(place), "colour": colour})


# Colours (article 5).


def colour_reason(field: DutchField, pair: Pair) -> tuple[str, Mapping[str, Any]]:
    """Return the code of the reason for the colours of a pair, and its parameters except White and Black."""
    rule = pair.colours
    if rule == DutchColourRule.INITIAL:
        return first_game(field, pair)
    white, black = field.past.place_of[pair.white], field.past.place_of[pair.black]
    mine, theirs = field.colours[white], field.colours[black]
    if rule == DutchColourRule.BOTH:
        if mine.due.side and theirs.due.side:
            return "colour_both", {}
        colour = Colour.WHITE if mine.due.side else Colour.BLACK
        return "colour_one", {"granted": pair.white if mine.due.side else pair.black, "colour": colour}
    if rule == DutchColourRule.STRONGER:
        if mine.due.strength != theirs.due.strength:
            stronger = mine.due.strength > theirs.due.strength
            return "colour_stronger", {"granted": pair.white if stronger else pair.black}
        assert mine.due.strength is Strength.ABSOLUTE
        wider = abs(mine.difference) > abs(theirs.difference)
        return "colour_wider", {"granted": pair.white if wider else pair.black}
    if rule == DutchColourRule.HIGHER_RANKED:
        higher = white if field.rank(white) < field.rank(black) else black
        return "colour_higher", {"higher": field.ids[higher]}
    return alternated(field, pair)
