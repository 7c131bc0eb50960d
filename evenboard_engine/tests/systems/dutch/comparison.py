"""Compare the Dutch System with the literal search on random rounds, for the tests and for bench/brute_force.py."""

from __future__ import annotations

from collections.abc import Sequence

from evenboard_engine import NoLegalPairing, Tournament
from evenboard_engine.systems.dutch.pairing import pair_round
from evenboard_engine.tests.brute_force import BruteRound
from evenboard_engine.tests.comparison import Comparison, Difference
from evenboard_engine.tests.systems.dutch.dutch_rounds import SIZES, dutch_rounds


def compare_seed(seed: int, sizes: Sequence[int] = SIZES) -> Comparison:
    """Compare every round of a seed. An error of the engine is a difference, shown with the name of its class."""
    rounds = without_pairing = 0
    differences = []
    for tournament, found in dutch_rounds(seed, sizes):
        rounds += 1
        without_pairing += found is None
        expected = found and BruteRound(found.pairs, found.bye)
        answer = _engine_answer(tournament)
        if answer != expected:
            differences.append(Difference(seed, tournament, expected, answer))
    return Comparison(rounds, without_pairing, tuple(differences))


def compare_seeds(first: int, count: int, sizes: Sequence[int] = SIZES) -> Comparison:
    """Compare the rounds of `count` seeds, beginning with `first`."""
    parts = [compare_seed(seed, sizes) for seed in range(first, first + count)]
    return Comparison(
        rounds=sum(part.rounds for part in parts),
        without_pairing=sum(part.without_pairing for part in parts),
        differences=tuple(difference for part in parts for difference in part.differences),
    )


def _engine_answer(tournament: Tournament) -> BruteRound | str | None:
    try:
        pairing = pair_round(tournament)
    except NoLegalPairing:
        return None
    except Exception as error:  # noqa: BLE001 any error is shown with its seed
        return f"{type(error).__name__}: {error}"
    return BruteRound(frozenset((pair.white, pair.black) for pair in pairing.pairs), pairing.bye)
