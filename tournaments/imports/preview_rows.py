"""The rows of a preview: refused, changed, added, or the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.entry_data import EntryData
from tournaments.models import Participant, Player

from .choices import Choices
from .columns import Column
from .entry_rows import DatesRead, ReadRow
from .matching import Doubt
from .reasons import Reason
from .rows import ImportRow


@dataclass(frozen=True, slots=True)
class Change:
    """One value that the file would change. field: a name of `EntryData`, or "byes" with tuples of rounds."""

    field: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """`str()` of a reason is its sentence. row: what could be read, and the cells with the arbiter's corrections."""

    row: ReadRow
    reasons: tuple[Reason, ...]

    @property
    def number(self) -> int:
        """The line in the file."""
        return self.row.number

    @property
    def name(self) -> str:
        return self.row.name

    @property
    def cells(self) -> Mapping[Column, str]:
        return self.row.raw.cells

    @property
    def notes(self) -> tuple[Reason, ...]:
        return self.row.raw.notes

    @property
    def rivals(self) -> tuple[ReadRow | Participant | Player, ...]:
        """Whom the row may mean too: rows of the file, entries, or players of other sections."""
        return tuple(rival for reason in self.reasons if isinstance(reason, Doubt) for rival in reason.rivals)

    def kept_instead(self, choices: Choices) -> int | None:
        """The number of the row that the arbiter kept instead of this one, None if there is none."""
        rows = (rival.number for rival in self.rivals if isinstance(rival, ReadRow))
        return next((number for number in rows if number in choices.kept), None)


@dataclass(frozen=True, slots=True)
class AcceptedRow:
    """A row that will be written; or, for an entered player without `changes`, one that changes nothing.

    provisional: the row has no rating and gets the provisional one. corrected: cells that the arbiter corrected, with
    the name of the column in the file as `field`. also: numbers of rows that are refused because of this one.
    chosen: the name of the player whom the arbiter chose for this row. notes: about single cells.
    """

    number: int
    row: ImportRow
    changes: tuple[Change, ...] = ()
    provisional: bool = False
    corrected: tuple[Change, ...] = ()
    also: tuple[int, ...] = ()
    chosen: str = ""
    notes: tuple[Reason, ...] = ()

    @property
    def entry(self) -> EntryData:
        return self.row.entry


@dataclass(frozen=True, slots=True)
class NameOrder:
    """A name without a comma in the file. ways: what it may be. chosen: one of them, at first the most usual one."""

    number: int
    name: str
    ways: tuple[str, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """refused, changed, added, same: the rows of the file, each in its order. no_rating: how many rows are refused only
    because they have no rating: a provisional one would take them. two_ways: birth dates that can be read in two ways.
    revision: of the section, to be sent back with the answer. noted: numbers of the rows with formulas that have no
    stored value. with_games: of those whose ratings had a number of games, which is left out.
    left: rows that are not taken because the arbiter kept another row of the same player. dates: how dates with two
    readings were read, None if there are none or the arbiter said how. no_comma: numbers of new rows whose name may
    not be in the order "Surname, Given". orders: their names, to be chosen. no_byes: numbers of rows whose byes are
    left out. no_estimate: names of new players without the estimate of a rating that the rules of the pairing system
    ask for.
    """

    refused: tuple[RefusedRow, ...]
    changed: tuple[AcceptedRow, ...]
    added: tuple[AcceptedRow, ...]
    same: tuple[AcceptedRow, ...]
    no_rating: int
    no_estimate: tuple[str, ...]
    two_ways: tuple[str, ...]
    revision: int
    noted: tuple[int, ...] = ()
    left: tuple[RefusedRow, ...] = ()
    dates: DatesRead | None = None
    no_comma: tuple[int, ...] = ()
    orders: tuple[NameOrder, ...] = ()
    no_byes: tuple[int, ...] = ()
    with_games: tuple[int, ...] = ()

    @property
    def rows(self) -> tuple[ImportRow, ...]:
        """What the import action takes: changed and added rows, in the order of the file."""
        accepted = sorted((*self.changed, *self.added), key=lambda row: row.number)
        return tuple(row.row for row in accepted)
