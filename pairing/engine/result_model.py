"""How likely each result of a game is, from the ratings of the players: a statistical model for generated tournaments.

Source: O. Milvang, Probability for the outcome of a chess game based on rating (2015), which FIDE's technical
commission names for random tournament generators. Each side's chance is two parabolas that meet in a centre: from
certain defeat at the lower end to certain victory at the upper one. What neither wins is drawn.

The model was fitted to real games, whose weaker players score more than the rating table gives them. FIDE asks that
generated results leave ratings where they are, so `fair_chances` takes the expected score from the table (B.02, 8.1.2)
and from the model what White is worth and how much is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

from .tiebreaks.ratings import expected

MAX_DIFFERENCE = 400
"""More than that does not count for ratings (B.02, 8.3.1)."""


@dataclass(frozen=True, slots=True)
class Chances:
    """Probabilities of White's win, a draw and Black's win; they add up to 1."""

    white: float
    draw: float
    black: float

    @property
    def expected(self) -> float:
        """White's expected score."""
        return self.white + self.draw / 2

    def with_draws(self, share: float) -> Chances:
        """As many draws as asked for, as far as the expected score allows, which stays."""
        return _of(self.expected, share)


def fair_chances(white: int, black: int) -> Chances:
    """The chances by which both players keep their ratings in the long run, with either colour as often."""
    model = chances(white, black)
    of_white = (model.expected + chances(black, white).expected - 1) / 2
    difference = max(-MAX_DIFFERENCE, min(MAX_DIFFERENCE, white - black))
    return _of(expected(difference) / 100 + of_white, model.draw)


def _of(score: float, draws: float) -> Chances:
    """An expected score with as many draws, as far as it allows."""
    score = max(0.0, min(1.0, score))
    draw = min(draws, 2 * score, 2 * (1 - score))
    white = score - draw / 2
    return Chances(white, draw, 1 - white - draw)


def chances(white: int, black: int) -> Chances:
    """The chances in a game of two ratings (Elo)."""
    mean, difference = (white + black) / 2, float(white - black)
    above = max(0.0, (mean - 1200) / 1200) ** 2
    white_wins = _rising(difference, -1492 + 0.391 * mean, 40.0, 1691 - 0.428 * mean, 0.45 - 0.10 * above)
    black_wins = _rising(-difference, -1428 + 0.388 * mean, 80.0, 1753 - 0.416 * mean, 0.46 - 0.13 * above)
    return Chances(white_wins, max(0.0, 1 - white_wins - black_wins), black_wins)


def _rising(x: float, lower: float, centre: float, upper: float, value: float) -> float:
    """0 up to `lower`, `value` at `centre`, 1 from `upper` on."""
    if x <= lower:
        return 0.0
    if x >= upper:
        return 1.0
    if x <= centre:
        return value * ((x - lower) / (centre - lower)) ** 2
    return 1 - (1 - value) * ((x - upper) / (centre - upper)) ** 2
