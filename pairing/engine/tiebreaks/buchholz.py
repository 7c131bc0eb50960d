"""Buchholz, Fore Buchholz, Average of Opponents' Buchholz, Sonneborn-Berger and Koya (C.07, 8, 9 and 16)."""

from __future__ import annotations

from fractions import Fraction
from operator import itemgetter

from .cards import PLAYED, Card, Table, last_round_drawn
from .codes import TieBreak

_Part = tuple[int, int, bool]
"""The value of a round's opponent in tenths, its product with the points of the player in hundredths, and whether the
player chose not to play (VUR). Sorted, the parts are in the order of 14.1."""


class Opponents:
    """Compute tie-breaks from the scores of opponents, each for all players at once.

    capped: limit the score of the dummy opponent of an unplayed round by 16.4, as from 1 March 2026; before, the dummy
    had the player's own score.
    """

    def __init__(self, known: Table, *, capped: bool) -> None:
        self._known = known
        self._capped = capped
        self._parts: dict[tuple[bool, bool], dict[int, list[_Part]]] = {}
        self._worths: dict[tuple[bool, bool], dict[int, tuple[list[int], list[int]]]] = {}

    def buchholz(self, rule: TieBreak) -> dict[int, int]:
        """Return the sums in tenths, with cuts (16.5): the lowest voluntarily unplayed rounds are cut first."""
        key = rule.fore, rule.forfeits
        if key not in self._worths:
            self._worths[key] = {
                player: ([part[0] for part in parts], [part[0] for part in parts if part[2]])
                for player, parts in self._sums(rule).items()
            }
        low, high = rule.cut or rule.median, rule.median
        return {
            player: _cut_sum(worths, by_choice, low, high)
            for player, (worths, by_choice) in self._worths[key].items()
        }

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
        return {player: _cut_products(parts, rule.cut) for player, parts in self._sums(rule).items()}

    def koya(self, rule: TieBreak) -> dict[int, int]:
        """Return the points, in tenths, against opponents with at least half of the most possible points (9.2).

        The limit is moved by half points (14.5). Readings: the most possible points are a win in each round in which
        anybody could score, so a free round of a round robin is none; forfeits count; scores are not adjusted.
        """
        cards, points = self._known.cards, self._known.points
        rounds = [
            len([turn for turn in card.turns if not self._known.fixed or turn.opponent is not None])
            for card in cards.values()
        ]
        most = max(rounds, default=0) * max(points.white_win, points.black_win)
        least = most + 10 * rule.limit  # both sides doubled
        good = {player for player, card in cards.items() if 2 * card.score >= least}
        return {
            player: sum([turn.points for turn in card.turns if turn.opponent in good])
            for player, card in cards.items()
        }

    def _sums(self, rule: TieBreak) -> dict[int, list[_Part]]:
        """Return each player's parts, those with the lowest opponents first."""
        key = rule.fore, rule.forfeits
        if key not in self._parts:
            known = last_round_drawn(self._known) if rule.fore else self._known
            forfeits = rule.forfeits or known.fixed
            self._parts[key] = {
                player: sorted(self._parts_of(card, known, forfeits)) for player, card in known.cards.items()
            }
        return self._parts[key]

    def _parts_of(self, card: Card, known: Table, forfeits: bool) -> list[_Part]:
        """forfeits: count as games."""
        cards, parts = known.cards, []
        for kind, points, opponent, _colour, _half_wins, voluntary, _away in card.turns:
            if opponent is not None:
                worth = cards[opponent].adjusted
                if forfeits or kind is PLAYED:
                    parts.append((worth, worth * points, False))
                    continue
            elif known.fixed:
                continue
            else:
                worth = known.draw * len(card.turns)
            worth = min(card.score, worth) if self._capped else card.score
            parts.append((worth, worth * points, voluntary))
        return parts


def _cut_sum(worths: list[int], by_choice: list[int], low: int, high: int) -> int:
    """Return the sum without the `low` lowest values, those by choice first, and without the `high` highest ones.

    worths: all values, lowest first. by_choice: those of rounds that the player chose not to play.
    """
    if low and by_choice:
        worths = worths.copy()
        for worth in by_choice[:low]:
            worths.remove(worth)
        low = max(0, low - len(by_choice))
    return sum(worths[low : max(low, len(worths) - high)])


def _cut_products(parts: list[_Part], cuts: int) -> int:
    """Return the sum of the contributions after the cuts.

    Each cut takes the contribution of the opponent with the lowest score, and of several the lowest one (14.1). If the
    player chose not to play a round, the lowest contribution of such a round is cut instead, unless it is lower than
    that (16.5): where both are equal, the round that was not played is cut.
    """
    left = parts.copy()
    for _ in range(min(cuts, len(parts))):
        least = left[0]
        unplayed = [part for part in left if part[2]]
        if unplayed:
            lowest = min(unplayed, key=itemgetter(1))
            least = lowest if lowest[1] >= least[1] else least
        left.remove(least)
    return sum([part[1] for part in left])
