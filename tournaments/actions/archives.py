"""Note in the log of an event that an archive was downloaded: it has birth dates and notes."""

from __future__ import annotations

from .ledger import Actor, act_on_event


def note_archive(*, actor: Actor, event_id: int, subject: str) -> None:
    """Log the download. No section changes, so revisions stay and open pages stay current.

    subject: the name of the section, or of the event for the archive of all sections.
    """
    with act_on_event(event_id=event_id, actor=actor, action="take_archive") as entry:
        entry.subject = subject
