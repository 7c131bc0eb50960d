"""Rows by key: the section of a row, which an action locks first, and then the row itself."""

from __future__ import annotations

from typing import Any, TypeVar

from django.db.models import Manager, Model, QuerySet

from tournaments.errors import NotFound
from tournaments.models import Participant

Row = TypeVar("Row", bound=Model)


def found(rows: QuerySet[Row], kind: str, key: int) -> Row:
    """Return the row with this key. Raises NotFound, which names the kind."""
    row = rows.filter(pk=key).first()
    if row is None:
        raise NotFound("not_found", kind=kind, id=key)
    return row


def section_found(rows: Manager[Any], kind: str, key: int, *, by: str = "section_id") -> int:
    """Return the key of a row's section, to lock it. by: where the row has this key. Raises NotFound."""
    section: int | None = rows.filter(pk=key).values_list(by, flat=True).first()
    if section is None:
        raise NotFound("not_found", kind=kind, id=key)
    return section


def section_of(participant_id: int) -> int:
    """Return the key of the section of an entry. Raises NotFound."""
    return section_found(Participant.objects, "participant", participant_id)


def locked_participant(participant_id: int) -> Participant:
    """Read the entry again after its section is locked. Raises NotFound."""
    return found(Participant.objects.select_related("player", "section"), "participant", participant_id)
