"""The numbers in kept lines change with the pairing numbers of the players."""

from __future__ import annotations

import pytest

from evenboard_engine.trf.renumbering import ranks_in, with_numbers

MOVED = {1: 2, 2: 10, 5: 1, 9: 10_000, 17: 18}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FRA    1 mGM Player 0001   2400", "FRA    2 mGM Player 0001   2400"),
        ("FRA    2 mGM Player 0002", "FRA   10 mGM Player 0002"),
        ("FRA 1 Player 0001", "FRA 2 Player 0001"),
        ("FRA 2 Player 0002", "FRA 10 Player 0002"),
        (
            "### MPA @ Round 6: none => 2-5 1-17 9=PAB",
            "### MPA @ Round 6: none => 10-1 2-18 10000=PAB",
        ),
        ("### Import @ Round 3: 1-2 5=PAB => 2-1 5=HPB", "### Import @ Round 3: 2-10 1=PAB => 10-2 1=HPB"),
        ("### FPB @ Round 2: 5=FPB", "### FPB @ Round 2: 1=FPB"),
        ("### Correction @ Round 2: 2-1: 1-0 => 0-1", "### Correction @ Round 2: 10-2: 1-0 => 0-1"),
        (
            "### Correction @ Round 2: 2-1: 1-0 => 1-2: 0-1",
            "### Correction @ Round 2: 10-2: 1-0 => 2-10: 0-1",
        ),
        (
            "### Rating correction @ Round 1: 2-5: 1-0 => 0-1",
            "### Rating correction @ Round 1: 10-1: 1-0 => 0-1",
        ),
        (
            "### Earlier result @ Round 1: 2-5: adj until round 2",
            "### Earlier result @ Round 1: 10-1: adj until round 2",
        ),
        ("### Earlier ratings @ Round 3: 1=2300 17=17", "### Earlier ratings @ Round 3: 2=2300 18=17"),
        ("013 Team 9                             1    2", "013 Team 9                             2   10"),
        (
            "013 Team 9                             7    2   17",
            "013 Team 9                                 10   18",
        ),
        (f"299 W         1.0  003 {'1':>4}{'5':>5}", f"299 W         1.0  003 {'2':>4}{'1':>5}"),
        (f"300   1   1   2 {'1':>4}{'5':>5}", f"300   1   1   2 {'2':>4}{'1':>5}"),
        (f"{'310   1 Team 1':<73}{'17':>4}{'2':>5}", f"{'310   1 Team 1':<73}{'18':>4}{'10':>5}"),
        ("### Adjournment @ Round 1: 17-5 1-0", "### Adjournment @ Round 1: 18-1 1-0"),
    ],
)
def test_numbers_in_known_lines_follow_the_players(text: str, expected: str) -> None:
    assert with_numbers(text, MOVED.get) == expected


@pytest.mark.parametrize(
    "text",
    [
        "### Regeneration @ Round 2: 1=>2 2=>1",
        "### FIDE mode exited @ Round 2",
        "### 1-2 agreed to a draw in round 5",
        "013 Team 1 of 2",
        "XXX 1 2",
        "FRA x 1",
        "BBQ 1 2",
    ],
)
def test_unknown_lines_stay_as_they_are(text: str) -> None:
    assert ranks_in(text) == ()
    assert with_numbers(text, MOVED.get) == text


def test_ranks_of_a_line_are_found() -> None:
    assert ranks_in("### MPA @ Round 6: 1-3 => 2-5 9=PAB") == (1, 3, 2, 5, 9)
    assert ranks_in("FRA   12 x") == (12,)
    assert ranks_in("013 Team 9                             1    2") == (1, 2)


def test_national_record_of_an_unknown_player_is_left_out() -> None:
    assert with_numbers("FRA    7 x", MOVED.get) is None
    assert with_numbers("### FPB @ Round 2: 7=FPB", MOVED.get) == "### FPB @ Round 2: ?=FPB"
