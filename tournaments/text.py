"""Clean texts from people and files, so that they can be stored and shown on one line."""

from __future__ import annotations

import unicodedata
from typing import Any

from django.db import models

LONGEST_LINE = 1_000
"""Characters. More than any field of one line takes, so that a text that is too long is still refused as too long."""
LONGEST_TEXT = 5_000
"""Characters of a text of several lines; the form takes 2,000."""

_NOT_SHOWN = frozenset({"Cc", "Cs", "Co", "Zl", "Zp"})
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def one_line(text: str) -> str:
    """Return the text in normal form C, without control characters, with single spaces, trimmed.

    PostgreSQL refuses NUL and lone surrogates, which JSON can contain. Characters that change the writing direction
    are removed too: in one player's name they could garble the rest of a list.

    The text is cut to LONGEST_LINE characters first. Python puts accents in order in a time that grows with the square
    of their number and stops all threads meanwhile: a minute for 150,000 of them.
    """
    kept = (
        " " if unicodedata.category(char) in _NOT_SHOWN or char in _DIRECTIONS else char
        for char in unicodedata.normalize("NFC", text[:LONGEST_LINE])
    )
    return " ".join("".join(kept).split())


def lines(text: str) -> str:
    """Apply `one_line` to each line of a text of at most LONGEST_TEXT characters, and leave out empty lines."""
    return "\n".join(line for line in map(one_line, text[:LONGEST_TEXT].splitlines()) if line)


def clean(field: Any, value: Any) -> Any:
    """Return the text cleaned for the field: several lines for a TextField, one line for other fields."""
    if not isinstance(value, str):
        return value
    return lines(value) if isinstance(field, models.TextField) else one_line(value)
