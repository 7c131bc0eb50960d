"""Limits, prices and rating lists that change while registrations wait."""

from __future__ import annotations

import pytest

from registrations.actions.money import charge
from registrations.actions.queue import check_again, price_again
from registrations.actions.settings import set_up_registration
from registrations.actions.transitions import move_registration
from registrations.models import Registration, SectionRegistration
from registrations.states import RegistrationState
from tests.factories import EventRoleFactory
from tests.registrations.conftest import address, names, staff
from tests.registrations.factories import ORGANISER, desk, section, sent
from tournaments.models import EventRole, Section

pytestmark = pytest.mark.django_db


def seen(of: Section) -> list[tuple[int, int]]:
    return list(Registration.objects.filter(event=of.event).order_by("pk").values_list("pk", "revision"))


def change_limits(of: Section, **limits: object) -> None:
    set_up_registration(actor=ORGANISER.actor, event=of.event, values={}, sections={of.pk: limits})


def test_settings_say_who_no_longer_fits_and_lead_to_them() -> None:
    into = desk()
    ones = [
        sent(into, f"{name}, X", rating=rating) for name, rating in (("A", 1500), ("B", 2100), ("C", 2200))
    ]
    move_registration(registration_id=ones[1].pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    move_registration(
        registration_id=sent(into, "D, X", rating=2300).pk, to=RegistrationState.WITHDRAWN, by=ORGANISER
    )
    owner = staff(into)
    owner.force_login(EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user)
    page = address(into, "settings/")
    assert "not meet these limits" not in owner.get(page).content.decode()
    change_limits(into, rating_to=2000)
    text = " ".join(owner.get(page).content.decode().split())
    [there] = [part.split('"')[0] for part in text.split('href="')[1:] if "fact.misfit" in part.split('"')[0]]
    assert "2 registrations do not meet these limits" in text
    found = owner.get(there.replace("&amp;", "&")).context["queue"].rows
    assert [(row.one.name, row.one.state) for row in found] == [("B, X", "accepted"), ("C, X", "pending")]


def test_chosen_registrations_take_the_current_fee_and_keep_what_was_typed() -> None:
    into = desk(fee=1000, titled_off=400)
    ann, bob, cy = sent(into, "A, X", title="IM"), sent(into, "B, X"), sent(into, "C, X")
    charge(registration_id=bob.pk, kind="payment", cents=1000, by=ORGANISER)
    move_registration(registration_id=cy.pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
    change_limits(into, fee=1500, titled_off=400)
    client = staff(into)
    typed = {"do": "price", "pile": "all", "all": "3"}
    shown = client.post(address(into, "decide/"), typed)
    assert (shown.context["moved"], shown.context["mails"], shown.context["stay"]) == (2, 0, 1)
    assert list(Registration.objects.order_by("pk").values_list("balance", flat=True)) == [600, 0, 0]
    client.post(address(into, "decide/"), dict(shown.context["sent"]))
    assert list(Registration.objects.order_by("pk").values_list("balance", flat=True)) == [1100, 500, 0]
    assert [(step.kind, step.fields) for step in ann.steps.order_by("-pk")[:1]] == [("money", ["fee"])]
    again = price_again(event_id=into.event_id, wanted=seen(into), by=ORGANISER)
    assert [error.code for _one, error in again.left] == [
        "registration_over",
        "price_is_charged",
        "price_is_charged",
    ]
    stale = [(key, revision + 1) for key, revision in seen(into)]
    assert not price_again(event_id=into.event_id, wanted=stale, by=ORGANISER).moved


def test_data_are_checked_again_and_a_free_place_is_offered() -> None:
    into = desk(capacity=1, rating_to=2000)
    ann, bob = sent(into, "A, X"), sent(into, "B, X")
    Registration.objects.filter(pk=bob.pk).update(problems=" not_in_list  rating_high ")
    move_registration(registration_id=ann.pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
    assert Registration.objects.get(pk=bob.pk).state == "offered"  # the rating is what counts, not the mark
    Registration.objects.filter(pk=bob.pk).update(state="waiting", takes_place=False)
    client = staff(into)
    answer = client.post(address(into, "decide/"), {"do": "check", "pile": "all", "all": "2"}, follow=True)
    assert "1 registration has something else to look at." in answer.content.decode()
    one = Registration.objects.get(pk=bob.pk)
    assert (one.problems, one.state) == ("", "offered")
    assert check_again(event_id=into.event_id, wanted=seen(into), by=ORGANISER).moved == []


def test_the_pile_of_the_waiting_list_is_in_the_order_of_offers() -> None:
    into = desk(capacity=1, fee=1000, order="paid")
    other = section(into.event, capacity=1)
    ones = {name: sent(into, f"{name}, X") for name in "ABCD"}
    sent(other, "Y, X")
    charge(registration_id=ones["D"].pk, kind="payment", cents=1000, by=ORGANISER)
    charge(registration_id=ones["C"].pk, kind="payment", cents=1000, by=ORGANISER)
    assert SectionRegistration.objects.get(section=into).order == "paid"
    assert names(into, pile="waiting") == ["D", "C", "B"]
