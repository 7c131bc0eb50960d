"""Files through the API: lists and report files that are taken, and files as answers."""

from __future__ import annotations

from io import BytesIO
from zipfile import ZipFile

import pytest
from django.http import HttpResponse
from openpyxl import Workbook

from tests.api.v1.program import Program
from tests.factories import EventRoleFactory, UserFactory, entry_data
from tests.web.staff.conftest import enter, paired
from tournaments.actions.entries import edit_participant
from tournaments.actions.ledger import Actor
from tournaments.models import ActionLog, Event, EventRole, Section

pytestmark = pytest.mark.one_database


@pytest.fixture
def at(section: Section) -> str:
    return f"sections/{section.pk}/"


def code(answer: HttpResponse) -> tuple[int, str]:
    assert answer["Content-Type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


def test_a_list_is_looked_at_and_then_taken(program: Program, section: Section, at: str):
    known = section.participants.get(tpn=1).player.name
    rows = f"Name;Rating;Club\nEk, Ada;2000;Ås\n{known};2777;\nNobody, No;;\nEk, Ada;1900;\n"
    preview, take = f"{at}import-list/preview/", f"{at}import-list/"
    found = program.done("POST", preview, rows.encode())
    assert [(row["row"], row["name"], row["rating"]) for row in found["added"]] == [(2, "Ek, Ada", 2000)]
    assert [change["field"] for change in found["changed"][0]["changes"]] == ["rating"]
    assert [(row["row"], row["reasons"][0]["code"]) for row in found["refused"]] == [
        (4, "no_rating"),
        (5, "same_name"),
    ]
    assert found["refused"][1]["rivals"] == [{"row": 2, "player": None, "name": "Ek, Ada"}]
    kept = program.done("POST", f"{preview}?choices=keep-5&unrated=1500", rows.encode())
    assert [(row["row"], row["provisional"]) for row in kept["added"]] == [(4, True), (5, False)]
    assert kept["left"] == [2]
    assert section.participants.count() == 6
    assert code(program.send("POST", take, rows.encode())) == (422, "invalid")  # no revision
    old = program.send("POST", f"{take}?revision={found['revision'] + 1}", rows.encode())
    assert code(old) == (409, "stale")
    wanted = f"{take}?revision={found['revision']}&file_name=entries.csv"
    taken = program.done("POST", wanted, rows.encode(), key="list")
    again = program.send("POST", wanted, rows.encode(), key="list")
    assert (again.json(), again["Idempotency-Replayed"]) == (taken, "true")
    assert taken["refused"] == [{"row": 4, "codes": ["no_rating"]}, {"row": 5, "codes": ["same_name"]}]
    assert program.get(f"entries/{taken['added'][0]}/")["club"] == "Ås"
    assert program.get(f"entries/{taken['changed'][0]}/")["rating"] == 2777
    assert ActionLog.objects.get(action="import_entries").subject == "entries.csv"


def test_a_program_of_a_viewer_gets_no_birth_date_and_no_note(section: Section, event: Event, at: str):
    """Its scopes do not give more than the role of its maker."""
    role = EventRoleFactory(event=event, role="viewer", user=UserFactory())
    program = Program(role.user, event)
    entry = section.participants.get(tpn=1)
    typed = entry_data(entry.player.name, birth_date="1987/06/05")
    edit_participant(actor=Actor.command(), participant_id=entry.pk, entry=typed, asked=True)
    entry.player.refresh_from_db()
    assert "1987" not in str(program.get(f"{at}log/"))
    assert program.get(f"entries/{entry.pk}/")["personal"] is None
    assert [row["personal"] for row in program.get(f"{at}entries/")["results"]] == [None] * 6
    assert program.send("GET", f"{at}tables/entries/").status_code == 403
    assert program.send("GET", f"{at}tables/standings/").status_code == 200
    EventRole.objects.filter(pk=role.pk).update(role="arbiter")
    assert program.get(f"entries/{entry.pk}/")["personal"]["birth_date"] == "1987-06-05"
    assert program.send("GET", f"{at}tables/entries/").status_code == 200
    assert "1987" in str(program.get(f"{at}log/"))


def test_a_workbook_is_read_and_other_files_are_refused(program: Program, section: Section, at: str):
    book, file = Workbook(), BytesIO()
    book.active.append(["Name", "Rating"])
    book.active.append(["Ek, Ada", 2000])
    book.save(file)
    preview = f"{at}import-list/preview/"
    assert [row["name"] for row in program.done("POST", preview, file.getvalue())["added"]] == ["Ek, Ada"]
    refused = program.send("POST", preview, b"%PDF-1.4")
    assert (code(refused), refused.json()["reason"]) == ((422, "file_refused"), "workbook")
    refused = program.send("POST", f"{at}import-report/preview/", b"001 nothing")
    assert (code(refused), bool(refused.json()["errors"])) == ((422, "file_refused"), True)


def test_a_program_says_what_the_columns_of_a_list_are(program: Program, section: Section, at: str):
    rows, preview = b"Ada:Ek:2000\nEve:Bo:1900\n", f"{at}import-list/preview/"
    refused = program.send("POST", preview, rows)
    assert (code(refused), refused.json()["reason"]) == ((422, "file_refused"), "headless")
    query = "delimiter=:&heading=0&columns=given&columns=last&columns=rating"
    found = program.done("POST", f"{preview}?{query}", rows)
    assert [row["name"] for row in found["added"]] == ["Ek, Ada", "Bo, Eve"]
    assert [(one["place"], one["meaning"], one["example"]) for one in found["columns"]] == [
        (1, "given", "Ada"),
        (2, "last", "Ek"),
        (3, "rating", "2000"),
    ]
    taken = program.done("POST", f"{at}import-list/?{query}&revision={found['revision']}", rows, key="c")
    assert len(taken["added"]) == 2
    refused = program.send("POST", f"{preview}?delimiter=x", rows)
    assert code(refused) == (422, "invalid")


def test_a_report_file_goes_out_and_comes_back(program: Program, section: Section, event: Event, at: str):
    for game in paired(section).games.all():
        enter(game, "1-0")
    report = program.send("GET", f"{at}report/")
    assert report["Content-Type"].startswith("text/plain")
    file = report.content
    old = program.send("GET", f"{at}report/16/").content
    assert old != file
    assert program.get(f"{at}report/16/lost/")["results"]
    assert code(program.send("GET", f"{at}report/99/")) == (404, "not_found")
    assert code(program.send("GET", f"{at}report/?rating=true")) == (422, "rounds_left")
    early = program.send("GET", f"{at}report/?rating=true&unfinished=true")
    assert early.status_code == 200
    new = f"events/{event.pk}/sections/import-report/"
    facts = program.done("POST", f"{new}preview/", file)
    assert (facts["players"], facts["rounds_paired"], facts["to_confirm"]) == (6, 1, False)
    made = program.done("POST", f"{new}?name=B&file_name=a.trf", file)
    again = program.send("GET", f"sections/{made['id']}/report/").content
    assert again.splitlines()[-6:] == file.splitlines()[-6:]
    assert code(program.send("POST", f"{at}import-report/", file)) == (422, "section_not_empty")
    empty = program.done("POST", f"events/{event.pk}/sections/", {"name": "C", "rounds": 5})
    filled = program.done("POST", f"sections/{empty['id']}/import-report/", file)
    assert filled["rounds"] == section.rounds


def test_tables_the_archive_and_the_copy(program: Program, section: Section, at: str):
    paired(section)
    table = program.send("GET", f"{at}tables/entries/")
    assert table["Content-Type"] == "text/csv; charset=utf-8"
    assert section.participants.get(tpn=1).player.name in table.content.decode()
    book = program.send("GET", f"{at}tables/standings/?kind=xlsx")
    assert book.content.startswith(b"PK")
    unchanged = program.send("GET", f"{at}tables/entries/", **{"If-None-Match": table["ETag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert code(program.send("GET", f"{at}tables/nothing/")) == (404, "not_found")
    archive = program.send("GET", f"{at}archive/")
    assert "report.trf" in ZipFile(BytesIO(archive.content)).namelist()
    noted = ActionLog.objects.get(action="take_archive")
    assert noted.origin.endswith(f"{program.made.prefix}…")
    assert program.send("GET", f"{at}copy/")["Content-Type"] == "application/gzip"
