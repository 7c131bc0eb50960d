"""Which rows of a section have changed since a moment, for programs that keep a copy of them.

The log knows it: each action notes the rows that it wrote (docs/decisions/0030).
"""

from __future__ import annotations

from django.db.models import Count, Q

from base.text import ERASED
from tournaments.models import Section

SEAL = 16
"""Signs of the seal that a mark has, so that a mark from before a restored copy of the database is not taken."""


def mark_of(section: Section) -> str:
    """Return the moment of the log at which the section was read."""
    return f"{section.revision}-{section.log_head[:SEAL]}"


def changed_since(section: Section, mark: str, model: str) -> set[int] | None:
    """Return the keys of the rows of a model that were written since the mark, also of those that are gone.

    None if the log has no such moment: it is from another section, or a player was erased since. Entries have changed
    too if their players did, who may be in several sections. At most four queries.
    """
    text, _dash, seal = mark.partition("-")
    revision = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
    if revision:
        row = section.log.filter(revision=revision).values_list("seal", flat=True).first()
        if row is None or row[:SEAL] != seal:
            return None
    elif seal:
        return None
    found: dict[str, set[int]] = {}
    rows = section.log.filter(revision__gt=revision).order_by().values_list("changes", flat=True)
    for changes in rows.iterator():
        for name, key, *_values in changes:
            found.setdefault(name, set()).add(key)
    changed = found.get(model, set())
    if model == "participant" and revision < section.revision:
        changed = changed | _of_changed_players(section, found.get("player", set()))
    return changed


def _of_changed_players(section: Section, players: set[int]) -> set[int]:
    """Return the entries of these players, and those whose players another section or an erasure may have changed."""
    entries = section.participants.order_by()
    elsewhere = entries.annotate(sections=Count("player__entries")).filter(
        Q(sections__gt=1) | Q(player__name__startswith=ERASED)
    )
    return {
        *entries.filter(player__in=players).values_list("pk", flat=True),
        *elsewhere.values_list("pk", flat=True),
    }
