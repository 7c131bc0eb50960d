"""Verdicts about the pairs of brackets of up to 20 players: by bounds and tight edges, and by whole matchings."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.model import Result, Tournament
from evenboard_engine.systems.dutch.explaining import verdicts
from evenboard_engine.systems.dutch.explaining.verdicts import FinishedDutchRound
from evenboard_engine.systems.dutch.pairing import exact, work_on_round
from evenboard_engine.tests.rules import build
from evenboard_engine.tests.systems.dutch.dutch_rounds import crowded_round

WON_DRAWN_LOST = range(1, 8), range(8, 14), range(14, 21)
COMPARED = 4
RARE = (29, 46, 55, 71, 79, 91, 102)
"""Seeds with a later set of moved-down players, or with odd sets in which all searches for a row are needed."""


def with_many_moved_down(rng: Random) -> Tournament:
    """Return round 2 of 20 players. Most of the seven who have won may not meet each other, so they move down."""
    won, drawn, lost = WON_DRAWN_LOST
    games = [(one, other, Result.WHITE_WINS) for one, other in zip(won, lost, strict=True)]
    games += [(one, other, Result.DRAW) for one, other in zip(drawn[:3], drawn[3:], strict=True)]
    turned = {Result.WHITE_WINS: Result.BLACK_WINS, Result.DRAW: Result.DRAW}
    played = [
        (1, one, other, result) if rng.random() < 0.5 else (1, other, one, turned[result])
        for one, other, result in games
    ]
    apart = [
        (one, other)
        for one, other in combinations(range(1, 21), 2)
        if rng.random() < (0.9 if other in won else 0.15)
    ]
    return build.tournament(20, *played, forbidden=frozenset(apart), system="dutch")


def codes_of(tournament: Tournament, rng: Random, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Compare the verdicts of some pairs of each bracket, and why it has an exchange. Return their codes."""
    try:
        done = FinishedDutchRound(tournament, work_on_round(tournament))
    except NoLegalPairing:
        return set()
    codes = set()
    for at, bracket in enumerate(done.brackets):
        pairs = [
            (one, other)
            for one, other in combinations([*bracket.moved, *bracket.residents], 2)
            if other not in bracket.moved
            and done.mate.get(one) != other
            and done.obstacle(one, other) is None
        ]
        limbo = [pair for pair in pairs if pair[0] in bracket.moved and pair[0] in bracket.floaters]
        for one, other in (*limbo[:1], *rng.sample(pairs, min(COMPARED, len(pairs)))):
            names = {"player": done.id(one), "other": done.id(other)}
            quickly = done._verdict_on_pair(at, names, one, other)
            assert quickly == done._verdict(at, names, lambda graph, pair=(one, other): graph.meet(*pair))
            codes.add(quickly.code)
        if bracket.s1 and bracket.s1[-1] > min(bracket.s2):
            by_edges = done.why_exchange(at)
            with monkeypatch.context() as by_kinds:
                by_kinds.setattr(exact, "MANY", 0)
                by_kinds.setattr(exact, "has_few_edges", lambda _rows: False)
                assert done.why_exchange(at) == by_edges
    return codes


def test_verdicts_are_those_of_whole_matchings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every bracket is compared as if it were large."""
    monkeypatch.setattr(verdicts, "COMPARED_TOGETHER", 0)
    monkeypatch.setattr(verdicts, "has_few_edges", lambda _rows: False)
    three_float_and_one_has_the_bye = crowded_round(Random(488), (7, 8, 9, 11))
    codes = codes_of(three_float_and_one_has_the_bye, Random(0), monkeypatch)
    for seed in (*range(12), *RARE):
        rng = Random(seed)
        given = with_many_moved_down(rng) if seed % 2 else crowded_round(rng, (20, 21))
        codes |= codes_of(given, rng, monkeypatch)
    assert codes >= {"later_set", "later_opponent", "later_exchange_count", "later_row", "rest"}
