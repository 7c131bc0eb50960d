"""Direct Encounter (C.07, 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from .cards import OPEN, PLAYED, CardTable

_Points = int | Fraction
_Scored = Mapping[int, Mapping[int, _Points]]
"""Each player's points against each of the others met, in tenths."""


class Division(NamedTuple):
    """A table of the games between tied players, and the groups that it makes of them, best first.

    points: of each against each of the others met, in tenths. least: their sum. most: if all missing games were won.
    all_met: points alone decide.
    """

    points: _Scored
    least: Mapping[int, _Points]
    most: Mapping[int, _Points]
    all_met: bool
    groups: Sequence[tuple[int, ...]]


def direct_encounter(
    tied: tuple[int, ...], known: CardTable, *, forfeits: bool
) -> tuple[tuple[int, ...], ...]:
    """Divide the tied players into groups, best first, that direct encounter cannot divide further.

    forfeits: count as games (/P); in a round robin they always do.
    """
    groups = division(tied, known, forfeits=forfeits).groups
    if len(groups) == 1:
        return (tied,)
    return tuple(
        part
        for group in groups
        for part in (direct_encounter(group, known, forfeits=forfeits) if len(group) > 1 else (group,))
    )


def division(tied: tuple[int, ...], known: CardTable, *, forfeits: bool) -> Division:
    """Divide the tied players once."""
    scored = _scored(tied, known, forfeits or known.fixed)
    least = {me: sum(row.values()) for me, row in scored.items()}
    if known.fixed or all(len(row) == len(tied) - 1 for row in scored.values()):
        return Division(scored, least, least, True, _by_points(least))
    win = max(known.points.white_win, known.points.black_win)
    most = {me: least[me] + win * (len(scored) - 1 - len(row)) for me, row in scored.items()}
    return Division(scored, least, most, False, _by_certainty(least, most))


def _scored(tied: tuple[int, ...], known: CardTable, forfeits: bool) -> _Scored:
    """Return the points among the tied players; several meetings count by their average (6.1.2)."""
    among = set(tied)
    found: dict[int, Mapping[int, _Points]] = {}
    for me in tied:
        meetings: dict[int, list[int]] = {}
        for turn in known.cards[me].turns:
            if turn.opponent in among and (turn.kind is not OPEN if forfeits else turn.kind is PLAYED):
                meetings.setdefault(turn.opponent, []).append(turn.points)
        found[me] = {
            other: points[0] if len(points) == 1 else Fraction(sum(points), len(points))
            for other, points in meetings.items()
        }
    return found


def _by_points(scored: Mapping[int, _Points]) -> list[tuple[int, ...]]:
    """Return the groups by points, if all have met each other (6.2)."""
    groups: dict[_Points, list[int]] = {}
    for me, points in scored.items():
        groups.setdefault(points, []).append(me)
    return [tuple(groups[points]) for points in sorted(groups, reverse=True)]


def _by_certainty(least: Mapping[int, _Points], most: Mapping[int, _Points]) -> list[tuple[int, ...]]:
    """Return the groups if not all have met: a player is first only if no missing game could change it, ... (6.3).

    least, most: the points without the missing games, and if they were won.
    """
    left = sorted(least, key=lambda me: (most[me], least[me]))
    groups: list[tuple[int, ...]] = []
    while len(left) > 1:
        first = left[-1]
        if least[first] <= most[left[-2]]:
            break
        groups.append((first,))
        left.pop()
    rest = set(left)
    return [*groups, tuple(me for me in least if me in rest)]
