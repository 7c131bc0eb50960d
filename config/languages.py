"""The languages of the pages, and how much of each is translated (`locale/complete.toml`)."""

from __future__ import annotations

import tomllib
from pathlib import Path

ENGLISH = "en"
NONE, PUBLIC, ALL = "none", "public", "all"
KNOWN = [  # one line for each directory in locale/, by the language's own name
    ("de", "Deutsch"),
    (ENGLISH, "English"),
    ("es", "Español"),
    ("fr", "Français"),
    ("nl", "Nederlands"),
    ("pl", "Polski"),
    ("ru", "Русский"),
    ("uk", "Українська"),
]


def translated(locale: Path) -> dict[str, str]:
    """Return how much of each language is translated, by its code: none, public or all."""
    found: dict[str, str] = tomllib.loads((locale / "complete.toml").read_text("utf-8"))["complete"]
    return {ENGLISH: ALL, **found}


def finished(locale: Path) -> list[tuple[str, str]]:
    """Return codes and names of the languages in which visitors read no English."""
    how_much = translated(locale)
    return [(code, name) for code, name in KNOWN if how_much.get(code, NONE) != NONE]
