"""Read an organiser's list of registrations: the columns of an entry list, and mail addresses besides."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tournaments.imports.columns import plain
from tournaments.imports.decoding import decode
from tournaments.imports.entries_csv import (
    HEADER_WITHIN,
    MAX_CELL,
    MAX_COLUMNS,
    MAX_LINES,
    delimiter_of,
    read_entries,
)
from tournaments.imports.entry_rows import read_rows
from tournaments.imports.workbook import Line, is_workbook, read_sheet

MAIL = frozenset({"email", "mail", "emailaddress", "mailaddress", "emailadresse", "courriel", "correo"})
"""How the heading of the column with mail addresses may read."""
TAKEN = ("name", "sex", "title", "federation", "fide_id", "rating", "birth_date", "club", "rating_list")


@dataclass(frozen=True, slots=True)
class FileRow:
    """number: of the line in the file. values: columns of a registration. byes: rounds. problem: why it is refused."""

    number: int
    name: str
    values: Mapping[str, Any] = field(default_factory=dict)
    byes: tuple[int, ...] = ()
    problem: str = ""


def file_rows(data: bytes, filename: str) -> list[FileRow]:
    """Return the rows of a CSV file or a workbook. Raises FileRefused."""
    rows = read_rows(read_entries(data, filename))
    mails = _mails(_sheet_lines(data) if is_workbook(data) else _text_lines(decode(data)[0]))
    found = []
    for row in rows:
        values = {name: value for name, value in row.values.items() if name in TAKEN and value is not None}
        values["name"] = row.name
        values["email"] = mails.get(row.number, "")
        problem = " ".join(str(reason) for reason in row.reasons)
        found.append(FileRow(row.number, row.name, values, tuple(row.values.get("byes", ())), problem))
    return found


def _mails(lines: Iterable[Line]) -> dict[int, str]:
    """Return the mail addresses of a list, by the number of the line in which its row begins."""
    found: dict[int, str] = {}
    column = None
    for number, cells in lines:
        if column is None and number <= HEADER_WITHIN:
            column = next((place for place, cell in enumerate(cells) if plain(cell) in MAIL), None)
        elif column is not None and column < len(cells):
            found[number] = cells[column].strip()
    return found


def _text_lines(text: str) -> Iterator[Line]:
    begins = 1
    lines = csv.reader(io.StringIO(text), delimiter=delimiter_of(text))
    for cells in lines:
        yield begins, cells
        begins = lines.line_num + 1


def _sheet_lines(data: bytes) -> list[Line]:
    return read_sheet(data, most_lines=MAX_LINES, most_columns=MAX_COLUMNS, most_letters=MAX_CELL).lines
