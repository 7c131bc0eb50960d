"""Accepted players whose entry an arbiter has removed: nobody is lost, and undo restores both."""

from __future__ import annotations

import pytest

from entering.actions.moving import move
from entering.actions.undoing import undo_move
from entering.machine import State
from entering.models import Registration, WishedBye
from tests.entering.conftest import address, chosen, names, staff
from tests.entering.factories import ORGANISER, desk, sent
from tests.factories import UserFactory
from tournaments.actions.entries import remove_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.undo import undo
from tournaments.models import Bye, Participant

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
    move(registration_id=cy.pk, to=State.WITHDRAWN, by=ORGANISER)
    undo_move(registration_id=cy.pk, by=ORGANISER)
    assert sorted(Participant.objects.values_list("registration", flat=True)) == [ann.pk, bob.pk, cy.pk]
    assert given == Bye.objects.count() == 3
    assert set(WishedBye.objects.values_list("state", flat=True)) == {WishedBye.State.GRANTED}
