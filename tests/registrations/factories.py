"""Registrations for tests. Those that a player sends go through the action; others are written directly."""

from __future__ import annotations

from itertools import count
from uuid import uuid4

from registrations.actions.event_lock import PLAYER, RegistrationActor
from registrations.actions.new_registrations import NewRegistration, register
from registrations.models import EventRegistration, Registration, SectionRegistration
from registrations.queries.mails import address_token_of, guardian_token_of, token_of
from registrations.states import Hand, RegistrationState
from tests.factories import EventFactory, SectionFactory
from tournaments.actions.persons_page import join_event
from tournaments.models import Event, Participant, Player, Section

ORGANISER = RegistrationActor(Hand.ORGANISER)
numbers = count(1)


def desk(*, confirm: bool = False, event: dict[str, object] | None = None, **limits: object) -> Section:
    """Make an event that takes registrations in one section, without confirmation by mail unless asked for."""
    made = EventFactory(**(event or {"start": "2090-10-17", "end": "2090-10-25"}))
    made.refresh_from_db()
    EventRegistration.objects.create(event=made, confirm_by_mail=confirm)
    return section(made, **limits)


def section(event: Event, **limits: object) -> Section:
    """Add a section that takes registrations."""
    added = SectionFactory(event=event)
    SectionRegistration.objects.create(section=added, **limits)
    return added


def values(name: str = "", **more: object) -> dict[str, object]:
    """Return what a player types."""
    number = next(numbers)
    typed = {
        "name": name or f"Player{number:03}, Ada",
        "rating": 1800,
        "federation": "NED",
        "birth_date": "1990/02/03",
        "email": f"player{number}@example.org",
        "consent": True,
    }
    return {**typed, **more}


def sent(
    to: Section, name: str = "", *, by: RegistrationActor = PLAYER, byes: tuple[int, ...] = (), **more: object
) -> Registration:
    """Send a form."""
    wanted = NewRegistration(to.pk, values(name, **more), byes=byes, form_key=uuid4())
    return register(event=to.event, wanted=wanted, by=by)


def joined_page(entry: Participant) -> str:
    """Put the event of a player on the page across events. Return the secret part of the address of the page."""
    Player.objects.filter(pk=entry.player_id).update(national_id="77", federation="NED")
    return join_event(player_id=entry.player_id).token


def registration_parts(of: Section, **more: object) -> dict[str, object]:
    """Let the section take registrations, with one accepted. Return the parts of addresses about it."""
    EventRegistration.objects.get_or_create(event=of.event)
    SectionRegistration.objects.get_or_create(section=of)
    typed = values(**more)
    typed["new_email"] = "new@example.org"
    one = Registration.objects.create(
        event=of.event, section=of, **typed, state=RegistrationState.ACCEPTED, takes_place=True
    )
    return {
        "secret": token_of(one),
        "proof": address_token_of(one),
        "consent": guardian_token_of(one),
        "mail": "accepted",
        "registration": one.pk,
    }
