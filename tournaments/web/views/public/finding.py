"""Finding a name in a list by any spelling: `hrubes voj` finds Hrubeš, Vojtěch.

static/js/folding.js does the same while somebody types.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from django.http import HttpRequest

from tournaments.text import folded

LONGEST_SEARCH = 60

Row = TypeVar("Row")


class Named(Protocol):
    """A row about one player."""

    @property
    def name(self) -> str: ...

    @property
    def tpn(self) -> int | None: ...


Person = TypeVar("Person", bound=Named)


def by_name(rows: Iterable[Person]) -> list[Person]:
    """Sort by plain letters: Ç is beside C, Đ beside D."""
    return sorted(rows, key=lambda row: (folded(row.name), row.name, row.tpn or 0))


def find_key(*parts: object) -> str:
    """Return the words by which a row is found, between spaces, for its data-find."""
    return f" {folded(' '.join(str(part) for part in parts if part is not None))} "


def found(key: str, search: str) -> bool:
    """Return whether every word of the folded search begins a word of the row. A number must match a whole word."""
    return all(f" {word} " in key if word.isdigit() else f" {word}" in key for word in search.split())


def search_of(request: HttpRequest) -> str:
    """Return the search as the visitor typed it."""
    return request.GET.get("q", "").replace("\x00", "").strip()[:LONGEST_SEARCH]


def keep_found(rows: Iterable[tuple[Row, str]], search: str) -> list[tuple[Row, str]]:
    """Return the rows, each with its key, that match the search as typed; all rows for an empty search."""
    words = folded(search)
    return [(row, key) for row, key in rows if found(key, words)]
