"""The start positions of Chess960."""

from __future__ import annotations

import pytest

from evenboard_engine.chess960 import POSITIONS, STANDARD, fen, first_rank


def test_positions_are_all_that_the_rule_allows() -> None:
    """Bishops on squares of different colours, the king between the rooks; 960 different positions."""
    ranks = [first_rank(number) for number in range(POSITIONS)]
    assert len(set(ranks)) == POSITIONS
    for rank in ranks:
        assert sorted(rank) == sorted("RNBQKBNR")
        assert (rank.index("B") + rank.rindex("B")) % 2 == 1
        assert rank.index("R") < rank.index("K") < rank.rindex("R")


@pytest.mark.parametrize(
    ("number", "rank"), [(0, "BBQNNRKR"), (STANDARD, "RNBQKBNR"), (959, "RKRNNQBB"), (1, "BQNBNRKR")]
)
def test_numbers_are_those_of_the_table(number: int, rank: str) -> None:
    assert first_rank(number) == rank


def test_position_as_fen() -> None:
    assert fen(STANDARD) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@pytest.mark.parametrize("number", [-1, POSITIONS])
def test_other_numbers_are_no_position(number: int) -> None:
    with pytest.raises(ValueError, match="no start position"):
        first_rank(number)
