"""Guesses the columns of a list that does not name them, if only one guess is possible."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from .cells import birth_date, title
from .columns import Column
from .reasons import CellRefused

_NUMBER = re.compile(r"\d+")
_CODE = re.compile(r"[A-Z]{3}")


def guess_columns(rows: Sequence[Sequence[str]]) -> Mapping[Column, int] | None:
    """The columns by their content, or None if there is any doubt.

    There must be one column of "Surname, Given" and one of ratings. Two columns of four-digit numbers are accepted
    only if one of them has only years. Other columns are left out if there is any doubt.
    """
    width = max(len(row) for row in rows)
    columns = [[row[at] for row in rows if at < len(row) and row[at]] for at in range(width)]
    names = [at for at, cells in enumerate(columns) if len(cells) == len(rows) and all(map(_is_name, cells))]
    ratings = [at for at, cells in enumerate(columns) if cells and all(map(_is_rating, cells))]
    if len(ratings) > 1:
        ratings = [at for at in ratings if not all(map(_is_year, columns[at]))]
    if len(names) != 1 or len(ratings) != 1:
        return None
    out = {Column.NAME: names[0], Column.RATING: ratings[0]}
    for column, fits in _OTHERS.items():
        fitting = [
            at
            for at, cells in enumerate(columns)
            if at not in out.values() and cells and all(map(fits, cells))
        ]
        if len(fitting) == 1:
            out[column] = fitting[0]
    return out


def _is_name(cell: str) -> bool:
    surname, comma, given = cell.partition(",")
    return bool(comma) and any(map(str.isalpha, surname)) and any(map(str.isalpha, given))


def _is_rating(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell)) and (cell == "0" or 1000 <= int(cell[:5]) <= 2999)


def _is_year(cell: str) -> bool:
    return len(cell) == 4 and 1900 <= int(cell) <= 2099


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
