"""Tie-breaks from the ratings of opponents (C.07, 10), with the tables of the rating regulations (B.02, 8.1)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evenboard_engine.history import rounded_half_up

from .cards import PLAYED, CardTable
from .changes import OfEach
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


def share_of(half_wins: int, games: int) -> int:
    """Return the share of the points in hundredths, halves rounded up."""
    return (100 * half_wins + games) // (2 * games)


def performance(ratings: Sequence[int], half_wins: int) -> int:
    """Return TPR for games against opponents with these ratings: ARO + dp(p), with p in hundredths, halves rounded up.

    0 without a game.
    """
    if not ratings:
        return 0
    return rounded_half_up(sum(ratings), len(ratings)) + rating_difference(share_of(half_wins, len(ratings)))


_SURE = 736
"""From this difference on, the higher rated player is expected to win every game."""
_MOST_APART = 11000
"""Two ratings of four digits, and 800 points below the lower one, are nearer."""
_EXPECTED = (
    bytes(_MOST_APART - _SURE)
    + bytes(expected(difference) for difference in range(-_SURE, _SURE))
    + bytes([100]) * (_MOST_APART - _SURE + 1)
)
"""The expected scores in hundredths for the differences from -_MOST_APART to _MOST_APART."""


class _Games(NamedTuple):
    """The games of a player that count. met: the opponents, in the order of rounds. ratings: theirs, lowest first."""

    met: list[int]
    half_wins: int
    ratings: list[int]


class Ratings:
    """Tie-breaks from the ratings of opponents, each for all players at once.

    Only games over the board count, in a round robin too; without a game a value is 0. Games against unrated players,
    whose rating is 0, and those that are left out for other reasons (`RoundsCard.counted_rating`) do not count.
    """

    def __init__(self, known: CardTable, each: OfEach) -> None:
        """Each: computes a value again if the player's own card has changed."""
        self._cards = known.cards
        self._each = each

    def average(self, rule: TieBreak) -> dict[int, int]:
        """Return ARO, without the lowest (and highest) ratings that the rule leaves out."""
        low, high = rule.cut or rule.median, rule.median
        games = self._games
        return self._each.get(("ARO", low, high), lambda key: _average(games[key].ratings, low, high))

    @property
    def performance(self) -> dict[int, int]:
        """TPR, see `performance`."""
        games = self._games
        return self._each.get("TPR", lambda key: performance(games[key].ratings, games[key].half_wins))

    @property
    def perfect(self) -> dict[int, int]:
        """PTP: the lowest rating with an expected score of at least the player's score."""
        games = self._games
        return self._each.get("PTP", lambda key: _perfect(games[key].ratings, games[key].half_wins))

    def opponents_average(self, values: Mapping[int, int]) -> dict[int, int]:
        """Return APRO or APPO: the average of the opponents' values, halves rounded up."""
        return {
            key: rounded_half_up(sum([values[other] for other in games.met]), len(games.met))
            for key, games in self._games.items()
        }

    @property
    def _games(self) -> dict[int, _Games]:
        return self._each.get("games", self._games_of)

    def _games_of(self, key: int) -> _Games:
        cards = self._cards
        games = [
            (turn.opponent, turn.half_wins, number)
            for number, turn in enumerate(cards[key].turns, start=1)
            if turn.kind is PLAYED and turn.opponent is not None and cards[turn.opponent].counted_rating
        ]
        return _Games(
            met=[opponent for opponent, _half_wins, _number in games],
            half_wins=sum([half_wins for _opponent, half_wins, _number in games]),
            ratings=sorted([cards[other].rating_in(number) for other, _half_wins, number in games]),
        )


def _average(ratings: list[int], low: int, high: int) -> int:
    low = min(low, len(ratings))
    kept = ratings[low : max(low, len(ratings) - high)]
    return rounded_half_up(sum(kept), len(kept))


def _perfect(ratings: list[int], half_wins: int) -> int:
    """ratings: of the opponents, lowest first. 0 without a game."""
    if not ratings:
        return 0
    scored = 50 * half_wins
    low, high = ratings[0] - 800, ratings[-1] + _SURE
    if not scored:
        return low
    above = [_MOST_APART - rating for rating in ratings]
    while low < high:
        middle = (low + high) // 2
        if sum([_EXPECTED[middle + apart] for apart in above]) < scored:
            low = middle + 1
        else:
            high = middle
    return low
