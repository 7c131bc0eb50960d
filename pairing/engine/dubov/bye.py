"""The pairing-allocated bye (C.04.4.1, 2.1, edition 2025)."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.errors import NoLegalPairing
from pairing.engine.matching import Matching

from .field import Entrant, legal_graph, surely_pairable


def bye_order(player: Entrant) -> tuple[int, int, int]:
    """Sort key: lowest score, most games played, lowest place in the initial ranking (2.1.3 to 2.1.5).

    Reading: games are those over the board; byes and forfeits are none (D11).
    """
    return player.score, -player.games, -player.rank


def allocate_bye(field: Sequence[Entrant]) -> Entrant | None:
    """Who gets the bye, None for an even field. C2 (2.1.1), then a complete pairing of the rest (2.1.2), then 2.1.3-5.

    Also establishes that the round can be completed at all. Reading: C2 counts by points, so that a full-point bye
    bars as well (D3). Raises NoLegalPairing.
    """
    if len(field) % 2 == 0:
        if not surely_pairable(field):
            _largest_pairing(field, spare=0)
        return None
    candidates = sorted((player for player in field if not player.bye_barred), key=bye_order)
    if candidates and surely_pairable([player for player in field if player is not candidates[0]]):
        return candidates[0]
    matching = _largest_pairing(field, spare=1)
    # One stays over, and by the theorem of Gallai and Edmonds these are all who can be the one
    can_stay_over = matching.dispensable()
    place = {player.rank: i for i, player in enumerate(field)}
    for player in candidates:
        if can_stay_over >> place[player.rank] & 1:
            return player
    raise NoLegalPairing(
        "no_bye", players=tuple(player.id for i, player in enumerate(field) if can_stay_over >> i & 1)
    )


def _largest_pairing(field: Sequence[Entrant], *, spare: int) -> Matching:
    matching = Matching(legal_graph(field))
    if matching.maximise() > spare:
        raise NoLegalPairing(
            "no_pairing",
            players=tuple(player.id for i, player in enumerate(field) if matching.exposed >> i & 1),
        )
    return matching
