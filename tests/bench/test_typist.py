"""The slips of the scripted typist, and the keys that it presses."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from bench.typist import KEYS, strokes_to, written


def test_slips_are_in_the_order_of_boards_with_two_forfeits_in_a_hundred() -> None:
    slips = written(100, random.Random(1))
    results = Counter(result for _board, result in slips)
    assert [board for board, _result in slips] == list(range(1, 101))
    assert (results["+:-"], results["-:+"]) == (1, 1)
    assert set(results) == set(KEYS["evenboard"])


def test_enter_is_pressed_if_a_longer_number_begins_with_the_same_digits() -> None:
    boards = [str(number) for number in range(1, 101)]
    assert [strokes_to(board, boards) for board in ("7", "10", "47", "100")] == [
        ["7", "Enter"],
        ["1", "0", "Enter"],
        ["4", "7"],
        ["1", "0", "0"],
    ]


@pytest.mark.parametrize("scheme", KEYS)
def test_digits_are_those_of_the_page(root: Path, scheme: str) -> None:
    source = (root / "static/js/results/keys.js").read_text(encoding="utf-8")
    body = re.search(rf'"?{scheme}"?: {{.*?digits: {{(.*?)}}', source, re.DOTALL)
    assert body is not None
    digits = {result: digit for digit, result in re.findall(r'(\d): "([^"]*)"', body.group(1))}
    assert {result: keys for result, keys in KEYS[scheme].items() if len(keys) == 1}.items() <= digits.items()
