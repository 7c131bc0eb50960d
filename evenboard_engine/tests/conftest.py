"""Measure the tests if the run asks for it: see branches.py."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

from evenboard_engine.tests.branches import measured, of_this_run, reaches_more

COVERAGE = of_this_run()

# A busy machine is no failure: Hypothesis limits neither the time of an example nor that of making one.
settings.register_profile("untimed", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure the test with its fixtures."""
    if COVERAGE is None or not reaches_more(item.path, getattr(item, "originalname", item.name)):
        return (yield)
    with measured(COVERAGE):
        return (yield)


def pytest_sessionfinish() -> None:
    if COVERAGE is not None:
        COVERAGE.save()
