"""Tie-breaks of a Swiss tournament for individuals (C.07): the order of the players by a list of them.

Points first, then each tie-break of the list for those who are still tied (C.07, 4.2). Editions: that of 1 March 2026,
and the one before it for tournaments that began earlier; they differ in the dummy opponent of an unplayed round.
"""

from __future__ import annotations

from .codes import MANDATORY, TieBreak, read_list
from .order import Ranking, ranking, shown

__all__ = ["MANDATORY", "Ranking", "TieBreak", "ranking", "read_list", "shown"]
