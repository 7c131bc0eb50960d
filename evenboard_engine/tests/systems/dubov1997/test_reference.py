"""The reference of 1997 gives what the worked examples of the rules say."""

from __future__ import annotations

import pytest

from evenboard_engine.tests.systems.dubov1997.cases import case_of
from evenboard_engine.tests.systems.dubov1997.examples import Example, examples
from evenboard_engine.tests.systems.dubov1997.reference import pair
from evenboard_engine.tests.systems.dubov1997.values import Stuck

EXAMPLES = list(examples())


def test_all_examples_are_read() -> None:
    assert [example.title.split(".")[0] for example in EXAMPLES] == [
        *("1", "2", "3", "4", "4", "5", "6", "7", "8", "9", "10", "11")
    ]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_reference_gives_the_worked_example(example: Example) -> None:
    case = example.case
    if case is None:
        assert example.tournament
        case = case_of(example.tournament)
    found = pair(case)
    if isinstance(found, Stuck):
        assert (found.unpaired, found.offer) == (example.unpaired, example.expected)
    else:
        assert ((), found) == (example.unpaired, example.expected)
