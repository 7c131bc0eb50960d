"""Article 5 and the order of boards."""

from __future__ import annotations

import pytest

from pairing.engine import Colour, ColourRule, InvalidTournament, Pair
from pairing.engine.boards import board_order
from pairing.engine.dubov.colours import allocate_colours
from pairing.engine.dubov.preferences import Strength
from tests.engine.rules.build import BLACK, WHITE, entrant


def sides(text: str) -> tuple[Colour, ...]:
    return tuple(Colour(letter) for letter in text.lower())


@pytest.mark.parametrize(
    ("initial", "higher", "white"),
    [(WHITE, 1, 1), (WHITE, 2, 9), (BLACK, 1, 9), (BLACK, 2, 2)],
)
def test_first_game_of_both_follows_the_initial_colour(initial: Colour, higher: int, white: int) -> None:
    pair = allocate_colours(entrant(9, games=0), entrant(higher, games=0), initial)
    assert (pair.white, pair.colours) == (white, ColourRule.INITIAL)


def test_more_points_rank_higher_than_a_smaller_number() -> None:
    pair = allocate_colours(entrant(2, games=0), entrant(9, games=0, score=10), WHITE)
    assert pair == Pair(9, 2, ColourRule.INITIAL)


def test_initial_colour_is_asked_for_when_it_is_needed() -> None:
    with pytest.raises(InvalidTournament, match="initial_colour_missing"):
        allocate_colours(entrant(1, games=0), entrant(2, games=0), None)


def test_both_preferences_are_granted() -> None:
    assert allocate_colours(entrant(1, BLACK), entrant(2, WHITE), None) == Pair(2, 1, ColourRule.BOTH)


def test_newcomer_has_a_mild_preference_for_black() -> None:
    assert allocate_colours(entrant(1, WHITE), entrant(2, games=0), None) == Pair(1, 2, ColourRule.BOTH)


def test_stronger_preference_is_granted() -> None:
    strong = entrant(2, WHITE, strength=Strength.STRONG)
    assert allocate_colours(entrant(1, WHITE), strong, None) == Pair(2, 1, ColourRule.STRONGER)


@pytest.mark.parametrize(
    ("higher", "lower", "white"),
    [
        ("bwb", "wwb", 1),
        ("wbwb", "bbwb", 2),
        ("bbwb", "wbwb", 1),
    ],
)
def test_colours_alternate_to_the_latest_difference(higher: str, lower: str, white: int) -> None:
    pair = allocate_colours(
        entrant(1, WHITE, colours=sides(higher)), entrant(2, WHITE, colours=sides(lower)), None
    )
    assert (pair.white, pair.colours) == (white, ColourRule.ALTERNATE)


def test_comparison_of_colours_stops_at_the_shorter_sequence() -> None:
    """Reading D8: the common end of wb and bwwb is wb against wb."""
    pair = allocate_colours(
        entrant(1, WHITE, colours=sides("wb")), entrant(2, WHITE, colours=sides("bwwb")), None
    )
    assert pair == Pair(1, 2, ColourRule.HIGHER_RANKED)


def test_higher_ranked_decides_last() -> None:
    pair = allocate_colours(entrant(3, BLACK, score=15), entrant(1, BLACK, score=10), None)
    assert pair == Pair(1, 3, ColourRule.HIGHER_RANKED)


def test_boards_go_by_higher_score_then_sum_then_number() -> None:
    standing = {1: (20, 1), 2: (20, 2), 3: (20, 3), 4: (15, 4), 5: (10, 5), 6: (30, 6), 7: (0, 7), 8: (20, 8)}
    pairs = [Pair(a, b, ColourRule.BOTH) for a, b in ((2, 4), (5, 1), (3, 8), (7, 6))]
    ordered = board_order(pairs, standing)
    assert [(pair.white, pair.black) for pair in ordered] == [(7, 6), (3, 8), (2, 4), (5, 1)]
