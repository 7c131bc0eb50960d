"""What an organiser reads before a decision about a whole list, and after a press that did nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from registrations.actions.transitions import move_registration
from registrations.models import Mail, Registration, SectionRegistration
from registrations.queries.places import places_of
from registrations.states import RegistrationState
from tests.factories import EventRoleFactory
from tests.registrations.conftest import address, chosen, staff
from tests.registrations.factories import ORGANISER, desk, section, sent
from tournaments.errors import DomainError
from tournaments.models import EventRole
from web.words.refusals import explain

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


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
        move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
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


def test_a_player_without_a_rating_reads_so_and_the_organiser_reads_which_one_the_pairings_use() -> None:
    into = desk(rating_from=1600, unrated_as=1400)
    with pytest.raises(DomainError) as refusal:
        sent(into, rating=None)
    assert "there is no rating, and the section has a lowest rating" in explain(refusal.value)
    one = sent(into, rating=None, by=ORGANISER)
    client, words = staff(into), "no rating (paired as 1400), and the section begins at 1600"
    for page in ("", f"{one.pk}/"):
        assert words in client.get(address(into, page)).content.decode()
    SectionRegistration.objects.update(unrated_as=None)
    shown = client.get(address(into)).content.decode()
    assert "no rating, and the section begins at 1600" in shown


@pytest.mark.parametrize("state", [RegistrationState.OFFERED, RegistrationState.CORRECTION])
def test_the_end_of_an_offer_and_of_a_correction_is_in_the_row_and_on_the_page(
    state: RegistrationState,
) -> None:
    into = desk()
    one = sent(into)
    client, pile = staff(into), "?pile=all"
    ends = datetime(2090, 5, 3, 20, tzinfo=UTC)
    for deadline, words in ((ends, "until 3 May 20:00"), (None, "does not end by itself")):
        Registration.objects.update(state=state, deadline=deadline)
        for page in (pile, f"{one.pk}/"):
            assert words in client.get(address(into, page)).content.decode()


def test_the_look_at_a_file_says_how_many_will_wait() -> None:
    free, full, endless = (desk(capacity=3), desk(capacity=1), desk())
    for one in (free, full, full):
        sent(one)
    found = [places_of(each.event)[each.pk].would_wait(5) for each in (free, full, endless)]
    assert found == [3, 5, 0]
    file = SimpleUploadedFile("a.csv", b"Name\nA, X\nB, X\nC, X\n")
    page = staff(free).post(address(free, "upload/"), {"file": file, "section": free.pk})
    text = " ".join(page.content.decode().split())
    assert '<td class="num">3</td><td class="num">2</td><td class="num">1</td>' in text.replace("> <", "><")


def test_the_settings_link_to_the_queue() -> None:
    into = desk()
    client = Client()
    client.force_login(EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user)
    page = client.get(address(into, "settings/")).content.decode()
    assert f'<a href="{address(into)}">Registrations</a>' in page
