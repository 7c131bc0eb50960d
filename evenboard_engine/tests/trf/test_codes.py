from __future__ import annotations

import pytest

from evenboard_engine import RESULTS, ByeKind, Colour, PointSystem, Result
from evenboard_engine.trf import RoundEntry
from evenboard_engine.trf.codes import (
    BYE_OF_SYMBOL,
    OUTCOME_OF_SYMBOL,
    SYMBOLS,
    SYMBOLS_OF_RESULT,
    points_table,
    result_of,
    symbol_of,
    symbol_of_bye,
)

UNEVEN = PointSystem(
    30,
    31,
    10,
    11,
    1,
    2,
    forfeit_win=29,
    forfeit_loss=3,
    allocated_bye=28,
    full_bye=27,
    half_bye=9,
    zero_bye=4,
)


def test_symbols_are_those_of_the_format() -> None:
    assert frozenset("1=0WDL+-?HFUZ") == SYMBOLS


@pytest.mark.parametrize("result", list(Result))
def test_result_is_read_from_its_symbols_and_written_with_them(result: Result) -> None:
    white, black = symbol_of(result, Colour.WHITE), symbol_of(result, Colour.BLACK)
    assert (white, black) == SYMBOLS_OF_RESULT[result]
    assert result_of(white, black) is result


@pytest.mark.parametrize("result", list(Result))
def test_symbols_score_what_the_result_means(result: Result) -> None:
    table = points_table(UNEVEN)
    for colour, outcome in ((Colour.WHITE, RESULTS[result].white), (Colour.BLACK, RESULTS[result].black)):
        assert OUTCOME_OF_SYMBOL[symbol_of(result, colour)] is outcome
        assert table[symbol_of(result, colour), colour] == UNEVEN.of_game(outcome, colour)


@pytest.mark.parametrize("kind", list(ByeKind))
def test_bye_is_read_from_its_symbol_and_written_with_it(kind: ByeKind) -> None:
    assert BYE_OF_SYMBOL[symbol_of_bye(kind)] is kind
    assert points_table(UNEVEN)[symbol_of_bye(kind), None] == UNEVEN.of_bye(kind)


def test_blank_round_scores_as_a_zero_point_bye_and_a_game_without_result_scores_0() -> None:
    table = points_table(UNEVEN)
    assert (table["", None], table["", Colour.WHITE], table["", Colour.BLACK]) == (4, 0, 0)


@pytest.mark.parametrize(
    ("white", "black"), [("1", "1"), ("1", "="), ("+", "0"), ("W", "0"), ("L", "L"), ("H", "H")]
)
def test_symbols_that_contradict_each_other_are_no_result(white: str, black: str) -> None:
    assert result_of(white, black) is None


def test_entries_are_made_of_results_and_byes() -> None:
    assert RoundEntry.of_game(7, Colour.BLACK, Result.WHITE_WINS) == RoundEntry(7, Colour.BLACK, "0")
    assert RoundEntry.of_game(7, Colour.BLACK, None) == RoundEntry(7, Colour.BLACK, "")
    assert RoundEntry.of_bye(ByeKind.HALF) == RoundEntry(None, None, "H")
