"""Test the sentence that says how complete a list is."""

from __future__ import annotations

import pytest

from tournaments.queries.standings import OpenBoard, StandingsState
from web.words.standings import completeness_sentence, missing_sentence


@pytest.mark.parametrize(
    ("missing", "adjourned", "sentence"),
    [
        ([], [], ""),
        ([(5, 3)], [], "One result is missing: board 3."),
        ([(5, 31), (5, 35)], [], "2 results are missing: boards 31, 35."),
        (
            [(4, 1), (5, 2), (5, 6)],
            [],
            "3 results are missing: round 4, board 1; round 5, boards 2, 6.",
        ),
        ([], [(2, 7)], "One adjourned game counts as a draw: round 2, board 7."),
        (
            [(5, 1)],
            [(2, 7), (5, 4)],
            "One result is missing: board 1. 2 adjourned games count as draws: round 2, board 7; round 5, board 4.",
        ),
        (
            [(5, board) for board in range(1, 16)],
            [],
            "15 results are missing: boards 1, 2, 3, 4, 5, 6, 7, 8 and 7 more.",
        ),
    ],
)
def test_boards_that_are_missing_are_named(
    missing: list[OpenBoard], adjourned: list[OpenBoard], sentence: str
) -> None:
    state = StandingsState(after_round=5, ends=False, open=tuple(missing), adjourned=tuple(adjourned))
    whole = f"Provisional. {sentence}" if sentence else ""
    assert (missing_sentence(state), completeness_sentence(state)) == (sentence, whole)


def test_list_after_the_last_round_is_final_or_not() -> None:
    state = StandingsState(after_round=5, ends=True, open=((5, 3),), adjourned=())
    assert (state.final, completeness_sentence(state)) == (
        False,
        "Not final. One result is missing: board 3.",
    )
    state = StandingsState(after_round=5, ends=True, open=(), adjourned=())
    assert (state.final, completeness_sentence(state)) == (True, "")
