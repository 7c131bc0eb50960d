"""The public list of a section's registrations: accepted players, and how many others there are."""

from __future__ import annotations

from dataclasses import dataclass

from registrations.machine import State
from registrations.models import Registration
from tournaments.models import Section
from tournaments.shown_names import initials


@dataclass(frozen=True, slots=True)
class PublicRow:
    name: str
    title: str
    federation: str
    rating: int | None
    club: str


def public_rows(section: Section, *, start: int = 0, most: int | None = None) -> list[PublicRow]:
    """Return accepted players, the highest rating first. Without consent, a player has initials and no club."""
    rows = Registration.objects.filter(section=section, state=State.ACCEPTED, erased_at=None)
    ordered = rows.order_by("-rating", "name", "pk").values_list(
        "name", "title", "federation", "rating", "club", "consent", "participant__player__by_initials"
    )
    end = None if most is None else start + most
    return [
        PublicRow(name if shown else initials(name), title, federation, rating, club if shown else "")
        for name, title, federation, rating, club, consent, hidden in ordered[start:end]
        for shown in (consent and not hidden,)
    ]
