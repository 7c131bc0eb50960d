"""Tie-breaks from the ratings of opponents (C.07, 10), with the tables of the rating regulations (B.02, 8.1)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping

from pairing.engine.history import rounded_half_up

from .cards import Card, Kind
from .codes import TieBreak

_TABLE_OF_DIFFERENCES = """
0 7 14 21 29 36 43 50 57 65 72 80 87 95 102 110 117 125 133 141 149 158 166 175 184 193 202 211 220 230 240 251
262 273 284 296 309 322 336 351 366 383 401 422 444 470 501 538 589 677 800
"""
_DIFFERENCES = tuple(map(int, _TABLE_OF_DIFFERENCES.split()))
"""The rating difference dp for a share p of the points from .50 to 1.00 (8.1.1)."""

_TABLE_OF_EXPECTATIONS = """
4 11 18 26 33 40 47 54 62 69 77 84 92 99 107 114 122 130 138 146 154 163 171 180 189 198 207 216 226 236 246 257
268 279 291 303 316 329 345 358 375 392 412 433 457 485 518 560 620 736
"""
_EXPECTED_FROM = tuple(map(int, _TABLE_OF_EXPECTATIONS.split()))
"""The rating differences from which the higher rated player is expected to score .51, .52, ... 1.00 (8.1.2)."""


def rating_difference(hundredths: int) -> int:
    """Return dp for a share of the points in hundredths, 0 to 100."""
    return _DIFFERENCES[hundredths - 50] if hundredths >= 50 else -_DIFFERENCES[50 - hundredths]


def expected(difference: int) -> int:
    """Return the expected score, in hundredths, of a player rated `difference` above the opponent."""
    if difference < 0:
        return 100 - expected(-difference)
    return 50 + bisect_right(_EXPECTED_FROM, difference)


class Ratings:
    """Tie-breaks from the ratings of opponents. Only games over the board count; without a game a value is 0."""

    def __init__(self, known: Mapping[int, Card]) -> None:
        self._known = known
        self._met = {key: tuple(_opponents(card)) for key, card in known.items()}

    def average(self, card: Card, rule: TieBreak) -> int:
        """Return ARO, without the lowest (and highest) ratings that the rule leaves out."""
        ratings = sorted(self._known[key].rating for key in self._met[card.player])
        low = min(rule.cut or rule.median, len(ratings))
        ratings = ratings[low : max(low, len(ratings) - rule.median)]
        return rounded_half_up(sum(ratings), len(ratings))

    def performance(self, card: Card) -> int:
        """Return TPR: ARO + dp(p), with p in hundredths, halves rounded up."""
        games = len(self._met[card.player])
        if not games:
            return 0
        share = (100 * _half_points(card) + games) // (2 * games)
        return self.average(card, TieBreak("ARO", "ARO")) + rating_difference(share)

    def perfect(self, card: Card) -> int:
        """Return PTP: the lowest rating with an expected score of at least the player's score."""
        ratings = [self._known[key].rating for key in self._met[card.player]]
        if not ratings:
            return 0
        scored = 50 * _half_points(card)
        if not scored:
            return min(ratings) - 800
        candidates = range(min(ratings) - 800, max(ratings) + 737)
        return candidates[
            bisect_left(
                candidates, scored, key=lambda mine: sum(expected(mine - rating) for rating in ratings)
            )
        ]

    def opponents_average(self, card: Card, values: Mapping[int, int]) -> int:
        """Return APRO or APPO: the average of the opponents' values, halves rounded up."""
        met = self._met[card.player]
        return (2 * sum(values[key] for key in met) + len(met)) // (2 * len(met)) if met else 0


def _opponents(card: Card) -> list[int]:
    return [turn.opponent for turn in card.turns if turn.kind is Kind.PLAYED and turn.opponent is not None]


def _half_points(card: Card) -> int:
    return sum(turn.half_wins for turn in card.turns if turn.kind is Kind.PLAYED)
