"""Compare the engine with plain enumeration of the rule text, on random rounds of 4 to 14 players."""

from __future__ import annotations

import pytest

from evenboard_engine.tests.comparison import compare_seed, compare_seeds
from evenboard_engine.tests.random_rounds import SIZES
from evenboard_engine.tests.seeds import for_seeds

SEEDS_A_CHUNK = 40
CHUNKS = range(0, 24 * SEEDS_A_CHUNK, SEEDS_A_CHUNK)


@pytest.mark.parametrize("first_seed", CHUNKS)
def test_engine_pairs_as_the_text_says(first_seed: int) -> None:
    differences = compare_seeds(first_seed, SEEDS_A_CHUNK).differences
    assert not differences, "\n".join(map(str, differences[:3]))


def test_two_thousand_rounds_with_a_legal_pairing_and_two_hundred_without_are_compared() -> None:
    compared = [compare_seeds(first_seed, SEEDS_A_CHUNK) for first_seed in CHUNKS]
    without_pairing = sum(part.without_pairing for part in compared)
    assert sum(part.rounds for part in compared) - without_pairing >= 2000
    assert without_pairing >= 200


@for_seeds(60, in_a_case=60)
def test_rounds_after_decisions_on_points_are_paired_as_the_text_says(seed: int) -> None:
    differences = compare_seed(seed, SIZES, ruled=True).differences
    assert not differences, str(differences[0])
