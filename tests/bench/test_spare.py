"""A spare takes over from a server that is killed, with real processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.spare import run


@pytest.mark.slow
@pytest.mark.one_database
def test_spare_takes_over_and_the_first_server_refuses_when_it_comes_back(migrated: Path) -> None:
    report = run(boards=20, kills=1, migrated=migrated)
    assert report.faults == []
    assert report.acknowledged > 0
    assert report.lost_seconds < 10
