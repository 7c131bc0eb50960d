"""Buchholz, Fore Buchholz, Average of Opponents' Buchholz, Sonneborn-Berger and Koya (C.07, 8, 9 and 16)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

from .cards import OPEN, PLAYED, CardTable, RoundsCard, last_round_drawn
from .changes import OfEach
from .codes import TieBreak

_Parts = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The rounds of a sum in the order of 14.1: the values of the opponents in tenths, their products with the points of
the player in hundredths, and the places of the rounds that the player chose not to play (VUR)."""


_Value = TypeVar("_Value", int, Fraction)


class Opponents:
    """Compute tie-breaks from the scores of opponents, each for all players at once.

    capped: limit the score of the dummy opponent of an unplayed round by 16.4, as from 1 March 2026; before, the dummy
    had the player's own score.
    """

    def __init__(self, known: CardTable, each: OfEach, *, capped: bool) -> None:
        """Each: computes a value again if the card of the player or of an opponent has changed."""
        self._known = known
        self._each = each
        self._capped = capped

    def buchholz(self, rule: TieBreak) -> dict[int, int]:
        """Return the sums in tenths, with cuts (16.5): the lowest voluntarily unplayed rounds are cut first."""
        low, high = rule.cut or rule.median, rule.median
        parts = self._sums(rule)

        def value(player: int) -> int:
            worths, _products, by_choice = parts[player]
            return _cut_sum(worths, by_choice, low, high)

        return self._each.get(("BH", rule.fore, rule.forfeits, low, high), value)

    def average_buchholz(self, rule: TieBreak) -> dict[int, Fraction]:
        """Return the average Buchholz of the opponents met, in tenths; 0 without a game.

        Readings: it is not rounded. With /F, a forfeit in the last round adds no opponent.
        """
        of_all = self.buchholz(TieBreak("BH", "BH", fore=rule.fore))
        found = {}
        for player, card in self._known.cards.items():
            met = [
                of_all[turn.opponent]
                for turn in card.turns
                if turn.kind is PLAYED and turn.opponent is not None
            ]
            found[player] = Fraction(sum(met), len(met)) if met else Fraction(0)
        return found

    def sonneborn_berger(self, rule: TieBreak) -> dict[int, int]:
        """Return the sums in hundredths of a point, with cuts (16.5)."""
        parts = self._sums(rule)

        def value(player: int) -> int:
            _worths, products, by_choice = parts[player]
            return _cut_products(products, by_choice, rule.cut)

        return self._each.get(("SB", rule.fore, rule.forfeits, rule.cut), value)

    def koya(self, rule: TieBreak) -> dict[int, int]:
        """Return the points, in tenths, against opponents with at least half of the most possible points (9.2).

        The limit is moved by half points (14.5). Readings: the most possible points are a win in each round in which
        anybody could score, so a free round of a round robin is none; forfeits count; scores are not adjusted.
        """
        cards = self._known.cards
        least, _most = koya_limit(self._known, rule)
        good = {player for player, card in cards.items() if 2 * card.score >= least}
        return {
            player: sum([turn.points for turn in card.turns if turn.opponent in good])
            for player, card in cards.items()
        }

    def _sums(self, rule: TieBreak) -> dict[int, _Parts]:
        """Return each player's parts."""
        known = self._drawn if rule.fore else self._known
        forfeits = rule.forfeits or known.fixed
        return self._each.get(
            ("parts", rule.fore, rule.forfeits),
            lambda player: _in_order(self._rounds_of(known.cards[player], known, forfeits)),
        )

    @cached_property
    def _drawn(self) -> CardTable:
        return last_round_drawn(self._known)

    def _rounds_of(self, card: RoundsCard, known: CardTable, forfeits: bool) -> list[tuple[int, int, bool]]:
        """Return for each round the value, the product and whether it is by choice. forfeits: count as games."""
        cards, parts = known.cards, []
        for kind, points, opponent, _colour, _half_wins, voluntary, _away in card.turns:
            if opponent is not None:
                if kind is OPEN:
                    continue
                worth = cards[opponent].adjusted
                if forfeits or kind is PLAYED:
                    parts.append((worth, worth * points, False))
                    continue
            elif known.fixed:
                continue
            else:
                worth = known.draw * card.rounds
            worth = min(card.score, worth) if self._capped else card.score
            parts.append((worth, worth * points, voluntary))
        return parts


def koya_limit(known: CardTable, rule: TieBreak) -> tuple[int, int]:
    """Return the fewest points that count for Koya, doubled, and the most possible points, both in tenths."""
    rounds = [
        card.rounds - sum([turn.opponent is None for turn in card.turns] if known.fixed else ())
        for card in known.cards.values()
    ]
    most = max(rounds, default=0) * max(known.points.white_win, known.points.black_win)
    return most + 10 * rule.limit, most


def _in_order(rounds: list[tuple[int, int, bool]]) -> _Parts:
    if not rounds:
        return (), (), ()
    rounds.sort()
    worths, products, voluntary = zip(*rounds, strict=True)
    by_choice = tuple([at for at, chosen in enumerate(voluntary) if chosen]) if True in voluntary else ()
    return worths, products, by_choice


def _cut_sum(worths: Sequence[int], by_choice: tuple[int, ...], low: int, high: int) -> int:
    """Return the sum without the `low` lowest values, those by choice first, and without the `high` highest ones."""
    if not low:
        return sum(worths)  # whoever leaves out the highest values leaves out as many of the lowest
    if by_choice:
        cut = by_choice[:low]
        worths = [worth for at, worth in enumerate(worths) if at not in cut]
        low -= len(cut)
    return sum(worths[low : max(low, len(worths) - high)] if high else worths[low:])


def _cut_products(products: Sequence[int], by_choice: tuple[int, ...], cuts: int) -> int:
    """Return the sum of the contributions after the cuts."""
    if not cuts or not by_choice:
        return sum(products[cuts:])
    cut = products_cut(products, by_choice, cuts)
    return sum([product for at, product in enumerate(products) if at not in cut])


def products_cut(products: Sequence[_Value], by_choice: Sequence[int], cuts: int) -> dict[int, bool]:
    """Return the places of the contributions that Sonneborn-Berger cuts, and whether because of 16.5.

    products: in the order of 14.1.
    Each cut takes the contribution of the opponent with the lowest score, and of several the lowest one (14.1). If the
    player chose not to play a round, the lowest contribution of such a round is cut instead, unless it is lower than
    that (16.5): where both are equal, the round that was not played is cut.
    """
    cut: dict[int, bool] = {}
    for _ in range(min(cuts, len(products))):
        least = next(at for at in range(len(products)) if at not in cut)
        chosen = min((at for at in by_choice if at not in cut), key=products.__getitem__, default=None)
        if chosen is not None and products[chosen] >= products[least]:
            cut[chosen] = True
        else:
            cut[least] = False
    return cut
