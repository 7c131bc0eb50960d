"""Test the explanation of a round with rounds worked out on paper, and with random rounds and the oracle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenboard_engine import (
    Acceleration,
    Colour,
    InternalError,
    RoundPairing,
    Tournament,
)
from evenboard_engine.systems.dubov.explaining.reasons import REASONS
from evenboard_engine.systems.dubov.explaining.tracing import pair_and_trace
from evenboard_engine.systems.dubov.explaining.why import DubovExplainer
from evenboard_engine.systems.dubov.pairing import pair_round
from evenboard_engine.tests.brute_force import (
    Field,
    bracket_quality,
    ids_of,
    is_to_be_paired,
    read_history,
    upfloater_sets,
)
from evenboard_engine.tests.brute_history import Entrant
from evenboard_engine.tests.comparison import engine_answer
from evenboard_engine.tests.random_rounds import random_rounds
from evenboard_engine.tests.worked import field
from evenboard_engine.trace import QUESTIONS, BracketTrace, Reason, as_json

SEEDS = 120
QUALITY = ("up_score", "up_colours", "up_maximum", "up_times", "up_again")


@lru_cache(maxsize=1)
def rounds() -> tuple[tuple[Tournament, RoundPairing], ...]:
    """Return random rounds with their traces."""
    return tuple(
        (tournament, pair_and_trace(tournament))
        for seed in range(SEEDS)
        for tournament, answer in random_rounds(seed, engine_answer)
        if answer is not None
    )


def brackets_with_oracle() -> Iterator[tuple[DubovExplainer, int, BracketTrace, Field, list[Entrant]]]:
    """Yield each bracket, the oracle's field, and the players who were not paired before this bracket."""
    for tournament, pairing in rounds():
        explainer = DubovExplainer(tournament, pairing)
        history = read_history(tournament)
        everybody = [history[p.id] for p in tournament.players if is_to_be_paired(tournament, p)]
        oracle = Field(tournament, everybody)
        remaining = [player for player in everybody if player.id != pairing.bye]
        for number, bracket in enumerate(explainer.trace.brackets):
            yield explainer, number, bracket, oracle, remaining
            members = {member.id for member in (*bracket.g1, *bracket.g2)}
            remaining = [player for player in remaining if player.id not in members]


def oracle_verdict(oracle: Field, remaining: list[Entrant], bracket: BracketTrace, player: Entrant) -> str:
    """Return the first criterion by which the best set with this player is worse than the chosen set."""
    residents = [other for other in remaining if other.id in bracket.residents]
    chosen = [oracle.by_id[key] for key in bracket.upfloaters]
    pool = [other for other in remaining if other.score < residents[0].score]
    if not chosen:
        return "up_not_needed"
    legal = [
        upfloaters
        for size in range(1, len(chosen) + 1)
        for upfloaters in upfloater_sets(pool, size)
        if player in upfloaters and oracle.completable(ids_of(residents) | ids_of(upfloaters))
    ]
    if not legal:
        return "up_illegal"
    complete = [
        upfloaters
        for upfloaters in legal
        if len(upfloaters) == len(chosen)
        and oracle.completable(ids_of(remaining) - ids_of(residents) - ids_of(upfloaters))
    ]
    if not complete:
        return "up_rest"
    best = min(bracket_quality(oracle, residents, upfloaters) for upfloaters in complete)
    for code, theirs, ours in zip(QUALITY, best, bracket_quality(oracle, residents, chosen), strict=False):
        if theirs != ours:
            assert theirs > ours
            return code
    return "up_order"


def test_verdicts_on_upfloaters_are_those_of_the_oracle() -> None:
    """Compares the verdict on each lower player of each bracket with the oracle, which tries all sets of upfloaters."""
    seen = set()
    for explainer, number, bracket, oracle, remaining in brackets_with_oracle():
        for player in remaining:
            if player.score >= bracket.score or player.id in bracket.upfloaters:
                continue
            code = explainer.why_not_upfloater(number, player.id).code
            assert code == oracle_verdict(oracle, remaining, bracket, player)
            seen.add(code)
    chosen = {"up_chosen", "up_chosen_first", "up_chosen_set"}
    assert seen == {code for code in REASONS if code.startswith("up_")} - chosen


def test_reason_for_the_number_of_upfloaters_is_true() -> None:
    seen = set()
    for _, _, bracket, oracle, remaining in brackets_with_oracle():
        residents = frozenset(bracket.residents)
        pool = [player for player in remaining if player.score < bracket.score]
        count = len(bracket.upfloaters)
        fewer = [
            upfloaters
            for size in range(count)
            for upfloaters in upfloater_sets(pool, size)
            if oracle.completable(residents | ids_of(upfloaters))
        ]
        code = bracket.count.code
        seen.add(code)
        if code == "count_none":
            assert (count, fewer) == (0, [])
        elif code == "count_odd":
            assert (count, len(residents) % 2) == (1, 1)
        elif code == "count_residents":
            assert fewer == []
            left_over = bracket.count.params["players"]
            assert set(left_over) <= residents
            assert len(left_over) >= count > 1
        else:
            everyone = ids_of(remaining) - residents
            assert fewer != []
            assert not any(oracle.completable(everyone - ids_of(upfloaters)) for upfloaters in fewer)
    assert seen == {code for code in REASONS if code.startswith("count_")}


def test_quick_and_exact_method_give_the_same_trace() -> None:
    for tournament, pairing in rounds():
        assert pair_and_trace(tournament, exact=True) == pairing


def test_round_without_a_trace_has_the_same_pairs() -> None:
    for tournament, pairing in rounds()[:50]:
        plain = pair_round(tournament)
        assert (plain.trace, plain.pairs, plain.bye) == (None, pairing.pairs, pairing.bye)


def test_rows_pass_exactly_the_free_players_before_their_partner() -> None:
    for _, _, bracket, _, _ in brackets_with_oracle():
        left = list(bracket.order)
        for pair in bracket.pairs:
            at = left.index(pair.second)
            assert [passed.player for passed in pair.passed] == left[:at]
            left.pop(at)


def test_reasons_of_rows_are_true() -> None:
    """`met`: the players have met. `blocked`: there are more players than opponents left for them."""
    seen = set()
    for explainer, _, bracket, oracle, _ in brackets_with_oracle():
        tournament = explainer.tournament
        for row, pair in enumerate(bracket.pairs):
            for passed in pair.passed:
                reason = passed.reason
                seen.add(reason.code)
                legal = passed.player in oracle.partners[pair.first]
                assert legal is (reason.code == "blocked")
                if reason.code == "met":
                    games = {(g.round, frozenset((g.white, g.black))) for g in tournament.games}
                    both = frozenset((pair.first, passed.player))
                    assert all((number, both) in games for number in reason.params["rounds"])
                elif reason.code == "blocked":
                    later = bracket.pairs[row + 1 :]
                    firsts = {other.first for other in later}
                    seconds = {other.second for other in later} | {pair.second}
                    seconds -= {passed.player}
                    stuck = set(reason.params["stuck"])
                    free = seconds if stuck <= firsts else firsts
                    assert stuck <= (firsts if stuck <= firsts else seconds)
                    possible = {other for one in stuck for other in oracle.partners[one] & free}
                    assert possible == set(reason.params["opponents"])
                    assert len(possible) < len(stuck)
    assert seen == {"met", "forbidden", "same_absolute", "blocked"}


def test_an_only_opponent_is_named_exactly_if_there_is_no_other() -> None:
    for explainer, _, bracket, oracle, _ in brackets_with_oracle():
        sides = [[pair.first for pair in bracket.pairs], [pair.second for pair in bracket.pairs]]
        for key in (*sides[0], *sides[1]):
            reason = explainer.player(key).answers[0].reasons[0]
            pair = explainer.pair_of(key)
            assert pair is not None
            possible = [len(oracle.partners[pair.first] & set(sides[1]))]
            possible.append(len(oracle.partners[pair.second] & set(sides[0])))
            assert (reason.code == "pair_only") is (1 in possible and len(bracket.pairs) > 1)


def test_trace_of_another_round_is_refused() -> None:
    tournament = Tournament(rounds=5, round=1, players=field(4), initial_colour=Colour.WHITE)
    fewer = replace(tournament, players=tournament.players[:2])
    with pytest.raises(InternalError, match="explanation_contradicts_the_pairing"):
        DubovExplainer(tournament, pair_round(fewer))


def test_every_reason_has_the_parameters_of_its_code() -> None:
    seen = set()
    for tournament, pairing in rounds():
        explainer = DubovExplainer(tournament, pairing)
        reasons = [bracket.count for bracket in explainer.trace.brackets]
        for player in tournament.players:
            answers = explainer.player(player.id).answers
            assert [a.question for a in answers] == [
                q for q in QUESTIONS if q in {a.question for a in answers}
            ]
            reasons += [reason for answer in answers for reason in answer.reasons]
            reasons.append(explainer.why_not_bye(player.id))
            reasons += [
                explainer.why_not(player.id, other.id) for other in tournament.players if other.id < player.id
            ]
        for reason in reasons:
            params = tuple(key for key in reason.params if not key.startswith("lent"))
            assert params == REASONS[reason.code][1]
            seen.add(reason.code)
    assert seen == set(REASONS) - {"meet_maximum", "meet_times", "meet_again"}  # rare: see test_why_not.py


def test_why_not_agrees_with_the_oracle_on_who_may_meet() -> None:
    for tournament, pairing in rounds():
        explainer = DubovExplainer(tournament, pairing)
        history = read_history(tournament)
        here = [history[p.id] for p in tournament.players if is_to_be_paired(tournament, p)]
        oracle = Field(tournament, here)
        games = {frozenset((pair.white, pair.black)) for pair in pairing.pairs}
        for one in here:
            for other in here:
                if one is not other:
                    code = explainer.why_not(one.id, other.id).code
                    forbids = code in ("met", "forbidden", "same_absolute")
                    assert forbids is not oracle.legal(one, other)
                    assert (code == "paired") is (frozenset((one.id, other.id)) in games)


def test_trace_survives_json() -> None:
    for _, pairing in rounds():
        plain = as_json(pairing.trace)
        assert json.loads(json.dumps(plain)) == plain


def test_why_not_the_bye_agrees_with_the_oracle() -> None:
    for tournament, pairing in rounds():
        if pairing.bye is None:
            continue
        explainer = DubovExplainer(tournament, pairing)
        history = read_history(tournament)
        here = [history[p.id] for p in tournament.players if is_to_be_paired(tournament, p)]
        oracle = Field(tournament, here)
        chosen = history[pairing.bye]
        for player in here:
            code = explainer.why_not_bye(player.id).code
            mine, theirs = [(e.score, -len(e.colours), -e.tpn) for e in (player, chosen)]
            if player is chosen:
                assert code == "bye_given"
            elif player.barred:
                assert code in ("bye_had", "bye_forfeit_win", "bye_points_unplayed")
            elif mine < theirs:
                assert code == "bye_rest"
                assert not oracle.completable(ids_of(here) - {player.id})
            else:
                by_step = ("bye_higher_score", "bye_fewer_games", "bye_higher_rank")
                step = next(i for i in range(3) if mine[i] != theirs[i])
                assert code == by_step[step]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(min_value=10_000, max_value=1_000_000))
def test_trace_has_the_pairs_and_colours_of_the_round(seed: int) -> None:
    """In any round: every pair and colour, each member once, and the same trace by the quick and the exact method."""
    for tournament, answer in random_rounds(seed, engine_answer):
        if answer is None:
            continue
        pairing = pair_and_trace(tournament)
        trace = pairing.trace
        assert trace is not None
        assert trace == pair_and_trace(tournament, exact=True).trace
        assert {(pair.white, pair.black) for b in trace.brackets for pair in b.pairs} == answer.pairs
        for bracket in trace.brackets:
            members = [member.id for member in (*bracket.g1, *bracket.g2)]
            assert sorted(members) == sorted(bracket.residents + bracket.upfloaters)
            assert sorted(members) == sorted(key for pair in bracket.pairs for key in pair[:2])
            assert set(bracket.shifted_first) <= set(bracket.first_numbers)
            assert set(bracket.shifted_second) <= set(bracket.second_numbers)


# Rounds worked out on paper


def test_first_round_has_no_transposition() -> None:
    tournament = Tournament(rounds=5, round=1, players=field(7), initial_colour=Colour.WHITE)
    trace = pair_and_trace(tournament).trace
    assert trace is not None
    (bracket,) = trace.brackets
    assert trace.bye.player == 7
    assert trace.bye.passed == ()
    assert bracket.count == Reason("count_none", {"residents": 6})
    assert [(pair.first, pair.second, pair.white, pair.rule, pair.passed) for pair in bracket.pairs] == [
        (1, 4, 1, "colour_initial", ()),
        (2, 5, 5, "colour_initial", ()),
        (3, 6, 3, "colour_initial", ()),
    ]


def test_trace_has_the_virtual_points_of_the_round() -> None:
    """Baku: 1 and 2 of four players have one win more in rounds 1 and 2. In round 3 nobody has virtual points."""
    tournament = Tournament(
        rounds=5,
        round=1,
        players=field(4),
        initial_colour=Colour.WHITE,
        accelerations=(Acceleration(1, 2, 10, frozenset({1, 2})),),
    )
    for number, expected in ((1, [{1: 10, 2: 10}, {}]), (3, [{}])):
        trace = pair_and_trace(replace(tournament, round=number)).trace
        assert trace is not None
        assert [bracket.virtual for bracket in trace.brackets] == expected
        assert json.loads(json.dumps(as_json(trace))) == as_json(trace)


def test_shifts_are_numbered_from_the_middle() -> None:
    """1 and 2 may meet only each other. So the first of 2, 1, 3 is shifted, and the first of 5, 4, 6."""
    forbidden = frozenset((one, two) for one in (1, 2) for two in (3, 4, 5, 6))
    tournament = Tournament(
        rounds=5, round=1, players=field(6), forbidden=forbidden, initial_colour=Colour.WHITE
    )
    trace = pair_and_trace(tournament).trace
    assert trace is not None
    (bracket,) = trace.brackets
    assert (bracket.first_numbers, bracket.shifted_first) == ((2, 1, 3), (2,))
    assert (bracket.second_numbers, bracket.shifted_second) == ((5, 4, 6), (5,))


def test_why_not_answers_for_two_players() -> None:
    tournament = Tournament(rounds=5, round=1, players=field(4), initial_colour=Colour.WHITE)
    pairing = pair_round(tournament)
    why_not = DubovExplainer(tournament, pairing).why_not
    assert why_not(1, 4) == Reason("order", {"player": 1, "other": 4, "opponent": 3})
    assert why_not(2, 3) == Reason("taken", {"player": 2, "other": 3, "by": 1})
    assert why_not(1, 2) == Reason("same_side", {"player": 1, "other": 2})
    with pytest.raises(ValueError, match="himself"):
        why_not(1, 1)
    with pytest.raises(KeyError):
        why_not(1, 9)


def test_questions_about_an_absent_player_say_that_the_player_is_absent() -> None:
    tournament = Tournament(
        rounds=5, round=1, players=field(5), absent=frozenset({3}), initial_colour=Colour.WHITE
    )
    answer = DubovExplainer(tournament, pair_round(tournament)).player(3)
    assert (answer.opponent, answer.answers[0].reasons) == (None, (Reason("not_here", {"player": 3}),))
