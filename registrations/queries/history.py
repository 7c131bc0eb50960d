"""What the history of registrations says: which have changed since a moment, and who has changed a field."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q

from registrations.models import Note, Registration, Step
from tournaments.models import Event

LONGEST_ACTION = timedelta(seconds=60)
"""An action notes its time when it begins. It ends sooner than this, or is rolled back."""


def changed_registrations(event: Event, since: datetime) -> set[int]:
    """Return the keys of registrations that their history, a new note or an erasure has changed. Three queries."""
    return {
        *Step.objects.filter(registration__event=event, at__gte=since).values_list("registration", flat=True),
        *Note.objects.filter(registration__event=event, at__gte=since).values_list("registration", flat=True),
        *Registration.objects.filter(
            Q(created_at__gte=since) | Q(erased_at__gte=since), event=event
        ).values_list("pk", flat=True),
    }


def last_edit(one: Registration, names: Iterable[str]) -> Step | None:
    """Return the latest line of the history that changed one of these fields."""
    wanted = set(names)
    steps = one.steps.filter(kind=Step.Kind.EDIT).order_by("-pk")
    return next((step for step in steps if wanted & set(step.fields)), None)
