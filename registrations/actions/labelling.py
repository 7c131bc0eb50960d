"""What organisers note beside a registration: labels and notes. It changes no revision, so open forms can be saved."""

from __future__ import annotations

from collections.abc import Iterable

from base.text import one_line
from registrations.models import Label, Note, Registration, Step
from tournaments.errors import DomainError
from tournaments.models import Event

from .desk import By, Desk, at_desk

MOST_LABELS = 40


def label_many(
    *, event: Event, keys: Iterable[int], name: str, by: By, on: bool = True, colour: str = ""
) -> list[Registration]:
    """Put a label on registrations, or take it off. A label that nothing has any more disappears.

    colour: of `Label.Colour`, for the label wherever it is; "" leaves it as it is. Return those that have changed.
    Raises DomainError("too_many_labels").
    """
    name = one_line(name)[:30]
    if not name:
        return []
    with at_desk(event.pk) as desk:
        return write_label(desk, desk.many(keys), name, by, on=on, colour=colour)


def write_label(
    desk: Desk, ones: Iterable[Registration], name: str, by: By, *, on: bool, colour: str = ""
) -> list[Registration]:
    """Put on or take off a label, as `label_many`. Few queries for any number."""
    label = Label.objects.filter(event=desk.event, name=name).first()
    if label is None:
        if not on:
            return []
        if Label.objects.filter(event=desk.event).count() >= MOST_LABELS:
            raise DomainError("too_many_labels", most=MOST_LABELS)
        label = Label.objects.create(event=desk.event, name=name)
    former, recoloured = label.colour, False
    if on and colour in Label.Colour.values and colour != former:
        label.colour, recoloured = colour, True
        label.save(update_fields=["colour"])
    have = set(label.registrations.values_list("pk", flat=True))
    changed = [one for one in ones if recoloured or (one.pk in have) != on]
    (label.registrations.add if on else label.registrations.remove)(*changed)
    for one in changed:
        before = {"label": name, "on": one.pk in have, "colour": former}
        desk.line(one, Step.Kind.LABEL, by, fields=["labels"], before=before)
    if not label.registrations.exists():
        label.delete()
    return changed


def add_note(*, event: Event, registration_id: int, by: By, text: str) -> None:
    """Write a note that only organisers see."""
    text = one_line(text)[:500]
    with at_desk(event.pk) as desk:
        one = desk.load(registration_id)
        if text:
            note = Note.objects.create(registration=one, user=by.user, text=text)
            desk.line(one, Step.Kind.NOTE, by, fields=["notes"], before={"note": note.pk})
