"""Two pairing systems instead of all: the one with editions, and the ladder of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pairing.engine import SYSTEMS
from pairing.words.registry import SYSTEM_WORDS

from .toy import ladder_known


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
