"""Counted texts of the scripts have every form of the language, as gettext chooses it."""

from __future__ import annotations

import json

import pytest
from django.utils import translation
from django.utils.translation import trans_real

from web.words import script_counts
from web.words.script_counts import TEXTS


class Slovenian(trans_real.DjangoTranslation):
    """A language with four forms: 1, 2, 3 and 4, all others; and the same after each hundred."""

    def __init__(self) -> None:
        """Read no files."""

    def to_language(self) -> str:
        return "sl"

    def ngettext(self, one: str, many: str, number: int) -> str:
        return f"{({1: 'one', 2: 'two', 3: 'few', 4: 'few'}).get(number % 100, 'many')}: {many}"


def test_english_has_a_singular_and_a_plural() -> None:
    forms = json.loads(script_counts.script_counts("marks")["volatile"])
    assert forms == [
        [
            "{n} marks are not sent yet. They are sent when the server answers. Leave the page open.",
            "{n} mark is not sent yet. It is sent when the server answers. Leave the page open.",
        ],
        [[0, 0], [1, 1], [2, 0]],
    ]


def test_text_with_one_form_for_all_numbers_has_one_start() -> None:
    forms = json.loads(script_counts.script_counts("results")["failing"])
    assert forms == [["{n} kept only in this browser; the server says: {why}"], [[0, 0]]]


def test_language_with_four_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(trans_real._translations, "sl", Slovenian())
    with translation.override("sl"):
        forms, starts = json.loads(script_counts._forms(TEXTS["results"]["left"]))
    assert forms == [f"{form}: {{n}} missing" for form in ("many", "one", "two", "few")]
    assert starts == [[0, 0], [1, 1], [2, 2], [3, 3], [5, 0], [101, 1], [102, 2], [103, 3], [105, 0]]
