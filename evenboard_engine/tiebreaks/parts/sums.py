"""Take the values of standings apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property

from evenboard_engine.model import Tournament
from evenboard_engine.tiebreaks.cards import Card, table
from evenboard_engine.tiebreaks.codes import LOTS, TieBreak
from evenboard_engine.tiebreaks.order import NOTHING_TYPED, Typed, amount, ranking
from evenboard_engine.tiebreaks.pairing_tiebreaker import PairingTiebreaker, order_of, pairing_tiebreakers
from evenboard_engine.tiebreaks.standings import amounts
from evenboard_engine.tiebreaks.values import Value, Values

from .among import parts_of_encounter, parts_of_placed
from .model import Fact, How, Part, Separation, ValueParts
from .opponents import OpponentParts
from .own import (
    COUNTED,
    lot_of,
    parts_of_counted,
    parts_of_points,
    parts_of_running_score,
    parts_of_standard_points,
)
from .ratings import parts_of_performances, parts_of_ratings, perfect_of, performance_of

_Made = tuple[How, tuple[Part, ...], Fact | None]
_LIST_OF_ARTICLES = """
DE 6, WIN 7.1, WON 7.2, BPG 7.3, BWG 7.4, PS 7.5, REP 7.6, STD 7.7, TPN 7.8, BH 8.1, AOB 8.2, SB 9.1, KS 9.2,
ARO 10.1, TPR 10.2, PTP 10.3, APRO 10.4, APPO 10.5, RTNG 10.6
"""
_AVERAGED = {"AOB": "BH", "APRO": "TPR", "APPO": "PTP"}
"""Which values of the opponents a tie-break averages."""
_ARTICLES: dict[str, str] = dict(entry.split() for entry in _LIST_OF_ARTICLES.split(","))


class Sums:
    """The values of one ranking as their parts. What all players share is computed once.

    The arguments are those of `ranking`, but an unknown tie-break does not end the list: it says nothing.
    """

    def __init__(
        self,
        tournament: Tournament,
        rules: Iterable[TieBreak],
        *,
        among: Iterable[int] | None = None,
        capped: bool = True,
        typed: Typed = NOTHING_TYPED,
    ) -> None:
        self._tournament = tournament
        self._typed = typed
        self._table = table(tournament)
        self._valued = Values(tournament, capped=capped)
        self._opponents = OpponentParts(self._table, capped=capped)
        self._rules = tuple(rules)
        usable = [at for at, rule in enumerate(self._rules) if rule.name or rule.text.upper() in typed]
        known = [self._rules[at] for at in usable]
        self._order = ranking(tournament, known, among=among, capped=capped, typed=typed)
        self._places = {at: place for place, at in enumerate(usable)}
        self._groups: dict[int, Mapping[tuple[Value, ...], tuple[int, ...]]] = {}
        self._placed: dict[str, Mapping[int, PairingTiebreaker]] = {}

    def of(self, player: int) -> tuple[ValueParts, ...]:
        """Return the values of a player, one for each tie-break. Raises KeyError for a player without a place."""
        return tuple(self.value(at, player) for at in range(len(self._rules)))

    def value(self, at: int, player: int) -> ValueParts:
        """Return the value by the tie-break at this place of the list, from 0.

        Raises KeyError for a player without a place.
        """
        rule, value = self._rules[at], self._amount(at, player)
        how, parts, fact = self._made(at, self._table.cards[player])
        return ValueParts(rule, player, value, how, _article(rule), parts, fact)

    def of_opponent(self, rule: TieBreak, opponent: int) -> ValueParts:
        """Return the value of an opponent by the tie-break that `averaged` names."""
        how, parts, fact = self._ways[rule.name](self._table.cards[opponent], rule)
        value = self._valued.of(rule)[opponent]
        return ValueParts(rule, opponent, amount(rule, value), how, _article(rule), parts, fact)

    def separation(self, above: int, below: int) -> Separation:
        """Return what puts a player before another one."""
        better, worse = self._order.values[above], self._order.values[below]
        for at, rule in enumerate(self._rules):
            place = self._places.get(at)
            if place is not None and better[place] != worse[place]:
                values = self._amount(at, above), self._amount(at, below)
                return Separation(above, below, rule, self._rules[:at], *values)
        return Separation(above, below, None, self._rules)

    @cached_property
    def _amounts(self) -> tuple[Mapping[int, Fraction | None], ...]:
        return tuple(amounts(self._order, at, self._typed) for at in range(len(self._order.used)))

    def _amount(self, at: int, player: int) -> Fraction | None:
        values = self._order.values[player]
        return self._amounts[self._places[at]][player] if values and at in self._places else None

    def _made(self, at: int, card: Card) -> _Made:
        rule = self._rules[at]
        if at not in self._places:
            return How.UNKNOWN, (), None
        if not rule.name:
            return How.TYPED, (), None
        if rule.name == "DE":
            return self._encounter(at, card)
        return self._ways[rule.name](card, rule)

    @cached_property
    def _ways(self) -> Mapping[str, Callable[[Card, TieBreak], _Made]]:
        known, opponents = self._table, self._opponents

        def added(parts: Callable[[Card, TieBreak], tuple[Part, ...]]) -> Callable[[Card, TieBreak], _Made]:
            return lambda card, rule: (How.SUM, parts(card, rule), None)

        return {
            "PTS": added(lambda card, _rule: parts_of_points(card)),
            **dict.fromkeys(COUNTED, added(lambda card, rule: parts_of_counted(card, rule, known))),
            **dict.fromkeys(
                ("PS", "OTHER_CUM"), added(lambda card, rule: parts_of_running_score(card, rule, known))
            ),
            "STD": added(lambda card, _rule: parts_of_standard_points(card, known)),
            "BH": added(opponents.buchholz),
            "SB": added(opponents.sonneborn_berger),
            **dict.fromkeys(("TPN", "RTNG"), lambda _card, _rule: (How.OWN, (), None)),
            "KS": lambda card, rule: (How.SUM, *opponents.koya(card, rule)),
            "OTHER_SOLKOFF": lambda card, rule: (How.SUM, *opponents.us_chess(card, rule)),
            "OTHER_MODMED": lambda card, rule: (How.SUM, *opponents.us_chess(card, rule)),
            "ARO": lambda card, rule: (How.WHOLE_AVERAGE, parts_of_ratings(card, rule, known), None),
            "TPR": lambda card, _rule: (How.PERFORMANCE, *performance_of(card, known)),
            "PTP": lambda card, rule: (How.PERFECT, *perfect_of(card, known, self._whole(rule, card.player))),
            "APRO": lambda card, _rule: (How.WHOLE_AVERAGE, self._of_opponents(card, "TPR"), None),
            "APPO": lambda card, _rule: (How.WHOLE_AVERAGE, self._of_opponents(card, "PTP"), None),
            "AOB": self._average_buchholz,
            "PT": self._weighted,
            LOTS: lambda card, rule: (How.LOT, (), lot_of(card, rule, -self._whole(rule, card.player))),
        }

    def _whole(self, rule: TieBreak, player: int) -> int:
        return int(self._valued.of(rule)[player])

    def _of_opponents(self, card: Card, name: str) -> tuple[Part, ...]:
        return parts_of_performances(card, self._table, self._valued.of(TieBreak(name, name)))

    def _average_buchholz(self, card: Card, rule: TieBreak) -> _Made:
        of_all = self._valued.of(TieBreak("BH", "BH", fore=rule.fore))
        return How.AVERAGE, self._opponents.average_buchholz(card, of_all), None

    def _encounter(self, at: int, card: Card) -> _Made:
        tied = self._tied(self._places[at])[self._order.values[card.player][: self._places[at]]]
        return How.PLACE, *parts_of_encounter(card, tied, self._table, forfeits=self._rules[at].forfeits)

    def _tied(self, place: int) -> Mapping[tuple[Value, ...], tuple[int, ...]]:
        """Return the players who are level in the tie-breaks before this place, by their values."""
        if place not in self._groups:
            found: dict[tuple[Value, ...], list[int]] = {}
            for player, values in self._order.values.items():
                found.setdefault(values[:place], []).append(player)
            self._groups[place] = {values: tuple(players) for values, players in found.items()}
        return self._groups[place]

    def _weighted(self, card: Card, rule: TieBreak) -> _Made:
        order = rule.order or order_of(self._tournament.system)
        if order not in self._placed:
            self._placed[order] = pairing_tiebreakers(self._table, order)
        return How.WEIGHTED, *parts_of_placed(card, self._placed[order], order)


def averaged(rule: TieBreak) -> TieBreak | None:
    """Return the tie-break of the opponents that a tie-break averages; None if it averages none."""
    name = _AVERAGED.get(rule.name)
    return TieBreak("FB" if rule.fore else name, name, fore=rule.fore) if name else None


def _article(rule: TieBreak) -> str:
    return "8.3" if rule.name == "BH" and rule.fore else _ARTICLES.get(rule.name, "")
