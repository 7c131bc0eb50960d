"""A player who types the FIDE ID and no rating: the rating list has it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import Settings

from registrations.actions.edits import change_registration
from registrations.actions.event_lock import PLAYER
from registrations.actions.new_registrations import NewRegistration, register_many
from registrations.models import Registration
from registrations.states import RegistrationState
from registrations.web.forms import registration
from tests.api.v1.program import Program
from tests.factories import EventRoleFactory
from tests.rating_lists.made import combined_line, imported, text
from tests.registrations.factories import ORGANISER, desk, section, sent
from tests.registrations.test_register_form import TYPED, address, fill, reasons
from tournaments.actions.ledger import Actor
from tournaments.actions.rating_lists import set_rating_lists
from tournaments.errors import DomainError

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
ADA = combined_line(77, "Lovelace, Ada", 1815, 1905, fed="ENG", sex="F", women="WGM")
BAUER = combined_line(88, "Bauer, Uwe", 2215, year=1971, fed="GER", title="FM")


@pytest.fixture(autouse=True)
def _list(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(registration, "QUICKEST", timedelta(seconds=-1))
    imported(text(ADA, BAUER))


def test_the_rating_that_a_player_does_not_type_comes_from_the_list_and_the_page_says_so() -> None:
    into, client = desk(rating_from=1800, titles="WGM"), Client()
    answer = fill(into, client, fide_id="77", rating="", federation="")
    assert answer.status_code == 302
    one = Registration.objects.get()
    assert (one.rating, one.rating_source, one.rating_list) == (1815, "standard", "FIDE 2026-11 (file)")
    assert (one.title, one.federation, one.sex, one.problem_codes) == ("WGM", "ENG", "w", [])
    page = client.get(answer.url).content.decode()
    assert (
        "Taken from the rating list FIDE 2026-11 (file): Rating 1815, Title WGM and Federation ENG." in page
    )
    page = client.get(answer.url).content.decode()
    assert "Taken from" not in page
    assert "Rating 1815" in page
    assert "<span>FIDE 2026-11 (file)</span>" in page


def test_a_section_of_rapid_chess_takes_the_rapid_rating_also_beside_a_standard_one() -> None:
    into, client = desk(), Client()
    rapid = section(into.event, rating_from=1900)
    set_rating_lists(actor=Actor.command(), section_id=rapid.pk, codes=["FIDE:rapid", "FIDE:standard"])
    assert "rating" not in client.get(f"{address(into)}?id=77").context["form"].initial, (
        "two ratings are possible"
    )
    fill(rapid, client, fide_id="77", rating="")
    one = Registration.objects.get()
    assert (one.section, one.rating, one.rating_source) == (rapid, 1905, "rapid")


def test_a_typed_rating_stays_and_without_one_in_the_list_the_limit_still_refuses() -> None:
    into = desk(rating_from=1800)
    fill(into, fide_id="77", rating="1900")
    one = Registration.objects.get()
    assert (one.rating, one.rating_list, one.problem_codes) == (1900, "", ["not_as_listed"])
    Registration.objects.all().delete()
    answer = fill(into, fide_id="99", rating="")
    assert "there is no rating" in reasons(answer)[0]


@pytest.mark.parametrize(("name", "born"), [("Kovacs, Anna", "1990-12-10"), ("Lovelace, Ada", "1985-12-10")])
def test_another_name_or_year_in_the_list_is_asked_about_and_the_yes_holds_for_this_question_alone(
    name: str, born: str
) -> None:
    into, typed = desk(), {"name": name, "birth_date": born}
    sentence = (
        "In the rating list, FIDE ID 77 belongs to Lovelace, Ada, born in 1990. You typed {}, born in {}."
    )
    answer = fill(into, fide_id="77", rating="", **typed)
    assert (answer.status_code, Registration.objects.count()) == (422, 0)
    assert sentence.format(name, born[:4]) in reasons(answer)[0].replace("\u2068", "").replace("\u2069", "")
    question = answer.context["form"].question
    assert f'name="agreed" value="{question}"' in answer.content.decode()
    other = fill(into, fide_id="88", rating="", **typed, agreed=question)
    assert (other.status_code, Registration.objects.count()) == (422, 0), "the yes was about another person"
    fill(into, fide_id="77", rating="", **typed, agreed=question)
    one = Registration.objects.get()
    assert (one.rating, one.problem_codes) == (1815, ["not_as_listed"]), "the organiser looks at it too"


def test_names_in_another_order_and_with_accents_are_the_same_person() -> None:
    into = desk()
    for name in ("Ada Lovelace", "lovelace,ada", "Lövelace, Ada"):
        assert fill(into, name=name, fide_id="77", rating="").status_code == 302
        Registration.objects.all().delete()


def test_a_year_of_the_list_is_enough_for_a_limit_of_age() -> None:
    into = desk(age_from=18)
    into.event.registration.guardian_age = 0
    into.event.registration.save()
    fill(into, fide_id="77", birth_date="")
    assert Registration.objects.get().birth_date == "1990"


def test_a_file_takes_ratings_for_its_fide_ids_and_asks_nothing() -> None:
    into = desk()
    rows = [
        NewRegistration(into.pk, {"name": "Bauer, Uwe", "fide_id": 88}),
        NewRegistration(into.pk, {"name": "Somebody, Else", "fide_id": 77}),
    ]
    outcome = register_many(event=into.event, wanted=rows, by=ORGANISER, form_key=uuid4())
    assert [(one.rating, one.title, one.problem_codes) for one in outcome.made] == [
        (2215, "FM", []),
        (None, "", ["unrated", "not_as_listed"]),
    ]


def test_a_fide_id_that_a_player_adds_later_brings_the_rating() -> None:
    one = sent(desk(), "Bauer, Uwe", rating=None, birth_date="1971/03/04")
    change_registration(registration_id=one.pk, values={"fide_id": 88}, by=PLAYER, agreed="")
    one.refresh_from_db()
    assert (one.rating, one.rating_source, one.rating_list) == (2215, "standard", "FIDE 2026-11 (file)")
    with pytest.raises(DomainError) as refused:
        change_registration(registration_id=one.pk, values={"fide_id": 77}, by=PLAYER, agreed="")
    assert refused.value.code == "listed_otherwise"
    change_registration(
        registration_id=one.pk, values={"fide_id": 77}, by=PLAYER, agreed=refused.value.params["question"]
    )
    one.refresh_from_db()
    assert one.rating == 1815, "the rating of the list was that of the former FIDE ID"


def test_an_accepted_player_proposes_the_rating_with_the_fide_id() -> None:
    into = desk(acceptance="complete", unrated_as=1000)
    one = sent(into, "Bauer, Uwe", rating=None, birth_date="1971/03/04")
    Registration.objects.filter(pk=one.pk).update(state=RegistrationState.ACCEPTED, takes_place=True)
    change_registration(registration_id=one.pk, values={"fide_id": 88}, by=PLAYER, agreed="")
    one.refresh_from_db()
    assert one.proposed == {"fide_id": 88, "rating": 2215, "title": "FM", "sex": "m"}
    assert one.rating is None


def test_the_personal_page_asks_about_another_person_and_keeps_what_was_typed() -> None:
    into, client = desk(), Client()
    fill(into, client, rating="")
    page = address(into, "entry/")
    seen = client.get(page).context["form"].initial
    typed = {**TYPED, "do": "change", "fide_id": "88", "rating": "", "birth_date": "", "revision": "0"}
    answer = client.post(page, typed)
    assert (answer.status_code, answer.context["form"]["fide_id"].value()) == (422, "88"), seen
    question = answer.context["form"].question
    assert question
    client.post(page, {**typed, "agreed": question})
    assert Registration.objects.get().rating == 2215


def test_programs_get_the_rating_with_its_list_and_the_question_with_its_answer() -> None:
    into = desk(rating_from=1800)
    program = Program(EventRoleFactory(event=into.event).user, into.event)
    place = f"events/{into.event.pk}/registrations/"
    made = program.done("POST", place, {"section": into.pk, "name": "Bauer, Uwe", "fide_id": 88})
    assert (made["rating"], made["rating_list"]) == (2215, "FIDE 2026-11 (file)")
    body = {"section": into.pk, "name": "Lovelace, Eva", "fide_id": 77}
    asked = program.send("POST", place, body)
    assert (asked.status_code, asked.json()["code"]) == (422, "listed_otherwise")
    assert (asked.json()["params"]["listed"], asked.json()["params"]["rating"]) == ("Lovelace, Ada", 1815)
    agreed = {**body, "agreed": asked.json()["params"]["question"]}
    assert program.done("POST", place, agreed)["rating"] == 1815
