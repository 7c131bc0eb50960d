"""Compare the Dutch engine with the literal search, on the examples and on random rounds of 2 to 11 players."""

from __future__ import annotations

import pytest

from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.systems.dutch.pairing import pair_round
from evenboard_engine.tests.systems.dutch.comparison import compare_seeds
from evenboard_engine.tests.systems.dutch.examples import Example, examples

SEEDS_A_CHUNK = 130


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_engine_pairs_the_worked_example(example: Example) -> None:
    if example.answer is None:
        with pytest.raises(NoLegalPairing):
            pair_round(example.tournament)
        return
    pairing = pair_round(example.tournament)
    pairs = {(pair.white, pair.black) for pair in pairing.pairs}
    assert (pairs, pairing.bye) == (example.answer.pairs, example.answer.bye)


@pytest.mark.parametrize("first_seed", range(0, 4 * SEEDS_A_CHUNK, SEEDS_A_CHUNK))
def test_engine_pairs_as_the_text_says(first_seed: int) -> None:
    """Five hundred rounds: forfeits, absences, byes, late entries, forbidden pairs, last rounds, decided points."""
    found = compare_seeds(first_seed, SEEDS_A_CHUNK)
    assert not found.differences, "\n".join(map(str, found.differences[:3]))
    assert found.rounds >= 500
