"""Article 5 and the order of boards."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from evenboard_engine import Colour, InvalidTournament, Pair
from evenboard_engine.preference import Strength
from evenboard_engine.result import board_order
from evenboard_engine.systems.dubov.pairing.colours import ColourAllocator, DubovColourRule
from evenboard_engine.systems.dubov.pairing.field import Shape
from evenboard_engine.tests.rules.build import BLACK, WHITE, shape


@dataclass
class Two:
    """A field of two players with the places 0 and 1; their ids are their pairing numbers."""

    ids: tuple[int, int]
    shape: tuple[Shape, Shape]
    score: tuple[int, int] = (0, 0)

    @property
    def numbers(self) -> tuple[int, int]:
        return self.ids


NEW = shape(BLACK, sides="")


def allocate(field: Two, initial: Colour | None = None) -> Pair:
    return ColourAllocator(field, initial).pair(0, 1)


@pytest.mark.parametrize(
    ("initial", "higher", "white"),
    [(WHITE, 1, 1), (WHITE, 2, 9), (BLACK, 1, 9), (BLACK, 2, 2)],
)
def test_first_game_of_both_follows_the_initial_colour(initial: Colour, higher: int, white: int) -> None:
    pair = allocate(Two((higher, 9), (NEW, NEW)), initial)
    assert (pair.white, pair.colours) == (white, DubovColourRule.INITIAL)


def test_order_of_the_two_does_not_matter() -> None:
    colours = ColourAllocator(Two((1, 2), (shape(WHITE), shape(WHITE))), None)
    assert colours.pair(0, 1) == colours.pair(1, 0) == Pair(1, 2, DubovColourRule.HIGHER_RANKED)


def test_more_points_rank_higher_than_a_smaller_number() -> None:
    assert allocate(Two((2, 9), (NEW, NEW), (0, 10)), WHITE) == Pair(9, 2, DubovColourRule.INITIAL)


def test_initial_colour_is_asked_for_when_it_is_needed() -> None:
    with pytest.raises(InvalidTournament, match="initial_colour_missing"):
        allocate(Two((1, 2), (NEW, NEW)))


def test_both_preferences_are_granted() -> None:
    assert allocate(Two((1, 2), (shape(BLACK), shape(WHITE)))) == Pair(2, 1, DubovColourRule.BOTH)


def test_newcomer_has_a_mild_preference_for_black() -> None:
    assert allocate(Two((1, 2), (shape(WHITE), Shape.after(())))) == Pair(1, 2, DubovColourRule.BOTH)


def test_stronger_preference_is_granted() -> None:
    mild, strong = shape(WHITE), shape(WHITE, Strength.STRONG)
    assert allocate(Two((1, 2), (mild, strong))) == Pair(2, 1, DubovColourRule.STRONGER)
    assert allocate(Two((1, 2), (strong, mild))) == Pair(1, 2, DubovColourRule.STRONGER)


@pytest.mark.parametrize(
    ("higher", "lower", "white"), [("bwb", "wwb", 1), ("wbwb", "bbwb", 2), ("bbwb", "wbwb", 1)]
)
def test_colours_alternate_to_the_latest_difference(higher: str, lower: str, white: int) -> None:
    pair = allocate(Two((1, 2), (shape(WHITE, sides=higher), shape(WHITE, sides=lower))))
    assert (pair.white, pair.colours) == (white, DubovColourRule.ALTERNATE)


def test_comparison_of_colours_stops_at_the_shorter_sequence() -> None:
    """Reading D8: of wb and bwwb only the last two games are compared, wb with wb."""
    pair = allocate(Two((1, 2), (shape(WHITE, sides="wb"), shape(WHITE, sides="bwwb"))))
    assert pair == Pair(1, 2, DubovColourRule.HIGHER_RANKED)


def test_higher_ranked_decides_last() -> None:
    assert allocate(Two((1, 3), (shape(BLACK), shape(BLACK)), (10, 15))) == Pair(
        1, 3, DubovColourRule.HIGHER_RANKED
    )


def test_boards_go_by_higher_score_then_sum_then_number() -> None:
    score = [0, 20, 20, 20, 15, 10, 30, 0, 20]
    pairs = [Pair(a, b, DubovColourRule.BOTH) for a, b in ((2, 4), (5, 1), (3, 8), (7, 6))]
    ordered = board_order(pairs, {place: place for place in range(9)}, score)
    assert [(pair.white, pair.black) for pair in ordered] == [(7, 6), (3, 8), (2, 4), (5, 1)]
