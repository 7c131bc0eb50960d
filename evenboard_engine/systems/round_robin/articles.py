"""The articles behind reasons and steps."""

from __future__ import annotations

ANNEX = "Annex 1"
"""As the margin of an explanation names it; the page says that it is of C.05."""
TABLES = f"C.05 {ANNEX}"

WITHOUT = frozenset({"bye_none", "free_never"})
"""Reasons that need no article."""


def articles_of(code: str) -> tuple[str, ...]:
    return () if code in WITHOUT else (ANNEX,)
