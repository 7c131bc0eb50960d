"""What a person chose for the columns of a list, kept for the next list of this shape."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone

from tournaments.models import ColumnLayout, User

MOST_SHAPES = 100
"""For each person; the oldest ones go."""


def remember_layout(person: User, shape: str, layout: Mapping[str, str]) -> None:
    """Keep how the person read a list. Without a shape, nothing is kept."""
    if not shape:
        return
    values = {"layout": dict(layout), "used_at": timezone.now()}
    ColumnLayout.objects.update_or_create(person=person, shape=shape, defaults=values)
    kept = person.column_layouts.order_by("-used_at", "-pk").values_list("pk", flat=True)[:MOST_SHAPES]
    person.column_layouts.exclude(pk__in=list(kept)).delete()


def forget_layout(person: User, shape: str) -> None:
    person.column_layouts.filter(shape=shape).delete()


def layout_of(person: User, shape: str) -> dict[str, str]:
    """Return what the person chose for lists of this shape, by the names of the options. One query."""
    found = person.column_layouts.filter(shape=shape).first()
    return dict(found.layout) if found is not None else {}
