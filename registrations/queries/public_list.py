"""The public list of a section's registrations: accepted players, and how many others there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import repeat

from registrations.machine import State
from registrations.models import Registration
from tournaments.models import Section
from tournaments.player_fields import PUBLIC_PLAIN
from tournaments.shown_names import initials

PUBLIC_REGISTERED = tuple(field for field in PUBLIC_PLAIN if field.registered)


@dataclass(frozen=True, slots=True)
class PublicRow:
    name: str
    title: str
    federation: str
    rating: int | None
    plain: Mapping[str, str]

    @property
    def club(self) -> str:
        return self.plain["club"]


def public_rows(section: Section, *, start: int = 0, most: int | None = None) -> list[PublicRow]:
    """Return accepted players, the highest rating first. Without consent, a player has initials and no plain fields."""
    names = [field.name for field in PUBLIC_REGISTERED]
    rows = Registration.objects.filter(section=section, state=State.ACCEPTED, erased_at=None)
    ordered = rows.order_by("-rating", "name", "pk").values_list(
        "name", "title", "federation", "rating", "consent", "participant__player__by_initials", *names
    )
    end = None if most is None else start + most
    return [
        PublicRow(
            *(name if shown else initials(name), title, federation, rating),
            plain=dict(zip(names, plain if shown else repeat(""), strict=False)),
        )
        for name, title, federation, rating, consent, hidden, *plain in ordered[start:end]
        for shown in (consent and not hidden,)
    ]
