"""The fields of a person in a registration, one row for each, as `tournaments.player_fields` has those of a player.

A plain field of a player for which the public form asks stands here by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from registrations.models import Registration
from tournaments.player_fields import REGISTERED


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonField:
    """name: of the column. A form, a list or a program may fill it.

    free: a player may change it at any time, because nothing in the section depends on it.
    correctable: the organiser may ask the player to correct it. in_lists: the list of an organiser may have it.
    contact: it goes some days after the event. personal: it goes when the person is erased, as contacts do.
    """

    name: str
    free: bool = False
    correctable: bool = False
    in_lists: bool = False
    contact: bool = False
    personal: bool = False


FIELDS = (
    PersonField(name="name", correctable=True, in_lists=True),  # who is erased gets another one
    PersonField(name="fide_id", correctable=True, in_lists=True, personal=True),
    PersonField(name="rating", correctable=True, in_lists=True, personal=True),
    PersonField(name="title", correctable=True, in_lists=True, personal=True),
    PersonField(name="federation", correctable=True, in_lists=True, personal=True),
    PersonField(name="birth_date", correctable=True, in_lists=True, contact=True),
    PersonField(name="sex", correctable=True, in_lists=True, personal=True),
    *(
        PersonField(
            name=field.name,
            free=True,
            correctable=True,
            in_lists=field.in_files,
            personal=field.names_person,
        )
        for field in REGISTERED
    ),
    PersonField(name="phone", free=True, correctable=True, contact=True),
    PersonField(name="guardian", free=True, correctable=True, contact=True),
    PersonField(name="guardian_email", free=True, correctable=True, contact=True),
    PersonField(name="message", free=True, contact=True),
    PersonField(name="consent", free=True),
    PersonField(name="answers", free=True, contact=True),
    PersonField(name="email", contact=True),
    PersonField(name="language", free=True),
    PersonField(name="rating_source", personal=True),
    PersonField(name="rating_list", in_lists=True, personal=True),
)
"""In the order of the public form."""
TYPED = tuple(field.name for field in FIELDS)
"""What a form or a file may fill."""
CORRECTABLE = tuple(field.name for field in FIELDS if field.correctable)
CONTACTS = tuple(field.name for field in FIELDS if field.contact)


def _emptied(*names: str) -> dict[str, Any]:
    return {name: Registration._meta.get_field(name).get_default() for name in names}  # type: ignore[union-attr]  # noqa: SLF001


AFTER_EVENT = _emptied(*CONTACTS, "proposed", "correction", "email_proved", "new_email")
"""Columns that go some days after the event, with what is left in them."""
ERASED = AFTER_EVENT | _emptied(
    *(field.name for field in FIELDS if field.personal), "facts", "search", "problems", "form_key", "joins"
)
"""Columns that go when a person is erased; the name is replaced."""
