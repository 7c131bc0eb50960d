"""The options of the Dutch System: the edition of its rules, of which there is one so far."""

from __future__ import annotations

from enum import StrEnum

from evenboard_engine.history import HistoryRules
from evenboard_engine.systems.options import ChoiceOption


class DutchEdition(StrEnum):
    """The edition of C.04.3, named by its year; `articles` numbers its articles.

    2026: in force from 1 February 2026.
    """

    E2026 = "2026"


OLDER_EDITION, FIRST_DAY_OF_2026 = "2017", "2026-02-01"
"""The edition before, which the system does not have, and the day on which it ended."""

EDITION = ChoiceOption("edition", DutchEdition.E2026, tuple(DutchEdition))

HISTORY_RULES = HistoryRules(floats=True)
"""Floats of two rounds count (1.4). The points of a win without playing bar from the bye (C2)."""
