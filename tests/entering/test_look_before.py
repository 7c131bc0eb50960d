"""What an organiser reads before a decision about a whole list, and after a press that did nothing."""

from __future__ import annotations

import pytest

from entering.actions.moving import move
from entering.machine import State
from entering.models import Mail, Registration
from tests.entering.conftest import address, chosen, staff
from tests.entering.factories import ORGANISER, desk, section, sent

pytestmark = pytest.mark.django_db


def test_the_question_names_the_decision_the_problems_and_the_mails() -> None:
    into = desk()
    for name in "AB":
        sent(into, f"{name}, X")
    for name in "CD":
        sent(into, f"{name}, Young", birth_date="2080", guardian="", guardian_email="")
    Registration.objects.filter(name="A, X").update(email="")
    page = staff(into).post(address(into, "decide/"), {"do": "accept", "pile": "check", "all": "4"})
    text = " ".join(page.content.decode().split())
    for words in (
        "Nothing is done yet. Accept 4 registrations?",
        "<b>2</b> a guardian is missing",
        "3 players get a mail after 3 minutes.",
        '<button class="btn go" autofocus>Accept 4 registrations</button>',
    ):
        assert words in text
    assert not Mail.objects.filter(kind="accepted").exists()


def test_the_question_before_a_move_counts_all_mails_and_names_who_is_offered_a_place() -> None:
    first = desk(capacity=2)
    second = section(first.event)
    ones = [sent(first, f"{name}, X") for name in "ABCD"]
    for one in ones[:2]:
        move(registration_id=one.pk, to=State.ACCEPTED, by=ORGANISER)
    typed = {"do": "move", "to": second.pk, "pile": "accepted", "all": "2"}
    client = staff(first)
    page = client.post(address(first, "decide/"), typed)
    text = " ".join(page.content.decode().split())
    assert "Move 2 registrations?" in text
    assert "2 players on the waiting list are offered a place that becomes free:" in text
    assert f"<b>C, X</b> {first.name}" in text
    assert "4 players get a mail after 3 minutes." in text
    assert set(Registration.objects.filter(name__in=["C, X", "D, X"]).values_list("state", flat=True)) == {
        "waiting"
    }
    Mail.objects.filter(
        registration=ones[2]
    ).delete()  # a player of a file: this offer waits for the first mail
    page = client.post(address(first, "decide/"), typed)
    assert "3 players get a mail after 3 minutes." in " ".join(page.content.decode().split())


@pytest.mark.parametrize("press", ["move", "label", "order"])
def test_a_press_without_what_it_needs_keeps_what_was_chosen(press: str) -> None:
    into = desk()
    one, two = sent(into), sent(into)
    client, boxes = staff(into), 'name="chosen" value="{}:{}" aria-label="{}" checked'
    answer = client.post(address(into, "decide/"), {"do": press, "chosen": chosen(two)}, follow=True)
    text = " ".join(answer.content.decode().split())
    assert "Nothing was done." in text
    assert boxes.format(two.pk, two.revision, two.name) in text
    assert boxes.format(one.pk, one.revision, one.name) not in text
    answer = client.post(address(into, "decide/"), {"do": press, "all": "2"}, follow=True)
    assert 'name="all" value="2" form="queue" checked' in " ".join(answer.content.decode().split())
    assert 'form="queue" checked' not in client.get(address(into)).content.decode()
