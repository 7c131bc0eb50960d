"""One accepted row, as the import action takes it."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.entry_data import EntryData


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRow:
    """participant_id: the entry to change, None to add one. byes: rounds with a requested half-point bye. missed: the
    kind of bye for the rounds before a late entry that waits for an arbiter, "" for none.
    """

    entry: EntryData
    participant_id: int | None = None
    byes: tuple[int, ...] = ()
    missed: str = ""
