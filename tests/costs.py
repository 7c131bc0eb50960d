"""Which tests take long: these begin first, and each run of many files ends with a list of the longest ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

MOST = 10  # files in the list


def slowest_files(reports: Iterable[pytest.TestReport]) -> list[tuple[float, int, str]]:
    """Return the files that took longest: the seconds of their tests with fixtures, the number of tests, the path."""
    seconds, tests = Counter[str](), Counter[str]()
    for report in reports:
        file = report.nodeid.partition("::")[0]
        seconds[file] += report.duration
        tests[file] += report.when == "call"
    return [(spent, tests[file], file) for file, spent in seconds.most_common(MOST)]


def slow_first(items: list[pytest.Item]) -> None:
    """Put the tests marked `slow` first. If one of them began last, the other processes would wait for it."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
