"""Test the answer to "Why not Y?". The oracle lets the two meet: the best such round must lose by the named article.

For each criterion the brute force has one code, "up_...". The engine says "meet_..." if the criterion decides only
because of the opponent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from random import Random

import pytest

from evenboard_engine import Tournament, pair_round
from evenboard_engine.systems.dubov.explaining import why
from evenboard_engine.systems.dubov.explaining.why import DubovExplainer
from evenboard_engine.tests.brute_force import (
    Field,
    bracket_quality,
    ids_of,
    is_to_be_paired,
    read_history,
    subgroups,
    transpositions,
    upfloater_sets,
)
from evenboard_engine.tests.brute_history import Entrant
from evenboard_engine.tests.comparison import engine_answer
from evenboard_engine.tests.random_rounds import random_rounds
from evenboard_engine.tests.test_set_verdicts import rounds_played
from evenboard_engine.tests.test_worked_upfloaters import with_upfloats
from evenboard_engine.trace import BracketTrace, Reason

UPFLOATER_CODES = (
    "up_score",
    "up_colours",
    "up_maximum",
    "up_times",
    "up_again",
    "up_order",
)
QUESTIONS_A_ROUND = 6


@lru_cache(maxsize=1)
def questions() -> tuple[tuple[DubovExplainer, int, int], ...]:
    """Return random rounds, and for each some pairs of players who do not meet."""
    asked = []
    rng = Random(7)
    for seed in range(70):
        for tournament, answer in random_rounds(seed, engine_answer):
            if answer is None:
                continue
            explainer = DubovExplainer(tournament, pair_round(tournament))
            here = [player.id for player in tournament.players if is_to_be_paired(tournament, player)]
            pairs = [
                (one, other)
                for one in here
                for other in here
                if one < other and not {(one, other), (other, one)} & answer.pairs
            ]
            asked += [(explainer, *pair) for pair in rng.sample(pairs, min(QUESTIONS_A_ROUND, len(pairs)))]
    return tuple(asked)


def field_of(tournament: Tournament) -> tuple[Field, list[Entrant]]:
    history = read_history(tournament)
    here = [history[player.id] for player in tournament.players if is_to_be_paired(tournament, player)]
    return Field(tournament, here), here


def brackets(explainer: DubovExplainer, here: list[Entrant]) -> Iterator[tuple[BracketTrace, list[Entrant]]]:
    """Yield each bracket and the players who were not paired before it."""
    remaining = [player for player in here if player.id != explainer.pairing.bye]
    for bracket in explainer.trace.brackets:
        yield bracket, remaining
        members = {key for pair in bracket.pairs for key in (pair.first, pair.second)}
        remaining = [player for player in remaining if player.id not in members]


def named_by_the_oracle(explainer: DubovExplainer, one: int, other: int) -> set[str]:
    """Return the codes that are right: they name the first article by which the best round with the two loses."""
    oracle, here = field_of(explainer.tournament)
    if not oracle.legal(oracle.by_id[one], oracle.by_id[other]):
        return {"met", "forbidden", "same_absolute"}
    if explainer.pairing.bye in (one, other):
        return {"has_bye"}
    for bracket, remaining in brackets(explainer, here):
        members = {key for pair in bracket.pairs for key in (pair.first, pair.second)}
        inside = members & {one, other}
        if len(inside) == 1:
            (member,) = inside
            if member in bracket.upfloaters:
                return {"floated_away"}
            return {by_upfloaters(oracle, bracket, remaining, member, one + other - member)}
        if inside:
            return inside_the_bracket(oracle, bracket, one, other)
    raise AssertionError("they are in no bracket")


def by_upfloaters(
    oracle: Field, bracket: BracketTrace, remaining: list[Entrant], resident: int, lower: int
) -> str:
    """Return why the best set of upfloaters loses with which the lower player can meet the resident. Tries all sets."""
    residents = [player for player in remaining if player.id in bracket.residents]
    chosen = [oracle.by_id[key] for key in bracket.upfloaters]
    pool = [player for player in remaining if player.score < residents[0].score]
    if not chosen:
        return "up_not_needed"
    pair = frozenset((resident, lower))
    legal = [
        upfloaters
        for size in range(1, len(chosen) + 1)
        for upfloaters in upfloater_sets(pool, size)
        if lower in ids_of(upfloaters) and oracle.completable((ids_of(residents) | ids_of(upfloaters)) - pair)
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
    least = oracle.best(ids_of(residents) | ids_of(chosen), frozenset())
    assert least is not None

    def quality(upfloaters: tuple[Entrant, ...]) -> tuple[object, ...]:
        rest = oracle.best((ids_of(residents) | ids_of(upfloaters)) - pair, frozenset())
        assert rest is not None
        first, _, *others = bracket_quality(oracle, residents, upfloaters)
        return (first, rest[0] + oracle.misses(resident, lower), *others)

    best, ours = min(map(quality, complete)), bracket_quality(oracle, residents, chosen)
    for code, theirs, mine in zip(UPFLOATER_CODES, best, ours, strict=False):
        if theirs != mine:
            assert theirs > mine  # type: ignore[operator]
            return code
    return "up_order"


def inside_the_bracket(oracle: Field, bracket: BracketTrace, one: int, other: int) -> set[str]:
    s1, t2 = [pair.first for pair in bracket.pairs], [pair.second for pair in bracket.pairs]
    pair = frozenset((one, other))
    if (one in s1) is not (other in s1):
        first, second = (one, other) if one in s1 else (other, one)
        row, at = s1.index(first), t2.index(second)
        rows = [oracle.by_id[key] for key in s1]
        orders = (
            order
            for order in transpositions([oracle.by_id[key] for key in t2])
            if order[row].id == second and all(map(oracle.legal, rows, order))
        )
        found = next(orders, None)
        assert found is None or [player.tpn for player in found] > [oracle.by_id[key].tpn for key in t2]
        if at < row:
            return {"taken"}
        return {"order" if oracle.by_id[second].tpn > oracle.by_id[t2[row]].tpn else "blocked"}
    everyone = frozenset(s1 + t2)
    g1, g2 = subgroups([oracle.by_id[key] for key in everyone])
    if not oracle.completable(everyone - pair):
        return {"side_illegal"}
    smaller = ids_of(g1 if len(g1) <= len(g2) else g2)
    best, rest = oracle.best(everyone, smaller), oracle.best(everyone - pair, smaller)
    assert best is not None
    assert rest is not None
    both = (oracle.misses(one, other), int(pair <= smaller))
    with_them = (rest[0] + both[0], rest[1] + both[1])
    if with_them[0] > best[0]:
        return {"side_colours"}
    return {"same_side" if bracket.unplayed and with_them[1] > best[1] else "side_shift"}


def test_best_round_with_the_two_loses_by_the_named_article() -> None:
    seen: Counter[str] = Counter()
    for explainer, one, other in questions():
        code = explainer.why_not(one, other).code
        named = named_by_the_oracle(explainer, one, other)
        seen[code] += 1
        assert code.replace("meet_", "up_") in named
    assert sum(seen.values()) > 1000
    assert set(seen) >= {
        "met",
        "has_bye",
        "floated_away",
        "up_illegal",
        "up_colours",
        "up_order",
        "meet_colours",
        "taken",
        "order",
    }
    assert set(seen) >= {"blocked", "same_side", "side_illegal", "side_colours", "side_shift"}


@pytest.mark.parametrize(
    ("counts", "last", "code"),
    [
        ({3: 4, 5: 4, 6: 9}, (), "meet_maximum"),
        ({3: 5, 4: 4, 5: 5, 6: 9}, (), "meet_times"),
        ({3: 1, 5: 1, 6: 1}, (3, 5, 6), "meet_again"),
    ],
)
def test_upfloater_can_lose_only_because_of_this_resident(
    counts: dict[int, int], last: tuple[int, ...], code: str
) -> None:
    """1 may not meet 2 or 4. If 5 meets 1, this is as good as 3 against 1. If 5 meets 2, only 3 can meet 1, not 4."""
    tournament = with_upfloats(counts, last=last, forbidden=frozenset({(1, 2), (1, 4)}))
    explainer = DubovExplainer(tournament, pair_round(tournament))
    assert explainer.trace.brackets[0].upfloaters == (3, 4)
    assert explainer.why_not(1, 5) == explainer.why_not_upfloater(0, 5) == Reason("up_order", {"player": 5})
    reason = explainer.why_not(2, 5)
    assert (reason.code, reason.params["player"], reason.params["other"]) == (code, 5, 2)
    assert named_by_the_oracle(explainer, 2, 5) == {code.replace("meet_", "up_")}


@pytest.mark.parametrize(
    ("seed", "code"), [(10, "meet_illegal"), (23, "meet_rest"), (63, "meet_score"), (10, "meet_colours")]
)
def test_every_pair_of_a_round_gets_the_answer_of_the_oracle(seed: int, code: str) -> None:
    seen = set()
    for tournament, answer in random_rounds(seed, engine_answer):
        if answer is None:
            continue
        explainer = DubovExplainer(tournament, pair_round(tournament))
        here = [player.id for player in tournament.players if is_to_be_paired(tournament, player)]
        for one, other in combinations(here, 2):
            found = explainer.why_not(one, other).code
            seen.add(found)
            if found.startswith(("up_", "meet_")):
                assert named_by_the_oracle(explainer, one, other) == {found.replace("meet_", "up_")}
    assert code in seen


def test_answers_for_large_brackets_are_the_same_or_less_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large brackets have no matching: only bounds and exchanges, or "same_side" if these prove nothing."""
    counts: Counter[str] = Counter()
    for seed in range(4):
        for tournament, pairing in rounds_played(40, 5, Random(seed)):
            explainer = DubovExplainer(tournament, pairing)
            for bracket in explainer.trace.brackets:
                for side in zip(*((pair.first, pair.second) for pair in bracket.pairs), strict=True):
                    for one, other in combinations(side, 2):
                        known = explainer.why_not(one, other)
                        with monkeypatch.context() as patch:
                            patch.setattr(why, "MOST_WEIGHED", 0)
                            reason = explainer.why_not(one, other)
                        counts[reason.code] += 1
                        if reason != known:
                            assert reason == Reason("same_side", known.params)
                            assert known.code.startswith("side_")
                            counts["less"] += 1
    assert counts["side_shift"] > 100
    assert counts["less"] > 0
