"""Tie-breaks of US Chess (Official Rules of Chess, 34E): modified median, Solkoff, cumulative.

FIDE has no codes for them, so theirs begin with OTHER_.
"""

from __future__ import annotations

from collections.abc import Mapping

from .cards import OPEN, PLAYED, Card, Table
from .own import progressive_score

_LONG = 9
"""From so many rounds on the modified median leaves out two values instead of one."""


def solkoff(known: Table) -> Mapping[int, int]:
    """Return the sums of the opponents' adjusted scores, in tenths."""
    return {key: sum(values) for key, values in _opponents(known).items()}


def modified_median(known: Table) -> Mapping[int, int]:
    """Return the sums in tenths: without the lowest values for a player with more than half of the points, without the
    highest for one with less, without both for exactly half.
    """
    found = {}
    for key, values in _opponents(known).items():
        card = known.cards[key]
        left_out = 2 if card.rounds >= _LONG else 1
        half = known.points.white_win * card.rounds
        low = left_out if 2 * card.score >= half else 0
        high = left_out if 2 * card.score <= half else 0
        found[key] = sum(values[low : max(low, len(values) - high)])
    return found


def cumulative(known: Table) -> Mapping[int, int]:
    """Return the sums of the scores after each round, without a point for each win that was not played."""
    win = known.points.white_win
    return {
        key: progressive_score(card, 0)
        - sum(win for turn in card.turns if turn.kind is not PLAYED and turn.points >= win)
        for key, card in known.cards.items()
    }


def _opponents(known: Table) -> dict[int, list[int]]:
    """Return for each player the adjusted scores of the opponents, lowest first; 0 for a round that was not played."""
    adjusted = {key: _adjusted(card, known.draw) for key, card in known.cards.items()}
    return {
        key: sorted(
            adjusted[turn.opponent] if turn.kind is PLAYED and turn.opponent is not None else 0
            for turn in card.turns
            if turn.kind is not OPEN
        )
        for key, card in known.cards.items()
    }


def _adjusted(card: Card, draw: int) -> int:
    """Return the score that counts for opponents: each round that was not played counts as a draw."""
    return sum(turn.points if turn.kind is PLAYED else draw for turn in card.turns if turn.kind is not OPEN)
