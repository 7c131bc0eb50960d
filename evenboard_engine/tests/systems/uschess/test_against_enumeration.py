"""Compare the engine with plain enumeration of docs/uschess.md, on random rounds."""

from __future__ import annotations

import pytest

from evenboard_engine.tests.seeds import for_seeds
from evenboard_engine.tests.systems.uschess.comparison import field_difference, tournament_rounds
from evenboard_engine.tests.systems.uschess.random_fields import LARGE, random_field
from evenboard_engine.tests.systems.uschess.reference import answer


@for_seeds(1200, in_a_case=400)
def test_engine_pairs_as_the_document_says(seed: int) -> None:
    assert field_difference(seed) is None


@for_seeds(100, in_a_case=50)
def test_engine_pairs_fields_of_nine_and_ten_as_the_document_says(seed: int) -> None:
    assert field_difference(100_000 + seed, LARGE) is None


@for_seeds(60, in_a_case=30)
def test_engine_pairs_rounds_of_tournaments_as_the_document_says(seed: int) -> None:
    for tournament, expected, found in tournament_rounds(seed):
        wanted = expected and (expected.boards, expected.bye)
        assert (found and (found.boards, found.bye)) == wanted, f"round {tournament.round}"


@pytest.mark.parametrize("option", ["avoid_unrated", "harkness", "avoid_swap", "team_rule", "bye_28l5"])
def test_random_rounds_depend_on_each_option(option: str) -> None:
    """The comparison would not prove an option that never decides anything."""
    other = {"team_rule": "dont"}
    for seed in range(2400):
        men, rules = random_field(seed)
        value = other.get(option, not getattr(rules, option))
        changed = type(rules)(**{**rules.__dict__, option: value})
        if answer(men, rules) != answer(men, changed):
            return
    raise AssertionError(option)
