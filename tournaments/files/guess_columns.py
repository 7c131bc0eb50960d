"""Guesses what the columns of a list are: by their headings, and by what their cells hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from base.reader import READER

from .cell_values import birth_date, is_unrated, rating, title
from .columns import MEANINGS, OF_ENTRIES, ListColumn, contained, strong, weak
from .list_refusals import CellRefused, RefusalReason

SampleRows = Sequence[Sequence[str]]
_NUMBER = re.compile(r"\d+")
_CODE = re.compile(r"[A-Z]{3}")
_MOST = 0.8
"""Of the cells of a column that is found by a part of its heading."""


@dataclass(frozen=True, slots=True)
class Guess:
    """places: of the columns that have a meaning. doubts: what the arbiter should look at. certain: whether the entries
    can be read without an answer.
    """

    places: Mapping[ListColumn, int]
    doubts: tuple[RefusalReason, ...] = ()
    certain: bool = True


@dataclass(slots=True)
class _Claims:
    """Which columns may have a meaning, and the cells of each column."""

    heading: Sequence[str]
    rows: SampleRows
    found: dict[ListColumn, list[int]] = field(default_factory=dict)

    def cells(self, at: int) -> list[str]:
        return [row[at] for row in self.rows if at < len(row) and row[at]]

    def is_free(self, at: int) -> bool:
        return not any(at in places for places in self.found.values())

    def holds(self, at: int, column: ListColumn) -> bool:
        """Return whether the cells can be values of that column. Blank ones can."""
        fits, cells = _FITS.get(column), self.cells(at)
        return fits is None or sum(map(fits, cells)) >= _MOST * len(cells)


def assign_columns(
    heading: Sequence[str], rows: SampleRows = (), offered: Collection[ListColumn] = OF_ENTRIES
) -> Guess:
    """Return what the headings name. Of columns with one meaning, that with the most values is taken.

    A column without a heading that holds titles is the title. "Name" means the surname if there is a column of first
    names, and the first name if there is one of surnames.
    """
    claims = _Claims(heading, rows)
    for place, cell in enumerate(heading):
        if (column := strong(cell)) in offered and column is not None:
            claims.found.setdefault(column, []).append(place)
    for place, cell in enumerate(heading):
        column = weak(cell) if claims.is_free(place) else None
        if (
            column in offered
            and column not in claims.found
            and column is not None
            and claims.holds(place, column)
        ):
            claims.found[column] = [place]
    for place, cell in enumerate(heading):
        if claims.is_free(place) and claims.cells(place):
            columns = takewhile(lambda column: column in offered, contained(cell))
            likely = (
                column for column in columns if column not in claims.found and claims.holds(place, column)
            )
            if (column := next(likely, None)) is not None:
                claims.found[column] = [place]
    _find_titles(claims)
    doubts = _settle_names(claims)
    places = {}
    for column, found in claims.found.items():
        values = {place: len(claims.cells(place)) for place in found}
        places[column] = max(found, key=lambda place: (values[place], -place))
        if sum(map(bool, values.values())) > 1 or (not rows and len(found) > 1):
            doubts.append(_twice(column, [heading[place] for place in found], heading[places[column]]))
    return Guess(places, tuple(doubts), certain=bool({ListColumn.NAME, ListColumn.LAST} & places.keys()))


def _twice(column: ListColumn, names: Sequence[str], read: str) -> RefusalReason:
    params: dict[str, object] = {"field": MEANINGS[column], "found": READER.listed(names), "read": read}
    return RefusalReason("column_twice", params)


def _find_titles(claims: _Claims) -> None:
    """A column without a heading that holds titles is the title: chess-results writes titles so."""
    if ListColumn.TITLE in claims.found:
        return
    width = max((len(row) for row in claims.rows), default=0)
    for at in range(width):
        unnamed = at >= len(claims.heading) or not claims.heading[at]
        if unnamed and (cells := claims.cells(at)) and all(map(_is_title, cells)):
            claims.found[ListColumn.TITLE] = [at]
            return


def _settle_names(claims: _Claims) -> list[RefusalReason]:
    """Decide what "Name" means, by the other columns of names. Return what is in doubt."""
    found = claims.found
    if ListColumn.NAME in found and ListColumn.GIVEN in found and ListColumn.LAST not in found:
        found[ListColumn.LAST] = found.pop(ListColumn.NAME)
    elif ListColumn.NAME in found and ListColumn.LAST in found and ListColumn.GIVEN not in found:
        found[ListColumn.GIVEN] = found.pop(ListColumn.NAME)
    elif ListColumn.NAME in found and ListColumn.LAST in found:
        del found[ListColumn.NAME]
    elif ListColumn.LAST in found and ListColumn.GIVEN not in found:
        found[ListColumn.NAME] = found.pop(ListColumn.LAST)
    names = found.get(ListColumn.NAME, [])
    cells = [cell for place in names for cell in claims.cells(place)]
    if len(names) == 2 and cells and not any("," in cell or " " in cell for cell in cells):
        del found[ListColumn.NAME]
        found[ListColumn.LAST], found[ListColumn.GIVEN] = [names[0]], [names[1]]
        return [
            RefusalReason("names_twice", {"found": READER.listed(claims.heading[place] for place in names)})
        ]
    return []


def has_heading(rows: SampleRows) -> bool:
    """Return whether the first row looks like headings in words that the program does not know: no cell of it has a
    digit, says "unrated" or is the code of a federation, and below it, one of its columns has only numbers.
    """
    first, *others = rows
    values = (
        any(map(str.isdigit, cell))
        or (_CODE.fullmatch(cell) and not strong(cell))
        or (len(cell) > 3 and is_unrated(cell))  # No, NR: also headings
        for cell in first
    )
    if not others or any(values):
        return False
    claims = _Claims(first, others)
    return any(
        cell and (cells := _rated(claims.cells(at))) and all(any(map(str.isdigit, each)) for each in cells)
        for at, cell in enumerate(first)
    )


def guess_columns(rows: SampleRows, taken: Mapping[ListColumn, int] | None = None) -> Guess:
    """Return the columns by their cells. taken: columns that are known.

    It is certain if there is one column of "Surname, Given" and one of ratings. Two columns of four-digit numbers are
    accepted only if one of them has only years. Other columns are left out if there is any doubt. If it is not certain,
    the arbiter is asked, and the likeliest column of names is filled in.
    """
    known = dict(taken or {})
    width = max((len(row) for row in rows), default=0)
    claims = _Claims((), rows)
    columns = {at: cells for at in range(width) if at not in known.values() and (cells := claims.cells(at))}
    names = [at for at, cells in columns.items() if len(cells) == len(rows) and all(map(_is_name, cells))]
    ratings = [
        at for at, cells in columns.items() if (rated := _rated(cells)) and all(map(_is_rating, rated))
    ]
    if len(ratings) > 1:
        ratings = [at for at in ratings if not all(map(_is_year, columns[at]))]
    certain = len(names) == 1 and len(ratings) == 1 and not known
    out = dict(known)
    if certain:
        out[ListColumn.NAME] = names[0]
    else:
        out |= _likely_names(columns, names, out)
    if len(ratings) == 1 and ListColumn.RATING not in out:
        out[ListColumn.RATING] = ratings[0]
    for column, fits in _OTHERS.items():
        fitting = [at for at, cells in columns.items() if at not in out.values() and all(map(fits, cells))]
        if len(fitting) == 1 and column not in out:
            out[column] = fitting[0]
    years = [at for at, cells in columns.items() if at not in out.values() and all(map(_is_year, cells))]
    if not certain and len(years) == 1 and ListColumn.RATING in out:
        out.setdefault(ListColumn.BIRTH_DATE, years[0])
    return Guess(out, certain=certain)


def _likely_names(
    columns: Mapping[int, list[str]], names: Sequence[int], known: Mapping[ListColumn, int]
) -> dict[ListColumn, int]:
    if {ListColumn.NAME, ListColumn.LAST} & known.keys():
        return {}
    words = [
        at
        for at, cells in columns.items()
        if sum(map(_is_words, cells)) >= _MOST * len(cells) and not all(map(_is_title_or_code, cells))
    ]
    if len(names) == 1:
        return {ListColumn.NAME: names[0]}
    whole = [
        at for at in words if sum(" " in cell or "," in cell for cell in columns[at]) * 2 > len(columns[at])
    ]
    if whole:
        return {ListColumn.NAME: whole[0]}
    if len(words) == 1:
        return {ListColumn.NAME: words[0]}
    return {ListColumn.LAST: words[0], ListColumn.GIVEN: words[1]} if words else {}


def _rated(cells: Sequence[str]) -> list[str]:
    """Return the cells without those that say "unrated"."""
    return [cell for cell in cells if not is_unrated(cell)]


def _is_name(cell: str) -> bool:
    surname, comma, given = cell.partition(",")
    return bool(comma) and any(map(str.isalpha, surname)) and any(map(str.isalpha, given))


def _is_words(cell: str) -> bool:
    return (
        len(cell) > 1 and not any(map(str.isdigit, cell)) and "@" not in cell and any(map(str.isalpha, cell))
    )


def _is_title_or_code(cell: str) -> bool:
    return _is_title(cell) or bool(_CODE.fullmatch(cell))


def _is_rating(cell: str) -> bool:
    try:
        return (rating(cell) or 1000) >= 1000 and any(map(str.isdigit, cell)) and len(cell) < 12
    except CellRefused:
        return False


def _can_be_rating(cell: str) -> bool:
    try:
        rating(cell)
    except CellRefused:
        return False
    return True


def _is_year(cell: str) -> bool:
    return len(cell) == 4 and cell.isdigit() and 1900 <= int(cell) <= 2099


def _is_fide_id(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell)) and 5 <= len(cell) <= 10


def _is_title(cell: str) -> bool:
    try:
        return len(cell) >= 2 and bool(title(cell))
    except CellRefused:
        return False


def _is_date(cell: str) -> bool:
    try:
        return len(cell) > 4 and bool(birth_date(cell, day_first=True))
    except CellRefused:
        return False


_OTHERS: dict[ListColumn, Callable[[str], bool]] = {
    ListColumn.FIDE_ID: _is_fide_id,
    ListColumn.TITLE: _is_title,
    ListColumn.FEDERATION: lambda cell: bool(_CODE.fullmatch(cell)),
    ListColumn.SEX: lambda cell: cell in ("m", "w", "f", "M", "W", "F"),
    ListColumn.BIRTH_DATE: _is_date,
}
_FITS: dict[ListColumn, Callable[[str], bool]] = {
    **dict.fromkeys((ListColumn.RATING, ListColumn.FIDE_RATING, ListColumn.NATIONAL_RATING), _can_be_rating),
    ListColumn.FIDE_ID: lambda cell: _is_fide_id(re.sub(r"[ .]", "", cell)) or cell in ("0", "-"),
    ListColumn.TITLE: lambda cell: len(cell) <= 12,
    ListColumn.FEDERATION: lambda cell: len(cell) <= 40 and not any(map(str.isdigit, cell)),
    ListColumn.SEX: lambda cell: len(cell) <= 10 and not any(map(str.isdigit, cell)),
    ListColumn.BIRTH_DATE: lambda cell: _is_year(cell) or _is_date(cell),
    ListColumn.EMAIL: lambda cell: "@" in cell,
    ListColumn.PHONE: lambda cell: sum(map(str.isdigit, cell)) >= 5,
    ListColumn.NAME: _is_words,
    ListColumn.LAST: _is_words,
    ListColumn.GIVEN: _is_words,
    ListColumn.SECTION: lambda cell: len(cell) <= 80,
}
"""What a cell must be in a column whose heading alone does not show what it is."""
