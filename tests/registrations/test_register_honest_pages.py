"""What the pages of players promise is true: why a form is closed, which fields are needed, whether mails are sent."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.core import mail as outbox
from django.core.management import call_command
from django.test import Client, override_settings
from django.utils import timezone

from registrations.actions.transitions import move_registration
from registrations.models import EventRegistration, Mail, Registration, SectionRegistration
from registrations.queries.mails import token_of
from registrations.states import RegistrationState
from registrations.web.forms.settings import SectionRegistrationForm
from tests.factories import EventRoleFactory, RoundFactory
from tests.registrations.factories import ORGANISER, desk, section, sent
from tournaments.errors import REFUSALS
from tournaments.models import Event, EventRole, Section
from web.words.refusals import explain

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
LINK_SHOWN = re.compile(r"<details open>\s*<summary>Your personal link")


def address(of: Section, page: str = "register/") -> str:
    return f"/{of.event.slug}/-/{page}"


def visitor(one: Registration) -> Client:
    """Return a browser in which the personal link was opened."""
    client = Client()
    client.get(address(one.section, f"entry/{token_of(one)}/"))
    return client


def linked(message: object) -> str:
    [path] = re.findall(r"https://chess.example(\S+)", message.body)
    return path


@override_settings(MAIL_IS_SET_UP=True)
def test_a_new_mail_address_counts_after_a_click_there_and_the_old_one_is_told() -> None:
    one = sent(desk(), email="old@example.org")
    EventRegistration.objects.update(address="https://chess.example")
    client, former = visitor(one), token_of(one)
    Mail.objects.all().delete()
    page = address(one.section, "entry/")
    assert client.post(page, {"do": "address", "email": "no address"}).status_code == 422
    client.post(page, {"do": "address", "email": "new@example.org"})
    assert "We have written to new@example.org." in client.get(page).content.decode()
    move_registration(
        registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER
    )  # its mail replaces none of the two
    call_command("work_registrations", verbosity=0)
    warning, question = outbox.outbox
    assert (warning.to, question.to) == (["old@example.org"], ["new@example.org"])
    assert former not in question.body
    other = Client()
    shown = other.get(linked(question))
    assert "will come to new@example.org" in shown.content.decode()
    one.refresh_from_db()
    assert one.email == "old@example.org"  # looking changes nothing
    assert other.post(linked(question)).status_code == 302
    one.refresh_from_db()
    assert (one.email, one.email_proved, one.new_email) == ("new@example.org", True, "")
    assert "Lovelace" not in client.get(page).content.decode()
    assert client.get(address(one.section, f"entry/{former}/")).status_code == 404
    assert other.get(linked(question)).status_code == 404
    assert "Player" in other.get(page).content.decode()
    for number in range(6):
        answer = other.post(page, {"do": "address", "email": f"{number}@example.org"})
    assert "several times today" in answer.content.decode()


def test_no_mail_is_promised_that_nobody_sends(settings: LazySettings) -> None:
    settings.MAIL_IS_SET_UP = False
    missing = desk(confirm=True)
    assert "written to your" not in Client().get(address(missing, "register/sent/")).content.decode()
    into = desk(capacity=1)
    one, two = sent(into), sent(into)
    page = address(into, "entry/")
    for each in (one, two):
        html = visitor(each).get(page).content.decode()
        assert "You get a mail" not in html
        assert LINK_SHOWN.search(html), "the page is the only place that has the link"
        with override_settings(MAIL_IS_SET_UP=True):
            html = visitor(each).get(page).content.decode()
        assert "You get a mail" in html
        assert not LINK_SHOWN.search(html)
    assert "This server sends no mail." in Client().get(address(into, "register/again/")).content.decode()


@pytest.mark.parametrize("why", ["paired", "time", "section"])
def test_a_closed_form_says_why(why: str) -> None:
    into = desk()
    if why == "paired":
        RoundFactory(section=into)
    elif why == "time":
        EventRegistration.objects.update(closes_at=timezone.now())
    else:
        SectionRegistration.objects.update(open=False)
    words = {
        "paired": "Round 1 is paired. Ask the arbiter for a late entry.",
        "time": "The time to register is over.",
        "section": "The organiser takes no registrations for this section now.",
    }
    shown = Client().get(address(into)).content.decode()
    assert words[why] in shown
    if why != "time":
        section(into.event)
        assert f"<b>{into.name}</b>: {words[why]}" in Client().get(address(into)).content.decode()


def test_organisers_see_the_form_of_a_private_event_before_it_is_public() -> None:
    into = desk()
    Event.objects.update(state="draft")
    staff = Client()
    staff.force_login(EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user)
    shown = staff.get(address(into)).content.decode()
    assert "Only the organisers see this form now." in shown
    assert "Send the registration" not in shown
    assert Client().get(address(into)).status_code == 404


def label_of(page: str, field: str) -> str:
    [found] = re.findall(rf'<label for="id_{field}">(.*?)</label>', page, re.DOTALL)
    return " ".join(re.sub("<.*?>", " ", found).split())


def test_a_field_that_somebody_must_fill_in_is_not_called_optional() -> None:
    into = desk(women_only=True)
    page = Client().get(address(into)).content.decode()
    fields = ("birth_date", "guardian", "guardian_email", "sex", "club", "title")
    assert [label_of(page, name).endswith("optional") for name in fields] == [False] * 4 + [True] * 2
    EventRegistration.objects.update(guardian_age=0)
    page = Client().get(address(into)).content.decode()
    assert label_of(page, "birth_date") == "Birth date optional"


@override_settings(MAIL_IS_SET_UP=True)
def test_a_known_fide_id_tells_its_owner_and_not_the_stranger() -> None:
    into = desk()
    owner = sent(into, fide_id=1503014, email="owner@example.org")
    Mail.objects.all().delete()
    EventRegistration.objects.update(confirm_by_mail=True)
    stranger = sent(into, fide_id=1503014)
    assert not Mail.objects.filter(registration=owner).exists()
    client = visitor(stranger)
    for _again in range(2):
        answer = client.post(address(into, "entry/"), {"do": "confirm"})
        assert "We have written to its e-mail address." in answer.content.decode()
    assert list(Mail.objects.filter(registration=owner).values_list("kind", flat=True)) == ["link"]
    with override_settings(MAIL_IS_SET_UP=False):
        answer = client.post(address(into, "entry/"), {"do": "confirm"})
    assert "Ask the organiser for its link." in answer.content.decode()


def test_a_place_that_was_offered_before_round_1_is_not_promised_after_it() -> None:
    one = sent(desk())
    Registration.objects.update(state=RegistrationState.OFFERED, deadline=timezone.now() + timedelta(hours=9))
    client, page = visitor(one), address(one.section, "entry/")
    offered = client.get(page).content.decode()
    assert "Take the place" in offered
    assert "Time left: 8\xa0hours, 59\xa0minutes." in offered
    RoundFactory(section=one.section, number=1)
    shown = client.get(page).content.decode()
    assert "Round 1 is paired. Ask the arbiter for a late entry." in shown
    assert "Take the place" not in shown
    assert "This is possible until" not in shown
    assert "Withdraw the registration" in shown


def test_the_form_looks_nobody_up_without_a_rating_list_and_links_what_the_organiser_wrote() -> None:
    into = desk()
    EventRegistration.objects.update(intro="Prices: https://chess.example/prices <b>")
    html = Client().get(address(into)).content.decode()
    assert "Look up" not in html
    assert '<a href="https://chess.example/prices" rel="nofollow">' in html
    assert "&lt;b&gt;" in html


def test_a_bye_too_many_is_refused_with_the_limit_and_a_late_one_with_the_round() -> None:
    refused = {"limit": 1, "last_round": 5}
    too_many = explain(REFUSALS["bye_not_in_rules"].error(round=4, **refused))
    assert too_many == "A player gets at most 1 half-point bye."
    late = explain(REFUSALS["bye_not_in_rules"].error(round=6, **refused))
    assert late == "The regulations of the section do not give a half-point bye in round 6."
    assert "in round 2" in explain(REFUSALS["bye_not_in_rules"].error(round=2, limit=0, last_round=None))


def test_limits_that_nobody_meets_are_refused() -> None:
    limits = {"acceptance": "hand", "order": "time", "rating_from": "1900", "rating_to": "1500"}
    form = SectionRegistrationForm({**limits, "age_from": "10", "age_to": "10"})
    assert [*form.errors] == ["rating_to"]
