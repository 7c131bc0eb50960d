"""Two pairing systems instead of all: the one with editions, and the ladder of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from evenboard_engine import SYSTEMS
from evenboard_engine.tests.systems.toy import ladder_known
from evenboard_engine.words.registry import SYSTEM_WORDS


@contextmanager
def two_systems_known() -> Iterator[None]:
    """Leave the Dubov System and the ladder. Afterwards all systems are back in their order, which pages show."""
    systems, words = dict(SYSTEMS), dict(SYSTEM_WORDS)
    for code in systems.keys() - {"dubov"}:
        del SYSTEMS[code], SYSTEM_WORDS[code]
    try:
        with ladder_known():
            yield
    finally:
        SYSTEMS.clear()
        SYSTEMS.update(systems)
        SYSTEM_WORDS.clear()
        SYSTEM_WORDS.update(words)
