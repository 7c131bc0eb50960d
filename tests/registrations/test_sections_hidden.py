"""A section with registrations is not hidden: its players would get no word. It is closed or merged into another."""

from __future__ import annotations

import pytest
from django.test import Client

from registrations.actions.sections import move_many_to
from registrations.actions.transitions import move_registration
from registrations.models import Registration
from registrations.states import RegistrationState
from tests.actions.refusals import refused
from tests.factories import EventRoleFactory, ParticipantFactory, RoundFactory
from tests.registrations.factories import ORGANISER, desk, section, sent
from tournaments.actions.ledger import Actor
from tournaments.actions.sections import take_section_away
from tournaments.models import EventRole, Section

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def _hide(one: Section) -> Section:
    return take_section_away(actor=Actor.command(), section_id=one.pk)


@pytest.mark.parametrize(
    "state", [RegistrationState.PENDING, RegistrationState.WAITING, RegistrationState.ACCEPTED]
)
def test_a_section_with_registrations_stays_until_they_are_in_another_one(state: RegistrationState) -> None:
    first = desk(capacity=1)
    second = section(first.event)
    if state == RegistrationState.WAITING:
        move_registration(registration_id=sent(first).pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
        move_registration(registration_id=sent(first).pk, to=RegistrationState.WAITING, by=ORGANISER)
    else:
        one = sent(first)
        if state == RegistrationState.ACCEPTED:
            move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    with refused("section_has_registrations", count=1):
        _hide(first)
    wanted = list(Registration.objects.filter(section=first, state=state).values_list("pk", "revision"))
    move_many_to(event_id=first.event_id, wanted=wanted, section_id=second.pk, by=ORGANISER)
    assert _hide(first).taken_away
    assert Registration.objects.get(pk=wanted[0][0]).section == second


def test_the_page_says_why_and_what_to_do() -> None:
    first = desk()
    sent(first)
    sent(first)
    page = Client()
    page.force_login(EventRoleFactory(event=first.event, role=EventRole.Role.OWNER).user)
    answer = page.post(f"/{first.event.slug}/{first.slug}/take-away/")
    assert answer.status_code == 422
    assert "2 registrations are in this section." in answer.content.decode()
    first.refresh_from_db()
    assert not first.taken_away


def test_a_section_whose_registrations_are_over_or_whose_players_were_paired_may_be_hidden() -> None:
    first = desk()
    one = sent(first)
    move_registration(registration_id=one.pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
    assert _hide(first).taken_away
    second = section(first.event)
    move_registration(registration_id=sent(second).pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    ParticipantFactory(section=second)
    RoundFactory(section=second)
    assert _hide(second).taken_away
