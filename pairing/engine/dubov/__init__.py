from __future__ import annotations

from ..model import Tournament
from ..result import RoundPairing


def pair_round(tournament: Tournament) -> RoundPairing:
    raise NotImplementedError
