"""The values of the tie-breaks of a tournament, by the code of the tie-break."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from evenboard_engine.model import Tournament
from evenboard_engine.tiebreaks import own, us_chess

from .buchholz import Opponents
from .cards import CardTable, RoundsCard, table
from .changes import OfEach, change_since
from .codes import LOTS, TieBreak
from .direct import direct_encounter
from .pairing_tiebreaker import order_of, pairing_tiebreaker_values
from .ratings import Ratings

Value = int | Fraction


class Values:
    """The values of tie-breaks for all players. Each tie-break is computed when it is needed, and once.

    capped: C.07 as from 1 March 2026, otherwise the previous edition. former: values that were computed before, perhaps
    of the same tournament with a few other results. What is the same is taken from them.
    """

    def __init__(self, tournament: Tournament, *, capped: bool, former: Values | None = None) -> None:
        self.tournament = tournament
        self.capped = capped
        change = None
        if former is not None and former.capped == capped:
            change = change_since(former.tournament, former.known, tournament)
        if former is None or change is None:
            self.known: CardTable = table(tournament)
            self.by_card, self.by_meetings = OfEach(self.known.cards), OfEach(self.known.cards)
        else:
            self.known = change.known
            self.by_card = former.by_card.after(change.cards)
            self.by_meetings = former.by_meetings.after(change.near)
        self._opponents = Opponents(self.known, self.by_meetings, capped=capped)
        self._ratings = Ratings(self.known, self.by_card)
        self._found: dict[TieBreak, Mapping[int, Value]] = {}

    def of(self, rule: TieBreak) -> Mapping[int, Value]:
        """Return each player's value; higher is better. Not for direct encounter.

        The Pairing Tiebreaker is 0 for a player who has none: it is greater for all others.
        """
        if rule not in self._found:
            compute = self._of_opponents().get(rule.name)
            self._found[rule] = compute(rule) if compute else self._own(rule)
        return self._found[rule]

    def encounter(self, group: tuple[int, ...], rule: TieBreak) -> tuple[tuple[int, ...], ...]:
        """Divide players who are tied by direct encounter."""
        if len(group) == 1:
            return (group,)
        return direct_encounter(group, self.known, forfeits=rule.forfeits)

    def _of_opponents(self) -> Mapping[str, Callable[[TieBreak], Mapping[int, Value]]]:
        opponents, ratings = self._opponents, self._ratings
        return {
            "BH": opponents.buchholz,
            "AOB": opponents.average_buchholz,
            "SB": opponents.sonneborn_berger,
            "KS": opponents.koya,
            "PT": self._pairing_tiebreaker,
            "ARO": ratings.average,
            "TPR": lambda _rule: ratings.performance,
            "PTP": lambda _rule: ratings.perfect,
            "APRO": lambda _rule: ratings.opponents_average(ratings.performance),
            LOTS: lambda rule: own.lots(self.known, rule.seed),
            "OTHER_MODMED": lambda _rule: us_chess.modified_median(self.known),
            "OTHER_SOLKOFF": lambda _rule: us_chess.solkoff(self.known),
            "OTHER_CUM": lambda _rule: us_chess.cumulative(self.known),
            "APPO": lambda _rule: ratings.opponents_average(ratings.perfect),
        }

    def _pairing_tiebreaker(self, rule: TieBreak) -> Mapping[int, Value]:
        return pairing_tiebreaker_values(self.known, rule.order or order_of(self.tournament.system))

    def _own(self, rule: TieBreak) -> Mapping[int, Value]:
        sign = -1 if rule.reverse else 1
        known = self.known
        lookups: Mapping[str, Callable[[RoundsCard], Value]] = {
            "PTS": lambda card: card.score,
            "WIN": lambda card: own.wins(card, known.points),
            "WON": own.games_won,
            "BPG": own.games_with_black,
            "BWG": own.games_won_with_black,
            "PS": lambda card: own.progressive_score(card, rule.cut),
            "REP": own.rounds_chosen,
            "STD": lambda card: own.standard_points(card, known),
            "TPN": lambda card: -sign * card.tpn,
            "RTNG": lambda card: sign * card.rating,
        }
        lookup = lookups[rule.name]
        return self.by_meetings.get(("own", rule), lambda key: lookup(known.cards[key]))
