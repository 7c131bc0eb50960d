"""The worked examples of docs/uschess.md, asked of the engine, and the small ones of plain enumeration."""

from __future__ import annotations

import pytest

from evenboard_engine.tests.systems.uschess.engine import engine_answer
from evenboard_engine.tests.systems.uschess.enumeration import Answer
from evenboard_engine.tests.systems.uschess.examples import Example, examples
from evenboard_engine.tests.systems.uschess.reference import answer

EXAMPLES = examples()
SMALL = [example for example in EXAMPLES if len(example.men) <= 10]


def check(found: Answer | None, example: Example) -> None:
    assert found is not None
    assert (found.boards, found.bye) == (example.boards, example.bye)
    assert example.floats is None or found.floats == example.floats
    assert example.switches is None or found.switches == example.switches


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_engine_pairs_the_worked_example(example: Example) -> None:
    check(engine_answer(example.men, example.rules), example)


@pytest.mark.parametrize("example", SMALL, ids=lambda example: example.name)
def test_enumeration_pairs_the_worked_example(example: Example) -> None:
    check(answer(example.men, example.rules), example)
