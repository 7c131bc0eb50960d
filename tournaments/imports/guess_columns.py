"""Guesses what the columns of a list are: by their headings, and by what their cells hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from base.reader import READER

from .cells import birth_date, is_unrated, rating, title
from .columns import MEANINGS, OF_ENTRIES, Column, contained, strong, weak
from .reasons import CellRefused, Reason

Rows = Sequence[Sequence[str]]
_NUMBER = re.compile(r"\d+")
_CODE = re.compile(r"[A-Z]{3}")
_MOST = 0.8
"""Of the cells of a column that is found by a part of its heading."""


@dataclass(frozen=True, slots=True)
class Guess:
    """places: of the columns that have a meaning. doubts: what the arbiter should look at. certain: whether the entries
    can be read without an answer.
    """

    places: Mapping[Column, int]
    doubts: tuple[Reason, ...] = ()
    certain: bool = True


@dataclass(slots=True)
class _Claims:
    """Which columns may have a meaning, and the cells of each column."""

    heading: Sequence[str]
    rows: Rows
    found: dict[Column, list[int]] = field(default_factory=dict)

    def cells(self, at: int) -> list[str]:
        return [row[at] for row in self.rows if at < len(row) and row[at]]

    def is_free(self, at: int) -> bool:
        return not any(at in places for places in self.found.values())

    def holds(self, at: int, column: Column) -> bool:
        """Return whether the cells can be values of that column. Blank ones can."""
        fits, cells = _FITS.get(column), self.cells(at)
        return fits is None or sum(map(fits, cells)) >= _MOST * len(cells)


def assign(heading: Sequence[str], rows: Rows = (), offered: Collection[Column] = OF_ENTRIES) -> Guess:
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
    return Guess(places, tuple(doubts), certain=bool({Column.NAME, Column.LAST} & places.keys()))


def _twice(column: Column, names: Sequence[str], read: str) -> Reason:
    params: dict[str, object] = {"field": MEANINGS[column], "found": READER.listed(names), "read": read}
    return Reason("column_twice", params)


def _find_titles(claims: _Claims) -> None:
    """A column without a heading that holds titles is the title: chess-results writes titles so."""
    if Column.TITLE in claims.found:
        return
    width = max((len(row) for row in claims.rows), default=0)
    for at in range(width):
        unnamed = at >= len(claims.heading) or not claims.heading[at]
        if unnamed and (cells := claims.cells(at)) and all(map(_is_title, cells)):
            claims.found[Column.TITLE] = [at]
            return


def _settle_names(claims: _Claims) -> list[Reason]:
    """Decide what "Name" means, by the other columns of names. Return what is in doubt."""
    found = claims.found
    if Column.NAME in found and Column.GIVEN in found and Column.LAST not in found:
        found[Column.LAST] = found.pop(Column.NAME)
    elif Column.NAME in found and Column.LAST in found and Column.GIVEN not in found:
        found[Column.GIVEN] = found.pop(Column.NAME)
    elif Column.NAME in found and Column.LAST in found:
        del found[Column.NAME]
    elif Column.LAST in found and Column.GIVEN not in found:
        found[Column.NAME] = found.pop(Column.LAST)
    names = found.get(Column.NAME, [])
    cells = [cell for place in names for cell in claims.cells(place)]
    if len(names) == 2 and cells and not any("," in cell or " " in cell for cell in cells):
        del found[Column.NAME]
        found[Column.LAST], found[Column.GIVEN] = [names[0]], [names[1]]
        return [Reason("names_twice", {"found": READER.listed(claims.heading[place] for place in names)})]
    return []


def has_heading(rows: Rows) -> bool:
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


def guess_columns(rows: Rows, taken: Mapping[Column, int] | None = None) -> Guess:
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
        out[Column.NAME] = names[0]
    else:
        out |= _likely_names(columns, names, out)
    if len(ratings) == 1 and Column.RATING not in out:
        out[Column.RATING] = ratings[0]
    for column, fits in _OTHERS.items():
        fitting = [at for at, cells in columns.items() if at not in out.values() and all(map(fits, cells))]
        if len(fitting) == 1 and column not in out:
            out[column] = fitting[0]
    years = [at for at, cells in columns.items() if at not in out.values() and all(map(_is_year, cells))]
    if not certain and len(years) == 1 and Column.RATING in out:
        out.setdefault(Column.BIRTH_DATE, years[0])
    return Guess(out, certain=certain)


def _likely_names(
    columns: Mapping[int, list[str]], names: Sequence[int], known: Mapping[Column, int]
) -> dict[Column, int]:
    if {Column.NAME, Column.LAST} & known.keys():
        return {}
    words = [
        at
        for at, cells in columns.items()
        if sum(map(_is_words, cells)) >= _MOST * len(cells) and not all(map(_is_title_or_code, cells))
    ]
    if len(names) == 1:
        return {Column.NAME: names[0]}
    whole = [
        at for at in words if sum(" " in cell or "," in cell for cell in columns[at]) * 2 > len(columns[at])
    ]
    if whole:
        return {Column.NAME: whole[0]}
    if len(words) == 1:
        return {Column.NAME: words[0]}
    return {Column.LAST: words[0], Column.GIVEN: words[1]} if words else {}


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


_OTHERS: dict[Column, Callable[[str], bool]] = {
    Column.FIDE_ID: _is_fide_id,
    Column.TITLE: _is_title,
    Column.FEDERATION: lambda cell: bool(_CODE.fullmatch(cell)),
    Column.SEX: lambda cell: cell in ("m", "w", "f", "M", "W", "F"),
    Column.BIRTH_DATE: _is_date,
}
_FITS: dict[Column, Callable[[str], bool]] = {
    **dict.fromkeys((Column.RATING, Column.FIDE_RATING, Column.NATIONAL_RATING), _can_be_rating),
    Column.FIDE_ID: lambda cell: _is_fide_id(re.sub(r"[ .]", "", cell)) or cell in ("0", "-"),
    Column.TITLE: lambda cell: len(cell) <= 12,
    Column.FEDERATION: lambda cell: len(cell) <= 40 and not any(map(str.isdigit, cell)),
    Column.SEX: lambda cell: len(cell) <= 10 and not any(map(str.isdigit, cell)),
    Column.BIRTH_DATE: lambda cell: _is_year(cell) or _is_date(cell),
    Column.EMAIL: lambda cell: "@" in cell,
    Column.PHONE: lambda cell: sum(map(str.isdigit, cell)) >= 5,
    Column.NAME: _is_words,
    Column.LAST: _is_words,
    Column.GIVEN: _is_words,
    Column.SECTION: lambda cell: len(cell) <= 80,
}
"""What a cell must be in a column whose heading alone does not show what it is."""
