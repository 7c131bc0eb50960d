"""Finds the entered player that a row of a list means, and rows that mean the same player.

The arbiter chooses on the preview where a row may mean somebody else than the file says. One FIDE ID is one person in
an event.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tournaments.models import Event, Participant, Player, Section

from .columns import ListColumn, plain_heading
from .entry_lists import ReadRow
from .list_refusals import RefusalReason

# What the arbiter chose on the preview, where a row may mean somebody else than the file says.

_CHOICE = re.compile(r"(keep|same|apart|ask)-([0-9]{1,6})(?:-([0-9]{1,18}))?")


@dataclass(frozen=True, slots=True)
class Choices:
    """kept: rows that come before the others that mean the same player, the last choice first. same: row -> key of the
    player of the event whom it means. apart: rows that mean another player than the one of the same name.
    """

    kept: tuple[int, ...] = ()
    same: Mapping[int, int] = field(default_factory=dict)
    apart: frozenset[int] = frozenset()

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Choices:
        """Return what `data` made."""
        return cls(
            kept=tuple(data.get("kept", ())),
            same={int(row): player for row, player in data.get("same", {}).items()},
            apart=frozenset(data.get("apart", ())),
        )

    def data(self) -> dict[str, Any]:
        """Return the choices as JSON can store them."""
        return {
            "kept": list(self.kept),
            "same": {str(row): player for row, player in self.same.items()},
            "apart": sorted(self.apart),
        }

    def with_(self, choice: str) -> Choices:
        """Return the choices with one more: "keep-12", "same-12-345" or "apart-12". "ask-12" forgets those of row 12.

        Anything else changes nothing.
        """
        found = _CHOICE.fullmatch(choice)
        if not found or (found[1] == "same") != bool(found[3]):
            return self
        row = int(found[2])
        kept = tuple(each for each in self.kept if each != row)
        same = {each: player for each, player in self.same.items() if each != row}
        apart = self.apart - {row}
        match found[1]:
            case "keep":
                kept = (row, *kept)
            case "same":
                same[row] = int(found[3])
            case "apart":
                apart |= {row}
        return Choices(kept, same, apart)


# Finds the entered player that a row means, and rows that mean the same player.

DISTINGUISHING = (ListColumn.FIDE_ID, ListColumn.BIRTH_DATE)
"""These columns distinguish two players of one name."""


def entry_name_key(name: str) -> tuple[str, ...]:
    """A name for comparing: its sorted words without case, accents and signs."""
    spaced = "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in name)
    return tuple(sorted(word for word in map(plain_heading, spaced.split()) if word))


@dataclass(frozen=True)
class Doubt(RefusalReason):
    """A reason to ask whom a row means. rivals: whom it may mean too."""

    rivals: tuple[ReadRow | Participant | Player, ...] = ()


@dataclass
class EnteredPlayers:
    """The entered players by FIDE ID and name, and the rows of the file that were read so far.

    elsewhere: the players in other sections of the event, by FIDE ID. choices: of the arbiter, for single rows.
    """

    by_id: dict[int, Participant] = field(default_factory=dict)
    by_name: dict[tuple[str, ...], list[Participant]] = field(default_factory=dict)
    elsewhere: dict[int, Player] = field(default_factory=dict)
    choices: Choices = field(default_factory=Choices)
    row_by_id: dict[int, ReadRow] = field(default_factory=dict)
    rows_by_name: dict[tuple[str, ...], list[ReadRow]] = field(default_factory=dict)
    row_by_entry: dict[int, ReadRow] = field(default_factory=dict)

    @classmethod
    def load(cls, section: Section, choices: Choices | None = None) -> EnteredPlayers:
        """Two queries."""
        out = cls(choices=choices or Choices())
        for entry in section.participants.select_related("player"):
            if entry.player.fide_id is not None:
                out.by_id[entry.player.fide_id] = entry
            out.by_name.setdefault(entry_name_key(entry.player.name), []).append(entry)
        players = section.event.players.filter(fide_id__isnull=False)
        out.elsewhere = {
            player.fide_id: player
            for player in players
            if player.fide_id is not None and player.fide_id not in out.by_id
        }
        return out

    def chosen(self, row: ReadRow) -> Participant | Player | None:
        """Whom the arbiter chose for this row: an entry, or a player of another section. None without a choice."""
        wanted = self.choices.same.get(row.number)
        if wanted is None:
            return None
        player = self.elsewhere.get(row.fide_id) if row.fide_id is not None else None
        if player is not None and player.pk == wanted:
            return player
        entries = (entry for found in self.by_name.values() for entry in found)
        return next((entry for entry in entries if entry.player_id == wanted), None)


def match_entry(
    entered: EnteredPlayers, row: ReadRow
) -> tuple[Participant | None, tuple[RefusalReason, ...]]:
    """The entered player that a row means, or None for a new one; and the reasons for doubt. Remembers the row."""
    twin = _twin(entered, row)
    if row.fide_id is not None:
        entered.row_by_id.setdefault(row.fide_id, row)
    entered.rows_by_name.setdefault(entry_name_key(row.name), []).append(row)
    if twin is not None:
        return None, (twin,)
    entry, reasons = _entered(entered, row)
    if entry is not None:
        if entry.pk in entered.row_by_entry:
            return entry, (_doubt("same_row", entered.row_by_entry[entry.pk]),)
        entered.row_by_entry[entry.pk] = row
    return entry, reasons


def _doubt(code: str, other: ReadRow) -> Doubt:
    cells = (ListColumn.FIDE_ID,) if code == "same_id" else DISTINGUISHING
    return Doubt(code, {"row": other.number}, cells=cells, rivals=(other,))


def _twin(entered: EnteredPlayers, row: ReadRow) -> Doubt | None:
    """The reason against this row if a row read before means, or may mean, the same player."""
    if row.fide_id is not None and row.fide_id in entered.row_by_id:
        return _doubt("same_id", entered.row_by_id[row.fide_id])
    for other in entered.rows_by_name.get(entry_name_key(row.name), ()):
        if _both_differ(row.fide_id, other.fide_id):
            continue
        if row.birth_date and row.birth_date == other.birth_date:
            return _doubt("same_row", other)
        apart = entered.choices.apart & {row.number, other.number}
        if not apart and not _both_differ(row.birth_date, other.birth_date):
            return _doubt("same_name", other)
    return None


def _entered(entered: EnteredPlayers, row: ReadRow) -> tuple[Participant | None, tuple[RefusalReason, ...]]:
    """By FIDE ID, else by name and birth date, else by name."""
    key = entry_name_key(row.name)
    chosen = entered.chosen(row)
    if chosen is not None:
        return (chosen if isinstance(chosen, Participant) else None), ()
    if row.fide_id is not None and (entry := entered.by_id.get(row.fide_id)) is not None:
        if set(key) & set(entry_name_key(entry.player.name)):
            return entry, ()
        return None, (_id_of(entry, entry.player.name),)
    elsewhere = entered.elsewhere.get(row.fide_id) if row.fide_id is not None else None
    if elsewhere and not set(key) & set(entry_name_key(elsewhere.name)):
        return None, (_id_of(elsewhere, elsewhere.name),)
    namesakes = [
        entry for entry in entered.by_name.get(key, ()) if not _both_differ(row.fide_id, entry.player.fide_id)
    ]
    born = [
        entry for entry in namesakes if row.birth_date and _same_date(entry.player.birth_date, row.birth_date)
    ]
    left = born or [entry for entry in namesakes if not (row.birth_date and entry.player.birth_date)]
    if row.number in entered.choices.apart:
        left = [entry for entry in left if entry.pk not in entered.row_by_entry]
    if len(left) > 1:
        return None, (Doubt("name_of_several", cells=DISTINGUISHING, rivals=tuple(left)),)
    if left and elsewhere:
        return None, (_id_of(elsewhere, elsewhere.name),)
    return (left[0] if left else None), ()


def _id_of(rival: Participant | Player, name: str) -> Doubt:
    return Doubt("id_of_other", {"name": name}, cells=(ListColumn.FIDE_ID,), rivals=(rival,))


def _both_differ(one: object, other: object) -> bool:
    """Both are known, and they are not the same."""
    return bool(one) and bool(other) and one != other


def _same_date(one: str, other: str) -> bool:
    """Equal, or one is the year of the other."""
    return bool(one) and bool(other) and (one.startswith(other) or other.startswith(one))


# One FIDE ID is one person in an event: who has the same one under another name.


@dataclass(frozen=True, slots=True)
class IdConflict:
    """number: the line or the place in the file. name: in the file. known: the name in the event."""

    number: int
    fide_id: int
    name: str
    known: str


def share_a_word(one: str, other: str) -> bool:
    """Whether two names can be spellings of one: they have a word in common, without regard to capitals."""
    return bool(_words(one) & _words(other))


def _words(name: str) -> set[str]:
    return set(name.casefold().replace(",", " ").replace(".", " ").split())


def id_conflicts(
    event: Event, people: Iterable[tuple[int, int, str]], same: Callable[[str, str], bool] = share_a_word
) -> tuple[IdConflict, ...]:
    """Return the people of a file whose FIDE ID a person of the event has under another name. One SQL query.

    people: the number of each in the file, FIDE ID and name. same: whether two names are those of one person.
    """
    names = dict(event.players.filter(fide_id__isnull=False).values_list("fide_id", "name"))
    return tuple(
        IdConflict(number, fide_id, name, names[fide_id])
        for number, fide_id, name in people
        if fide_id in names and not same(name, names[fide_id])
    )
