"""Texts from outside are cleaned in a time that does not depend on how long they are."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest

from base.text import LONGEST_LINE, LONGEST_TEXT, lines, one_line
from tournaments.actions.logins.attempts import login_name_key

MARKS = "a" + "\u0301\u0316" * 30_000
"""Python puts marks in order in a time that grows with the square of their number: seconds for these."""


@pytest.fixture
def longest(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Return the length of the longest text whose marks were put in order."""
    seen = [0]
    normalize = unicodedata.normalize

    def watched(form: str, text: str) -> str:
        seen.append(len(text))
        return normalize(form, text[:LONGEST_TEXT])

    monkeypatch.setattr(unicodedata, "normalize", watched)
    return lambda: max(seen)


def test_a_line_is_shortened_before_its_accents_are_put_in_order(longest: Callable[[], int]) -> None:
    one_line(MARKS)
    assert longest() == LONGEST_LINE
    assert len(one_line("a" * 30_000)) == LONGEST_LINE


def test_a_text_of_many_lines_is_shortened_before_its_accents_are_put_in_order(
    longest: Callable[[], int],
) -> None:
    lines(f"b\n{MARKS}\nc")
    assert longest() == LONGEST_LINE
    assert len(lines("b\n" * LONGEST_TEXT)) == LONGEST_TEXT - 1


def test_a_login_name_is_shortened_before_its_accents_are_put_in_order(longest: Callable[[], int]) -> None:
    login_name_key("password", MARKS)
    assert longest() == 150


def test_spaces_around_a_login_name_do_not_make_another_name() -> None:
    assert login_name_key("password", " " * 200 + "Ada" + " " * 200) == login_name_key("password", "ada")


def test_a_line_without_excess_stays_as_it_is() -> None:
    assert one_line("  Hrube\u0161,\u202e\tVojte\u030cch ") == "Hrube\u0161, Vojt\u011bch"
