"""Verdicts on sets of two or more upfloaters: by exchange and bounds the same as by matching all players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from evenboard_engine import (
    Bye,
    ByeKind,
    Colour,
    Game,
    InternalError,
    NoLegalPairing,
    Player,
    Result,
    RoundPairing,
    Tournament,
    pair_round,
)
from evenboard_engine.systems.dubov.explaining.tracing import situations
from evenboard_engine.systems.dubov.explaining.verdicts import SetVerdicts, Situation
from evenboard_engine.systems.dubov.explaining.why import DubovExplainer
from evenboard_engine.systems.dubov.pairing.field import DubovEntrant, DubovField, Lower
from evenboard_engine.tests.rules.build import BLACK, WHITE, entrant

SCORES = ((1, 30), (2, 30), (3, 20), (4, 20), (5, 10), (6, 10))
RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)


def rounds_played(
    size: int, rounds: int, rng: Random, *, apart: float = 0, results: tuple[Result, ...] = RESULTS
) -> Iterator[tuple[Tournament, RoundPairing]]:
    """Yield the rounds of a random tournament until one cannot be paired. apart: share of forbidden pairs."""
    everyone = range(1, size + 1)
    forbidden = frozenset(pair for pair in combinations(everyone, 2) if rng.random() < apart)
    games: list[Game] = []
    byes: list[Bye] = []
    for number in range(1, rounds + 1):
        tournament = Tournament(
            rounds=rounds,
            round=number,
            players=tuple(Player(i, i, max(1000, 2600 - 10 * i)) for i in everyone),
            games=tuple(games),
            byes=tuple(byes),
            forbidden=forbidden,
            initial_colour=Colour.WHITE,
        )
        try:
            pairing = pair_round(tournament, trace=True)
        except NoLegalPairing:
            return
        yield tournament, pairing
        games += [Game(number, pair.white, pair.black, rng.choice(results)) for pair in pairing.pairs]
        if pairing.bye is not None:
            byes.append(Bye(number, pairing.bye, ByeKind.ALLOCATED))


def by_weighing(verdicts: SetVerdicts, player: DubovEntrant) -> str:
    """Return the verdict from the best set with all lower players taken into account, without any shortcut."""
    code = verdicts._weighed(player)
    if code != "up_rest":
        return code
    others = [other for other in verdicts.lower.all() if other is not player]
    found = verdicts._cheapest(player, others, None)
    legal = (found is not None and len(found) < len(verdicts.chosen)) or verdicts._legal_beside_a_set(player)
    return "up_rest" if legal else "up_illegal"


def sets_of(
    tournament: Tournament, pairing: RoundPairing
) -> Iterator[tuple[int, DubovField, Situation, list[DubovEntrant]]]:
    """Yield the brackets with two or more upfloaters, by number, and the lower players who were not chosen."""
    field = DubovField(tournament)
    for number, (_, situation) in enumerate(situations(tournament, pairing, field)):
        if len(situation.chosen) > 1:
            chosen = set(situation.chosen)
            yield number, field, situation, [p for p in situation.lower.all() if p.rank not in chosen]


def test_verdicts_with_shortcuts_are_the_same() -> None:
    seen = set()
    for seed in range(45):
        rng = Random(seed)
        apart = rng.choice((0, 0.1, 0.3, 0.5))
        for tournament, pairing in rounds_played(rng.randint(8, 26), rng.randint(3, 8), rng, apart=apart):
            for _, _, situation, others in sets_of(tournament, pairing):
                for player in others:
                    code = situation.sets.verdict(player)
                    assert code == by_weighing(situation.sets, player)
                    assert situation.sets.verdict(player, most=0) in (None, code)
                    seen.add((code, situation.sets.free))
    assert {code for code, _ in seen} >= {"up_illegal", "up_rest", "up_score", "up_colours", "up_order"}
    assert {free for _, free in seen} == {True, False}


@pytest.mark.parametrize(("seed", "size", "rounds", "apart"), [(40, 30, 7, 0), (1798, 11, 4, 0.3)])
def test_verdicts_are_the_same_if_several_players_have_the_same_kind(
    seed: int, size: int, rounds: int, apart: float
) -> None:
    """A rare case: no exchange gives a proof although C4 is sure, and the best set has two players of the same kind."""
    for tournament, pairing in rounds_played(size, rounds, Random(seed), apart=apart):
        for _, _, situation, others in sets_of(tournament, pairing):
            for player in others:
                assert situation.sets.verdict(player) == by_weighing(situation.sets, player)


def test_trace_names_some_players_and_counts_the_others() -> None:
    unlisted = 0
    for seed in range(8):
        rng = Random(seed)
        for tournament, pairing in rounds_played(60, 6, rng, apart=0.5):
            assert pairing.trace is not None
            for number, field, situation, others in sets_of(tournament, pairing):
                bracket = pairing.trace.brackets[number]
                last = max((-field.score[place], place) for place in situation.chosen)
                before = {player.id for player in others if (-player.score, player.rank) < last}
                assert {passed.player for passed in bracket.passed} <= before
                assert len(bracket.passed) + bracket.unlisted == len(before)
                assert len(bracket.passed) <= 12
                for passed in bracket.passed:
                    place = field.past.place_of[passed.player]
                    assert passed.reason == situation.verdict(place)
                unlisted += bracket.unlisted
    assert unlisted > 0


def test_large_set_of_upfloaters_has_verdicts_for_the_players_not_chosen() -> None:
    """White always wins, so whole scoregroups had White twice, and each player in them needs an upfloater."""
    *_, (tournament, pairing) = rounds_played(120, 3, Random(1), results=(Result.WHITE_WINS,))
    assert pairing.trace is not None
    number, _, situation, others = next(sets_of(tournament, pairing))
    assert len(situation.chosen) > 12
    bracket = pairing.trace.brackets[number]
    assert bracket.count.code == "count_residents"
    explainer = DubovExplainer(tournament, pairing)
    for player in others[:3]:
        assert explainer.why_not_upfloater(number, player.id).code == by_weighing(situation.sets, player)


def test_set_that_is_not_the_best_is_not_explained() -> None:
    """1 and 2 have met; the upfloaters are 5 and 6, although 3 and 4 have a higher score."""
    everyone = [entrant(rank, WHITE if rank < 3 else BLACK, score=score) for rank, score in SCORES]
    residents, below = [replace(player, met=(1, 2)) for player in everyone[:2]], everyone[2:]
    wrong = SetVerdicts(residents, below[2:4], Lower.of(below), [-1, 5, 6, 4, 3, 1, 2], 0, last_round=False)
    with pytest.raises(InternalError, match="explanation_contradicts_the_pairing"):
        wrong._weighed(below[0])
