"""How a finished round came about (C.04.4.1, article 2, edition 2025): its trace, built from its brackets.

Both ways of pairing give the same brackets, so they give the same trace, and pairing without one costs nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pairing.engine.errors import InternalError
from pairing.engine.model import RESULTS, Bye, ByeKind, Edition, Game, Outcome, Tournament
from pairing.engine.result import BracketRecord, RoundPairing
from pairing.engine.trace import BracketTrace, ByeTrace, Member, PairTrace, Passed, Reason, RoundTrace

from .colour_reasons import ColourReasons
from .field import Field, Lower
from .rows import trace_rows
from .verdicts import Situation

# A verdict on a set of two or more takes matchings of all who are below
MOST_PASSED_OF_A_SET = 4
LARGEST_FIELD_OF_A_SET = 60


def trace_round(tournament: Tournament, pairing: RoundPairing, field: Field | None = None) -> RoundTrace:
    """The trace of a round that `pair_round` made of this tournament.

    field: of the tournament, if the caller has it. Cost: about that of pairing, less in large fields.
    Raises InternalError when the pairing is not the one that the rules give.
    """
    field = field or Field(tournament)
    colours = ColourReasons(field, pairing)
    brackets = []
    for record, situation in situations(tournament, pairing, field):
        brackets.append(_bracket(field, record, situation, colours))
    return RoundTrace(
        round=pairing.round, bye=trace_bye(tournament, pairing, field), brackets=tuple(brackets)
    )


def traced(tournament: Tournament, pairing: RoundPairing, field: Field | None = None) -> RoundPairing:
    """The same round with its trace."""
    if pairing.trace is not None:
        return pairing
    return replace(pairing, trace=trace_round(tournament, pairing, field))


def situations(
    tournament: Tournament, pairing: RoundPairing, field: Field
) -> Iterator[tuple[BracketRecord, Situation]]:
    """Each bracket with its situation, which holds until the next one is asked for."""
    place_of = field.past.place_of
    partner = [-1] * len(field.ids)
    for pair in pairing.pairs:
        white, black = place_of[pair.white], place_of[pair.black]
        partner[white], partner[black] = black, white
    groups: dict[int, list[int]] = {}
    bye = None if pairing.bye is None else place_of[pairing.bye]
    for place in field.present:
        if place != bye:
            groups.setdefault(field.score[place], []).append(place)
    lower = Lower(
        [groups[score] for score in sorted(groups, reverse=True)],
        field.entrant,
        field.absolute,
        field.most_met,
    )
    last_round = tournament.round == tournament.rounds
    for record in pairing.brackets:
        if lower.pop_group() != [place_of[key] for key in record.residents]:
            raise InternalError("explanation_contradicts_the_pairing")
        yield record, Situation(field, record, lower, partner, last_round=last_round)
        lower.remove([place_of[key] for key in record.upfloaters])


# --- the bye


def trace_bye(tournament: Tournament, pairing: RoundPairing, field: Field) -> ByeTrace:
    """Who got the bye, and what excluded those who came before (2.1)."""
    if pairing.bye is None:
        return ByeTrace(None)
    chosen = field.past.place_of[pairing.bye]
    limit = bye_key(field, chosen)
    before = sorted(
        (place for place in field.present if bye_key(field, place) < limit),
        key=lambda place: bye_key(field, place),
    )
    passed = []
    for place in before:
        key = field.ids[place]
        reason = (
            bye_bar(tournament, key) if place in field.past.barred else Reason("bye_rest", {"player": key})
        )
        passed.append(Passed(key, reason))
    return ByeTrace(pairing.bye, tuple(passed))


def bye_key(field: Field, place: int) -> tuple[int, int, int]:
    """Sort key of 2.1.3 to 2.1.5, as `bye.bye_order`."""
    return field.score[place], -len(field.shape[place].sides), -place


def bye_bar(tournament: Tournament, player: int) -> Reason:
    """What bars a player from the bye (C2), the earliest if there is more. For players who are barred."""
    found = [
        (bye.round, "bye_had" if bye.kind is ByeKind.ALLOCATED else "bye_points_unplayed")
        for bye in tournament.byes
        if bye.player == player and bye.round < tournament.round and _bars(tournament, bye)
    ]
    found += [
        (game.round, "bye_forfeit_win")
        for game in tournament.games
        if player in (game.white, game.black) and _won_by_forfeit(tournament, game, player)
    ]
    if not found:
        raise InternalError("explanation_contradicts_the_pairing", player=player)
    number, code = min(found)
    return Reason(code, {"player": player, "round": number})


def _bars(tournament: Tournament, bye: Bye) -> bool:
    """As `history.Past` has it."""
    if bye.kind is ByeKind.ALLOCATED:
        return True
    points = tournament.points
    return tournament.edition is not Edition.E2018 and points.of_bye(bye.kind) >= points.win


def _won_by_forfeit(tournament: Tournament, game: Game, player: int) -> bool:
    meaning = RESULTS[game.result]
    outcome = meaning.white if player == game.white else meaning.black
    least = 0 if tournament.edition is Edition.E2018 else tournament.points.win
    return outcome is Outcome.FORFEIT_WIN and tournament.points.forfeit_win >= least


# --- a bracket


def _bracket(
    field: Field, record: BracketRecord, situation: Situation, colours: ColourReasons
) -> BracketTrace:
    ids = field.ids
    g1, g2 = first_subgroups(field, record)
    smaller, larger = (g1, g2) if len(g1) <= len(g2) else (g2, g1)
    s1 = [one for one, _ in situation.rows]
    t2 = [two for _, two in situation.rows]
    order = sorted(t2)
    pairs = []
    for one, two, passed in zip(record.s1, record.t2, trace_rows(field, s1, order, t2), strict=True):
        pairs.append(PairTrace(one, two, *colours.of(one, two), passed))
    return BracketTrace(
        score=record.score,
        residents=record.residents,
        upfloaters=record.upfloaters,
        count=situation.count(),
        passed=passed_upfloaters(field, situation),
        unplayed=record.unplayed,
        g1=_members(field, g1),
        g2=_members(field, g2),
        first_numbers=_numbered(field, smaller) if record.shifted_first else (),
        shifted_first=record.shifted_first,
        second_numbers=_numbered(field, larger) if record.shifted_second else (),
        shifted_second=record.shifted_second,
        order=tuple(ids[place] for place in order),
        missed=situation.missed,
        pairs=tuple(pairs),
    )


def first_subgroups(field: Field, record: BracketRecord) -> tuple[list[int], list[int]]:
    """G1 and G2 as 2.2.3 begins them, by places in initial ranking order."""
    place_of = field.past.place_of
    members = sorted([place_of[key] for key in record.residents + record.upfloaters])
    if record.unplayed:
        half = len(members) // 2
        return members[:half], members[half:]
    wants = field.wants_white
    return [p for p in members if wants[p]], [p for p in members if not wants[p]]


def _members(field: Field, places: Sequence[int]) -> tuple[Member, ...]:
    ids, aro, shape = field.ids, field.aro, field.shape
    due = {s: (s.due.colour, s.due.strength.name.lower()) for s in {shape[place] for place in places}}
    return tuple([Member(ids[place], aro[place], *due[shape[place]]) for place in places])


def _numbered(field: Field, pool: Sequence[int]) -> tuple[int, ...]:
    """The possible shifters #1, #2, ... (4.3.2, 4.3.3), as `shifters.shifter_sequence`."""
    ordered = sorted(pool, key=field.s1_key.__getitem__) if field.wants_white[pool[0]] else pool
    size = len(ordered)
    return tuple(field.ids[ordered[i]] for i in sorted(range(size), key=lambda i: (abs(2 * i - size + 1), i)))


def passed_upfloaters(field: Field, situation: Situation) -> tuple[Passed, ...]:
    """Who stands before the last upfloater in the order of 4.2 and was not chosen, and why."""
    chosen = situation.chosen
    if not chosen:
        return ()
    last = max((-field.score[place], place) for place in chosen)
    most = None if len(chosen) == 1 else MOST_PASSED_OF_A_SET
    if most and situation.lower.count > LARGEST_FIELD_OF_A_SET:
        return ()
    passed: list[Passed] = []
    for group in situation.lower.groups:
        if -field.score[group[0]] > last[0]:
            break
        for place in group:
            if len(passed) == most or (-field.score[place], place) >= last:
                break
            if place not in chosen:
                passed.append(Passed(field.ids[place], situation.verdict(place)))
    return tuple(passed)
