"""Note in the log of an event that the archive of a section was downloaded: it has birth dates and notes."""

from __future__ import annotations

from tournaments.models import Section

from .ledger import Actor, act_on_event


def note_archive(*, actor: Actor, section: Section) -> None:
    """Log the download. The section does not change, so its revision stays and open pages stay current."""
    with act_on_event(event_id=section.event_id, actor=actor, action="take_archive") as entry:
        entry.subject = section.name
