"""Settings that changed after the players could read them in the rules of the section."""

from __future__ import annotations

from collections.abc import Iterator

from tournaments.models import ActionLog, Integrity, Section

from .undone import undone_in


def departures_of(section: Section) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield the last published round and the settings of each departure that was not undone, oldest first.

    Two queries.
    """
    undone = undone_in(section.pk)
    rows = ActionLog.objects.filter(section=section, integrity=Integrity.CONFIGURATION).order_by("pk")
    for row in rows.only("revision", "round_number", "after"):
        if row.revision not in undone:
            yield row.round_number or 0, frozenset(row.after)
