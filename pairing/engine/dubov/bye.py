"""The pairing-allocated bye (C.04.4.1, 2.1, edition 2025)."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.errors import NoLegalPairing
from pairing.engine.matching import Matching

from .field import Entrant, Field, Lower, legal_graph


def bye_order(player: Entrant) -> tuple[int, int, int]:
    """Sort key: lowest score, most games played, lowest place in the initial ranking (2.1.3 to 2.1.5).

    Reading: games are those over the board; byes and forfeits are none (D11).
    """
    return player.score, -player.games, -player.rank


def allocate_bye(field: Field, everybody: Lower) -> int | None:
    """The place of who gets the bye, None for an even field. Also establishes that the round can be completed at all.

    Raises NoLegalPairing.
    """
    if everybody.count % 2 == 0:
        if not everybody.surely_pairable():
            _largest_pairing(everybody.all(), spare=0)
        return None
    if everybody.surely_pairable(without=1):
        for group in reversed(everybody.groups):
            candidates = [place for place in group if place not in field.past.barred]
            if candidates:
                return max(candidates, key=lambda place: (len(field.shape[place].sides), place))
    return choose_for_bye(everybody.all()).rank


def choose_for_bye(players: Sequence[Entrant]) -> Entrant:
    """Of an odd number: C2 (2.1.1), then a complete pairing of the rest (2.1.2), then 2.1.3 to 2.1.5.

    Reading: C2 counts by points, so that a full-point bye bars as well (D3). Raises NoLegalPairing.
    """
    players = sorted(players, key=lambda player: player.rank)
    matching = _largest_pairing(players, spare=1)
    # One stays over, and by the theorem of Gallai and Edmonds these are all who can be the one
    can_stay_over = matching.dispensable()
    possible = [player for i, player in enumerate(players) if can_stay_over >> i & 1]
    candidates = [player for player in possible if not player.bye_barred]
    if not candidates:
        raise NoLegalPairing("no_bye", players=tuple(player.id for player in possible))
    return min(candidates, key=bye_order)


def _largest_pairing(players: Sequence[Entrant], *, spare: int) -> Matching:
    players = sorted(players, key=lambda player: player.rank)
    matching = Matching(legal_graph(players))
    if matching.maximise() > spare:
        raise NoLegalPairing(
            "no_pairing",
            players=tuple(player.id for i, player in enumerate(players) if matching.exposed >> i & 1),
        )
    return matching
