"""Find out whether an undo would change pairing numbers, in memory, before anything is undone."""

from __future__ import annotations

from tournaments.models import Section
from tournaments.models.journal import Values
from tournaments.models.round import rounds_paired

from .numbers import in_order
from .rewind import Rewind


def renumbered(rewind: Rewind, section: Section, *, itself: bool) -> set[int]:
    """Return the open sections of the event in which the order of the remaining entries would change.

    itself: whether the section of the undo would be numbered again. Other sections are, if a person in them changes.
    """
    people = rewind.touches("player")
    sections = Section.objects.filter(participants__player__in=people).distinct() if people else ()
    found = [other for other in sections if other.pk != section.pk and not other.is_closed]
    if itself:
        found.append(section)
    return {other.pk for other in found if _reordered(other, rewind)}


def _reordered(section: Section, rewind: Rewind) -> bool:
    paired = rounds_paired(section)
    if not paired:
        return False
    entries = [
        entry
        for entry in section.participants.select_related("player")
        if not _goes(rewind, "participant", entry.pk)
    ]
    by_lot = section.fixed_rounds
    now = in_order(entries, paired, by_lot=by_lot)
    for entry in entries:
        for name, value in _values(rewind, "player", entry.player_id).items():
            setattr(entry.player, name, value)
        for name, value in _values(rewind, "participant", entry.pk).items():
            if name in {"rating", "equal_order"}:
                setattr(entry, name, value)
    return in_order(entries, paired, by_lot=by_lot) != now


def _goes(rewind: Rewind, model: str, key: int) -> bool:
    row = rewind.rows.get((model, key))
    return row is not None and row.target is None


def _values(rewind: Rewind, model: str, key: int) -> Values:
    """Return the columns of a remaining row that would change, with their new values."""
    row = rewind.rows.get((model, key))
    return row.target if row is not None and row.target is not None else {}
