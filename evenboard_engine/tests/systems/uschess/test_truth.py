"""What the explanation says is true: each claim is computed again by plain enumeration."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from evenboard_engine import NoLegalPairing
from evenboard_engine.systems.uschess.explaining.verdicts import verdict
from evenboard_engine.systems.uschess.system import US_CHESS
from evenboard_engine.tests.seeds import for_seeds
from evenboard_engine.tests.systems.uschess.claims import is_true
from evenboard_engine.tests.systems.uschess.comparison import men_of, tournament_rounds
from evenboard_engine.tests.systems.uschess.engine import worked
from evenboard_engine.tests.systems.uschess.enumerated_verdicts import Enumerated
from evenboard_engine.tests.systems.uschess.facts import Facts
from evenboard_engine.tests.systems.uschess.random_fields import random_field
from evenboard_engine.trace import Reason


@for_seeds(120, in_a_case=40)
def test_why_two_players_do_not_meet_is_the_first_place_that_is_worse(seed: int) -> None:
    men, rules = random_field(seed, (4, 5, 6, 6, 7))
    try:
        work = worked(men, rules)
    except NoLegalPairing:
        return
    enumerated = Enumerated(men, rules, work.bye)
    for one, other in combinations(enumerated.people, 2):
        if (one, other) not in work.pairs and not enumerated.round.apart(one, other):
            assert verdict(work, one, other) == enumerated.verdict(work, one, other), (one, other)


def reasons_of(tournament: Any, pairing: Any) -> Iterator[Reason]:
    """All reasons that an explanation says."""
    explainer = US_CHESS.explain(tournament, pairing)
    trace = explainer.trace
    yield from trace.bye.reasons
    yield from (passed.reason for passed in trace.bye.passed)
    yield from trace.steps
    for bracket in trace.brackets:
        yield from bracket.steps
        for row in bracket.pairs:
            yield row.colours
            yield from (passed.reason for passed in row.passed)
    here = [key for pair in pairing.pairs for key in (pair.white, pair.black)]
    here += [] if pairing.bye is None else [pairing.bye]
    for key in here:
        yield from (reason for answer in explainer.player(key).answers for reason in answer.reasons)
        yield explainer.why_not_bye(key)
    yield from (explainer.why_not(*two) for two in combinations(here, 2))


@for_seeds(60, in_a_case=20)
def test_every_sentence_is_true(seed: int) -> None:
    for tournament, _expected, _found in tournament_rounds(1000 + seed, 8):
        try:
            pairing = US_CHESS.pair(tournament)
        except NoLegalPairing:
            continue
        men, rules = men_of(tournament)
        facts = Facts(men, rules, worked(men, rules))
        for reason in reasons_of(tournament, pairing):
            assert is_true(facts, reason), reason


def test_switch_says_where_an_unrated_player_limits_its_size() -> None:
    sizes: dict[str, set[int]] = {"switch": set(), "switch_unrated": set()}
    for seed in range(1000, 1010):
        for tournament, _expected, found in tournament_rounds(seed, 8):
            if found is None:
                continue
            for reason in reasons_of(tournament, US_CHESS.pair(tournament)):
                if reason.code in sizes:
                    sizes[reason.code].add(reason.params["size"])
    assert sizes["switch_unrated"] == {80}
    assert max(sizes["switch"]) > 80
