"""A player who is entered by hand or by a program: one person, the order of the name, and what the rating list has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from tests.api.v1.program import Program
from tests.factories import EventFactory, EventRoleFactory, entry_data, section_of
from tests.rating_lists.made import combined_line, imported, text
from tournaments.actions.entries import add_participant
from tournaments.actions.ledger import Actor
from tournaments.models import EventRole, Player, Section

pytestmark = pytest.mark.django_db
BORN = "1971/03/04"
TYPED = {"rating": "1900", "rating_source": "typed", "first_round": "1"}


@pytest.fixture
def section() -> Section:
    return section_of(2, event=EventFactory(slug="rijswijk"), slug="a")


@pytest.fixture
def client(section: Section) -> Client:
    client = Client()
    client.force_login(EventRoleFactory(event=section.event).user)
    return client


@pytest.fixture
def program(section: Section) -> Program:
    return Program(EventRoleFactory(event=section.event, role=EventRole.Role.OWNER).user, section.event)


def send(client: Client, **typed: Any) -> HttpResponse:
    return client.post("/rijswijk/a/entries/add/", {**TYPED, **typed})


def names() -> list[str]:
    return list(Player.objects.order_by("pk").values_list("name", flat=True)[2:])


def test_one_person_in_two_orders_is_asked_about(section: Section, client: Client) -> None:
    add_participant(
        actor=Actor.command(), section_id=section.pk, entry=entry_data("Bauer, Uwe", 1800, birth_date=BORN)
    )
    asked = send(client, name="Uwe, Bauer", birth_date=BORN)
    assert asked.status_code == 422
    assert "is already entered. Is Uwe, Bauer another player" in shown(asked)
    other = send(client, name="Uwe, Bauer", birth_date="1980/01/01", answer=asked.context["asked"].answer)
    assert other.status_code == 302, "another birth date is another person"
    yes = send(client, name="Uwe, Bauer", birth_date=BORN, answer=asked.context["asked"].answer)
    assert yes.status_code == 302
    assert names() == ["Bauer, Uwe", "Uwe, Bauer", "Uwe, Bauer"]


def test_a_name_without_a_comma_is_asked_about(section: Section, client: Client) -> None:
    asked = send(client, name="Uwe Bauer")
    assert (asked.status_code, names()) == (422, [])
    assert "Which part is the surname? Bauer, Uwe?" in shown(asked)
    assert asked.context["ways"] == ["Bauer, Uwe", "Uwe, Bauer"]
    assert send(client, name="Uwe Bauer", name_as="Bauer, Eva").status_code == 422, "an answer about another"
    assert send(client, name="Uwe Bauer", name_as="Bauer, Uwe").status_code == 302
    answer = asked.context["asked"].answer
    assert send(client, name="Bauer Uwe", answer=answer).status_code == 422, "a yes about another name"
    assert send(client, name="Uwe Bauer", answer=answer).status_code == 302
    assert names() == ["Bauer, Uwe", "Uwe Bauer"]


def test_a_changed_name_without_a_comma_is_asked_about(section: Section, client: Client) -> None:
    entry = section.participants.get(tpn=1)
    there = f"/rijswijk/a/entries/{entry.pk}/"
    typed = {**TYPED, "rating": entry.rating, "name": "Uwe Bauer"}
    assert client.post(there, typed).status_code == 422
    assert client.post(there, {**typed, "name_as": "Bauer, Uwe"}).status_code == 302
    assert Player.objects.get(entries=entry).name == "Bauer, Uwe"


def test_a_new_entry_takes_a_latin_form(section: Section, client: Client) -> None:
    assert 'name="latin_name"' in client.get("/rijswijk/a/entries/add/").content.decode()
    assert send(client, name="丁, 立人", latin_name="Ding, Liren").status_code == 302
    assert Player.objects.get(name="丁, 立人").report_name == "Ding, Liren"


@pytest.fixture
def _list(settings: Settings, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    imported(text(combined_line(88, "Bauer, Uwe", 2215, year=1971, fed="GER", title="FM")), period="2026-10")


@pytest.mark.one_database
@pytest.mark.usefixtures("_list")
def test_the_list_gives_the_rating_of_a_fide_id_and_the_order_of_the_name(
    section: Section, client: Client
) -> None:
    assert send(client, name="Uwe Bauer", fide_id="88", rating="").status_code == 302
    entry = section.participants.get(player__fide_id=88)
    assert (entry.player.name, entry.rating, entry.rating_list) == (
        "Bauer, Uwe", 2215, "FIDE 2026-10 (file)",
    )  # fmt: skip
    page = shown(client.get("/rijswijk/a/entries/"))
    assert "Taken from the rating list FIDE 2026-10 (file): Rating 2215" in page
    nobody = send(client, name="Nobody, Ann", fide_id="99", rating="")
    assert "Nobody, Ann needs a rating" in shown(nobody)
    assert "Nobody, Ann needs a rating" in shown(send(client, name="Nobody, Ann", rating=""))


@pytest.mark.one_database
@pytest.mark.usefixtures("_list")
def test_another_name_or_year_than_in_the_list_is_asked_about(section: Section, client: Client) -> None:
    asked = send(client, name="Stone, Eva", fide_id="88", rating="")
    assert asked.status_code == 422
    assert "FIDE ID 88 belongs to Bauer, Uwe" in shown(asked)
    year = send(client, name="Bauer, Uwe", fide_id="88", rating="", birth_date="1980")
    assert (year.status_code, names()) == (422, [])
    answer = asked.context["asked"].answer
    assert send(client, name="Stone, Eva", fide_id="88", rating="", answer=answer).status_code == 302
    assert section.participants.get(player__fide_id=88).rating == 2215


@pytest.mark.one_database
@pytest.mark.usefixtures("_list")
def test_a_program_gets_the_rating_and_the_questions(section: Section, program: Program) -> None:
    entries = f"sections/{section.pk}/entries/"
    made = program.done("POST", entries, {"name": "Bauer, Uwe", "rating": 0, "fide_id": 88})
    assert (made["rating"], made["rating_list"]) == (2215, "FIDE 2026-10 (file)")
    born = {"name": "Ek, Ada", "rating": 1800, "birth_date": "1990-02-03"}
    program.done("POST", entries, born)
    asked = program.send("POST", entries, {**born, "name": "Ada Ek", "rating": 1810})
    assert asked.json()["code"] == "same_person"
    assert asked.json()["confirm"]
    program.done(
        "POST", entries, {**born, "name": "Ada Ek", "rating": 1810, "confirm": [asked.json()["confirm"]]}
    )


@pytest.mark.one_database
@pytest.mark.usefixtures("_list")
def test_the_page_of_an_entry_and_a_change_by_a_program_look_a_fide_id_up(
    section: Section, client: Client, program: Program
) -> None:
    by_page, by_program = section.participants.get(tpn=1), section.participants.get(tpn=2)
    there = f"/rijswijk/a/entries/{by_page.pk}/"
    other = client.post(there, {**TYPED, "name": "Stone, Eva", "fide_id": "88", "rating": ""})
    assert other.status_code == 422
    assert "FIDE ID 88 belongs to Bauer, Uwe" in shown(other)
    typed = {**TYPED, "name": "Bauer, Uwe", "fide_id": "88", "rating": ""}
    assert client.post(there, typed).status_code == 302
    by_page.refresh_from_db()
    assert (by_page.rating, by_page.rating_list) == (2215, "FIDE 2026-10 (file)")
    assert "Taken from the rating list" in shown(client.get("/rijswijk/a/entries/"))
    Player.objects.filter(entries=by_page).update(fide_id=None, name="Other, Ann", birth_date="")
    path, body = f"entries/{by_program.pk}/", {"fide_id": 88, "rating": 0}
    asked = program.send("PATCH", path, {**body, "name": "Stone, Eva"}, seen="*")
    assert asked.json()["code"] == "listed_otherwise"
    changed = program.send("PATCH", path, {**body, "name": "Bauer, Uwe"}, seen="*").json()
    assert (changed["rating"], changed["title"]) == (2215, "FM")


def shown(answer: HttpResponse) -> str:
    return answer.content.decode().replace("\u2068", "").replace("\u2069", "")
