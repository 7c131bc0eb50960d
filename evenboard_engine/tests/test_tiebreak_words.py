"""What people read about tie-breaks."""

from __future__ import annotations

from fractions import Fraction

import pytest

from evenboard_engine.tiebreaks import MANDATORY, read_list
from evenboard_engine.words.tiebreaks import tie_break_meaning, tie_break_name, tie_value_text


@pytest.mark.parametrize(
    ("code", "name", "last_sentence"),
    [
        ("KS/L+1", "Koya, limit +½", "The limit is half a point higher."),
        ("KS/L3", "Koya, limit +1½", "The limit is 3 half points higher."),
        ("KS/L-2", "Koya, limit −1", "The limit is 2 half points lower."),
        ("PT", "Pairing Tiebreaker", "It is not a tie-break of FIDE."),
        (
            "PT/ARO97",
            "Pairing Tiebreaker by exact ARO",
            "Score groups are in the order of ARO, which is not rounded.",
        ),
        ("GE", "Rounds played by choice", "and forfeit losses."),
    ],
)
def test_name_and_meaning_say_the_modifier(code: str, name: str, last_sentence: str) -> None:
    (rule,) = read_list(code)
    assert tie_break_name(rule) == name
    assert tie_break_meaning(rule).endswith(last_sentence)


def test_every_tie_break_has_words() -> None:
    for rule in read_list(",".join(("PTS", *MANDATORY, "KS", "PT"))):
        assert tie_break_name(rule) != rule.text
        assert tie_break_meaning(rule)


def test_forfeits_never_count_in_tie_breaks_from_ratings() -> None:
    with_forfeits, plain, buchholz = read_list("ARO/P,ARO,BH/P")
    assert tie_break_name(with_forfeits) == tie_break_name(plain)
    assert tie_break_meaning(with_forfeits) == (
        f"{tie_break_meaning(plain)} Forfeits do not count in tie-breaks from ratings, whatever the code says."
    )
    assert tie_break_name(buchholz) == "Buchholz with forfeits"


@pytest.mark.parametrize(
    ("value", "text"), [("3/2", "1.5"), ("9/8", "1.125"), ("20", "20"), ("-1/2", "-0.5")]
)
def test_values_that_were_computed_elsewhere_have_one_form(value: str, text: str) -> None:
    (rule,) = read_list("OTHER_PLAYOFF")
    assert tie_value_text(rule, Fraction(value)) == text
