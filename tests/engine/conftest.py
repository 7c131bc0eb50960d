"""Measure the tests of the engine if the run asks for it: see tests/branches.py."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.branches import measured, of_this_run, reaches_more

COVERAGE = of_this_run()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure the test with its fixtures."""
    if COVERAGE is None or not reaches_more(item.path):
        return (yield)
    with measured(COVERAGE):
        return (yield)


def pytest_sessionfinish() -> None:
    if COVERAGE is not None:
        COVERAGE.save()
