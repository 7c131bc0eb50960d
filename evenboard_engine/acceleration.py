"""Baku Acceleration (FIDE Handbook C.04.7, article 1, edition of 1 February 2026; C.04.5.1 before).

Before round 1 the field is split: GA is its upper half, GB the rest. In the first rounds the players of GA have virtual
points, which count only for pairing: for scoregroups, the bye, upfloats, who is higher ranked, and the order of boards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from .model import Acceleration, Player, PointSystem


def suits_baku(points: PointSystem) -> bool:
    """Return whether Baku Acceleration is for this point system: a win is two draws, a loss nothing (C.04.7, 1.1)."""
    halves = {points.white_draw, points.black_draw}
    losses = {points.white_loss, points.black_loss}
    return {points.white_win, points.black_win} == {2 * half for half in halves} and losses == {0}


def size_of_ga(players: int) -> int:
    """Return the first half of the players, rounded up to an even number: 2 * ceil(n / 4)."""
    return 2 * -(-players // 4)


def baku_group(players: Iterable[Player], late: Collection[int] = frozenset()) -> frozenset[int]:
    """Return the ids of GA: by TPN, the first half of the players in round 1, and late players above the last of them.

    late: ids of players who are not in round 1, whether they have a bye or enter later (D7). The last player of GA
    stays the same person, so GA may become odd.
    """
    ranked = sorted(players, key=lambda player: player.tpn)
    first = [player for player in ranked if player.id not in late]
    ga = first[: size_of_ga(len(first))]
    return frozenset(player.id for player in ranked if ga and player.tpn <= ga[-1].tpn)


def baku(ga: Collection[int], *, rounds: int, win: int) -> tuple[Acceleration, ...]:
    """Return the virtual points of GA. ga: ids. rounds: planned. win: points of a win, in tenths.

    The first half of the rounds, rounded up, is accelerated: the first half of these, rounded up, by a win, the others
    by half a win.
    """
    accelerated = -(-rounds // 2)
    whole = -(-accelerated // 2)
    players = frozenset(ga)
    spans = ((1, whole, win), (whole + 1, accelerated, win // 2))
    return tuple(
        Acceleration(first, last, points, players)
        for first, last, points in spans
        if first <= last and players
    )


def joined(virtual: Mapping[tuple[int, int], int]) -> tuple[Acceleration, ...]:
    """Return virtual points by (round, id) with rounds joined that follow each other and have the same points for the
    same players.
    """
    rounds: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for (round_, player), points in virtual.items():
        if points:
            rounds[round_][points].add(player)
    made: list[Acceleration] = []
    going_on: dict[tuple[int, int, frozenset[int]], int] = {}
    for round_ in sorted(rounds):
        for points, players in sorted(rounds[round_].items()):
            group = frozenset(players)
            at = going_on.pop((round_ - 1, points, group), len(made))
            if at == len(made):
                made.append(Acceleration(round_, round_, points, group))
            else:
                made[at] = Acceleration(made[at].first_round, round_, points, group)
            going_on[round_, points, group] = at
    return tuple(made)
