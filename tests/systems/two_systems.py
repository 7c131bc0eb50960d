"""Two pairing systems instead of all: the one with editions, and the ladder of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pairing.engine import SYSTEMS
from pairing.words.registry import SYSTEM_WORDS

from .toy import ladder_known


@contextmanager
def two_systems_known() -> Iterator[None]:
    """Leave the Dubov System and the ladder."""
    with pytest.MonkeyPatch.context() as patched:
        for code in [code for code in SYSTEMS if code != "dubov"]:
            patched.delitem(SYSTEMS, code)
            patched.delitem(SYSTEM_WORDS, code)
        with ladder_known():
            yield
