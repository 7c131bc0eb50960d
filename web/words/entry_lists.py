"""Rows of an entry list in words: why a row is refused, whom it may mean too, and what a row changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from base.reader import READER
from tournaments.files.columns import MEANINGS, RATINGS, ListColumn
from tournaments.files.entry_lists import ListTable, ReadRow
from tournaments.files.entry_matching import Choices
from tournaments.files.entry_preview import AcceptedRow, RefusedRow, ValueChange, entry_of
from tournaments.models import Participant, Player
from tournaments.player_fields import FIELDS, PLAIN
from web.words.log import Value
from web.words.log_sentences import NAMES

# A refused row beside those whom it may mean too: rows of the file, entries, and players of other sections.

_CELLS = {
    "sex": (ListColumn.SEX,),
    "title": (ListColumn.TITLE,),
    "federation": (ListColumn.FEDERATION,),
    "fide_id": (ListColumn.FIDE_ID,),
    "birth_date": (ListColumn.BIRTH_DATE,),
    "rating": RATINGS,
    **{field.name: (ListColumn(field.name),) for field in PLAIN},
    "note": (ListColumn.NOTE,),
}
_OF_PLAYER = ("name", *(field.name for field in FIELDS if field.of is Player and field.name in _CELLS))


@dataclass(frozen=True, slots=True)
class ComparedValue:
    """One value. differs: it is known, and so is the value of the row, and they are not the same."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Rival:
    """Whom the row may mean. choice: what the button "the same player" sends, "" without this button."""

    name: str
    choice: str


@dataclass(frozen=True, slots=True)
class RivalComparison:
    """rivals: the heads of the columns. lines: the label, the value of the row, and one value for each rival.

    keep, apart: what the buttons "Keep this one" and "They are two players" send, "" without this button.
    """

    rivals: tuple[Rival, ...]
    lines: tuple[tuple[str, str, tuple[ComparedValue, ...]], ...]
    keep: str
    apart: str


def compare_rivals(row: RefusedRow) -> RivalComparison | None:
    """Return the comparison of a row that is refused because it may mean somebody else, else None."""
    if not row.rivals:
        return None
    own = _values(row.row)
    others = [_values(rival) for rival in row.rivals]
    lines = []
    for field in ("name", *_CELLS):
        mine = own.get(field, "")
        theirs = [other.get(field, "") for other in others]
        if mine or any(theirs):
            compared = tuple(ComparedValue(text, bool(mine and text) and text != mine) for text in theirs)
            lines.append((str(NAMES[field]), mine, compared))
    return RivalComparison(
        rivals=tuple(_rival(row.number, rival) for rival in row.rivals),
        lines=tuple(lines),
        keep=f"keep-{row.number}" if any(isinstance(rival, ReadRow) for rival in row.rivals) else "",
        apart=f"apart-{row.number}" if any(reason.code == "same_name" for reason in row.reasons) else "",
    )


def _rival(number: int, rival: ReadRow | Participant | Player) -> Rival:
    if isinstance(rival, ReadRow):
        return Rival(_("Row %(number)s") % {"number": rival.number}, "")
    if isinstance(rival, Participant):
        return Rival(_("Entered: %(player)s") % {"player": rival}, f"same-{number}-{rival.player_id}")
    return Rival(_("In another section: %(player)s") % {"player": rival.name}, f"same-{number}-{rival.pk}")


def _values(person: ReadRow | Participant | Player) -> Mapping[str, str]:
    """Return the known values as text, by the names of `EntryData`."""
    if isinstance(person, ReadRow):
        found = {field: _cell(person, field, columns) for field, columns in _CELLS.items()}
        return {"name": person.name, **found}
    if isinstance(person, Player):
        return {field: _text(getattr(person, field)) for field in _OF_PLAYER}
    entry = entry_of(person)
    return {field: _text(getattr(entry, field)) for field in ("name", *_CELLS)}


def _cell(row: ReadRow, field: str, columns: tuple[ListColumn, ...]) -> str:
    """The value as it was read; the text of the file if it cannot be read."""
    if field in row.values:
        return _text(row.values[field])
    return next((row.raw.cells[column] for column in columns if column in row.raw.cells), "")


def _text(value: object) -> str:
    return "" if value is None else str(value)


# Rows of an import in words: why a row is refused, and what a row changes.


@dataclass(frozen=True, slots=True)
class PreviewRow:
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
    cells: tuple[PreviewCell, ...] = ()
    comparison: RivalComparison | None = None
    ask: str = ""


@dataclass(frozen=True, slots=True)
class PreviewCell:
    """A cell that the arbiter can correct. name: of the field in the form. label: the column, as the file calls it.

    suggestion: what was probably meant.
    """

    name: str
    label: str
    value: str
    suggestion: str = ""


def unread_columns(table: ListTable) -> str:
    """Return the columns of a file that are not used, each with its first value."""
    names = [
        column.heading or _("column %(number)s") % {"number": column.place + 1} for column in table.unused
    ]
    examples = [f" ({column.example})" if column.example else "" for column in table.unused]
    return READER.listed([name + example for name, example in zip(names, examples, strict=True)], "comma")


PREFIX = "cell"


def cell_name(row: int, column: ListColumn) -> str:
    """The name of a cell's field: cell-12-FIDE_ID."""
    return f"{PREFIX}-{row}-{column.name}"


def refused_row(row: RefusedRow, header: Mapping[ListColumn, str]) -> PreviewRow:
    """header: the names of the columns in the file."""
    suggestions: dict[ListColumn, str] = {}
    for reason in (*row.reasons, *row.notes):
        for place, name in enumerate(reason.cells):
            column = ListColumn(name)
            suggestions[column] = suggestions.get(column) or (reason.suggestion if place == 0 else "")
    return PreviewRow(
        number=row.number,
        name=row.name,
        title=row.cells.get(ListColumn.TITLE, ""),
        federation=row.cells.get(ListColumn.FEDERATION, ""),
        fide_id=row.cells.get(ListColumn.FIDE_ID),
        rating=next((row.cells[column] for column in RATINGS if column in row.cells), None),
        born=row.row.birth_date or row.cells.get(ListColumn.BIRTH_DATE, ""),
        club=row.cells.get(ListColumn("club"), ""),
        team=row.cells.get(ListColumn.TEAM, ""),
        remarks=tuple(str(reason) for reason in (*row.reasons, *row.notes)),
        comparison=compare_rivals(row),
        cells=tuple(
            PreviewCell(
                cell_name(row.number, column),
                header.get(column) or str(MEANINGS[column]),
                row.cells.get(column, ""),
                suggestion,
            )
            for column, suggestion in suggestions.items()
        ),
    )


def left_row(row: RefusedRow, header: Mapping[ListColumn, str], choices: Choices) -> PreviewRow:
    """Say a row that is not taken because the arbiter kept another one. It can still be kept instead."""
    remark = _("Left out, because row %(row)s was kept.") % {"row": row.kept_instead(choices)}
    return replace(refused_row(row, header), remarks=(remark,), cells=())


def changed_row(row: AcceptedRow) -> PreviewRow:
    return _entry_row(row, values=tuple(_value(change) for change in row.changes))


def _corrections(row: AcceptedRow) -> tuple[str, ...]:
    return tuple(
        _("%(column)s corrected here: %(old)s → %(new)s.")
        % {"column": change.field, "old": change.old or _("empty"), "new": change.new or _("empty")}
        for change in row.corrected
    )


def plain_row(row: AcceptedRow) -> PreviewRow:
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
) -> PreviewRow:
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
    return PreviewRow(
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


def _value(change: ValueChange) -> Value:
    name = _("half-point byes") if change.field == "byes" else str(NAMES.get(change.field, change.field))
    return Value(name, _shown(change.old), _shown(change.new))


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return _list(value) if isinstance(value, tuple) else str(value)


def _list(numbers: Sequence[int]) -> str:
    return READER.listed(numbers, "comma")
