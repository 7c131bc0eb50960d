"""The tie-breaks of an individual Swiss tournament (C.07), and the order of the players by a list of them.

Points come first, then each tie-break of the list for the players who are still tied (C.07, 4.2). There are two
editions: that of 1 March 2026, and the previous one for tournaments that began earlier. They differ in the dummy
opponent of an unplayed round.
"""

from __future__ import annotations

from .cards import table
from .codes import (
    LOTS,
    MANDATORY,
    MOST_TIE_BREAKS,
    OWN,
    POINTS,
    PRESETS,
    TieBreak,
    codes_of,
    ordered_code,
    read_amount,
    read_codes,
    read_list,
)
from .pairing_tiebreaker import PairingTiebreaker, order_of, pairing_tiebreakers, quality
from .standings import Ranking, Standing, Typed, capped_from, ranking, shown, standings, without_ratings
from .values import Values

__all__ = [
    "LOTS",
    "MANDATORY",
    "MOST_TIE_BREAKS",
    "OWN",
    "POINTS",
    "PRESETS",
    "PairingTiebreaker",
    "Ranking",
    "Standing",
    "TieBreak",
    "Typed",
    "Values",
    "capped_from",
    "codes_of",
    "order_of",
    "ordered_code",
    "pairing_tiebreakers",
    "quality",
    "ranking",
    "read_amount",
    "read_codes",
    "read_list",
    "shown",
    "standings",
    "table",
    "without_ratings",
]
