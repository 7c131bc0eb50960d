"""Turns rows of named cells into values of an entry, or into reasons why a row is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tournaments.player_fields import PLAIN

from . import cells
from .columns import OF_NAMES, RATINGS, Column
from .entries_csv import RawRow, Table
from .reasons import CellRefused, Reason

_READERS: dict[Column, tuple[str, Callable[[str], Any]]] = {
    Column.FEDERATION: ("federation", cells.federation),
    Column.FIDE_ID: ("fide_id", cells.fide_id),
    Column.NATIONAL_ID: ("national_id", cells.national_id),
    Column.BIRTH_DATE: ("birth_date", cells.birth_date),
    **{Column(field.name): (field.name, partial(cells.at_most, limit=field.longest)) for field in PLAIN},
    Column.TEAM: ("team", cells.team),
    Column.FLAGS: ("pairing_flags", cells.pairing_flags),
    Column.BYES: ("byes", cells.rounds),
    Column.NOTE: ("note", cells.note),
}


@dataclass(frozen=True)
class ReadRow:
    """A row as values. values: by the names of `EntryData`, and "byes"; blank cells are not in it.

    In `values`, rating is None if the row says "unrated", estimated is True if it says that the rating is, and
    other_title is a title that FIDE does not have. raw: the row as it was read.
    """

    number: int
    name: str
    raw: RawRow
    values: Mapping[str, Any] = field(default_factory=dict)
    reasons: tuple[Reason, ...] = ()

    @property
    def fide_id(self) -> int | None:
        return self.values.get("fide_id")

    @property
    def birth_date(self) -> str:
        return str(self.values.get("birth_date", ""))


def read_rows(table: Table, day_first: bool | None = None) -> tuple[ReadRow, ...]:
    """The rows of a table in their order, each with everything that is wrong in it.

    day_first: the arbiter's answer whether 05/06/1990 is in June. Without one, the other dates of the column decide.
    """

    def texts(column: Column) -> frozenset[str]:
        return frozenset(row.cells[column] for row in table.rows if column in row.cells)

    order = _order_of_dates(table, texts(Column.BIRTH_DATE)) if day_first is None else day_first
    titles = cells.national_titles(texts(Column.TITLE))
    readers: dict[Column, tuple[str, Callable[[str], Any]]] = {
        Column.SEX: (
            "sex",
            partial(
                cells.sex, meanings=cells.sexes_of_column(table.header.get(Column.SEX, ""), texts(Column.SEX))
            ),
        ),
        Column.TITLE: ("title", lambda text: (cells.title(text, titles), cells.other_title(text, titles))),
        **_READERS,
        Column.BIRTH_DATE: ("birth_date", partial(cells.birth_date, day_first=order)),
    }
    return tuple(_read(row, table.header, readers) for row in table.rows)


def _order_of_dates(table: Table, texts: Iterable[str]) -> bool | None:
    return cells.day_first_in(texts, table.header.get(Column.BIRTH_DATE, ""))


@dataclass(frozen=True, slots=True)
class DatesRead:
    """How dates with two readings, such as `example`, are read because the date in row `number` shows the order."""

    example: str
    number: int
    day_first: bool


def dates_read(table: Table) -> DatesRead | None:
    """How the column of birth dates says in which order its dates are written. None without a date that needs it."""
    texts = {row.number: row.cells[Column.BIRTH_DATE] for row in table.rows if Column.BIRTH_DATE in row.cells}
    order = _order_of_dates(table, texts.values())
    example = next(filter(cells.has_two_readings, texts.values()), None)
    if order is None or example is None:
        return None
    number = next(
        (number for number, text in texts.items() if cells.order_of(text) is not None), table.heading
    )
    return DatesRead(example, number, order)


def _read(
    row: RawRow, header: Mapping[Column, str], readers: Mapping[Column, tuple[str, Callable[[str], Any]]]
) -> ReadRow:
    if row.faults:
        return ReadRow(row.number, _shown(_raw_name(row)), row, reasons=row.faults)
    values: dict[str, Any] = {}
    reasons: list[Reason] = []

    def take(column: Column, name: str, reader: Callable[[str], Any]) -> None:
        text = row.cells.get(column)
        if text is None:
            return
        try:
            values[name] = reader(text)
        except CellRefused as refused:
            details = {"column": header[column], "value": _shown(text), **refused.extra}
            reasons.append(Reason(refused.code, details, cells=(column,), suggestion=refused.suggestion))

    for column in (Column.NAME, *OF_NAMES):
        take(column, column.value, cells.name)
    parts = {column: values.pop(column.value, "") for column in OF_NAMES}
    name = values.pop(Column.NAME.value, None) or _joined(parts)
    if not name and not reasons:
        column = Column.NAME if Column.NAME in header else Column.LAST
        reasons.append(Reason("no_name", {"column": header[column]}, cells=(column,)))
    for column, (key, reader) in readers.items():
        take(column, key, reader)
    if "title" in values:
        values["title"], other = values["title"]
        if other:
            values["other_title"] = other
    _take_rating(row, values, header, take)
    return ReadRow(row.number, name or _shown(_raw_name(row)), row, values=values, reasons=tuple(reasons))


_LETTERS = {"F": Column.FIDE_RATING, "N": Column.NATIONAL_RATING, "E": Column.RATING}


def _take_rating(
    row: RawRow,
    values: dict[str, Any],
    header: Mapping[Column, str],
    take: Callable[[Column, str, Callable[[str], Any]], None],
) -> None:
    """Find the tournament rating: the plain one, else FIDE's, else the national one. FIDE's is the official rating.

    A letter behind a rating says which one it is. If no column is called "FIDE rating", the plain rating of a player
    with a FIDE ID is also the official one.
    """
    found: dict[Column, Any] = {}
    letters = set()
    for column in RATINGS:
        take(column, column.value, cells.rating)
        if (value := values.pop(column.value, None)) is not None:
            letter = cells.which_rating(row.cells[column])
            if "rating" not in values:
                values |= {"rating": value, **({"estimated": True} if letter == "E" else {})}
            found.setdefault(_LETTERS.get(letter, column), value)
            letters.add(letter)
    if Column.NATIONAL_RATING in found:
        values["national_rating"] = found[Column.NATIONAL_RATING]
    if Column.FIDE_RATING in found:
        values["official_rating"] = found[Column.FIDE_RATING]
    elif (
        Column.FIDE_RATING not in header
        and Column.RATING in found
        and values.get("fide_id")
        and letters == {""}
    ):
        values["official_rating"] = found[Column.RATING]


def _joined(parts: Mapping[Column, str]) -> str:
    surname = " ".join(
        filter(None, (parts[column] for column in (Column.PREFIX, Column.LAST, Column.SECOND_LAST)))
    )
    given = " ".join(filter(None, (parts[column] for column in (Column.GIVEN, Column.MIDDLE))))
    return f"{surname}, {given}" if parts[Column.LAST] and given else surname if parts[Column.LAST] else ""


def _raw_name(row: RawRow) -> str:
    cells = [row.cells.get(column, "") for column in (Column.NAME, *OF_NAMES)]
    return ", ".join(cell for cell in cells if cell)


def _shown(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
