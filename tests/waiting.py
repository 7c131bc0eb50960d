"""Wait for what another thread or process does: for the fact, and not for a time."""

from __future__ import annotations

import time
from collections.abc import Callable

LONG = 600.0  # seconds, for a busy machine; a test waits that long only if it fails


def until(is_so: Callable[[], object], what: object = "") -> None:
    """Return once `is_so()`. An AssertionError says `what` did not come."""
    end = time.monotonic() + LONG
    while not is_so():
        assert time.monotonic() < end, f"did not come: {what}"
        time.sleep(0.01)
