"""The words of the pairing systems, by the code of the system."""

from __future__ import annotations

from .dubov.words import DUBOV_WORDS
from .dubov1997.words import DUBOV_1997_WORDS
from .round_robin.words import ROUND_ROBIN_WORDS
from .systems import SystemWords
from .uschess.words import US_CHESS_WORDS

SYSTEM_WORDS: dict[str, SystemWords] = {
    "dubov": DUBOV_WORDS,
    "dubov-1997": DUBOV_1997_WORDS,
    "uschess": US_CHESS_WORDS,
    "round-robin": ROUND_ROBIN_WORDS,
}


def words_of(code: str) -> SystemWords:
    """Return the words of a system of `evenboard_engine.SYSTEMS`."""
    return SYSTEM_WORDS[code]
