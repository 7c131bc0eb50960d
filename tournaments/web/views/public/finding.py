"""Finding a name in a list, however it was typed: `hrubes voj` finds Hrubeš, Vojtěch.

static/js/find.js does the same while one types; the two tables of letters are held together by a test.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Protocol, TypeVar

from django.http import HttpRequest

# Letters that Unicode does not take apart into a plain letter and a mark.
PLAIN_LETTERS = {
    "ß": "ss",
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "ħ": "h",
    "ı": "i",
    "ə": "e",
    "ŋ": "n",
    "ŧ": "t",
}
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
    """Sort as people look for themselves: Ç beside C, Đ beside D."""
    return sorted(rows, key=lambda row: (folded(row.name), row.name, row.tpn or 0))


def folded(text: str) -> str:
    """Small plain letters and digits, words apart by one space; what is neither is a space."""
    taken_apart = unicodedata.normalize("NFKD", text.lower())
    plain = (PLAIN_LETTERS.get(sign, sign) for sign in taken_apart if not unicodedata.combining(sign))
    return " ".join("".join(sign if sign.isalnum() else " " for sign in "".join(plain)).split())


def find_key(*parts: object) -> str:
    """What a row is found by, for its data-find: its words between spaces."""
    return f" {folded(' '.join(str(part) for part in parts if part is not None))} "


def found(key: str, search: str) -> bool:
    """Does every word of the folded search begin a word of the row? A number is found as a whole only."""
    return all(f" {word} " in key if word.isdigit() else f" {word}" in key for word in search.split())


def search_of(request: HttpRequest) -> str:
    """What the visitor looks for, as typed."""
    return request.GET.get("q", "").replace("\x00", "").strip()[:LONGEST_SEARCH]


def keep_found(rows: Iterable[tuple[Row, str]], search: str) -> list[tuple[Row, str]]:
    """The rows, each with its key, that the search as typed finds; all for an empty one."""
    words = folded(search)
    return [(row, key) for row, key in rows if found(key, words)]
