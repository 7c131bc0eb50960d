"""Which registrations of an event have changed since a moment, for programs that keep a copy of them."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q

from entering.models import Note, Registration, Step
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
