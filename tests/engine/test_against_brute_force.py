"""The engine against plain enumeration of the rule text, on random rounds of 4 to 14 players."""

from __future__ import annotations

import pytest

from tests.engine.comparison import compare_seeds

SEEDS_A_CHUNK = 40
CHUNKS = range(0, 24 * SEEDS_A_CHUNK, SEEDS_A_CHUNK)


@pytest.mark.parametrize("first_seed", CHUNKS)
def test_engine_pairs_as_the_text_says(first_seed: int) -> None:
    differences = compare_seeds(first_seed, SEEDS_A_CHUNK).differences
    assert not differences, "\n".join(map(str, differences[:3]))


def test_rounds_are_at_least_two_thousand_that_can_be_paired_and_some_hundred_that_cannot() -> None:
    compared = [compare_seeds(first_seed, SEEDS_A_CHUNK) for first_seed in CHUNKS]
    without_pairing = sum(part.without_pairing for part in compared)
    assert sum(part.rounds for part in compared) - without_pairing >= 2000
    assert without_pairing >= 200
