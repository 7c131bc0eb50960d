"""The worked examples of docs/uschess.md, asked of plain enumeration."""

from __future__ import annotations

import pytest

from .examples import Example, examples
from .reference import answer

SMALL = [example for example in examples() if len(example.men) <= 10]


@pytest.mark.parametrize("example", SMALL, ids=lambda example: example.name)
def test_worked_example(example: Example) -> None:
    found = answer(example.men, example.rules)
    assert found is not None
    assert (found.boards, found.bye) == (example.boards, example.bye)
    assert example.floats is None or found.floats == example.floats
    assert example.switches is None or found.switches == example.switches
