"""What the queue and the page of a registration say after a decision, and after its undo."""

from __future__ import annotations

import pytest

from registrations.actions.transitions import move_registration
from registrations.states import RegistrationState
from tests.registrations.conftest import address, chosen, staff
from tests.registrations.factories import ORGANISER, desk, section, sent
from tests.registrations.test_undo import fresh, full, messages_of, of
from tournaments.models import Section

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


DECISIONS = [
    ("accept", {}, "1 registration accepted.", "The acceptance of 1 registration is undone."),
    (
        "correct",
        {"reason": "Club?"},
        "1 player is asked to correct the registration.",
        "1 player is no longer asked to correct the registration.",
    ),
    ("refuse", {"reason": "Late"}, "1 registration refused.", "The refusal of 1 registration is undone."),
    (
        "wait",
        {},
        "1 registration put on the waiting list.",
        "The move of 1 registration to the waiting list is undone.",
    ),
    ("withdraw", {}, "1 registration withdrawn.", "The withdrawal of 1 registration is undone."),
]


@pytest.mark.parametrize(("do", "more", "done", "undone"), DECISIONS)
def test_the_message_names_the_decision_on_both_pages_and_after_undo(
    do: str, more: dict[str, str], done: str, undone: str
) -> None:
    into = desk()
    one = sent(into)
    client = staff(into)
    for page, which in ((address(into, "decide/"), True), (address(into, f"{one.pk}/"), False)):
        typed = {"do": do, **more, **({"chosen": chosen(one)} if which else {})}
        assert messages_of(client.post(page, typed, follow=True)) == [done]
        assert messages_of(client.post(page, {"do": "undo"}, follow=True)) == [undone]
        assert fresh(one).state == RegistrationState.PENDING


def test_other_messages_name_offers_openings_and_moves() -> None:
    into = full()
    other = section(into.event)
    Section.objects.filter(pk=other.pk).update(name="Open B")
    client, decide = staff(into), address(into, "decide/")
    bob = of("B")
    move_registration(registration_id=of("A").pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
    move_registration(registration_id=bob.pk, to=RegistrationState.WAITING, by=ORGANISER)
    into.registration.capacity = 4
    into.registration.save()
    for typed, done in (
        ({"do": "offer", "chosen": chosen(bob)}, "1 place offered."),
        ({"do": "reopen", "chosen": chosen(of("A"))}, "1 registration opened again."),
        (
            {"do": "move", "to": other.pk, "chosen": chosen(of("C"), of("D"))},
            "2 registrations moved to Open B.",
        ),
    ):
        assert messages_of(client.post(decide, typed, follow=True))[0] == done


def test_a_label_that_changes_nothing_says_so_and_leaves_the_last_step_to_undo() -> None:
    into = desk()
    one = sent(into)
    client, decide = staff(into), address(into, "decide/")
    client.post(decide, {"do": "label", "name": "VIP", "chosen": chosen(one)})
    again = client.post(decide, {"do": "label", "name": "VIP", "chosen": chosen(one)}, follow=True)
    assert (
        messages_of(again)[-1] == "Nothing was done. All chosen registrations have the label “VIP” already."
    )
    none = client.post(decide, {"do": "unlabel", "name": "hotel", "chosen": chosen(one)}, follow=True)
    assert messages_of(none)[-1] == "Nothing was done. No chosen registration has the label “hotel”."
    client.post(decide, {"do": "undo"})
    assert not one.labels.exists()
