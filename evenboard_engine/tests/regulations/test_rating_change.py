"""Changes of ratings, worked by hand from the tables of B.02 (8.1.1, 8.1.2) and the rules of 8.2 and 8.3."""

from __future__ import annotations

from datetime import date

import pytest

from evenboard_engine.regulations.rating_change import (
    FirstState,
    Play,
    RatedGame,
    coefficient,
    counted_difference,
    first_rating,
    is_rated,
    limited_coefficient,
    rating_change,
    rounded_change,
)

TODAY = date(2026, 11, 23)
WIN, DRAW, LOSS = 2, 1, 0


def games(*played: tuple[int, int]) -> list[RatedGame]:
    return [RatedGame(opponent, half_wins) for opponent, half_wins in played]


def test_change_of_a_tournament() -> None:
    """2000 against 2100 (D -100: .36), 1950 (D 50: .57), 1550 (D 450 counts as 400: .92), and an unrated player.

    2.5 points, 1.85 expected: .65 with K 20 is 13 points.
    """
    played = games((2100, WIN), (1950, DRAW), (1550, WIN), (0, LOSS))
    found = rating_change(2000, played, k=20, play=Play.STANDARD, day=TODAY)
    assert [(game.difference, game.limited, game.expected) for game in found.games] == [
        (-100, False, 36),
        (50, False, 57),
        (400, True, 92),
    ]
    assert (found.scored, found.expected, found.change, found.new) == (250, 185, 1300, 2013)


def test_difference_of_more_than_400_points_counts_in_full_from_2650_on() -> None:
    """8.3.1 in the form of 1 October 2025: 2813 against 2400 has D 413, his opponent D -400."""
    assert counted_difference(2813, 2400, Play.STANDARD, TODAY) == 413
    assert counted_difference(2400, 2813, Play.STANDARD, TODAY) == -400
    assert counted_difference(2650, 2200, Play.STANDARD, TODAY) == 450
    assert counted_difference(2649, 2200, Play.STANDARD, TODAY) == 400
    assert counted_difference(2813, 2400, Play.STANDARD, date(2025, 9, 30)) == 400
    assert counted_difference(2813, 2400, Play.RAPID, TODAY) == 400
    won = rating_change(2813, games((2400, WIN)), k=10, play=Play.STANDARD, day=TODAY)
    assert won.change == 70  # expected .93


def test_players_far_apart_are_not_rated_in_rapid_and_blitz_chess() -> None:
    """7.3.1 of Rapid and Blitz, from 1 December 2024: 600 points or more, one player above 2600."""
    assert not is_rated(2601, 2001, Play.BLITZ, TODAY)
    assert is_rated(2600, 2000, Play.BLITZ, TODAY)
    assert is_rated(2601, 2002, Play.RAPID, TODAY)
    assert is_rated(2601, 2001, Play.RAPID, date(2024, 11, 30))
    assert is_rated(2601, 2001, Play.STANDARD, TODAY)


@pytest.mark.parametrize(
    ("rating", "born", "k"),
    [(2299, 2008, 40), (2300, 2008, 20), (1500, 2007, 20), (2399, None, 20), (2400, 2010, 10)],
)
def test_coefficient_follows_from_rating_and_age(rating: int, born: int | None, k: int) -> None:
    """8.3.3: 40 until the end of the year of the 18th birthday (born 2008, in 2026), if below 2300."""
    assert coefficient(rating, born=born, year=2026) == k


def test_coefficient_times_games_is_at_most_700() -> None:
    assert [limited_coefficient(20, number) for number in (0, 35, 36, 39)] == [20, 20, 19, 17]


def test_half_a_point_is_rounded_away_from_zero() -> None:
    assert [rounded_change(change) for change in (250, -250, 249, -249, 0)] == [3, -3, 2, -2, 0]


def test_first_rating_has_two_imagined_opponents() -> None:
    """8.2.2: 3 points of 5 against 9507 in all. (9507 + 3600) / 7 = 1872.4; 4 of 7 is .57, dp 50: 1922."""
    played = games((1901, WIN), (1902, WIN), (1901, WIN), (1901, LOSS), (1902, LOSS), (0, WIN))
    found = first_rating(played)
    assert (found.games, found.scored, found.average, found.rating) == (5, 300, 1872, 1922)
    assert found.state is FirstState.RATED


def test_first_rating_needs_5_games_a_score_and_1400_and_is_at_most_2200() -> None:
    assert first_rating(games(*[(1900, WIN)] * 4)).state is FirstState.FEW
    assert first_rating([]).state is FirstState.FEW
    assert first_rating(games(*[(1900, LOSS)] * 5)).state is FirstState.ZERO
    low = first_rating(games(*[(1400, LOSS)] * 8, (1400, DRAW)))
    # (9 * 1400 + 3600) / 11 = 1472.7; 1.5 of 11 is .136, rounded .14, dp -309
    assert (low.rating, low.state) == (1473 - 309, FirstState.LOW)
    assert first_rating(games(*[(2400, WIN)] * 5)).rating == 2200
