"""Each value of a tie-break as its parts: they make the value, and they are what happened."""

from __future__ import annotations

from evenboard_engine.tests.seeds import for_seeds
from evenboard_engine.tests.tiebreak_sums import wrong_parts


@for_seeds(60, in_a_case=60)
def test_the_parts_make_the_value_in_swiss_tournaments(seed: int) -> None:
    assert wrong_parts(seed) == []


@for_seeds(20, in_a_case=20)
def test_the_parts_make_the_value_in_round_robins(seed: int) -> None:
    assert wrong_parts(seed, fixed=True) == []
