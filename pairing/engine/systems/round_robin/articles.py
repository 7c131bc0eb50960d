"""The articles behind reasons and steps."""

from __future__ import annotations

TABLES = "C.05 Annex 1"

WITHOUT = frozenset({"bye_none", "free_never"})
"""Reasons that need no article."""


def articles_of(code: str) -> tuple[str, ...]:
    return () if code in WITHOUT else (TABLES,)
