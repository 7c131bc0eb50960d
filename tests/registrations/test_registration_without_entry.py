"""Accepted players whose entry an arbiter has removed: nobody is lost, and undo restores both."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from pairing.rounds import pair_next_round
from registrations.actions.transitions import move_registration
from registrations.actions.undo import undo_move
from registrations.models import Registration, WishedBye
from registrations.states import RegistrationState
from tests.factories import EventRoleFactory, ParticipantFactory, UserFactory
from tests.registrations.conftest import address, chosen, names, staff
from tests.registrations.factories import ORGANISER, desk, sent
from tournaments.actions.entries import readmit_participant, remove_participant, withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.undo import undo
from tournaments.models import Bye, EventRole, Participant

pytestmark = pytest.mark.django_db


def _removed(one: Registration) -> Actor:
    arbiter = Actor(user=UserFactory(), origin="test")
    entry = Participant.objects.get(player__name=one.name)
    remove_participant(actor=arbiter, participant_id=entry.pk, asked=True)
    return arbiter


def test_a_removed_entry_is_on_a_pile_until_an_undo_brings_it_back() -> None:
    into = desk(acceptance="complete")
    one = sent(into, "A, X", fide_id=4711)
    sent(into, "B, X")
    assert names(into, pile="unlisted") == []
    arbiter = _removed(one)
    assert names(into, pile="unlisted") == ["A"]
    into.refresh_from_db()
    undo(actor=arbiter, section_id=into.pk, revision=into.revision)
    assert names(into, pile="unlisted") == []


def test_the_organiser_makes_the_entry_again_with_its_byes_or_withdraws() -> None:
    into = desk(acceptance="complete")
    into.rounds = 5
    into.save()
    ann, bob, cy = (sent(into, f"{name}, X", byes=(2,)) for name in "ABC")
    given = Bye.objects.count()
    for one in (ann, bob, cy):
        _removed(one)
    client = staff(into)
    page = client.get(address(into, f"{ann.pk}/")).content.decode()
    assert "Make the entry again" in page
    client.post(address(into, f"{ann.pk}/"), {"do": "enter"})
    client.post(address(into, "decide/"), {"do": "enter", "pile": "unlisted", "chosen": chosen(ann, bob)})
    assert names(into, pile="unlisted") == ["C"]
    assert "Make the entry again" not in client.get(address(into, f"{ann.pk}/")).content.decode()
    move_registration(registration_id=cy.pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
    undo_move(registration_id=cy.pk, by=ORGANISER)
    assert sorted(Participant.objects.values_list("registration", flat=True)) == [ann.pk, bob.pk, cy.pk]
    assert given == Bye.objects.count() == 3
    assert set(WishedBye.objects.values_list("state", flat=True)) == {WishedBye.State.GRANTED}


def _withdrawn(one: Registration) -> tuple[Actor, Participant]:
    arbiter = Actor(user=UserFactory(), origin="test")
    entry = Participant.objects.get(player__name=one.name)
    return arbiter, withdraw_participant(actor=arbiter, participant_id=entry.pk)


def test_who_is_withdrawn_before_round_1_is_on_the_pile_until_the_arbiter_brings_the_player_back() -> None:
    into = desk(acceptance="complete")
    one = sent(into, "A, X")
    for name in "BCD":
        sent(into, f"{name}, X")
    for way in ("undo", "readmit"):
        arbiter, entry = _withdrawn(one)
        assert names(into, pile="unlisted") == ["A"]
        page = staff(into).get(address(into, f"{one.pk}/")).content.decode()
        assert "an arbiter withdrew the entry before round 1" in " ".join(page.split())
        if way == "undo":
            into.refresh_from_db()
            undo(actor=arbiter, section_id=into.pk, revision=into.revision)
        else:
            readmit_participant(actor=arbiter, participant_id=entry.pk)
        assert names(into, pile="unlisted") == []
    _withdrawn(one)
    pair_next_round(actor=arbiter, section_id=into.pk, after_round=0)
    assert names(into, pile="unlisted") == ["A"]  # the organiser has not looked yet
    _withdrawn(Registration.objects.get(name="B, X"))
    assert names(into, pile="unlisted") == ["A"]  # who has played is an entry of the arbiter


def test_the_organiser_brings_a_withdrawn_player_back_and_undoes_it() -> None:
    into = desk(acceptance="complete")
    one = sent(into, "A, X", byes=(2,))
    _withdrawn(one)
    client, decide = staff(into), address(into, "decide/")
    client.post(decide, {"do": "enter", "pile": "unlisted", "chosen": chosen(one)})
    assert (Participant.objects.get().is_active, names(into, pile="unlisted")) == (True, [])
    assert Bye.objects.count() == 1
    client.post(decide, {"do": "undo"})
    assert (Participant.objects.get().is_active, names(into, pile="unlisted")) == (False, ["A"])
    client.post(decide, {"do": "withdraw", "chosen": chosen(one)})
    assert (Participant.objects.count(), names(into, pile="unlisted")) == (0, [])


def test_before_an_entry_is_removed_the_page_says_what_becomes_of_the_registration() -> None:
    into = desk(acceptance="complete")
    sent(into, "A, X")
    arbiter = Client()
    arbiter.force_login(EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user)
    entry = Participant.objects.get()
    alone = ParticipantFactory(section=into)
    for which, with_registration in ((entry, True), (alone, False)):
        shown = arbiter.get(reverse("tournaments:edit-entry", args=[into.event.slug, into.slug, which.pk]))
        assert ("The registration stays accepted" in shown.content.decode()) is with_registration
