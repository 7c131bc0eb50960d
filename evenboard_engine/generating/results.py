"""Compute the probability of each result of a game from the players' ratings, for generated tournaments.

Source: O. Milvang, Probability for the outcome of a chess game based on rating (2015), which FIDE's technical
commission names for random tournament generators. Each side's probability to win is a curve of two parabolas that meet
at a centre; it rises from 0 at the lower end to 1 at the upper end. The rest is the probability of a draw.

The model was fitted to real games, in which weaker players score more than the rating table predicts. FIDE requires
generated results that leave ratings unchanged on average. So `fair_chances` takes the expected score from the table
(B.02, 8.1.2), and the advantage of White and the share of draws from the model.
"""

from __future__ import annotations

from dataclasses import dataclass

from evenboard_engine.tiebreaks.ratings import expected

MAX_DIFFERENCE = 400
"""The largest difference that counts for ratings (B.02, 8.3.1)."""


@dataclass(frozen=True, slots=True)
class Chances:
    """Probabilities of White's win, a draw and Black's win; they add up to 1."""

    white: float
    draw: float
    black: float

    @property
    def expected(self) -> float:
        """The expected score of White."""
        return self.white + self.draw / 2

    def with_draws(self, share: float) -> Chances:
        """Return chances with this share of draws, or as many as the unchanged expected score allows."""
        return _of(self.expected, share)


def fair_chances(white: int, black: int) -> Chances:
    """Return chances with which both players keep their ratings on average, if each has White equally often."""
    model = chances(white, black)
    of_white = (model.expected + chances(black, white).expected - 1) / 2
    difference = max(-MAX_DIFFERENCE, min(MAX_DIFFERENCE, white - black))
    return _of(expected(difference) / 100 + of_white, model.draw)


def _of(score: float, draws: float) -> Chances:
    """Return chances with this expected score and share of draws, or as many draws as the score allows."""
    score = max(0.0, min(1.0, score))
    draw = min(draws, 2 * score, 2 * (1 - score))
    white = score - draw / 2
    return Chances(white, draw, 1 - white - draw)


def chances(white: int, black: int) -> Chances:
    """Return the model's chances for two ratings (Elo)."""
    mean, difference = (white + black) / 2, float(white - black)
    above = max(0.0, (mean - 1200) / 1200) ** 2
    white_wins = _rising(difference, -1492 + 0.391 * mean, 40.0, 1691 - 0.428 * mean, 0.45 - 0.10 * above)
    black_wins = _rising(-difference, -1428 + 0.388 * mean, 80.0, 1753 - 0.416 * mean, 0.46 - 0.13 * above)
    return Chances(white_wins, max(0.0, 1 - white_wins - black_wins), black_wins)


def _rising(x: float, lower: float, centre: float, upper: float, value: float) -> float:
    """Return a rising curve at x: 0 up to `lower`, `value` at `centre`, 1 from `upper`."""
    if x <= lower:
        return 0.0
    if x >= upper:
        return 1.0
    if x <= centre:
        return value * ((x - lower) / (centre - lower)) ** 2
    return 1 - (1 - value) * ((x - upper) / (centre - upper)) ** 2
