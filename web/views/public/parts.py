"""Lists that come in parts: a list of more than WHOLE rows is given PART rows at a time.

See docs/decisions/0067-long-lists-in-parts.md. static/js/parts.js adds the next part when the reader comes
near its end.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode

from django.http import HttpRequest

from base.cache import Cache
from tournaments.queries.on_demand import OnDemand
from web.views.public.finding import found_or_similar, search_of
from web.views.public.visits import Elsewhere, Read, Visit, between

WHOLE = 300
"""Rows of the longest list that comes whole. The browser finds, filters and sorts such a list by itself."""
PART = 100
"""Rows of a part: about two screens of a phone in each direction, and quick to make."""
MOST_PARTS = 100
WIDEST = 3
"""Parts that a page shows at most which is asked for as a whole again and again: as many rows as a short list has."""

UPWARDS = frozenset({"place", "name", "federation", "number"})
"""Columns by which a list begins with its lowest value, as in static/js/sort.js."""

part_number: Read = between(1, MOST_PARTS)
"""Read ?part= of the address."""
pairing_number: Read = between(1, 99_999)
"""Read ?player= of the address."""
_widths: Read = between(1, WIDEST)

Row = TypeVar("Row")
List = TypeVar("List")
Keyed = tuple[Row, str]
"""A row with the words by which it is found."""


@dataclass(frozen=True, slots=True)
class Part(Generic[Row]):
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
    return OnDemand(rows, lambda row: (row, words(row)))


def part_of(
    request: HttpRequest,
    rows: Sequence[Keyed[Row]],
    *asked: str,
    number_of: Callable[[Row], int | None] | None = None,
) -> Part[Keyed[Row]]:
    """Return the rows that the address asks for with ?q= and ?part=. asked: further parameters that the list obeys.

    number_of: returns the pairing number of a row, if the list has a row for each player. Then ?player= leads to the
    part with the row of this number. Raises Elsewhere for this.
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
    raise Elsewhere(f"{part.address_with(at)}#player-{player}")


def cut(
    request: HttpRequest, found: Sequence[Row], *asked: str, long: bool, grows: bool = False
) -> Part[Row]:
    """Return the part of the found rows that ?part= asks for. asked: the parameters by which they were found. long: the
    whole list comes in parts. grows: ?parts= asks for the next parts too.
    """
    count = max(1, -(-len(found) // PART)) if long else 1
    number = min(int(part_number(request.GET.get("part", "")) or "1"), count)
    width = int(_widths(request.GET.get("parts", "")) or "1") if grows else 1
    width = min(width, count - number + 1)
    before = (number - 1) * PART
    return Part(
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
