"""Read an organiser's list of registrations: the columns of an entry list, and sections and mail addresses besides.

A plan says what the list would bring: to which section each row goes, and which rows are refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from base.reader import READER
from base.text import folded, lacks_comma, name_ways
from ratings.names import same_name
from registrations.person_fields import FIELDS
from registrations.queries.places import SectionPlaces
from registrations.queries.rating_lists import Lists
from tournaments.files.columns import ListColumn, surname_first
from tournaments.files.entry_lists import ListTable, read_entry_rows
from tournaments.files.entry_preview import NameOrder
from tournaments.models import RatingSource

TAKEN = frozenset(field.name for field in FIELDS if field.in_lists)


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

    def ordered(self, name: str) -> FileRow:
        """Return the row with its name in this order, unchanged if the name cannot be in this order."""
        if not lacks_comma(self.name) or name not in name_ways(self.name):
            return self
        return replace(self, name=name, values={**self.values, "name": name})


@dataclass(frozen=True, slots=True)
class FileList:
    """table: the file as it was read, which may have a problem; then there are no rows."""

    table: ListTable
    rows: list[FileRow]


def file_rows(table: ListTable, day_first: bool | None = None) -> FileList:
    """Return the rows of a table whose columns can be `OF_REGISTRATIONS`. day_first: as for `read_rows`.

    A title that is not FIDE's and the notes of the file become the message of the registration.
    """
    found = []
    for row in read_entry_rows(table, day_first):
        cells = row.raw.cells
        values = {name: value for name, value in row.values.items() if name in TAKEN and value is not None}
        values["name"] = row.name
        values["email"] = cells.get(ListColumn.EMAIL, "")
        values["phone"] = cells.get(ListColumn.PHONE, "")[:40]
        values["message"] = "\n".join(filter(None, (row.values.get("other_title"), row.values.get("note"))))
        if row.values.get("estimated"):
            values["rating_source"] = RatingSource.PROVISIONAL.value
        problem = " ".join(str(reason) for reason in row.reasons)
        byes = tuple(row.values.get("byes", ()))
        found.append(FileRow(row.number, row.name, values, byes, problem, cells.get(ListColumn.SECTION, "")))
    return FileList(table, found)


@dataclass(slots=True)
class FilePlan:
    """What a file would bring. rows: with the key of the section of each. refused: number, name, reason."""

    file: FileList
    rows: list[tuple[int, FileRow]] = field(default_factory=list)
    refused: list[tuple[int, str, str]] = field(default_factory=list)

    def orders(self, places: Mapping[int, SectionPlaces], chosen: Mapping[int, str]) -> list[NameOrder]:
        """Return the names without a comma, except where the rating list answers. chosen: an order by the row."""
        asked = [(key, row) for key, row in self.rows if lacks_comma(row.name)]
        ids: dict[int, list[int]] = {}
        for key, row in asked:
            if fide_id := row.values.get("fide_id"):
                ids.setdefault(key, []).append(fide_id)
        lists = {key: Lists(places[key].section, found) for key, found in ids.items()}
        first = surname_first(self.file.table.header.get(ListColumn.NAME, ""))
        orders = []
        for key, row in asked:
            fide_id = row.values.get("fide_id")
            listed = lists[key].under(fide_id) if fide_id else None
            if listed is None or not same_name(listed.name, row.name):
                ways, way = tuple(name_ways(row.name, first)), chosen.get(row.number, "")
                orders.append(NameOrder(row.number, row.name, ways, way if way in ways else ways[0]))
        return orders

    def by_section(self, places: Mapping[int, SectionPlaces]) -> list[tuple[SectionPlaces, int, int]]:
        """Return the places of each section of the file, with the number of its rows, and of those that will wait."""
        counts = Counter(section for section, _row in self.rows)
        return [
            (each, counts[key], each.would_wait(counts[key])) for key, each in places.items() if counts[key]
        ]


def plan_of(file: FileList, section: int, places: Mapping[int, SectionPlaces]) -> FilePlan:
    """Return to which section each row goes. section: of rows that name none."""
    keys = {folded(each.section.name): key for key, each in places.items()}
    plan = FilePlan(file)
    for row in file.rows:
        key = keys.get(folded(row.section)) if row.section.strip() else section
        if row.problem:
            plan.refused.append((row.number, row.name, row.problem))
        elif key is None:
            plan.refused.append((row.number, row.name, _unknown(row.section, places)))
        else:
            plan.rows.append((key, row))
    return plan


def _unknown(section: str, places: Mapping[int, SectionPlaces]) -> str:
    names = READER.listed([each.section.name for each in places.values()])
    return _("No section that takes registrations is called “%(section)s”. There are: %(names)s.") % {
        "section": section[:80],
        "names": names,
    }
