"""Tie-breaks of US Chess (Official Rules of Chess, 34E): modified median, Solkoff, cumulative.

FIDE has no codes for them, so theirs begin with OTHER_.
"""

from __future__ import annotations

from collections.abc import Mapping

from .cards import OPEN, PLAYED, CardRound, CardTable, RoundsCard
from .own import progressive_score

_LONG = 9
"""From so many rounds on the modified median leaves out two values instead of one."""


def solkoff(known: CardTable) -> Mapping[int, int]:
    """Return the sums of the opponents' adjusted scores, in tenths."""
    return {key: sum(values) for key, values in _opponents(known).items()}


def modified_median(known: CardTable) -> Mapping[int, int]:
    """Return the sums in tenths: without the lowest values for a player with more than half of the points, without the
    highest for one with less, without both for exactly half.
    """
    found = {}
    for key, values in _opponents(known).items():
        low, high, _most = left_out(known.cards[key], known)
        found[key] = sum(values[low : max(low, len(values) - high)])
    return found


def left_out(card: RoundsCard, known: CardTable) -> tuple[int, int, int]:
    """Return how many of the lowest and of the highest values are left out, and the most possible points in tenths."""
    number = 2 if card.rounds >= _LONG else 1
    most = known.points.white_win * card.rounds
    return number if 2 * card.score >= most else 0, number if 2 * card.score <= most else 0, most


def cumulative(known: CardTable) -> Mapping[int, int]:
    """Return the sums of the scores after each round, without a point for each win that was not played."""
    win = known.points.white_win
    return {
        key: progressive_score(card, 0) - sum(taken_off(turn, win) for turn in card.turns)
        for key, card in known.cards.items()
    }


def taken_off(turn: CardRound, win: int) -> int:
    """Return what Cumulative takes off for a round: the points of a win that was not played."""
    return win if turn.kind is not PLAYED and turn.points >= win else 0


def _opponents(known: CardTable) -> dict[int, list[int]]:
    """Return for each player the adjusted scores of the opponents, lowest first; 0 for a round that was not played."""
    adjusted = {
        key: sum(points_for_opponents(card, known.draw)) + card.apart for key, card in known.cards.items()
    }
    return {
        key: sorted(
            adjusted[turn.opponent] if turn.kind is PLAYED and turn.opponent is not None else 0
            for turn in card.turns
            if turn.kind is not OPEN
        )
        for key, card in known.cards.items()
    }


def points_for_opponents(card: RoundsCard, draw: int) -> list[int]:
    """Return the points of each round that count for opponents: a round that was not played is a draw.

    An open game counts nothing.
    """
    return [turn.points if turn.kind in (PLAYED, OPEN) else draw for turn in card.turns]
