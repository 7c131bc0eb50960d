"""The parts of tie-breaks from the ratings of opponents (C.07, 10)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from evenboard_engine.history import rounded_half_up
from evenboard_engine.tiebreaks.cards import Card, Table
from evenboard_engine.tiebreaks.codes import TieBreak
from evenboard_engine.tiebreaks.ratings import expected, rating_difference, share_of

from .cuts import with_cuts
from .model import Part, Perfect, Performance, Why
from .rounds import counted, parts_of_games

Parts = tuple[Part, ...]


def parts_of_ratings(card: Card, rule: TieBreak, known: Table) -> Parts:
    """Return the ratings of the opponents met over the board; those without a rating are left out."""
    parts = parts_of_games(
        card, lambda opponent, number: known.cards[opponent].rating_in(number) or Why.UNRATED
    )
    return with_cuts(parts, rule.cut or rule.median, rule.median)


def parts_of_performances(card: Card, known: Table, of_all: Mapping[int, int | Fraction]) -> Parts:
    """Return the performances of the rated opponents met over the board."""
    return parts_of_games(
        card,
        lambda opponent, _number: of_all[opponent] if known.cards[opponent].counted_rating else Why.UNRATED,
    )


def performance_of(card: Card, known: Table) -> tuple[Parts, Performance | None]:
    """Return the parts of TPR, and the step in the table; None without a game."""
    parts = parts_of_ratings(card, _RATINGS, known)
    met = counted(parts)
    if not met:
        return parts, None
    half_wins = _half_wins(card, met)
    average = rounded_half_up(int(sum(part.counts for part in met)), len(met))
    share = share_of(half_wins, len(met))
    return parts, Performance(average, Fraction(half_wins, 2), len(met), share, rating_difference(share))


def perfect_of(card: Card, known: Table, value: int) -> tuple[Parts, Perfect | None]:
    """Return the parts of PTP, which count the expected points of the value, and their sum. value: of the player."""
    parts = tuple(
        part if part.worth is None else replace(part, counts=_expected(value, [part.worth]))
        for part in parts_of_ratings(card, _RATINGS, known)
    )
    met = counted(parts)
    if not met:
        return parts, None
    ratings = [part.worth for part in met if part.worth is not None]
    scored = Fraction(_half_wins(card, met), 2)
    sums = _expected(value, ratings), _expected(value - 1, ratings)
    return parts, Perfect(scored, *sums, int(min(ratings)))


_RATINGS = TieBreak("ARO", "ARO")


def _half_wins(card: Card, met: Iterable[Part]) -> int:
    return sum(card.turns[part.round - 1].half_wins for part in met)


def _expected(rating: int, ratings: Iterable[Fraction]) -> Fraction:
    return Fraction(sum(expected(int(rating - other)) for other in ratings), 100)
