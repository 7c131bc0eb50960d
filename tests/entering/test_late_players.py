"""Once round 1 of a section is paired, only an arbiter enters players, by whatever way. An organiser's player waits."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.test import Client

from entering.actions.desk import By
from entering.actions.moving import move
from entering.machine import Hand, State
from entering.models import EventRegistration, Registration, SectionRegistration
from tests.api.v1.program import Program
from tests.entering.factories import sent
from tests.factories import EventRoleFactory, ParticipantFactory, UserFactory, section_of
from tests.web.staff.conftest import address, paired
from tournaments.actions.entries import import_entries, remove_participant
from tournaments.actions.ledger import Actor
from tournaments.entry_data import EntryData
from tournaments.errors import DomainError
from tournaments.imports.rows import ImportRow
from tournaments.models import EventRole, Participant, Section, User

pytestmark = pytest.mark.django_db
NAME = "Late, Lia"


@pytest.fixture
def section() -> Section:
    """Six players, an organiser who is no arbiter, and a chief arbiter."""
    made = section_of(6, name="A", slug="a")
    EventRegistration.objects.create(event=made.event, confirm_by_mail=False)
    SectionRegistration.objects.create(section=made)
    return made


@pytest.fixture
def other(section: Section) -> Participant:
    """A player of another section, never paired."""
    there = section_of(2, event=section.event, name="B", slug="b")
    return ParticipantFactory(section=there, player__event=section.event, player__name=NAME, rating=1001)


def person(section: Section, role: EventRole.Role) -> User:
    user: User = EventRoleFactory(event=section.event, user=UserFactory(), role=role).user
    return user


def page_of(user: User) -> Client:
    page = Client()
    page.force_login(user)
    return page


def by_page(user: User, section: Section, _other: Participant) -> None:
    sent = {"name": NAME, "rating": "1001", "rating_source": "typed", "first_round": "2", "numbers": "yes"}
    page_of(user).post(address(section, "entries/add/"), sent)


def by_list(user: User, section: Section, _other: Participant) -> None:
    """The action of the page of imports, of whole files and of rows."""
    rows = [ImportRow(entry=EntryData(name=NAME, rating=1001))]
    with suppress(DomainError):
        import_entries(
            actor=Actor(user), section_id=section.pk, rows=rows, source="list.csv", asked=True, proceed=True
        )


def by_move(user: User, section: Section, other: Participant) -> None:
    sent = {"to": section.slug, "numbers": "yes", "both": "yes"}
    page_of(user).post(address(other.section, f"entries/{other.pk}/move/"), sent)


def by_program(user: User, section: Section, _other: Participant) -> None:
    body = {"name": NAME, "rating": 1001}
    Program(user, section.event).send("POST", f"sections/{section.pk}/entries/", body)


def by_programs_list(user: User, section: Section, _other: Participant) -> None:
    data = f"Name;Rating\n{NAME};1001\n".encode()
    path = f"sections/{section.pk}/import-list/"
    own = Program(user, section.event)
    revision = Section.objects.get(pk=section.pk).revision
    own.send("POST", f"{path}?revision={revision}&file_name=list.csv", data)


def by_programs_move(user: User, section: Section, other: Participant) -> None:
    body = {"section": section.pk}
    Program(user, section.event).send("POST", f"entries/{other.pk}/section/", body, seen="*")


def by_registration(user: User, section: Section, _other: Participant) -> None:
    one = sent(section, NAME, by=By(Hand.ORGANISER, user))
    with suppress(DomainError):
        move(registration_id=one.pk, to=State.ACCEPTED, by=By(Hand.ORGANISER, user, both=True))


WAYS = (by_page, by_list, by_move, by_program, by_programs_list, by_programs_move, by_registration)


def is_there(section: Section) -> bool:
    return section.participants.filter(player__name=NAME).exists()


@pytest.mark.parametrize("way", WAYS)
def test_organiser_enters_nobody_after_round_1(
    section: Section, other: Participant, way: Callable[..., Any]
) -> None:
    paired(section)
    way(person(section, EventRole.Role.ORGANISER), section, other)
    assert not is_there(section)


@pytest.mark.parametrize("way", WAYS)
def test_arbiter_enters_late_players_and_organiser_those_before(
    section: Section, other: Participant, way: Callable[..., Any]
) -> None:
    paired(section)
    way(person(section, EventRole.Role.CHIEF), section, other)
    assert is_there(section)


def test_undo_is_no_way_in(section: Section, other: Participant) -> None:
    """The organiser removed the player before round 1, and would bring the player back after it."""
    organiser = person(section, EventRole.Role.ORGANISER)
    entry = ParticipantFactory(section=section, player__event=section.event, player__name=NAME, rating=1001)
    remove_participant(actor=Actor(organiser), participant_id=entry.pk)
    revision = Section.objects.get(pk=section.pk).revision
    paired(section)
    body = {"revision": revision, "reason": "slip"}
    refused = Program(organiser, section.event).send("POST", f"sections/{section.pk}/undo/", body)
    assert (refused.status_code, is_there(section)) == (403, False)


def test_the_player_waits_in_the_queue_and_both_read_so(section: Section, other: Participant) -> None:
    organiser, chief = (person(section, role) for role in (EventRole.Role.ORGANISER, EventRole.Role.CHIEF))
    paired(section)
    form = {"name": NAME, "rating": "1001", "rating_source": "typed", "first_round": "2"}
    refused = page_of(organiser).post(address(section, "entries/add/"), form)
    assert "the registration waits there for the arbiter" in refused.content.decode()
    one = sent(section, NAME, by=By(Hand.ORGANISER, organiser))
    assert Registration.objects.get(pk=one.pk).state == State.PENDING
    cockpit = page_of(chief).get(address(section, "desk/")).content.decode()
    assert "1 registration waits for the arbiter, because round 1 is paired." in cockpit
    assert f"/{section.event.slug}/-/registration/" in cockpit
