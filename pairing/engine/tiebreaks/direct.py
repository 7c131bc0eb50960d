"""Direct Encounter (C.07, 6)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from .cards import Card, Kind

_Table = dict[int, dict[int, Fraction]]


def direct_encounter(
    tied: tuple[int, ...], known: Mapping[int, Card], win: int, *, forfeits: bool
) -> tuple[tuple[int, ...], ...]:
    """Divide the tied players into groups, best first, that direct encounter cannot divide further.

    win: tenths; the most that a game that was not played could have given. forfeits: count as games (/P).
    """
    table = _table(tied, known, forfeits)
    size = len(tied)
    if all(len(row) == size - 1 for row in table.values()):
        groups = _by_points(table)
    else:
        groups = _by_certainty(table, win)
    if len(groups) == 1:
        return (tied,)
    return tuple(
        part
        for group in groups
        for part in (direct_encounter(group, known, win, forfeits=forfeits) if len(group) > 1 else (group,))
    )


def _table(tied: tuple[int, ...], known: Mapping[int, Card], forfeits: bool) -> _Table:
    """Return each player's points against each of the others met; several meetings count by their average (6.1.2)."""
    among = set(tied)
    table: _Table = {}
    for me in tied:
        scored: dict[int, list[int]] = {}
        for turn in known[me].turns:
            if turn.opponent in among and (turn.kind is Kind.PLAYED or forfeits):
                scored.setdefault(turn.opponent, []).append(turn.points)
        table[me] = {other: Fraction(sum(points), len(points)) for other, points in scored.items()}
    return table


def _by_points(table: _Table) -> list[tuple[int, ...]]:
    """Return the groups by points, if all have met each other (6.2)."""
    groups: dict[Fraction, list[int]] = {}
    for me, row in table.items():
        groups.setdefault(sum(row.values(), Fraction(0)), []).append(me)
    return [tuple(groups[points]) for points in sorted(groups, reverse=True)]


def _by_certainty(table: _Table, win: int) -> list[tuple[int, ...]]:
    """Return the groups if not all have met: a player is first only if no missing game could change it, ... (6.3)."""
    least = {me: sum(row.values(), Fraction(0)) for me, row in table.items()}
    most = {me: least[me] + win * (len(table) - 1 - len(row)) for me, row in table.items()}
    left = sorted(table, key=lambda me: (most[me], least[me]))
    groups: list[tuple[int, ...]] = []
    while len(left) > 1:
        first = left[-1]
        if least[first] <= most[left[-2]]:
            break
        groups.append((first,))
        left.pop()
    rest = set(left)
    return [*groups, tuple(me for me in table if me in rest)]
