"""Rank the players by a list of tie-breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pairing.engine.model import Tournament
from pairing.engine.tiebreaks import own

from .buchholz import Opponents
from .cards import Card, cards, last_round_drawn
from .codes import TieBreak
from .direct import direct_encounter
from .ratings import Ratings

Value = int | Fraction
_PLACE = "DE"


@dataclass(frozen=True, slots=True)
class Ranking:
    """The result of a ranking.

    groups: ids, best first; players in one group are tied in every tie-break. values: each player's values by the
    tie-breaks of `used`, higher is better; for direct encounter the negative place. used: the tie-breaks before the
    first unknown one.
    """

    groups: tuple[tuple[int, ...], ...]
    values: dict[int, tuple[Value, ...]]
    used: tuple[TieBreak, ...]


def ranking(
    tournament: Tournament,
    rules: Iterable[TieBreak],
    *,
    among: Iterable[int] | None = None,
    capped: bool = True,
) -> Ranking:
    """Return the ranking after the rounds before `tournament.round`. An unknown tie-break ends the list.

    among: ids to rank, by default all; games against others count. capped: C.07 as from 1 March 2026, otherwise the
    previous edition. Cost: close to linear; a direct encounter is quadratic in the size of its group.
    """
    used: list[TieBreak] = []
    for rule in rules:
        if not rule.name:
            break
        used.append(rule)
    valued = _Valued(tournament, capped=capped)
    wanted = tuple(player.id for player in tournament.players) if among is None else tuple(among)
    groups: list[tuple[int, ...]] = [wanted] if wanted else []
    values: dict[int, list[Value]] = {key: [] for key in wanted}
    for rule in used:
        divided: list[tuple[int, ...]] = []
        for group in groups:
            divided += valued.divide(group, rule, values)
        groups = divided
    return Ranking(tuple(groups), {key: tuple(found) for key, found in values.items()}, tuple(used))


_UNITS = {"PTS": 10, "PS": 10, "BH": 10, "STD": 10, "AOB": 10, "SB": 100}
"""How many units of a value make one point; the others are in whole units."""
_DECIMALS = {"AOB": 3, "SB": 2}


def amount(rule: TieBreak, value: Value) -> Fraction:
    """Return a value of a ranking in the usual unit: points, Elo, games, or the place of a direct encounter."""
    sign = -1 if value < 0 and rule.name in (_PLACE, "TPN", "RTNG") else 1
    return sign * value * Fraction(1, _UNITS.get(rule.name, 1))


def shown(rule: TieBreak, value: Value) -> str:
    """Return a value of a ranking in the usual notation."""
    if rule.name == _PLACE:
        return f"place {-value}"
    number = amount(rule, value)
    if rule.name in _UNITS:
        return f"{float(number):.{_DECIMALS.get(rule.name, 1)}f}"
    return str(number)


class _Valued:
    """The values of tie-breaks, each computed when it is needed."""

    def __init__(self, tournament: Tournament, *, capped: bool) -> None:
        self._points = tournament.points
        self._draw = min(tournament.points.white_draw, tournament.points.black_draw)
        self._cards = cards(tournament)
        self._capped = capped
        self._lookups: dict[TieBreak, Callable[[Card], Value]] = {}
        self._ratings = Ratings(self._cards)

    def divide(
        self, group: tuple[int, ...], rule: TieBreak, values: dict[int, list[Value]]
    ) -> Sequence[tuple[int, ...]]:
        """Divide a group by one tie-break, best first, and append each player's value to `values`."""
        if rule.name == _PLACE:
            parts = direct_encounter(group, self._cards, self._points.win, forfeits=rule.forfeits)
            place = 1
            for part in parts:
                for key in part:
                    values[key].append(-place)
                place += len(part)
            return parts
        if rule not in self._lookups:
            self._lookups[rule] = self._lookup(rule)
        lookup = self._lookups[rule]
        found: dict[Value, list[int]] = {}
        for key in group:
            value = lookup(self._cards[key])
            values[key].append(value)
            found.setdefault(value, []).append(key)
        return [tuple(found[value]) for value in sorted(found, reverse=True)]

    def _lookup(self, rule: TieBreak) -> Callable[[Card], Value]:
        known, ratings = self._cards, self._ratings
        if rule.name in ("BH", "SB", "AOB"):
            return self._by_opponents(rule)
        if rule.name in ("APRO", "APPO"):
            one = ratings.performance if rule.name == "APRO" else ratings.perfect
            of_all = {key: one(card) for key, card in known.items()}
            return lambda card: ratings.opponents_average(card, of_all)
        sign = -1 if rule.reverse else 1
        lookups: dict[str, Callable[[Card], Value]] = {
            "PTS": lambda card: card.score,
            "WIN": lambda card: own.wins(card, self._points),
            "WON": own.games_won,
            "BPG": own.games_with_black,
            "BWG": own.games_won_with_black,
            "PS": lambda card: own.progressive_score(card, rule.cut),
            "REP": own.rounds_chosen,
            "STD": lambda card: own.standard_points(card, known, self._draw),
            "TPN": lambda card: -sign * card.tpn,
            "RTNG": lambda card: sign * card.rating,
            "ARO": lambda card: ratings.average(card, rule),
            "TPR": ratings.performance,
            "PTP": ratings.perfect,
        }
        return lookups[rule.name]

    def _by_opponents(self, rule: TieBreak) -> Callable[[Card], Value]:
        known = last_round_drawn(self._cards, self._draw) if rule.fore else self._cards
        opponents = Opponents(known, self._draw, capped=self._capped)
        if rule.name == "AOB":  # the card without /F: a forfeit in the last round adds no opponent
            return opponents.average_buchholz
        if rule.name == "SB":
            return lambda card: opponents.sonneborn_berger(card, rule)
        return lambda card: opponents.buchholz(known[card.player], rule)
