"""Build the trace of a finished round from its brackets (C.04.4.1, article 2, edition 2025).

The quick and the exact method give the same brackets, so they give the same trace. Pairing without a trace has no extra
cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress
from operator import not_
from typing import Any

from evenboard_engine.errors import InternalError
from evenboard_engine.model import Colour, Tournament
from evenboard_engine.result import Pair, RoundPairing
from evenboard_engine.rulings import bar_of, unplayed_results
from evenboard_engine.systems.dubov.options import least_to_bar
from evenboard_engine.systems.dubov.pairing import BracketRecord, work_on_round
from evenboard_engine.systems.dubov.pairing.colours import DubovColourRule
from evenboard_engine.systems.dubov.pairing.field import DubovField, Lower
from evenboard_engine.systems.dubov.pairing.shifters import from_the_middle
from evenboard_engine.systems.fide_swiss import alternated, first_game, virtual_points
from evenboard_engine.trace import BracketTrace, ByeTrace, Late, Member, PairTrace, Passed, Reason, RoundTrace

from .rows import passed_by_rows, with_reasons
from .verdicts import Finished, Situation

MOST_BEFORE_ONE_OF_A_SET = 4
MOST_OF_A_SET = 12
MOST_WEIGHED = 60
"""Limits for a set of two or more upfloaters. How many players who came before a member and were not chosen are listed:
for each member, and for the whole set. And how many players the matching may have that finds a reason."""


def pair_and_trace(tournament: Tournament, *, exact: bool = False) -> RoundPairing:
    """Pair a round and return it with all reasons, in `RoundPairing.trace`. exact, raises: as for `pair_round`."""
    pairing, field, lower, pairs = work_on_round(tournament, exact=exact)
    return traced(tournament, pairing, field, lower=lower, pairs=pairs)


def traced(
    tournament: Tournament,
    pairing: RoundPairing,
    field: DubovField | None = None,
    *,
    lower: Lower | None = None,
    pairs: Sequence[Pair] = (),
) -> RoundPairing:
    """Return the same round with its trace.

    field, lower, pairs: may be given if the caller has them: the field of the tournament, everybody except the bye, and
    the pairs row by row. Cost: less than pairing. Raises InternalError if the rules do not give this pairing.
    """
    if pairing.trace is not None:
        return pairing
    field = field or DubovField(tournament)
    rows = iter(pairs or _row_by_row(pairing))
    brackets = []
    for record, situation in situations(tournament, pairing, field, lower):
        brackets.append(_bracket(field, record, situation, [next(rows) for _ in record.s1]))
    trace = RoundTrace(pairing.round, trace_bye(tournament, pairing, field), tuple(brackets))
    return replace(pairing, trace=trace)


def _row_by_row(pairing: RoundPairing) -> Iterator[Pair]:
    by_player = {pair.white: pair for pair in pairing.pairs} | {pair.black: pair for pair in pairing.pairs}
    return (by_player[key] for record in pairing.brackets for key in record.s1)


def situations(
    tournament: Tournament, pairing: RoundPairing, field: DubovField, lower: Lower | None = None
) -> Iterator[tuple[BracketRecord, Situation]]:
    """Yield each bracket with its situation. A situation is valid only until the next one is requested.

    lower: everybody except the bye, if the caller has it. Its players are removed.
    """
    place_of, key_of = field.past.place_of.__getitem__, field.ids.__getitem__
    lower = lower or _everybody(field, None if pairing.bye is None else place_of(pairing.bye))
    finished = Finished(field, pairing)
    last_round = tournament.round == tournament.rounds
    for record in pairing.brackets:
        residents = lower.pop_group()
        if tuple(map(key_of, residents)) != record.residents:
            raise InternalError("explanation_contradicts_the_pairing")
        situation = Situation(field, record, residents, lower, finished, last_round=last_round)
        yield record, situation
        lower.remove(situation.chosen)


def _everybody(field: DubovField, bye: int | None) -> Lower:
    groups: dict[int, list[int]] = {}
    for place in field.present:
        if place != bye:
            groups.setdefault(field.score[place], []).append(place)
    return Lower(
        [groups[score] for score in sorted(groups, reverse=True)],
        field.entrant,
        field.absolute,
        field.most_met,
    )


# --- the bye


def trace_bye(tournament: Tournament, pairing: RoundPairing, field: DubovField) -> ByeTrace:
    """Return who got the bye, and what excluded the players who came earlier in the order (2.1)."""
    if pairing.bye is None:
        return ByeTrace(None)
    chosen = field.past.place_of[pairing.bye]
    limit = bye_key(field, chosen)
    score, barred = field.score, field.past.barred
    before = sorted(
        (key, place)
        for place in field.present
        if score[place] <= limit[0] and (key := bye_key(field, place)) < limit
    )
    bars = bye_bars(tournament) if any(place in barred for _, place in before) else {}
    passed = []
    for _, place in before:
        player = field.ids[place]
        reason = bars[player] if place in barred else Reason("bye_rest", {"player": player})
        passed.append(Passed(player, reason))
    return ByeTrace(
        pairing.bye, tuple(passed), tuple(virtual_points(field, (chosen, *(p for _, p in before))))
    )


def bye_key(field: DubovField, place: int) -> tuple[int, int, int]:
    """Return the sort key of 2.1.3 to 2.1.5, as `bye.bye_order` does."""
    return field.score[place], -len(field.shape[place].sides), -place


def bye_bars(tournament: Tournament) -> Mapping[int, Reason]:
    """Return for each player who is barred from the bye (C2) the reason, the earliest if there are several.

    Cost: one pass over games and byes.
    """
    win = least_to_bar(tournament)
    found = [
        (number, code, player)
        for number, player, of, points in unplayed_results(tournament)
        if (code := bar_of(of, points, win)) is not None
    ]
    bars: dict[int, Reason] = {}
    for number, code, player in sorted(found):
        bars.setdefault(player, Reason(code, {"player": player, "round": number}))
    return bars


# --- a bracket


def _bracket(
    field: DubovField, record: BracketRecord, situation: Situation, pairs: Sequence[Pair]
) -> BracketTrace:
    g1, g2 = first_subgroups(field, record, situation)
    smaller, larger = (g1, g2) if len(g1) <= len(g2) else (g2, g1)
    s1, t2 = situation.s1, situation.t2
    order = sorted(t2)
    passed_by = passed_by_rows(field, s1, order, t2)
    passed, unlisted = passed_upfloaters(field, situation)
    return BracketTrace(
        score=record.score,
        residents=record.residents,
        upfloaters=record.upfloaters,
        count=situation.count(),
        passed=passed,
        unlisted=unlisted,
        unplayed=record.unplayed,
        g1=Late(partial(_members, field, g1)),
        g2=Late(partial(_members, field, g2)),
        first_numbers=_numbered(field, smaller) if record.shifted_first else (),
        shifted_first=record.shifted_first,
        second_numbers=_numbered(field, larger) if record.shifted_second else (),
        shifted_second=record.shifted_second,
        order=tuple(map(field.ids.__getitem__, order)),
        missed=Late(partial(_missed, field, pairs)),
        pairs=Late(partial(_rows, field, record, pairs, passed_by)),
        virtual=field.virtual(
            [*situation.residents, *situation.chosen, *(field.past.place_of[one.player] for one in passed)]
        ),
    )


def first_subgroups(
    field: DubovField, record: BracketRecord, situation: Situation
) -> tuple[list[int], list[int]]:
    """Return G1 and G2 before any shift (2.2.3), as places in initial ranking order."""
    members = sorted(situation.residents + situation.chosen)
    if record.unplayed:
        half = len(members) // 2
        return members[:half], members[half:]
    wants = list(map(field.wants_white.__getitem__, members))
    return list(compress(members, wants)), list(compress(members, map(not_, wants)))


def _members(field: DubovField, places: Sequence[int]) -> tuple[Member, ...]:
    shapes = [field.shape[place] for place in places]
    due = {shape: (shape.due.colour, shape.due.strength.name.lower()) for shape in set(shapes)}
    ids, aro = field.ids, field.aro
    return tuple(
        Member(ids[place], aro[place], *due[shape]) for place, shape in zip(places, shapes, strict=True)
    )


def _rows(
    field: DubovField,
    record: BracketRecord,
    pairs: Sequence[Pair],
    passed: Mapping[int, tuple[tuple[int, Reason | None], ...]],
) -> tuple[PairTrace, ...]:
    place_of = field.past.place_of
    rows = []
    for row, (one, two, pair) in enumerate(zip(record.s1, record.t2, pairs, strict=True)):
        before = with_reasons(field, place_of[one], passed[row]) if row in passed else ()
        rows.append(PairTrace(one, two, pair.white, *colour_reason(field, pair), before))
    return tuple(rows)


def _missed(field: DubovField, pairs: Sequence[Pair]) -> tuple[int, ...]:
    given = (each for pair in pairs for each in ((pair.white, Colour.WHITE), (pair.black, Colour.BLACK)))
    return tuple(
        key for key, colour in given if field.shape[field.past.place_of[key]].due.colour is not colour
    )


def _numbered(field: DubovField, pool: Sequence[int]) -> tuple[int, ...]:
    """Return the possible shifters #1, #2, ... (4.3.2, 4.3.3)."""
    ordered = sorted(pool, key=field.s1_key.__getitem__) if field.wants_white[pool[0]] else pool
    return tuple(map(field.ids.__getitem__, from_the_middle(ordered)))


def passed_upfloaters(field: DubovField, situation: Situation) -> tuple[tuple[Passed, ...], int]:
    """Return players who come before the last upfloater in the order of 4.2 and were not chosen, each with a reason.

    The second value is the number of further such players, who are not listed.
    """
    chosen = situation.chosen
    if not chosen:
        return (), 0
    one = len(chosen) == 1
    last = max((-field.score[place], place) for place in chosen)
    passed: list[Passed] = []
    others = since = 0
    for group in situation.lower.groups:
        if -field.score[group[0]] > last[0]:
            break
        for place in group:
            if (-field.score[place], place) >= last:
                break
            if place in chosen:
                since = 0
                continue
            since += 1
            listed = one or (since <= MOST_BEFORE_ONE_OF_A_SET and len(passed) < MOST_OF_A_SET)
            reason = situation.verdict(place, most=MOST_WEIGHED) if listed else None
            if reason is None:
                others += 1
            else:
                passed.append(Passed(field.ids[place], reason))
    return tuple(passed), others


# Say why a pair has these colours (C.04.4.1, 5.2, edition 2025). Used after the round is paired.

NOTHING: Mapping[str, Any] = {}


def colour_reason(field: DubovField, pair: Pair) -> tuple[str, Mapping[str, Any]]:
    """Return the code of the reason for the colours of a pair, and its parameters except White and Black."""
    rule = pair.colours
    if rule is DubovColourRule.BOTH:
        return "colour_both", NOTHING
    if rule is DubovColourRule.INITIAL:
        return first_game(field, pair)
    white, black = field.past.place_of[pair.white], field.past.place_of[pair.black]
    if rule is DubovColourRule.STRONGER:
        stronger = field.shape[white].due.strength > field.shape[black].due.strength
        return "colour_stronger", {"granted": pair.white if stronger else pair.black}
    if rule is DubovColourRule.HIGHER_RANKED:
        higher = pair.white if field.shape[white].due.colour is Colour.WHITE else pair.black
        return "colour_higher", {"higher": higher}
    return alternated(field, pair)
