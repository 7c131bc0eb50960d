"""Finding a name in a list by any spelling: `hrubes voj` finds Hrubeš, Vojtěch.

static/js/folding.js and spelling.js do the same while somebody types.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol, TypeVar

from django.http import HttpRequest

from base.spelling import sounds, spellings, words_of
from base.text import alphabetical, folded

LONGEST_SEARCH = 60
INITIALS = re.compile(r"[^\W\d](?: [^\W\d])+")
GLUED = re.compile("[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
"""Chinese, Japanese and, as `folded` writes them, Korean letters. Many write such a name without a space, so a search
finds any part of it.
"""

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
    return sorted(rows, key=lambda row: (alphabetical(row.name), row.name, row.tpn or 0))


def find_key(*parts: object) -> str:
    """Return the words by which a row is found, between spaces, for its data-find.

    Initials are there together too: people type "am" for A. M. A word in another script is there with its accents too,
    because the Latin spelling of й is not that of и.
    """
    words = [_words_of(str(part)) for part in parts if part is not None]
    plain = [each for each, _more in words if each]
    plain += [each.replace(" ", "") for each in plain if INITIALS.fullmatch(each)]
    return f" {' '.join([*plain, *(word for _plain, more in words for word in more)])} "


@lru_cache(maxsize=40_000)  # names come again with each revision
def _words_of(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text in plain letters, and its words in another script with their accents."""
    return folded(text), tuple(word for word in words_of(text) if spellings(word) and word != folded(word))


def found(key: str, search: str) -> bool:
    """Return whether every word of the folded search begins a word of the row. A number must match a whole word."""
    return all(f" {word} " in key if word.isdigit() else f" {word}" in key for word in search.split())


def search_of(request: HttpRequest) -> str:
    """Return the search as the visitor typed it."""
    return request.GET.get("q", "").replace("\x00", "").strip()[:LONGEST_SEARCH]


def keep_found(rows: Iterable[tuple[Row, str]], search: str) -> list[tuple[Row, str]]:
    """Return the rows, each with its key, that match the search as typed; all rows for an empty search."""
    return found_or_similar(rows, search)[0]


def found_or_similar(rows: Iterable[tuple[Row, str]], search: str) -> tuple[list[tuple[Row, str]], bool]:
    """Return the same, and whether the names only sound like the search.

    A name in another script matches by each of its Latin spellings, and a Chinese, Japanese or Korean one by any part.
    If no row matches, names that may sound like the search do.
    """
    rows = list(rows)
    wanted = [(folded(word), spellings(word)) for word in words_of(search)]
    glued = any(GLUED.search(word) for word, _ways in wanted)
    keys = [[(word, spellings(word)) for word in _parts(key, glued)] for _row, key in rows] if wanted else []
    for matches in (_spelled, _sounding):
        hits = [
            row
            for row, words in zip(rows, keys, strict=bool(wanted))
            if all(any(matches(word, typed) for word in words) for typed in wanted)
        ]
        if hits:
            return hits, matches is _sounding
    return [] if wanted else rows, False


def _parts(key: str, glued: bool) -> list[str]:
    return [*key.split(), *([key.replace(" ", "")] if glued else [])]


Spelled = tuple[str, tuple[str, ...]]
"""A word and its Latin spellings."""


def _spelled(word: Spelled, typed: Spelled) -> bool:
    if typed[0].isdigit():
        return word[0] == typed[0]
    if GLUED.search(typed[0]):
        return typed[0] in word[0]
    return _begins((word[0], *word[1]), (typed[0], *typed[1]))


def _sounding(word: Spelled, typed: Spelled) -> bool:
    if typed[0].isdigit():
        return word[0] == typed[0]
    ours, theirs = ([sound for way in each[1] or each[:1] for sound in sounds(way)] for each in (word, typed))
    names = [sound for sound in theirs if len(sound) > 1]  # of "zzz" one sound is left: it is no name
    return _begins(ours, names)


def _begins(ways: Iterable[str], typed: Iterable[str]) -> bool:
    return any(way.startswith(start) for way in ways for start in typed)
