"""What must hold for any round, checked after every pairing from the history alone."""

from __future__ import annotations

from .dubov.preferences import preference
from .errors import InternalError
from .history import histories
from .model import Tournament
from .result import RoundPairing


def check_round(tournament: Tournament, pairing: RoundPairing) -> None:
    """Everyone present exactly once, and C1, C2, C3 (C.04.4.1, 1.8.1 and 3.1). Raises InternalError."""
    past = histories(tournament)
    away = set(tournament.absent) | {bye.player for bye in tournament.byes if bye.round == tournament.round}
    placed = [key for pair in pairing.pairs for key in (pair.white, pair.black)]
    if pairing.bye is not None:
        placed.append(pairing.bye)
        if past[pairing.bye].bye_barred:
            raise InternalError("bye_barred", player=pairing.bye)
    if sorted(placed) != sorted(player.id for player in tournament.players if player.id not in away):
        raise InternalError("not_everyone_once")
    for pair in pairing.pairs:
        white, black = past[pair.white], past[pair.black]
        if pair.black in white.opponents:
            raise InternalError("met_before", white=pair.white, black=pair.black)
        if (min(pair.white, pair.black), max(pair.white, pair.black)) in tournament.forbidden:
            raise InternalError("forbidden_pair", white=pair.white, black=pair.black)
        mine, theirs = preference(white), preference(black)
        if mine.absolute and theirs.absolute and mine.colour is theirs.colour:
            raise InternalError("same_absolute_preference", white=pair.white, black=pair.black)
