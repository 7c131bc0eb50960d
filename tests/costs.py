"""Which tests take long: these begin first, a long run says how far it is, and it ends with the longest files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

MOST = 10  # files in the list
A_LONG_RUN = 500  # tests; a shorter run has pytest's dots
SLOW = 40  # a test marked `slow` takes as long as so many others
EVERY = 20  # seconds between two lines of progress


class Progress:
    """How far a long run is: a line now and then, with the time left at the speed of this machine so far.

    tests: how many the run has. began: the clock in seconds.
    """

    def __init__(self, tests: int, began: float) -> None:
        self._tests, self._began, self._printed = tests, began, began
        self._done = self._failed = self._slow_done = self._slow = 0

    @property
    def is_long(self) -> bool:
        return self._tests >= A_LONG_RUN

    def line_after(self, report: pytest.TestReport, now: float) -> str:
        """Count a report, and return the line to print, or ""."""
        self._failed += report.failed
        self._slow = getattr(report, "slow_tests", self._slow)  # reports of the engine's tests do not say it
        if report.when != "teardown" and not hasattr(report, "is_whole"):
            return ""
        self._done += 1
        self._slow_done += "slow" in report.keywords
        if not self.is_long or now - self._printed < EVERY:
            return ""
        self._printed = now
        done = self._done + (SLOW - 1) * self._slow_done
        share = done / (self._tests + (SLOW - 1) * self._slow)
        left = (now - self._began) * (1 - share) / share
        return f"{share:4.0%}  {self._done:,} of {self._tests:,} tests, {self._failed} failed, " + (
            f"about {left / 60:.0f} min left" if left > 90 else "under two minutes left"
        )


class Ends:
    """When each process of a run had its last report: those that end early leave their cores idle."""

    def __init__(self) -> None:
        self._last: dict[object, float] = {}

    def note(self, process: object, now: float) -> None:
        self._last[process] = now

    def line(self) -> str:
        """Return how long each process had nothing to do at the end, or "" for a run with one process."""
        last = max(self._last.values(), default=0)
        idle = [f"{last - end:.1f} s" for end in sorted(self._last.values())]
        return f"idle at the end, process by process: {', '.join(idle)}" if len(idle) > 1 else ""


def few_reports(reports: list[pytest.TestReport]) -> list[pytest.TestReport]:
    """Return what tells all of a test: if it passed, its own report, with the seconds of its fixtures."""
    if not all(report.passed for report in reports):
        return reports
    [found] = [report for report in reports if report.when == "call"]
    found.duration = sum(report.duration for report in reports)
    found.is_whole = True  # type: ignore[attr-defined]
    return [found]


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
