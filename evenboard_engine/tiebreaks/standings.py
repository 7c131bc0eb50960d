"""The standings: the places of the players by points and a list of tie-breaks."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from evenboard_engine.model import Tournament

from .codes import LOTS, POINTS, TieBreak
from .values import Value, Values

# Rank the players by a list of tie-breaks.

_PLACE = "DE"
Typed = Mapping[str, Mapping[int, Fraction]]
"""Values that were computed elsewhere, by code in capital letters and id. A player without a value has 0."""
NOTHING_TYPED: Typed = {}


@dataclass(frozen=True, slots=True)
class Ranking:
    """The result of a ranking.

    groups: ids, best first; players in one group are tied in every tie-break. values: each player's values by the
    tie-breaks of `used`, higher is better; for direct encounter the negative place. columns: the same, tie-break by
    tie-break. used: the tie-breaks before the first unknown one. separated: for each of them that compares only tied
    players, by its place, those whom it separated from somebody.
    """

    groups: tuple[tuple[int, ...], ...]
    values: dict[int, tuple[Value, ...]]
    columns: tuple[tuple[Value, ...], ...]
    used: tuple[TieBreak, ...]
    separated: Mapping[int, frozenset[int]]


def ranking(
    tournament: Tournament,
    rules: Iterable[TieBreak],
    *,
    among: Iterable[int] | None = None,
    capped: bool = True,
    typed: Typed = NOTHING_TYPED,
    valued: Values | None = None,
) -> Ranking:
    """Return the ranking after the rounds before `tournament.round`. An unknown tie-break ends the list.

    among: ids to rank, by default all; games against others count. capped: C.07 as from 1 March 2026, otherwise the
    previous edition. typed: values of unknown tie-breaks. valued: the values of the tournament, if the caller has them.
    Cost: close to linear; a direct encounter is quadratic in the size of its group.
    """
    used: list[TieBreak] = []
    for rule in rules:
        if not (rule.name or rule.text.upper() in typed):
            break
        used.append(rule)
    if valued is None:
        valued = Values(tournament, capped=capped)
    wanted = tuple(player.id for player in tournament.players) if among is None else tuple(among)
    groups: list[tuple[int, ...]] = [wanted] if wanted else []
    columns: list[Mapping[int, Value]] = []
    separated: dict[int, frozenset[int]] = {}
    for at, rule in enumerate(used):
        before = groups
        if rule.name == _PLACE:
            groups, places = _by_encounter(groups, rule, valued)
            columns.append(places)
        elif not rule.name:
            given = typed[rule.text.upper()]
            columns.append({key: given.get(key, 0) for key in wanted})
            groups = _divided(groups, columns[-1])
        else:
            columns.append(valued.of(rule))
            groups = _divided(groups, columns[-1])
        if rule.among_tied:
            separated[at] = _separated(before, groups)
    in_order = tuple([tuple(map(column.__getitem__, wanted)) for column in columns])
    by_player = zip(*in_order, strict=True) if columns else [()] * len(wanted)
    values = dict(zip(wanted, by_player, strict=True))
    return Ranking(tuple(groups), values, in_order, tuple(used), separated)


def _separated(before: Iterable[tuple[int, ...]], after: Iterable[tuple[int, ...]]) -> frozenset[int]:
    """Return the players whose group became smaller."""
    size = {key: len(group) for group in before for key in group}
    return frozenset(key for group in after if len(group) < size[group[0]] for key in group)


def _divided(groups: Iterable[tuple[int, ...]], values: Mapping[int, Value]) -> list[tuple[int, ...]]:
    """Divide each group by the values, higher first."""
    divided: list[tuple[int, ...]] = []
    for group in groups:
        if len(group) == 1:
            divided.append(group)
            continue
        found: dict[Value, list[int]] = {}
        for key in group:
            found.setdefault(values[key], []).append(key)
        divided += [tuple(found[value]) for value in sorted(found, reverse=True)]
    return divided


def _by_encounter(
    groups: Iterable[tuple[int, ...]], rule: TieBreak, valued: Values
) -> tuple[list[tuple[int, ...]], dict[int, int]]:
    """Divide each group by direct encounter. Return also each player's negative place inside the group before."""
    divided: list[tuple[int, ...]] = []
    places: dict[int, int] = {}
    for group in groups:
        place = 1
        for part in valued.encounter(group, rule):
            divided.append(part)
            places |= dict.fromkeys(part, -place)
            place += len(part)
    return divided, places


_UNITS = {"PTS": 10, "PS": 10, "BH": 10, "STD": 10, "AOB": 10, "KS": 10, "SB": 100}
_UNITS |= {"OTHER_MODMED": 10, "OTHER_SOLKOFF": 10, "OTHER_CUM": 10, "PT": 1}
"""How many units of a value make one point; the others are in whole units."""
_DECIMALS = {"AOB": 3, "PT": 3, "SB": 2}


def amount(rule: TieBreak, value: Value) -> Fraction:
    """Return a value of a ranking in the usual unit: points, Elo, games, or the place of a direct encounter."""
    unit = _UNITS.get(rule.name, 1)
    if isinstance(value, Fraction):
        return value if unit == 1 else _ratio(value.numerator, value.denominator * unit)
    return _ratio(abs(value) if rule.name in (_PLACE, LOTS, "TPN", "RTNG") else value, unit)


@lru_cache(maxsize=1 << 16)  # few numbers come often, and a fraction is slow to make
def _ratio(above: int, below: int) -> Fraction:
    return Fraction(above, below)


def shown(rule: TieBreak, value: Value) -> str:
    """Return a value of a ranking in the usual notation."""
    if rule.name == _PLACE:
        return f"place {-value}"
    if rule.name == LOTS:
        return f"lot {-value}"
    if rule.may_be_missing and not value:
        return "-"
    number = amount(rule, value)
    if rule.name in _UNITS:
        return f"{float(number):.{_DECIMALS.get(rule.name, 1)}f}"
    return f"{float(number):g}" if not rule.name else str(number)


# The standings.


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
