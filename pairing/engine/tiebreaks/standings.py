"""The standings: the places of the players by points and a list of tie-breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from pairing.engine.model import Tournament

from .codes import POINTS, TieBreak
from .order import NOTHING_TYPED, Typed, amount, ranking


def without_ratings(tournament: Tournament, unrated: Collection[int]) -> Tournament:
    """Return the tournament with players unrated, so that rating tie-breaks leave out the games against them."""
    if not unrated:
        return tournament
    players = (replace(one, rating=0) if one.id in unrated else one for one in tournament.players)
    return replace(tournament, players=tuple(players))


_FIRST_DAY_OF_2026 = "2026-03-01"


def capped_from(day: str) -> bool:
    """Return whether C.07 limits the points of the dummy opponent (16.4) in a tournament that begins on this day.

    day: YYYY-MM-DD; "" if it is unknown.
    """
    return not day or day >= _FIRST_DAY_OF_2026


@dataclass(frozen=True, slots=True)
class Standing:
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
) -> tuple[Standing, ...]:
    """Return the standings before `tournament.round`, best first: points, then the tie-breaks (C.07, 4.2).

    Players who share a place are in the order of their pairing numbers. An unknown tie-break separates nobody,
    unless it has values in `typed`.
    leave_out: ids without a place (expelled players); their results still count for their opponents. capped: the
    edition of C.07, as for `ranking`.
    """
    out = set(leave_out)
    ranked = sorted(
        (player for player in tournament.players if player.id not in out), key=lambda player: player.tpn
    )
    known = tuple(rule for rule in tie_breaks if rule.name or rule.text.upper() in typed)
    order = ranking(
        tournament, (POINTS, *known), among=[player.id for player in ranked], capped=capped, typed=typed
    )
    level = Counter(
        values[:number] for values in order.values.values() for number in range(1, len(known) + 2)
    )
    rows: list[Standing] = []
    for group in order.groups:
        place = len(rows) + 1
        for key in group:
            points, *found = order.values[key]
            values: list[Fraction | None] = []
            at = 0
            for rule in tie_breaks:
                if rule not in known:
                    values.append(None)
                    continue
                if not rule.name and key not in typed[rule.text.upper()]:
                    values.append(None)
                    at += 1
                    continue
                divided = level[order.values[key][: at + 1]] > level[order.values[key][: at + 2]]
                counts = divided if rule.among_tied else found[at] or not rule.may_be_missing
                values.append(amount(rule, found[at]) if counts else None)
                at += 1
            if tournament.round == 1:  # nobody has played, so the numbers alone give the order
                rows.append(Standing(len(rows) + 1, False, key, int(points), tuple(values)))
            else:
                rows.append(Standing(place, len(group) > 1, key, int(points), tuple(values)))
    return tuple(rows)
