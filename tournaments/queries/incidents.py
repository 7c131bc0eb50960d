"""Incidents of a section, with how often each has happened."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from tournaments.models import Incident, Section
from tournaments.models.events import OwnBoards, are_own


@dataclass(frozen=True, slots=True)
class IncidentRow:
    """time: 2 for the second incident of this kind by the player in this game. so_far: incidents of the player in the
    section until then, with this one.
    """

    incident: Incident
    time: int
    so_far: int

    @property
    def decides(self) -> bool:
        """Return whether it is a second illegal move by a player in one game (Laws of Chess, 7.5.5)."""
        return self.incident.kind == Incident.Kind.ILLEGAL and self.time > 1


def incident_list(section: Section, own: OwnBoards = None) -> list[IncidentRow]:
    """Return the incidents by round, in the order in which they were noted. One query. own: the boards of the reader,
    None for all.
    """
    times: Counter[tuple[int, int, str]] = Counter()
    players: Counter[int] = Counter()
    rows = []
    found = section.incidents.select_related("participant__player", "by")
    for incident in found.order_by("round_number", "at", "pk"):
        here = incident.round_number, incident.participant_id, incident.kind
        times[here] += 1
        players[incident.participant_id] += 1
        rows.append(IncidentRow(incident, times[here], players[incident.participant_id]))
    if own is None:
        return rows
    return [row for row in rows if row.incident.board is not None and are_own(row.incident.board, own)]
