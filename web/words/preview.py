"""Rows of an import in words: why a row is refused, and what a row changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from base.reader import READER
from tournaments.imports.choices import Choices
from tournaments.imports.columns import MEANINGS, RATINGS, Column
from tournaments.imports.entries_csv import Table
from tournaments.imports.preview_rows import AcceptedRow, Change, RefusedRow
from web.preview_compare import Comparison, compare
from web.words.log import Value
from web.words.log_values import NAMES


@dataclass(frozen=True, slots=True)
class ShownRow:
    """number: line in the file. club, team: shown if the pairing system asks for them.

    remarks: sentences of a refusal, or notes. values: changes.

    cells: the cells that the arbiter can correct on the page. comparison: of a row that may mean somebody else.
    ask: what the button sends that forgets the arbiter's choice, "" without a choice.
    """

    number: int
    name: str
    title: str = ""
    federation: str = ""
    fide_id: int | str | None = None
    rating: int | str | None = None
    born: str = ""
    club: str = ""
    team: str = ""
    remarks: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()
    cells: tuple[Cell, ...] = ()
    comparison: Comparison | None = None
    ask: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell that the arbiter can correct. name: of the field in the form. label: the column, as the file calls it.

    suggestion: what was probably meant.
    """

    name: str
    label: str
    value: str
    suggestion: str = ""


def unread_columns(table: Table) -> str:
    """Return the columns of a file that are not used, each with its first value."""
    names = [
        column.heading or _("column %(number)s") % {"number": column.place + 1} for column in table.unused
    ]
    examples = [f" ({column.example})" if column.example else "" for column in table.unused]
    return READER.listed([name + example for name, example in zip(names, examples, strict=True)], "comma")


PREFIX = "cell"


def cell_name(row: int, column: Column) -> str:
    """The name of a cell's field: cell-12-FIDE_ID."""
    return f"{PREFIX}-{row}-{column.name}"


def refused_row(row: RefusedRow, header: Mapping[Column, str]) -> ShownRow:
    """header: the names of the columns in the file."""
    suggestions: dict[Column, str] = {}
    for reason in (*row.reasons, *row.notes):
        for place, name in enumerate(reason.cells):
            column = Column(name)
            suggestions[column] = suggestions.get(column) or (reason.suggestion if place == 0 else "")
    return ShownRow(
        number=row.number,
        name=row.name,
        title=row.cells.get(Column.TITLE, ""),
        federation=row.cells.get(Column.FEDERATION, ""),
        fide_id=row.cells.get(Column.FIDE_ID),
        rating=next((row.cells[column] for column in RATINGS if column in row.cells), None),
        born=row.row.birth_date or row.cells.get(Column.BIRTH_DATE, ""),
        club=row.cells.get(Column("club"), ""),
        team=row.cells.get(Column.TEAM, ""),
        remarks=tuple(str(reason) for reason in (*row.reasons, *row.notes)),
        comparison=compare(row),
        cells=tuple(
            Cell(
                cell_name(row.number, column),
                header.get(column) or str(MEANINGS[column]),
                row.cells.get(column, ""),
                suggestion,
            )
            for column, suggestion in suggestions.items()
        ),
    )


def left_row(row: RefusedRow, header: Mapping[Column, str], choices: Choices) -> ShownRow:
    """Say a row that is not taken because the arbiter kept another one. It can still be kept instead."""
    remark = _("Left out, because row %(row)s was kept.") % {"row": row.kept_instead(choices)}
    return replace(refused_row(row, header), remarks=(remark,), cells=())


def changed_row(row: AcceptedRow) -> ShownRow:
    return _entry_row(row, values=tuple(_value(change) for change in row.changes))


def _corrections(row: AcceptedRow) -> tuple[str, ...]:
    return tuple(
        _("%(column)s corrected here: %(old)s → %(new)s.")
        % {"column": change.field, "old": change.old or _("empty"), "new": change.new or _("empty")}
        for change in row.corrected
    )


def plain_row(row: AcceptedRow) -> ShownRow:
    remarks = []
    if row.provisional:
        remarks.append(_("Provisional rating."))
    elif not row.entry.rating:
        remarks.append(_("Unrated."))
    elif row.entry.rating_list:
        remarks.append(_("Rating of the list %(list)s.") % {"list": row.entry.rating_list})
    if row.row.byes:
        sentence = ngettext(
            "Half-point bye in round %(rounds)s.", "Half-point byes in rounds %(rounds)s.", len(row.row.byes)
        )
        remarks.append(sentence % {"rounds": READER.listed(row.row.byes)})
    return _entry_row(row, remarks=tuple(remarks))


def _entry_row(
    row: AcceptedRow, *, remarks: tuple[str, ...] = (), values: tuple[Value, ...] = ()
) -> ShownRow:
    entry = row.entry
    if row.also:
        also = ngettext(
            "Also in row %(rows)s, which is not imported.",
            "Also in rows %(rows)s, which are not imported.",
            len(row.also),
        )
        remarks = (*remarks, also % {"rows": READER.listed(row.also)})
    if row.chosen:
        remarks = (*remarks, _("The same player as %(name)s: you chose this.") % {"name": row.chosen})
    return ShownRow(
        number=row.number,
        name=entry.name,
        title=entry.title,
        federation=entry.federation,
        fide_id=entry.fide_id,
        rating=entry.rating or None,
        born=entry.birth_date,
        club=entry.club,
        team=entry.team,
        remarks=(*remarks, *_corrections(row), *map(str, row.notes)),
        values=values,
        ask=f"ask-{row.number}" if row.chosen else "",
    )


def _value(change: Change) -> Value:
    name = _("half-point byes") if change.field == "byes" else str(NAMES.get(change.field, change.field))
    return Value(name, _shown(change.old), _shown(change.new))


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return _list(value) if isinstance(value, tuple) else str(value)


def _list(numbers: Sequence[int]) -> str:
    return READER.listed(numbers, "comma")
