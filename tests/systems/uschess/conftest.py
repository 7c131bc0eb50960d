"""The system is registered as long as these tests run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .system_known import us_chess_known


@pytest.fixture(autouse=True)
def us_chess() -> Iterator[None]:
    with us_chess_known():
        yield
