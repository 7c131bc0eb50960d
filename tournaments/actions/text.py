"""Clean texts from people and files, so that they can be stored and shown on one line."""

from __future__ import annotations

import unicodedata

_NOT_SHOWN = frozenset({"Cc", "Cs", "Co", "Zl", "Zp"})
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def one_line(text: str) -> str:
    """Return the text in normal form C, without control characters, with single spaces, trimmed.

    PostgreSQL refuses NUL and lone surrogates, which JSON can contain. Characters that change the writing direction
    are removed too: in one player's name they could garble the rest of a list.
    """
    kept = (
        " " if unicodedata.category(char) in _NOT_SHOWN or char in _DIRECTIONS else char
        for char in unicodedata.normalize("NFC", text)
    )
    return " ".join("".join(kept).split())


def lines(text: str) -> str:
    """Apply `one_line` to each line of a text, and leave out empty lines."""
    return "\n".join(line for line in (one_line(raw) for raw in text.splitlines()) if line)
