"""Texts as people and files bring them, made fit to be kept and shown on one line."""

from __future__ import annotations

import unicodedata

_NOT_SHOWN = frozenset({"Cc", "Cs", "Co", "Zl", "Zp"})
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def one_line(text: str) -> str:
    """The text in normal form C, without control characters, with single spaces, trimmed.

    PostgreSQL refuses NUL and lone surrogates, which JSON may bring; overrides of the writing direction would
    let one player's name garble the rest of a list.
    """
    kept = (
        " " if unicodedata.category(char) in _NOT_SHOWN or char in _DIRECTIONS else char
        for char in unicodedata.normalize("NFC", text)
    )
    return " ".join("".join(kept).split())


def lines(text: str) -> str:
    """The same for each line of a text, without empty ones."""
    return "\n".join(line for line in (one_line(raw) for raw in text.splitlines()) if line)
