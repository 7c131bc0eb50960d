"""Long lists: a name is found in any spelling, and a list of more than WHOLE rows is given PART rows at a time.

`hrubes voj` finds Hrubeš, Vojtěch.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar
from urllib.parse import quote, urlencode

from django.http import HttpRequest

from base.cache import Cache
from base.spelling import sounds, spellings, words_of
from base.text import alphabetical, folded
from tournaments.queries.row_cache import LazyRows
from web.views.public.public_page import Read, RedirectTo, Visit, between

# Finding a name in a list by any spelling: `hrubes voj` finds Hrubeš, Vojtěch.
#
# static/js/folding.js and spelling.js do the same while somebody types.

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


# Lists that come in parts: a list of more than WHOLE rows is given PART rows at a time.
#
# See docs/decisions/0067-long-lists-in-parts.md. static/js/parts.js adds the next part when the reader comes
# near its end.

WHOLE = 300
"""Rows of the longest list that comes whole. The browser finds, filters and sorts such a list by itself."""
PART = 100
"""Rows of a part: about two screens of a phone in each direction, and quick to make."""
MOST_PARTS = 100
WIDEST = 3
"""Parts that a page shows at most which is asked for as a whole again and again: as many rows as a short list has."""

UPWARDS = frozenset({"place", "name", "federation", "number"})
"""Columns by which a list begins with its lowest value, as in static/js/standings_sort.js."""

part_number: Read = between(1, MOST_PARTS)
"""Read ?part= of the address."""
pairing_number: Read = between(1, 99_999)
"""Read ?player= of the address."""
_widths: Read = between(1, WIDEST)

List = TypeVar("List")
Keyed = tuple[Row, str]
"""A row with the words by which it is found."""


@dataclass(frozen=True, slots=True)
class ListPart(Generic[Row]):
    """The rows of a list that a page shows.

    long: the whole list has more than WHOLE rows, so it is searched and sorted by the server. before: how many rows of
    the list that was asked for come before these. total: how many it has. number, count: of the part and of all parts.
    path, asked: the address without the part. width: how many parts the page shows. similar: the rows only
    sound like the search.
    """

    rows: Sequence[Row]
    long: bool
    before: int
    total: int
    number: int
    count: int
    path: str
    asked: Mapping[str, str]
    width: int = 1
    similar: bool = False

    @property
    def first(self) -> int:
        """The place of the first row, from 1."""
        return self.before + 1

    @property
    def last(self) -> int:
        return self.before + len(self.rows)

    @property
    def is_last(self) -> bool:
        return self.number + self.width > self.count

    @property
    def is_all(self) -> bool:
        """Whether the page shows every row of the list that was asked for."""
        return len(self.rows) == self.total

    @property
    def shown(self) -> dict[str, str]:
        """The parameters of this part."""
        return self._parameters(self.number, self.width)

    @property
    def address(self) -> str:
        return self._address(self.number, self.width)

    def address_with(self, at: int) -> str:
        """Return the address of the part with this row of the list, counted from 0."""
        return self._address(at // PART + 1 if self.long else 1)

    @property
    def address_wider(self) -> str:
        """Return the address of the same rows and the next part, "" if there is none or the page has enough rows."""
        return "" if self.is_last or self.width == WIDEST else self._address(self.number, self.width + 1)

    @property
    def address_before(self) -> str:
        """Return the address of the part before this one, "" if this is the first."""
        return self._address(self.number - 1) if self.number > 1 else ""

    @property
    def address_after(self) -> str:
        """Return the address of the next part, "" if this is the last."""
        return "" if self.is_last else self._address(self.number + self.width)

    def _parameters(self, number: int, width: int = 1) -> dict[str, str]:
        place = {"part": number, "parts": width}
        return {**self.asked, **{name: str(value) for name, value in place.items() if value > 1}}

    def _address(self, number: int, width: int = 1) -> str:
        parameters = self._parameters(number, width)
        return f"{self.path}?{urlencode(parameters, quote_via=quote)}" if parameters else self.path


def keyed(rows: Sequence[Row], words: Callable[[Row], str]) -> Sequence[Keyed[Row]]:
    """Return the rows, each with the words by which it is found. They are made for the rows that are looked at."""
    return LazyRows(rows, lambda row: (row, words(row)))


def part_of(
    request: HttpRequest,
    rows: Sequence[Keyed[Row]],
    *asked: str,
    number_of: Callable[[Row], int | None] | None = None,
) -> ListPart[Keyed[Row]]:
    """Return the rows that the address asks for with ?q= and ?part=. asked: further parameters that the list obeys.

    number_of: returns the pairing number of a row, if the list has a row for each player. Then ?player= leads to the
    part with the row of this number. Raises RedirectTo for this.
    """
    search = search_of(request)
    found, similar = found_or_similar(rows, search) if search else (rows, False)
    part = replace(cut(request, found, *asked, "q", long=len(rows) > WHOLE), similar=similar)
    player = request.GET.get("player", "")
    if number_of is None or not player:
        return part
    places = (at for at, (row, _key) in enumerate(found) if str(number_of(row)) == player)
    at = next(places, None)
    if at is None:
        return part
    raise RedirectTo(f"{part.address_with(at)}#player-{player}")


def cut(
    request: HttpRequest, found: Sequence[Row], *asked: str, long: bool, grows: bool = False
) -> ListPart[Row]:
    """Return the part of the found rows that ?part= asks for. asked: the parameters by which they were found. long: the
    whole list comes in parts. grows: ?parts= asks for the next parts too.
    """
    count = max(1, -(-len(found) // PART)) if long else 1
    number = min(int(part_number(request.GET.get("part", "")) or "1"), count)
    width = int(_widths(request.GET.get("parts", "")) or "1") if grows else 1
    width = min(width, count - number + 1)
    before = (number - 1) * PART
    return ListPart(
        rows=found[before : before + width * PART] if long else found,
        long=long,
        before=before,
        total=len(found),
        number=number,
        count=count,
        path=request.path,
        asked={name: value for name in asked if (value := request.GET.get(name, ""))},
        width=width,
    )


# Lists that take long to work out ----------------------------------------------------------------------------------

MOST_LISTS = 12

kept_lists: Cache[Hashable, Any] = Cache(MOST_LISTS)
"""Long lists as they were worked out, one of each kind for a section, so that all parts come from the same work."""


def worked_out(visit: Visit, kind: Hashable, make: Callable[[], List], rows: Callable[[List], int]) -> List:
    """Return what `make` returns, worked out once while the facts of the section are the same.

    kind: what the list depends on besides the section and whether the visitor sees drafts. It must not depend on the
    language. rows: how long the list is. Short lists are not kept.
    """
    if visit.facts is None:
        return make()
    found: List = kept_lists.make(
        (visit.section.pk, visit.staff, kind),
        make,
        basis=visit.facts.everything,
        keep=lambda made: rows(made) > WHOLE,
    )
    return found
