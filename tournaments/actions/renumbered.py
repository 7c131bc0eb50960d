"""Whether an undo would give other pairing numbers, found in memory before anything is undone."""

from __future__ import annotations

from tournaments.models import Tournament
from tournaments.models.journal import Values

from .numbers import in_order
from .rewind import Rewind
from .roster import rounds_paired


def renumbered(rewind: Rewind, tournament: Tournament, *, itself: bool) -> set[int]:
    """The open sections of the event in which entries that stay would come in another order.

    itself: whether the section of the undo would be numbered again; the others are, where a person changes.
    """
    people = rewind.touches("player")
    sections = Tournament.objects.filter(participants__player__in=people).distinct() if people else ()
    found = [section for section in sections if section.pk != tournament.pk and not section.is_closed]
    if itself:
        found.append(tournament)
    return {section.pk for section in found if _reordered(section, rewind)}


def _reordered(section: Tournament, rewind: Rewind) -> bool:
    paired = rounds_paired(section)
    if not paired:
        return False
    entries = [
        entry
        for entry in section.participants.select_related("player")
        if not _goes(rewind, "participant", entry.pk)
    ]
    now = in_order(entries, paired)
    for entry in entries:
        for name, value in _values(rewind, "player", entry.player_id).items():
            setattr(entry.player, name, value)
        for name, value in _values(rewind, "participant", entry.pk).items():
            if name in {"rating", "equal_order"}:
                setattr(entry, name, value)
    return in_order(entries, paired) != now


def _goes(rewind: Rewind, model: str, key: int) -> bool:
    row = rewind.rows.get((model, key))
    return row is not None and row.target is None


def _values(rewind: Rewind, model: str, key: int) -> Values:
    """What a row that stays would hold, of the columns that would change."""
    row = rewind.rows.get((model, key))
    return row.target if row is not None and row.target is not None else {}
