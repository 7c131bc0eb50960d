"""One person with the name written in two ways, a name without a comma, and names in other letters."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from base.text import name_ways
from registrations.actions.event_lock import RegistrationActor
from registrations.actions.new_registrations import NewRegistration, register_many
from registrations.actions.sections import move_section
from registrations.actions.transitions import move_many, move_registration
from registrations.models import Registration, SectionRegistration
from registrations.queries.problems import problems_of_many
from registrations.states import RegistrationState
from registrations.web.forms import registration
from tests.factories import ParticipantFactory, section_of
from tests.rating_lists.made import combined_line, imported, text
from tests.registrations.conftest import address, staff
from tests.registrations.factories import ORGANISER, desk, sent
from tests.registrations.test_register_form import fill, reasons
from tournaments.errors import DomainError
from tournaments.models import Event, Section

pytestmark = pytest.mark.django_db
BORN = "1971/03/04"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "QUICKEST", timedelta(seconds=-1))


def codes(one: Registration) -> list[str]:
    return Registration.objects.get(pk=one.pk).problem_codes


def test_a_name_in_another_order_with_one_birth_date_is_one_person() -> None:
    into = desk()
    first = sent(into, "Bauer, Uwe", by=ORGANISER, birth_date=BORN)
    again = sent(into, "Uwe Bauer", by=ORGANISER, birth_date=BORN)
    other = sent(into, "Uwe Bauer", by=ORGANISER, birth_date="1980/01/01")
    assert "same_person" in codes(again)
    assert "same_person" not in codes(other)
    ones = [first, again, other]
    limits = into.registration
    found = problems_of_many(ones, into.event.registration, limits)
    assert ["same_person" in each for each in found] == [True, True, False]


def test_a_file_takes_nobody_again_whose_name_is_in_another_order() -> None:
    into = desk()
    sent(into, "Bauer, Uwe", by=ORGANISER, birth_date=BORN, email="", fide_id=None)
    row = NewRegistration(into.pk, {"name": "Uwe Bauer", "birth_date": BORN})
    outcome = register_many(event=into.event, wanted=[row], by=ORGANISER, form_key=uuid4())
    assert (outcome.known, outcome.made) == (1, [])


def test_the_form_asks_which_part_of_a_name_without_a_comma_is_the_surname() -> None:
    into, client = desk(), Client()
    asked = fill(into, client, name="Uwe Bauer")
    assert (asked.status_code, Registration.objects.count()) == (422, 0)
    assert "Bauer, Uwe?" in reasons(asked)[0]
    assert 'name="name_as" value="Bauer, Uwe" checked' in asked.content.decode()
    assert fill(into, client, name="Eva Weiss", name_as="Bauer, Uwe").status_code == 422, (
        "the answer was about another"
    )
    assert fill(into, client, name="Uwe Bauer", name_as="Bauer, Uwe").status_code == 302
    assert Registration.objects.get().name == "Bauer, Uwe"
    assert fill(into, client, name="Uwe Bauer", name_as="Uwe Bauer", email="b@example.org").status_code == 302
    assert Registration.objects.filter(name="Uwe Bauer").exists()
    assert fill(into, client, name="Pele", email="c@example.org").status_code == 302, (
        "one word has no surname"
    )


def test_names_of_three_words_have_their_ways() -> None:
    assert name_ways("Juan García López") == [
        "López, Juan García",
        "García López, Juan",
        "Juan, García López",
        "Juan García López",
    ]


def test_a_patronymic_says_which_part_is_the_surname() -> None:
    for name in ("Иванов Иван Иванович", "Иван Иванович Иванов"):
        assert name_ways(name) == ["Иванов, Иван Иванович", name]
    into = desk()
    register_many(
        event=into.event,
        wanted=[NewRegistration(into.pk, {"name": "Ткаченко Анна Петрівна", "rating": 1800})],
        by=ORGANISER,
        form_key=uuid4(),
    )
    page = staff(into).get(address(into)).content.decode().replace("\u2068", "").replace("\u2069", "")
    assert "no comma in the name: Ткаченко, Анна Петрівна?" in page


@pytest.mark.one_database
def test_the_rating_list_knows_which_part_is_the_surname(settings: Settings, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    imported(text(combined_line(88, "Bauer, Uwe", 2215, year=1971, fed="GER")))
    into = desk()
    assert fill(into, name="Uwe Bauer", fide_id="88", birth_date="1971-03-04", rating="").status_code == 302
    assert Registration.objects.get().name == "Bauer, Uwe"


def test_the_queue_asks_about_names_without_a_comma_also_of_a_file() -> None:
    into = desk()
    row = NewRegistration(into.pk, {"name": "Uwe Bauer", "rating": 1800})
    register_many(event=into.event, wanted=[row], by=ORGANISER, form_key=uuid4())
    one = Registration.objects.get()
    client = staff(into)
    page = client.get(address(into)).content.decode().replace("\u2068", "").replace("\u2069", "")
    assert "no comma in the name: Bauer, Uwe?" in page
    shown = client.get(address(into, f"{one.pk}/")).context["form"]
    typed = {name: shown[name].value() or "" for name in shown.fields} | {
        "do": "edit",
        "revision": one.revision,
    }
    typed |= {"birth_date": "1971-03-04", "consent": ""}
    saved = client.post(address(into, f"{one.pk}/"), {**typed, "name": "Bauer, Uwe"})
    assert saved.status_code == 302
    assert "name_order" not in codes(one)


def test_the_queue_names_the_other_registration_of_perhaps_one_person() -> None:
    into = desk()
    first = sent(into, "Bauer, Uwe", by=ORGANISER, birth_date=BORN)
    again = sent(into, "Uwe Bauer", by=ORGANISER, birth_date=BORN, email="other@example.org")
    client = staff(into)
    for page in (
        client.get(address(into)).content.decode(),
        client.get(address(into, f"{again.pk}/")).content.decode(),
    ):
        links = page.split(f'href="{address(into, f"{first.pk}/")}">')[1:]
        named = [" ".join(re.sub("<[^>]*>", " ", link[:400]).split()) for link in links]
        wanted = f"Bauer, Uwe {into.name} {first.get_state_display()}"
        assert [text for text in named if text.startswith(wanted)]


def test_a_file_asks_which_part_is_the_surname_and_takes_what_was_chosen() -> None:
    into = desk()
    client, rows = staff(into), "Name;Rating\nUwe Bauer;1800\nWeiss Eva;1700\nKurz, Jan;1600\n"
    file = SimpleUploadedFile("list.csv", rows.encode())
    look = client.post(address(into, "upload/"), {"section": into.pk, "file": file}).context
    assert [(one.number, one.chosen) for _, one in look["orders"]] == [(2, "Bauer, Uwe"), (3, "Eva, Weiss")]
    typed = {"section": into.pk, "upload": look["token"], "name-2": "Bauer, Uwe", "name-3": "Weiss, Eva"}
    again = client.post(address(into, "upload/"), {**typed, "again": "yes"}).context
    assert [one.chosen for _, one in again["orders"]] == ["Bauer, Uwe", "Weiss, Eva"]
    client.post(address(into, "upload/"), typed)
    assert set(Registration.objects.values_list("name", flat=True)) == {
        "Bauer, Uwe",
        "Weiss, Eva",
        "Kurz, Jan",
    }


def test_a_file_whose_heading_puts_the_surname_first_gives_names_in_this_order() -> None:
    into = desk()
    client, rows = staff(into), "Nominativo;Elo FIDE\nRossi Mario;1800\nDe Luca Anna;1700\n"
    file = SimpleUploadedFile("list.csv", rows.encode())
    look = client.post(address(into, "upload/"), {"section": into.pk, "file": file}).context
    asked = {one.number: one for _, one in look["orders"]}
    assert asked[2].chosen == "Rossi, Mario"
    assert asked[3].ways == ("De, Luca Anna", "Anna, De Luca", "Luca Anna, De", "De Luca Anna")


@pytest.mark.one_database
def test_the_rating_list_answers_for_a_file(settings: Settings, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    imported(text(combined_line(88, "Uwe, Bauer", 2215, year=1971, fed="GER")))
    into = desk()
    client, rows = staff(into), "Name;FIDE ID\nUwe Bauer;88\n"
    file = SimpleUploadedFile("list.csv", rows.encode())
    look = client.post(address(into, "upload/"), {"section": into.pk, "file": file}).context
    assert look["orders"] == []
    client.post(address(into, "upload/"), {"section": into.pk, "upload": look["token"]})
    assert Registration.objects.get().name == "Uwe, Bauer"


def _entered_twice() -> tuple[Registration, RegistrationActor]:
    """A registration that an organiser accepts, of somebody who is entered with the name in the other order."""
    into = desk()
    ParticipantFactory(
        section=into, player__event=into.event, player__name="Uwe Bauer", player__birth_date=BORN
    )
    return sent(into, "Bauer, Uwe", by=ORGANISER, birth_date=BORN), ORGANISER


@pytest.mark.parametrize("many", [False, True])
def test_a_registration_of_somebody_who_is_entered_under_the_other_order_is_asked_about(many: bool) -> None:
    one, by = _entered_twice()
    if many:
        wanted = [(one.pk, one.revision)]
        outcome = move_many(event_id=one.event_id, wanted=wanted, to=RegistrationState.ACCEPTED, by=by)
        assert [error.code for _one, error in outcome.left] == ["same_person"]
        outcome = move_many(
            event_id=one.event_id, wanted=wanted, to=RegistrationState.ACCEPTED, by=replace(by, both=True)
        )
        assert [each.state for each in outcome.moved] == [RegistrationState.ACCEPTED]
        return
    with pytest.raises(DomainError, match="same_person"):
        move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=by)
    assert (
        move_registration(
            registration_id=one.pk, to=RegistrationState.ACCEPTED, by=replace(by, both=True)
        ).state
        == RegistrationState.ACCEPTED
    )


def test_a_section_that_accepts_by_itself_leaves_such_a_player_to_be_checked() -> None:
    into = desk(acceptance="complete")
    ParticipantFactory(
        section=into, player__event=into.event, player__name="Uwe Bauer", player__birth_date=BORN
    )
    one = sent(into, "Bauer, Uwe", by=ORGANISER, birth_date=BORN)
    assert one.state == RegistrationState.PENDING


@pytest.mark.parametrize("registered", [False, True])
def test_a_move_to_a_section_with_the_other_order_of_the_name_is_asked_about(registered: bool) -> None:
    into = desk()
    other = section_of(0, event=into.event, name="B", slug="b")
    SectionRegistration.objects.create(section=other)
    ParticipantFactory(
        section=other, player__event=into.event, player__name="Uwe Bauer", player__birth_date=BORN
    )
    Event.objects.update(sections_apart=True)
    one = sent(Section.objects.get(pk=into.pk), "Bauer, Uwe", by=ORGANISER, birth_date=BORN)
    one = move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    if registered:
        with pytest.raises(DomainError, match="same_person"):
            move_section(registration_id=one.pk, section_id=other.pk, by=ORGANISER)
        return
    entry = one.participant
    Registration.objects.all().delete()
    form = {"to": other.slug}
    shown = (
        staff(into).post(f"/{into.event.slug}/{into.slug}/entries/{entry.pk}/move/", form).content.decode()
    )
    assert "Is Bauer, Uwe another player with the same birth date?" in shown
    assert "Move the player anyway" in shown


def test_the_queue_asks_whether_it_is_another_player() -> None:
    one, _by = _entered_twice()
    into, page = one.section, staff(one.section)
    press = {"do": "accept", "pile": "check", "chosen": f"{one.pk}:{one.revision}"}
    asked = page.post(address(into, "decide/"), press)
    assert asked.status_code == 422
    assert "Is Bauer, Uwe another player with the same birth date?" in asked.content.decode()
    sent_again: dict[str, list[str]] = {}
    for name, value in asked.context["sent"]:
        sent_again.setdefault(name, []).append(value)
    page.post(address(into, "decide/"), {**press, **sent_again})
    one.refresh_from_db()
    assert one.state == RegistrationState.ACCEPTED
