"""Read an organiser's list of registrations: the columns of an entry list, and sections and mail addresses besides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tournaments.imports.columns import Column
from tournaments.imports.entries_csv import Table
from tournaments.imports.entry_rows import read_rows
from tournaments.models import RatingSource

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
    """table: the file as it was read, which may have a problem; then there are no rows."""

    table: Table
    rows: list[FileRow]


def file_rows(table: Table, day_first: bool | None = None) -> FileList:
    """Return the rows of a table whose columns can be `OF_REGISTRATIONS`. day_first: as for `read_rows`.

    A title that is not FIDE's and the notes of the file become the message of the registration.
    """
    found = []
    for row in read_rows(table, day_first):
        cells = row.raw.cells
        values = {name: value for name, value in row.values.items() if name in TAKEN and value is not None}
        values["name"] = row.name
        values["email"] = cells.get(Column.EMAIL, "")
        values["phone"] = cells.get(Column.PHONE, "")[:40]
        values["message"] = "\n".join(filter(None, (row.values.get("other_title"), row.values.get("note"))))
        if row.values.get("estimated"):
            values["rating_source"] = RatingSource.PROVISIONAL.value
        problem = " ".join(str(reason) for reason in row.reasons)
        byes = tuple(row.values.get("byes", ()))
        found.append(FileRow(row.number, row.name, values, byes, problem, cells.get(Column.SECTION, "")))
    return FileList(table, found)
