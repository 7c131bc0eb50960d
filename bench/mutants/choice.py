"""Which tests mutants meet."""

from __future__ import annotations

from collections import Counter

import pytest

AT_MOST = 3
"""How many cases of one parametrized test are run: many tests of the engine run hundreds of random seeds."""


def few_of_each(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return a few cases of each test, without those that need a browser or another database."""
    seen: Counter[str] = Counter()
    chosen = []
    for item in items:
        if any(item.get_closest_marker(name) for name in ("browser", "postgres", "slow")):
            continue
        test = item.nodeid.split("[")[0]
        seen[test] += 1
        if seen[test] <= AT_MOST:
            chosen.append(item)
    return chosen
