"""Finds the entered player that a row means, and rows that mean the same player."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from tournaments.models import Participant, Tournament

from .columns import Column, plain
from .entry_rows import ReadRow
from .reasons import Reason

TELL_APART = (Column.FIDE_ID, Column.BIRTH_DATE)
"""These columns distinguish two players of one name."""


def name_key(name: str) -> tuple[str, ...]:
    """A name for comparing: its sorted words without case, accents and signs."""
    spaced = "".join(char if unicodedata.category(char)[0] in "LMN" else " " for char in name)
    return tuple(sorted(word for word in map(plain, spaced.split()) if word))


@dataclass
class Entered:
    """The entered players by FIDE ID and name, and the rows of the file that were read so far.

    elsewhere: names of the players in other sections of the event, by FIDE ID.
    """

    by_id: dict[int, Participant] = field(default_factory=dict)
    by_name: dict[tuple[str, ...], list[Participant]] = field(default_factory=dict)
    elsewhere: dict[int, str] = field(default_factory=dict)
    row_by_id: dict[int, int] = field(default_factory=dict)
    rows_by_name: dict[tuple[str, ...], list[ReadRow]] = field(default_factory=dict)
    row_by_entry: dict[int, int] = field(default_factory=dict)

    @classmethod
    def load(cls, tournament: Tournament) -> Entered:
        """Two queries."""
        out = cls()
        for entry in tournament.participants.select_related("player"):
            if entry.player.fide_id is not None:
                out.by_id[entry.player.fide_id] = entry
            out.by_name.setdefault(name_key(entry.player.name), []).append(entry)
        players = tournament.event.players.filter(fide_id__isnull=False)
        out.elsewhere = {
            fide_id: name
            for fide_id, name in players.values_list("fide_id", "name")
            if fide_id not in out.by_id
        }
        return out


def match(entered: Entered, row: ReadRow) -> tuple[Participant | None, tuple[Reason, ...]]:
    """The entered player that a row means, or None for a new one; and the reasons for doubt. Remembers the row."""
    twin = _twin(entered, row)
    if row.fide_id is not None:
        entered.row_by_id.setdefault(row.fide_id, row.number)
    entered.rows_by_name.setdefault(name_key(row.name), []).append(row)
    if twin is not None:
        return None, (twin,)
    entry, reasons = _entered(entered, row)
    if entry is not None:
        if entry.pk in entered.row_by_entry:
            return entry, (Reason("same_row", {"row": entered.row_by_entry[entry.pk]}, cells=TELL_APART),)
        entered.row_by_entry[entry.pk] = row.number
    return entry, reasons


def _twin(entered: Entered, row: ReadRow) -> Reason | None:
    """The reason against this row if a row above means, or may mean, the same player."""
    if row.fide_id is not None and row.fide_id in entered.row_by_id:
        return Reason("same_id", {"row": entered.row_by_id[row.fide_id]}, cells=(Column.FIDE_ID,))
    for other in entered.rows_by_name.get(name_key(row.name), ()):
        if _both_differ(row.fide_id, other.fide_id):
            continue
        if row.birth_date and row.birth_date == other.birth_date:
            return Reason("same_row", {"row": other.number}, cells=TELL_APART)
        if not _both_differ(row.birth_date, other.birth_date):
            return Reason("same_name", {"row": other.number}, cells=TELL_APART)
    return None


def _entered(entered: Entered, row: ReadRow) -> tuple[Participant | None, tuple[Reason, ...]]:
    """By FIDE ID, else by name and birth date, else by name."""
    key = name_key(row.name)
    if row.fide_id is not None and (entry := entered.by_id.get(row.fide_id)) is not None:
        if set(key) & set(name_key(entry.player.name)):
            return entry, ()
        return None, (Reason("id_of_other", {"name": entry.player.name}, cells=(Column.FIDE_ID,)),)
    elsewhere = entered.elsewhere.get(row.fide_id, "") if row.fide_id is not None else ""
    if elsewhere and not set(key) & set(name_key(elsewhere)):
        return None, (Reason("id_of_other", {"name": elsewhere}, cells=(Column.FIDE_ID,)),)
    namesakes = [
        entry for entry in entered.by_name.get(key, ()) if not _both_differ(row.fide_id, entry.player.fide_id)
    ]
    born = [
        entry for entry in namesakes if row.birth_date and _same_date(entry.player.birth_date, row.birth_date)
    ]
    left = born or [entry for entry in namesakes if not (row.birth_date and entry.player.birth_date)]
    if len(left) > 1:
        return None, (Reason("name_of_several", cells=TELL_APART),)
    if left and elsewhere:
        return None, (Reason("id_of_other", {"name": elsewhere}, cells=(Column.FIDE_ID,)),)
    return (left[0] if left else None), ()


def _both_differ(one: object, other: object) -> bool:
    """Both are known, and they are not the same."""
    return bool(one) and bool(other) and one != other


def _same_date(one: str, other: str) -> bool:
    """Equal, or one is the year of the other."""
    return bool(one) and bool(other) and (one.startswith(other) or other.startswith(one))
