"""Changes of ratings by FIDE's Rating Regulations (B.02, in force from 1 March 2024, 8.3.1 from 1 October 2025).

Rapid and blitz chess have regulations of their own (B.02 Rapid and Blitz, in force from 1 March 2024). Their tables and
coefficients are the same, but they keep the limit of 400 points for everybody (7.3.1).

Scores are in hundredths of a point, changes in hundredths of a rating point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from evenboard_engine.history import rounded_half_up
from evenboard_engine.tiebreaks.ratings import expected, rating_difference, share_of

MOST_DIFFERENCE = 400
WITHOUT_LIMIT = 2650
WITHOUT_LIMIT_FROM = date(2025, 10, 1)
FAR_APART, ABOVE = 600, 2600
FAR_APART_FROM = date(2024, 12, 1)
MOST_K_TIMES_GAMES = 700
K_NEW, K_USUAL, K_HIGH = 40, 20, 10
HIGH, JUNIOR_BELOW, JUNIOR_AGE = 2400, 2300, 18
LEAST_GAMES, LEAST_RATING, HIGHEST_FIRST = 5, 1400, 2200
IMAGINED, IMAGINED_RATING = 2, 1800


class Play(StrEnum):
    """The list on which a tournament is rated."""

    STANDARD = "standard"
    RAPID = "rapid"
    BLITZ = "blitz"


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game that is sent for rating. opponent: the opponent's rating, 0 for an unrated one. half_wins: 0, 1 or 2."""

    opponent: int
    half_wins: int


@dataclass(frozen=True, slots=True)
class GameChange:
    """What a game adds. difference: own rating minus the opponent's, as it counts. limited: it was larger."""

    opponent: int
    difference: int
    limited: bool
    expected: int
    scored: int


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of a tournament. games: those that count. k: as it was used, after the limit for many games.

    change: in hundredths. new: the new rating, if this were the only tournament of the rating period.
    """

    rating: int
    games: tuple[GameChange, ...]
    k: int
    change: int
    new: int

    @property
    def expected(self) -> int:
        return sum(game.expected for game in self.games)

    @property
    def scored(self) -> int:
        return sum(game.scored for game in self.games)


class FirstState(StrEnum):
    """What an unrated player has after a tournament. FEW: too few games, which are kept for later. ZERO: no point, so
    the games of the first tournament are disregarded (8.2.1). LOW: a rating below the lowest one (7.1.4).
    """

    RATED = "rated"
    FEW = "few"
    ZERO = "zero"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class FirstRating:
    """The first rating of an unrated player. average: with the two imagined opponents, 0 without a game."""

    games: int
    scored: int
    average: int
    rating: int
    state: FirstState


def coefficient(rating: int, *, born: int | None, year: int) -> int:
    """Return K as far as it follows from the rating and the year of birth (8.3.3). year: of the tournament.

    A new player with fewer than 30 games (40), and one who was at 2400 or more before (10), are not known here.
    """
    if rating >= HIGH:
        return K_HIGH
    if born is not None and year - born <= JUNIOR_AGE and rating < JUNIOR_BELOW:
        return K_NEW
    return K_USUAL


def limited_coefficient(k: int, games: int) -> int:
    """Return K for so many games in a rating period: K times games is at most 700 (8.3.3)."""
    return min(k, MOST_K_TIMES_GAMES // games) if games else k


def is_rated(own: int, opponent: int, play: Play, day: date) -> bool:
    """Return whether a game between these ratings counts. In rapid and blitz chess players far apart may not count
    (7.3.1 there). Games against unrated players never do (8.3.1).
    """
    if not (own and opponent):
        return False
    far = abs(own - opponent) >= FAR_APART and max(own, opponent) > ABOVE
    return play is Play.STANDARD or day < FAR_APART_FROM or not far


def counted_difference(own: int, opponent: int, play: Play, day: date) -> int:
    """Return the difference as it counts for the player rated `own` (8.3.1). day: the first one of the tournament."""
    difference = own - opponent
    if play is Play.STANDARD and day >= WITHOUT_LIMIT_FROM and own >= WITHOUT_LIMIT:
        return difference
    return max(-MOST_DIFFERENCE, min(MOST_DIFFERENCE, difference))


def rating_change(own: int, games: Sequence[RatedGame], *, k: int, play: Play, day: date) -> RatingChange:
    """Return the change for a player rated `own`. Games that do not count are left out.

    k: before the limit for many games. day: the first one of the tournament.
    """
    counted = []
    for game in games:
        if is_rated(own, game.opponent, play, day):
            difference = counted_difference(own, game.opponent, play, day)
            limited = difference != own - game.opponent
            counted.append(
                GameChange(game.opponent, difference, limited, expected(difference), 50 * game.half_wins)
            )
    used = limited_coefficient(k, len(counted))
    change = used * sum(game.scored - game.expected for game in counted)
    return RatingChange(own, tuple(counted), used, change, own + rounded_change(change))


def rounded_change(hundredths: int) -> int:
    """Return a change in whole points, halves away from zero (8.3.4)."""
    whole = (abs(hundredths) + 50) // 100
    return whole if hundredths >= 0 else -whole


def first_rating(games: Sequence[RatedGame]) -> FirstRating:
    """Return the first rating that the games of one tournament give (8.2). Those against unrated players do not count.

    Halves are rounded up, as the Title Regulations do with the same table (B.01, 1.4.7 and 1.4.9): B.02 does not say.
    """
    counted = [game for game in games if game.opponent]
    half_wins = sum(game.half_wins for game in counted)
    number, scored = len(counted), 50 * half_wins
    if not number:
        return FirstRating(0, 0, 0, 0, FirstState.FEW)
    total = sum(game.opponent for game in counted) + IMAGINED * IMAGINED_RATING
    average = rounded_half_up(total, number + IMAGINED)
    if not half_wins:
        return FirstRating(number, scored, average, 0, FirstState.ZERO)
    rating = average + rating_difference(share_of(half_wins + IMAGINED, number + IMAGINED))
    rating = min(rating, HIGHEST_FIRST)
    state = FirstState.RATED
    if number < LEAST_GAMES:
        state = FirstState.FEW
    elif rating < LEAST_RATING:
        state = FirstState.LOW
    return FirstRating(number, scored, average, rating, state)
