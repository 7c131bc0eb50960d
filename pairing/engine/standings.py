"""The order of the players by points, ARO and TPN. Other tie-breaks are in pairing/engine/tiebreaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .history import History
from .model import Tournament


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings. place: from 1, never shared. points: in tenths. aro: Elo, 0 without a game."""

    place: int
    player: int
    points: int
    aro: int
    games: int


def standings(
    tournament: Tournament,
    *,
    past: Mapping[int, History],
    leave_out: frozenset[int] = frozenset(),
    by_aro: bool = True,
) -> tuple[Standing, ...]:
    """Return the standings before `tournament.round`, best first: points, then higher ARO if it counts, then smaller
    TPN.

    past: the histories (`pairing.engine.histories`). leave_out: ids without a place (expelled players);
    their results still count for their opponents. Cost: n log n.
    """
    order = sorted(
        (player for player in tournament.players if player.id not in leave_out),
        key=lambda player: (-past[player.id].score, -past[player.id].aro if by_aro else 0, player.tpn),
    )
    return tuple(
        Standing(
            place=place,
            player=player.id,
            points=past[player.id].score,
            aro=past[player.id].aro,
            games=past[player.id].games,
        )
        for place, player in enumerate(order, start=1)
    )
