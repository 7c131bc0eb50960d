"""The standings: the places of the players by points and a list of tie-breaks."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from evenboard_engine.model import Tournament

from .codes import POINTS, TieBreak
from .order import NOTHING_TYPED, Ranking, Typed, amount, ranking
from .values import Values


def without_ratings(tournament: Tournament, unrated: Collection[int]) -> Tournament:
    """Return the tournament with players for whom tie-breaks from the ratings of opponents leave out the games.

    Their own ratings still count for themselves (10.6), and for the order of a score group in the Pairing Tiebreaker.
    """
    if not unrated:
        return tournament
    players = (replace(one, left_out=True) if one.id in unrated else one for one in tournament.players)
    return replace(tournament, players=tuple(players))


_FIRST_DAY_OF_2026 = "2026-03-01"


def capped_from(day: str) -> bool:
    """Return whether C.07 limits the points of the dummy opponent (16.4) in a tournament that begins on this day.

    day: YYYY-MM-DD; "" if it is unknown.
    """
    return not day or day >= _FIRST_DAY_OF_2026


class Standing(NamedTuple):
    """One line. place: from 1; players who are level in everything share it (`shared`), and the next place is left out.

    points: in tenths. values: by each tie-break of the list, in the usual unit. None: the program does not know the
    tie-break, or it compares only tied players and did not separate the player from anybody.
    """

    place: int
    shared: bool
    player: int
    points: int
    values: tuple[Fraction | None, ...]


def standings(
    tournament: Tournament,
    tie_breaks: Sequence[TieBreak],
    *,
    leave_out: Iterable[int] = (),
    capped: bool = True,
    typed: Typed = NOTHING_TYPED,
    valued: Values | None = None,
) -> tuple[Standing, ...]:
    """Return the standings before `tournament.round`, best first: points, then the tie-breaks (C.07, 4.2).

    Players who share a place are in the order of their pairing numbers. An unknown tie-break separates nobody,
    unless it has values in `typed`.
    leave_out: ids without a place (expelled players); their results still count for their opponents. capped, valued: as
    for `ranking`.
    """
    out = set(leave_out)
    ranked = sorted(
        (player for player in tournament.players if player.id not in out), key=lambda player: player.tpn
    )
    known = tuple(rule for rule in tie_breaks if rule.name or rule.text.upper() in typed)
    among = [player.id for player in ranked]
    order = ranking(tournament, (POINTS, *known), among=among, capped=capped, typed=typed, valued=valued)
    columns: list[Iterable[Fraction | None]] = []
    at = 0  # the points
    for rule in tie_breaks:
        if rule in known:
            at += 1
            columns.append(_amounts(order, at, typed))
        else:
            columns.append([None] * len(order.values))
    by_player = zip(*columns, strict=True) if columns else [()] * len(order.values)
    amounts_of = dict(zip(order.values, by_player, strict=True))
    rows: list[Standing] = []
    for group in order.groups:
        place = len(rows) + 1
        for key in group:
            points = int(order.values[key][0])
            values = amounts_of[key]
            if tournament.round == 1:  # nobody has played, so the numbers alone give the order
                rows.append(Standing(len(rows) + 1, False, key, points, values))
            else:
                rows.append(Standing(place, len(group) > 1, key, points, values))
    return tuple(rows)


def amounts(order: Ranking, at: int, typed: Typed) -> dict[int, Fraction | None]:
    """Return each player's value by the tie-break at this place of a ranking, None where it says nothing."""
    return dict(zip(order.values, _amounts(order, at, typed), strict=True))


def _amounts(order: Ranking, at: int, typed: Typed) -> list[Fraction | None]:
    rule, found = order.used[at], order.columns[at]
    if rule.is_fraction:  # it is slow to look up, and few are equal
        return [None if rule.may_be_missing and not value else amount(rule, value) for value in found]
    written = {value: amount(rule, value) for value in set(found)}
    if rule.name and not rule.among_tied:
        return [written[value] for value in found]
    counts: Container[int] = order.separated[at] if rule.name else typed[rule.text.upper()]
    return [written[value] if key in counts else None for key, value in zip(order.values, found, strict=True)]
