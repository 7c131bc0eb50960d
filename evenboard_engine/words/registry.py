"""The words of the pairing systems, by the code of the system. Each is loaded when somebody asks for it."""

from __future__ import annotations

from evenboard_engine.systems.registry import LoadedOnDemand

from .systems import SystemWords


def _dubov() -> SystemWords:
    from .dubov.words import DUBOV_WORDS

    return DUBOV_WORDS


def _dutch() -> SystemWords:
    from .dutch.words import DUTCH_WORDS

    return DUTCH_WORDS


def _dubov_1997() -> SystemWords:
    from .dubov1997.words import DUBOV_1997_WORDS

    return DUBOV_1997_WORDS


def _us_chess() -> SystemWords:
    from .uschess.words import US_CHESS_WORDS

    return US_CHESS_WORDS


def _round_robin() -> SystemWords:
    from .round_robin import ROUND_ROBIN_WORDS

    return ROUND_ROBIN_WORDS


SYSTEM_WORDS: LoadedOnDemand[SystemWords] = LoadedOnDemand(
    {
        "dubov": _dubov,
        "dutch": _dutch,
        "dubov-1997": _dubov_1997,
        "uschess": _us_chess,
        "round-robin": _round_robin,
    }
)


def words_of(code: str) -> SystemWords:
    """Return the words of a system of `evenboard_engine.SYSTEMS`."""
    return SYSTEM_WORDS[code]
