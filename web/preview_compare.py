"""A refused row beside those whom it may mean too: rows of the file, entries, and players of other sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.imports.columns import RATINGS, Column
from tournaments.imports.entry_rows import ReadRow
from tournaments.imports.preview import entry_of
from tournaments.imports.preview_rows import RefusedRow
from tournaments.models import Participant, Player
from tournaments.player_fields import FIELDS, PLAIN
from web.words.log_values import NAMES

_CELLS = {
    "sex": (Column.SEX,),
    "title": (Column.TITLE,),
    "federation": (Column.FEDERATION,),
    "fide_id": (Column.FIDE_ID,),
    "birth_date": (Column.BIRTH_DATE,),
    "rating": RATINGS,
    **{field.name: (Column(field.name),) for field in PLAIN},
    "note": (Column.NOTE,),
}
_OF_PLAYER = ("name", *(field.name for field in FIELDS if field.of is Player and field.name in _CELLS))


@dataclass(frozen=True, slots=True)
class Compared:
    """One value. differs: it is known, and so is the value of the row, and they are not the same."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Rival:
    """Whom the row may mean. choice: what the button "the same player" sends, "" without this button."""

    name: str
    choice: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """rivals: the heads of the columns. lines: the label, the value of the row, and one value for each rival.

    keep, apart: what the buttons "Keep this one" and "They are two players" send, "" without this button.
    """

    rivals: tuple[Rival, ...]
    lines: tuple[tuple[str, str, tuple[Compared, ...]], ...]
    keep: str
    apart: str


def compare(row: RefusedRow) -> Comparison | None:
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
            compared = tuple(Compared(text, bool(mine and text) and text != mine) for text in theirs)
            lines.append((str(NAMES[field]), mine, compared))
    return Comparison(
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


def _cell(row: ReadRow, field: str, columns: tuple[Column, ...]) -> str:
    """The value as it was read; the text of the file if it cannot be read."""
    if field in row.values:
        return _text(row.values[field])
    return next((row.raw.cells[column] for column in columns if column in row.raw.cells), "")


def _text(value: object) -> str:
    return "" if value is None else str(value)
