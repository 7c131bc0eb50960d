"""Read an organiser's list of registrations: the columns of an entry list, and sections and mail addresses besides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tournaments.imports.columns import Column, plain
from tournaments.imports.decoding import decode
from tournaments.imports.entries_csv import (
    HEADER_WITHIN,
    MAX_CELL,
    MAX_COLUMNS,
    MAX_LINES,
    delimiter_of,
    read_entries,
    text_lines,
)
from tournaments.imports.entry_rows import read_rows
from tournaments.imports.workbook import Line, is_workbook, read_sheet

MAIL = frozenset({"email", "mail", "emailaddress", "mailaddress", "emailadresse", "courriel", "correo"})
"""How the heading of the column with mail addresses may read."""
SECTION = frozenset({
    "section", "group", "tournament", "gruppe", "turnier", "groupe", "tournoi", "seccion", "grupo", "torneo", "sectie",
    "groep", "toernooi", "gruppo", "grupa", "turniej", "sekcja",
})  # fmt: skip
"""How the heading of the column with names of sections may read."""
LEFT = frozenset({Column.TEAM, Column.FLAGS, Column.NOTE})
"""Columns of an entry list that a registration does not have."""
TAKEN = ("name", "sex", "title", "federation", "fide_id", "rating", "birth_date", "club", "rating_list")


@dataclass(frozen=True, slots=True)
class FileRow:
    """number: of the line in the file. values: columns of a registration. byes: rounds. section: as the row names it.

    problem: why the row is refused.
    """

    number: int
    name: str
    values: Mapping[str, Any] = field(default_factory=dict)
    byes: tuple[int, ...] = ()
    problem: str = ""
    section: str = ""


@dataclass(frozen=True, slots=True)
class FileList:
    """understood: what each column that is read is, with its heading. unread: headings of the others."""

    rows: list[FileRow]
    understood: list[tuple[str, str]]
    unread: list[str]


def file_rows(data: bytes, filename: str) -> FileList:
    """Return the rows of a CSV file or a workbook. Raises FileRefused."""
    table = read_entries(data, filename)
    rows = read_rows(table)
    lines = _sheet_lines(data) if is_workbook(data) else _text_lines(decode(data)[0])
    (mail, mails), (section, sections) = _column(lines, MAIL), _column(lines, SECTION)
    beside = [(name, heading) for name, heading in (("email", mail), ("section", section)) if heading]
    understood = [(column.value, heading) for column, heading in table.header.items() if column not in LEFT]
    unread = [heading for heading in table.unused if plain(heading) not in MAIL | SECTION]
    unread += [heading for column, heading in table.header.items() if column in LEFT]
    found = []
    for row in rows:
        values = {name: value for name, value in row.values.items() if name in TAKEN and value is not None}
        values["name"] = row.name
        values["email"] = mails.get(row.number, "")
        problem = " ".join(str(reason) for reason in row.reasons)
        byes = tuple(row.values.get("byes", ()))
        found.append(FileRow(row.number, row.name, values, byes, problem, sections.get(row.number, "")))
    return FileList(found, understood + beside, unread)


def _column(lines: Iterable[Line], headings: frozenset[str]) -> tuple[str, dict[int, str]]:
    """Return the heading of a column, "" without one, and its cells by the number of the line where the row begins."""
    found: dict[int, str] = {}
    column: int | None = None
    heading = ""
    for number, cells in lines:
        if column is None and number <= HEADER_WITHIN:
            column = next((place for place, cell in enumerate(cells) if plain(cell) in headings), None)
            heading = cells[column].strip() if column is not None else ""
        elif column is not None and column < len(cells):
            found[number] = cells[column].strip()
    return heading, found


def _text_lines(text: str) -> list[Line]:
    """Return the lines as `read_entries` reads them: with its numbers and its quotation marks."""
    return text_lines(text, delimiter_of(text))


def _sheet_lines(data: bytes) -> list[Line]:
    return read_sheet(data, most_lines=MAX_LINES, most_columns=MAX_COLUMNS, most_letters=MAX_CELL).lines
