"""What mails and the personal page say about the end of a registration, the waiting list and byes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from registrations.actions.clock import forget, run_clock
from registrations.actions.transitions import move_registration
from registrations.models import EventRegistration, Mail, Registration
from registrations.queries.mails import token_of
from registrations.states import RegistrationState
from registrations.web.words.mails import compose
from tests.factories import EventRoleFactory
from tests.registrations.conftest import address, staff
from tests.registrations.factories import ORGANISER, desk, sent
from tournaments.models import Event, EventRole, Section

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def _body(one: Registration) -> str:
    return compose(Mail.objects.filter(registration=one).latest("pk")).body


def test_an_offer_that_ran_out_says_so_and_leads_to_the_form() -> None:
    into = desk(capacity=1)
    one, other = sent(into), sent(into)
    move_registration(registration_id=one.pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
    Registration.objects.filter(pk=other.pk).update(deadline=timezone.now() - timedelta(minutes=1))
    run_clock()
    link = f"/{into.event.slug}/-/entry/{token_of(other)}/"
    assert link in _body(other)
    shown = Client().get(link, follow=True).content.decode()
    assert "because the time to answer is over" in shown
    assert f'href="/{into.event.slug}/-/register/"' in shown


def test_the_mail_of_the_waiting_list_has_its_rules() -> None:
    into = desk(capacity=1)
    sent(into)
    assert "A free place is offered to the first in the list." in _body(sent(into))


def test_byes_that_nobody_has_given_are_not_called_given() -> None:
    into = desk()
    Section.objects.update(half_bye_limit=None)
    one = sent(into, byes=(2, 3))
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    assert [wish.state for wish in one.byes.all()] == ["granted", "asked"]
    assert "Byes: Round 2 and Round 3 (not decided)" in _body(one)


def test_the_settings_say_when_contacts_are_deleted_and_that_they_are() -> None:
    into = desk()
    sent(into)
    page = Client()
    page.force_login(EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user)
    at = address(into, "settings/")
    assert "are kept until 24 November 2090" in page.get(at).content.decode()
    Event.objects.update(start="2020-10-17", end="2020-10-25")
    assert "are kept until 24 November 2020" in page.get(at).content.decode()
    forget()
    assert "The server deletes the contacts of the registrations on" in page.get(at).content.decode()
    assert "The server deletes the contacts" in page.get(address(into)).content.decode()
    forget(timezone.now() + timedelta(days=1))
    assert "were kept until 24 November 2020. They are deleted." in page.get(at).content.decode()


def test_the_form_says_how_much_time_is_left() -> None:
    into = desk()
    EventRegistration.objects.update(closes_at=timezone.now() + timedelta(days=3, minutes=1))
    shown = Client().get(f"/{into.event.slug}/-/register/").content.decode()
    assert "Time left: 3\xa0days" in shown


def test_who_erases_reads_what_backups_keep() -> None:
    into = desk()
    one = sent(into)
    page = Client()
    page.force_login(EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user)
    assert "A backup of the whole database" in page.get(address(into, f"{one.pk}/")).content.decode()
    assert (
        "A backup of the whole database" not in staff(into).get(address(into, f"{one.pk}/")).content.decode()
    )
