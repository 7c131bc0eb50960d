"""Choose the player for the pairing-allocated bye (C.04.4.1, 2.1, edition 2025)."""

from __future__ import annotations

from collections.abc import Sequence

from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.matching import Matching

from .field import DubovEntrant, DubovField, Lower, legal_graph


def bye_order(player: DubovEntrant) -> tuple[int, int, int]:
    """Return a sort key: lowest score, most games played, lowest place in the initial ranking (2.1.3 to 2.1.5).

    Reading: only games over the board count; byes and forfeits are not games (D11).
    """
    return player.score, -player.games, -player.rank


def allocate_bye(field: DubovField, everybody: Lower) -> int | None:
    """Choose the player for the bye and return the place of that player; None if the number of players is even.

    Raises NoLegalPairing if no legal round exists, also if the number of players is even.
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


def choose_for_bye(players: Sequence[DubovEntrant]) -> DubovEntrant:
    """Choose the player for the bye from an odd number of players, by 2.1.1 to 2.1.5.

    First come C2 (2.1.1) and a complete pairing of all the others (2.1.2), then the order of 2.1.3 to 2.1.5.
    Reading: C2 counts points, so a player who has had a full-point bye is barred as well (D3).
    Raises NoLegalPairing.
    """
    players = sorted(players, key=lambda player: player.rank)
    matching = _largest_pairing(players, spare=1)
    # Theorem of Gallai and Edmonds: a player can be the one left over exactly if the player is dispensable
    can_stay_over = matching.dispensable()
    possible = [player for i, player in enumerate(players) if can_stay_over >> i & 1]
    candidates = [player for player in possible if not player.bye_barred]
    if not candidates:
        raise NoLegalPairing("no_bye", players=tuple(player.id for player in possible))
    return min(candidates, key=bye_order)


def _largest_pairing(players: Sequence[DubovEntrant], *, spare: int) -> Matching:
    players = sorted(players, key=lambda player: player.rank)
    matching = Matching(legal_graph(players))
    if matching.maximise() > spare:
        raise NoLegalPairing(
            "no_pairing",
            players=tuple(player.id for i, player in enumerate(players) if matching.exposed >> i & 1),
        )
    return matching
