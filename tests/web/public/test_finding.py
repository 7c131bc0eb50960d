from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tournaments.text import PLAIN_LETTERS, folded
from tournaments.web.views.public.finding import find_key, found, keep_found

NAMES = Path(__file__).parents[2] / "scripts" / "names.json"


@pytest.mark.parametrize(("text", "plain"), json.loads(NAMES.read_text(encoding="utf-8")))
def test_folded_returns_lower_case_letters_without_accents(text: str, plain: str):
    """The script folds the same names to the same words: tests/scripts/folding.test.js."""
    assert folded(text) == plain


def test_each_word_of_a_search_must_begin_a_word_of_the_row():
    key = find_key(12, "Szűcs-Baranyai, Örs", None)
    assert [found(key, search) for search in ("szucs", "ors bara", "ranyai", "12", "1", "")] == [
        True,
        True,
        False,
        True,
        False,
        True,
    ]


def test_keep_found_takes_the_search_as_typed():
    rows = [("a", find_key("Müller, Jörg")), ("b", find_key("Miller, Ann"))]
    assert keep_found(rows, "MÜL") == rows[:1]
    assert keep_found(rows, "") == rows


def test_the_script_has_the_same_table_of_letters(root: Path):
    script = (root / "static" / "js" / "folding.js").read_text(encoding="utf-8")
    table = re.search(r"const PLAIN = \{([^}]*)\}", script)[1]
    assert dict(re.findall(r'(\w): "(\w+)"', table)) == PLAIN_LETTERS
