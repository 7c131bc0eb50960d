"""The engine of 1997 gives what the worked examples say, and what the reference gives in random rounds."""

from __future__ import annotations

import pytest

from evenboard_engine.systems.dubov1997.pairing import pair as pair_sheet
from evenboard_engine.systems.dubov1997.pairing.field import field_of
from evenboard_engine.tests.systems.dubov1997.asking import answer, ask_engine
from evenboard_engine.tests.systems.dubov1997.comparison import LARGE, SMALL, compare_seeds
from evenboard_engine.tests.systems.dubov1997.examples import Example, examples
from evenboard_engine.tests.systems.dubov1997.values import Stuck


@pytest.mark.parametrize("example", list(examples()), ids=lambda example: example.title)
def test_engine_gives_the_worked_example(example: Example) -> None:
    if example.case:
        found = ask_engine(example.case)
    else:
        assert example.tournament
        found = answer(pair_sheet(field_of(example.tournament)))
    if isinstance(found, Stuck):
        assert (found.unpaired, found.offer) == (example.unpaired, example.expected)
    else:
        assert ((), found) == (example.unpaired, example.expected)


@pytest.mark.parametrize(
    ("first_seed", "count", "sizes", "rounds"),
    [(0, 150, SMALL, 600), (150, 150, SMALL, 600), (500, 3, LARGE, 15), (503, 3, LARGE, 15)],
)
def test_engine_and_reference_agree_on_random_rounds(
    first_seed: int, count: int, sizes: range, rounds: int
) -> None:
    found = compare_seeds(range(first_seed, first_seed + count), sizes)
    assert found.differences == []
    assert found.rounds >= rounds
    assert found.stuck > found.without_offer
