"""Time controls as people type them, and the code of 222 that says the same."""

from __future__ import annotations

import pytest

from evenboard_engine.trf import read_time_control, time_control_code

STANDARD = "40/5400+30:1800+30"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("90 min + 30 s per move", "5400+30"),
        ("90+30", "5400+30"),
        ("3 + 2", "180+2"),
        ("5400+30", "5400+30"),
        ("60 min", "3600"),
        ("1 h 30 min + 30 s", "5400+30"),
        ("90' + 30\"", "5400+30"),
        ("90 Min. + 30 Sek. pro Zug", "5400+30"),
        ("90 minutes/40 moves + 30 minutes, 30 s a move", STANDARD),
        ("40 moves in 90 min, then 30 min, and 30 s for each move", STANDARD),
        ("40/5400+30 : 1800+30", STANDARD),
        ("W300-B240", "W300-B240"),
    ],
)
def test_text_with_one_meaning_has_a_code(text: str, code: str) -> None:
    assert time_control_code(text) == code
    assert read_time_control(code) is not None


@pytest.mark.parametrize(
    "text",
    [
        *("", "Standard", "0 min", "30 s", "240", "1h30", "G/60 d5", "2 x 5 min", "5 min vs 4 min"),
        *("90 min, delay 5 s", "90 min + 30 s per move from move 61", "90 min + 30 s + 10 s"),
        *("40/120:60", "90 min + 30 min", "90 min + 30 min/40 moves", "40 moves in 90 min"),
    ],
)
def test_other_texts_have_none(text: str) -> None:
    assert time_control_code(text) == ""
