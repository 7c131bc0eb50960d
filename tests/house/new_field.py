"""Looks for the field “school” wherever a player is typed, shown, read, written or erased. `test_new_field` runs it."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from openpyxl import load_workbook
from pytest_django import Settings

from registrations.models import Registration
from registrations.web.forms import registration
from tests.api.v1.program import Program
from tests.factories import EventRoleFactory
from tests.registrations import factories, test_list_files, test_register_form
from tests.registrations.conftest import staff
from tests.web.public import test_lists_files
from tests.web.staff.imports.conftest import confirm, upload
from tournaments.actions.ledger import Actor
from tournaments.actions.personal_data import erase_player
from tournaments.models import ActionLog, EventRole, Participant, Section, User

pytestmark = pytest.mark.django_db
ANN = {"name": "Abel, Ann", "rating": "1900", "rating_source": "typed", "first_round": "1"}


@pytest.fixture
def section(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Section:
    settings.VAR_DIR, settings.MAIL_IS_SET_UP = tmp_path, True
    monkeypatch.setattr(registration, "QUICKEST", timedelta(seconds=-1))
    return factories.desk(acceptance="complete")


@pytest.fixture
def owner(section: Section) -> User:
    return EventRoleFactory(event=section.event, role=EventRole.Role.OWNER).user


@pytest.fixture
def page(owner: User) -> Client:
    client = Client()
    client.force_login(owner)
    return client


@pytest.fixture
def program(owner: User, section: Section) -> Program:
    return Program(owner, section.event)


@pytest.fixture
def entry(section: Section, page: Client) -> Participant:
    """An entry that an arbiter has typed."""
    answer = page.post(address(section, "entries/add/"), {**ANN, "school": "Lyceum"})
    assert answer.status_code == 302
    return Participant.objects.get(school="Lyceum")


def address(section: Section, rest: str) -> str:
    return f"/{section.event.slug}/{section.slug}/{rest}"


def text(client: Client, url: str) -> str:
    return " ".join(client.get(url).content.decode().split())


def test_the_form_of_an_entry_asks_for_it_and_a_search_finds_it(
    section: Section, page: Client, entry: Participant
) -> None:
    url = address(section, f"entries/{entry.pk}/")
    shown = text(page, url)
    assert ('value="Lyceum"' in shown, ">School" in shown) == (True, True)
    page.post(url, {**ANN, "seen": page.get(url).context["form"].shown_text, "school": "Gymnasium"})
    entry.refresh_from_db()
    assert entry.school == "Gymnasium"
    assert [row.name for row in page.get(address(section, "entries/?q=gymnas")).context["part"].rows] == [
        "Abel, Ann"
    ]


def test_a_list_has_it_in_several_languages_and_the_preview_shows_a_change(
    section: Section, page: Client, entry: Participant
) -> None:
    status, shown = upload(
        page,
        address(section, "entries/import/"),
        "Name;Rating;Schule\nAbel, Ann;1900;Realschule\nBo, Eve;1800;HBS\n",
    )
    assert status == 200
    assert "school <del>Lyceum</del> <ins>Realschule</ins>" in " ".join(shown.split())
    section.refresh_from_db()
    confirm(page, address(section, "entries/import/check/"), revision=section.revision)
    assert sorted(Participant.objects.values_list("school", flat=True)) == ["HBS", "Realschule"]


def test_lists_for_arbiters_and_for_everybody_have_its_column(
    section: Section, page: Client, entry: Participant
) -> None:
    for client, url in ((page, "{kind}/entries/"), (Client(), "lists/players.{kind}")):
        answer = client.get(address(section, url.format(kind="csv")))
        assert answer.status_code == 200, url
        head, row, *_last = test_lists_files.table(answer)
        found = dict(zip(head, row, strict=True))
        assert (found["Name"], found["School"]) == ("Abel, Ann", "Lyceum")
        book = client.get(address(section, url.format(kind="xlsx"))).content
        assert "School" in [cell.value for cell in next(load_workbook(io.BytesIO(book)).active.rows)]


def test_programs_read_and_write_it(section: Section, program: Program, entry: Participant) -> None:
    at = f"entries/{entry.pk}/"
    assert program.get(at)["school"] == "Lyceum"
    program.done("PATCH", at, {"school": "HBS"}, seen=program.tag(at))
    made = program.done(
        "POST", f"sections/{section.pk}/entries/", {"name": "Bo, Eve", "rating": 1800, "school": "B"}
    )
    assert (program.get(at)["school"], made["school"]) == ("HBS", "B")
    everybody = Client().get(f"/api/v1/public/sections/{section.pk}/entries/").json()["results"]
    assert sorted(row["school"] for row in everybody) == ["B", "HBS"]
    shapes = Client().get("/api/v1/openapi.json").json()["components"]["schemas"]
    assert {name for name, shape in shapes.items() if "school" in shape.get("properties", {})} == {
        *("EntryShape", "NewEntryBody", "PatchedEntryBody", "PublicEntryShape", "RegistrationRow"),
        *("RegistrationShape", "NewRegistrationBody", "PatchedRegistrationBody", "RegisteredShape"),
        "LatePlayerShape",
    }


def test_the_log_names_it_and_undo_restores_it(
    section: Section, page: Client, program: Program, entry: Participant
) -> None:
    at = f"entries/{entry.pk}/"
    program.done("PATCH", at, {"school": "HBS"}, seen=program.tag(at))
    log = text(page, address(section, "log/"))
    assert "school" in log
    assert "HBS" in log
    section.refresh_from_db()
    program.agreed("POST", f"sections/{section.pk}/undo/", {"revision": section.revision})
    entry.refresh_from_db()
    assert entry.school == "Lyceum"


def test_initials_hide_it(section: Section, entry: Participant) -> None:
    type(entry.player).objects.update(by_initials=True)
    assert "Lyceum" not in Client().get(address(section, "lists/players.csv")).content.decode()


def test_the_file_for_the_person_has_it_and_erasing_empties_it(
    section: Section, page: Client, entry: Participant
) -> None:
    packed = page.get(address(section, f"entries/{entry.pk}/data/file.zip")).content
    [kept] = json.loads(zipfile.ZipFile(io.BytesIO(packed)).read("person.json"))["entries"]
    assert kept["school"] == "Lyceum"
    erase_player(
        actor=Actor.command(), event=section.event, player_id=entry.player_id, typed=entry.player.name
    )
    entry.refresh_from_db()
    logged = json.dumps(list(ActionLog.objects.values_list("before", "after", "changes")))
    assert (entry.school, "Lyceum" in logged) == ("", False)


def test_the_public_form_asks_for_it_and_the_entry_gets_it(section: Section, page: Client) -> None:
    assert 'name="school"' in text(Client(), test_register_form.address(section))
    answer = test_register_form.fill(section, school="Lyceum")
    assert answer.status_code == 302
    one = Registration.objects.get(school="Lyceum")
    assert one.participant.school == "Lyceum"
    assert 'value="Lyceum"' in text(page, f"/{section.event.slug}/-/registration/{one.pk}/")


def test_the_desk_shows_and_corrects_it(section: Section, page: Client) -> None:
    one = factories.sent(section, school="Lyceum")
    desk = f"/{section.event.slug}/-/registration/desk/"
    shown = text(page, f"{desk}?q={one.pk}")
    assert ("<span>Lyceum</span>" in shown, 'data-is="school"' in shown) == (True, True)
    [row] = page.get(f"{desk}people/").json()["people"]
    assert {"club": "", "school": "Lyceum"} in row
    typed = {"do": "correct", "key": "k1", "name": one.name, "shown_name": one.name}
    page.post(f"{desk}{one.pk}/", {**typed, "shown_school": "Lyceum", "school": "HBS"})
    one.refresh_from_db()
    assert one.school == one.participant.school == "HBS"


def test_lists_of_registrations_have_it(section: Section) -> None:
    client = staff(section)
    shown = test_list_files.look(client, section, "Name;School;E-mail\nEk, Ada;Lyceum;ada@example.org\n")
    test_list_files.again(client, section, shown)
    one = Registration.objects.get()
    assert one.school == "Lyceum"
    for url in ("file.csv", "file.xlsx"):
        assert client.get(f"/{section.event.slug}/-/registration/{url}").status_code == 200
    assert "School" in client.get(f"/{section.event.slug}/-/registration/file.csv").content.decode()
