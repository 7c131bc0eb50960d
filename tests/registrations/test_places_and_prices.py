"""Free places while nobody who waits fits, and the price of a section after a move."""

from __future__ import annotations

import pytest
from django.utils import timezone

from registrations.actions.edits import change_registration
from registrations.actions.event_lock import PLAYER
from registrations.actions.money import charge
from registrations.actions.sections import move_section
from registrations.actions.transitions import move_registration
from registrations.actions.undo import undo_move
from registrations.models import EventRegistration, Registration, SectionRegistration
from registrations.queries.places import places_of
from registrations.states import RegistrationState
from tests.factories import ByeFactory
from tests.registrations.conftest import address, staff
from tests.registrations.factories import ORGANISER, desk, section, sent
from tournaments.actions.ledger import Actor
from tournaments.actions.moved_entries import move_participant
from tournaments.errors import DomainError
from tournaments.models import EventRole, Participant

pytestmark = pytest.mark.django_db


def test_free_places_go_to_new_players_who_fit_while_nobody_who_waits_does() -> None:
    full = desk(capacity=1, rating_to=2000)
    ann, bob = sent(full, "A, X"), sent(full, "B, X")
    change_registration(registration_id=bob.pk, values={"rating": 2100}, by=ORGANISER)
    move_registration(registration_id=ann.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    places = places_of(full.event)[full.pk]
    assert places.stands_still(EventRegistration.objects.get(), timezone.now()) == "misfits"
    page = staff(full).get(address(full)).content.decode()
    assert "Places are free, but nobody on the waiting list meets the limits of the section." in page
    cy = sent(full, "C, X")
    assert [one.state for one in (fresh(bob), fresh(cy))] == ["waiting", "pending"]
    move_registration(registration_id=cy.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    change_registration(registration_id=bob.pk, values={"rating": 1900}, by=ORGANISER)
    assert fresh(bob).state == "offered"


def test_a_move_to_another_price_is_owed_once_and_undone_exactly() -> None:
    first = desk(fee=3000, titled_off=1000)
    second = section(first.event, fee=5000)
    one = sent(first, "A, X", title="IM")
    charge(registration_id=one.pk, kind="payment", cents=500, by=ORGANISER)
    client, page = staff(first), address(first, f"{one.pk}/")

    def lines() -> list[tuple[str, int]]:
        shown = client.get(page).context
        assert sum(line.cents for line in shown["charges"]) == shown["one"].balance
        return sorted((line.kind, line.cents) for line in shown["charges"])

    former = [("fee", 3000), ("payment", -500), ("reduction", -1000)]
    assert lines() == former
    move_section(registration_id=one.pk, section_id=second.pk, by=ORGANISER)
    assert lines() == [("fee", 5000), ("payment", -500)]
    assert client.post(page, {"do": "moved", "amount": "5"}).status_code == 302
    SectionRegistration.objects.filter(section=first).update(
        fee=9900
    )  # a price that changes touches no account
    undo_move(registration_id=one.pk, by=ORGANISER)
    assert lines() == former


def fresh(one: Registration) -> Registration:
    return Registration.objects.get(pk=one.pk)


def test_entry_that_moves_with_its_registration_keeps_what_arbiters_wrote() -> None:
    first = desk()
    second = section(first.event)
    one = sent(first, "A, X", byes=(2,))
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    entry = Participant.objects.get()
    entry.note, entry.rating = "wheelchair", 1850
    entry.save()
    ByeFactory(participant=entry, round_number=4, kind="Z")
    with pytest.raises(DomainError, match="registration_moves"):
        move_participant(actor=Actor.command(), participant_id=entry.pk, section_id=second.pk)
    client = staff(first)
    EventRole.objects.update(role=EventRole.Role.OWNER)
    html = client.get(f"/{first.event.slug}/{first.slug}/entries/{entry.pk}/").content.decode()
    assert 'id="move-to"' not in html, "nothing is offered that is then refused"
    assert f'href="{address(first)}?pile=all&amp;q=A%2C%20X"' in html
    for to, back in ((second, False), (first, True)):
        if back:
            undo_move(registration_id=one.pk, by=ORGANISER)
        else:
            move_section(registration_id=one.pk, section_id=second.pk, by=ORGANISER)
        one.refresh_from_db()
        entry = Participant.objects.get()
        assert (entry.section, one.participant, entry.note, entry.rating) == (to, entry, "wheelchair", 1850)
        assert list(entry.byes.values_list("round_number", "kind")) == [(2, "H"), (4, "Z")]
        assert list(one.byes.values_list("round_number", "state")) == [(2, "granted")]
