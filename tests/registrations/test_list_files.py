"""Registrations from a file of the organiser."""

from __future__ import annotations

import io
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from openpyxl import Workbook

from registrations.actions.edits import change_registration
from registrations.models import Mail, Registration
from registrations.queries.list_files import FileRow, file_rows
from tests.registrations.conftest import address, chosen, names, staff
from tests.registrations.factories import ORGANISER, desk, section
from tests.workbooks import ods
from tournaments.actions.entry_lists import remember_layout
from tournaments.files import spreadsheets
from tournaments.files.columns import OF_ENTRIES, OF_REGISTRATIONS
from tournaments.files.entry_lists import read_entries
from tournaments.files.spreadsheets import WorkbookSheet
from tournaments.models import Section, User

pytestmark = pytest.mark.django_db

LIST = """Last name;First name;Sex;Title;Federation;FIDE ID;Rating;Birth date;Club;E-mail;Half-point bye in round
Menon;Vivek;M;;IND;81241687;1764;1989/01/08;;vivek@example.org;
D'Angelo;Chiara;W;;ITA;;1398;1999/09/19;SK;chiara@example.org;2
Twice;One;M;;ITA;81241687;1398;1999/09/19;;;
Wrong;Date;M;;ITA;;1398;31/31/1999;;;
"""


def taken(client: Client, into: Section, file: SimpleUploadedFile, **more: str) -> HttpResponse:
    """Send a file, and agree to what the page shows."""
    page, typed = address(into, "upload/"), {"section": into.pk, **more}
    shown = client.post(page, {**typed, "file": file})
    return client.post(page, {**typed, "upload": shown.context["token"]})


def test_rows_of_a_file_wait_to_be_checked_and_others_say_why() -> None:
    into = desk()
    file = SimpleUploadedFile("list.csv", LIST.encode())
    answer = taken(staff(into), into, file, consent="on")
    rows = Registration.objects.order_by("pk").values_list("name", "state", "email", "birth_date", "consent")
    assert list(rows) == [
        ("Menon, Vivek", "pending", "vivek@example.org", "1989/01/08", True),
        ("D'Angelo, Chiara", "pending", "chiara@example.org", "1999/09/19", True),
    ]
    assert list(Registration.objects.get(club="SK").byes.values_list("round_number", flat=True)) == [2]
    assert [number for number, _name, _reason in answer.context["refused"]] == [4, 5]


def test_a_workbook_brings_mail_addresses_too() -> None:
    into, kept = desk(), io.BytesIO()
    book = Workbook()
    for cells in (
        ["List of today"],
        ["Name", "Rating", "E-mail"],
        ["Menon, Vivek", 1764, "vivek@example.org"],
    ):
        book.active.append(cells)
    book.save(kept)
    file = SimpleUploadedFile("list.xlsx", kept.getvalue())
    taken(staff(into), into, file)
    assert Registration.objects.get().email == "vivek@example.org"


def rows_of(text: str) -> list[FileRow]:
    return file_rows(read_entries(text.encode(), offered=OF_REGISTRATIONS)).rows


def upload(client: Client, into: Section, **more: str) -> HttpResponse:
    return taken(client, into, SimpleUploadedFile("list.csv", LIST.encode()), **more)


def test_mail_addresses_are_read_as_the_other_columns_are() -> None:
    """Older programs end lines with CR alone, and write a blank before a quotation mark."""
    head, rows = (
        "Name; Rating; E-mail",
        ['"Ek; Ada"; 2000; a@example.org', '"Bo, Eve"; "1900"; b@example.org'],
    )
    for end in ("\r", "\n", "\r\n"):
        found = rows_of(end.join([head, *rows, ""]))
        assert [row.values["email"] for row in found] == ["a@example.org", "b@example.org"]
    found = rows_of("\n".join([head, *(f" {row}" for row in rows)]))
    assert [row.values["email"] for row in found] == ["a@example.org", "b@example.org"]


def test_a_file_says_what_it_brings_by_section_before_it_writes() -> None:
    into = desk(capacity=3)
    other = section(into.event)
    Section.objects.filter(pk=other.pk).update(name="Gruppe Ö")
    text = "Name;Rating;Gruppe;Shoe size;Team\nA, X;1500; gruppe o;43;X\nB, X;1600;;41\nC, X;1700;Blitz;40\n"
    client, file = staff(into), SimpleUploadedFile("list.csv", text.encode())
    look = client.post(address(into, "upload/"), {"section": into.pk, "file": file}).context
    assert [(each.section.pk, each.free, rows) for each, rows, _wait in look["sections"]] == [
        (into.pk, 3, 1),
        (other.pk, None, 1),
    ]
    assert (look["unread"], [(number, name) for number, name, _why in look["refused"]]) == (
        "Shoe size (43), Team (X)",
        [(4, "C, X")],
    )
    assert "No section that takes registrations is called “Blitz”." in look["refused"][0][2]
    read_as = {heading: field.value() for field, heading, _cells in look["columns"].rows}
    assert read_as == {"Name": "NAME", "Rating": "RATING", "Gruppe": "SECTION", "Shoe size": "", "Team": ""}
    assert not Registration.objects.exists()
    stale = client.post(address(into, "upload/"), {"section": into.pk, "upload": "0" * 32})
    assert (stale.status_code, Registration.objects.count()) == (422, 0)
    done = client.post(address(into, "upload/"), {"section": into.pk, "upload": look["token"]})
    assert [number for number, _name, _why in done.context["refused"]] == [4]
    assert set(Registration.objects.values_list("name", "section")) == {("A, X", other.pk), ("B, X", into.pk)}


@pytest.mark.parametrize("key", [True, False], ids=["same form", "another form"])
def test_a_file_that_is_sent_twice_takes_nobody_twice(key: bool) -> None:
    into = desk(capacity=1)
    client = staff(into)
    typed = {"form_key": str(uuid4())} if key else {}
    page = upload(client, into, **typed).content.decode()
    assert "2 registrations are taken. 1 waits to be checked. 1 is on the waiting list" in page
    answer = upload(client, into, **typed)
    assert Registration.objects.count() == 2
    assert (
        "0 registrations are taken. 2 people of the file were registered already." in answer.content.decode()
    )


def test_the_same_form_takes_nobody_twice_whose_name_was_corrected_meanwhile() -> None:
    into = desk()
    client, key = staff(into), str(uuid4())
    upload(client, into, form_key=key)
    one = Registration.objects.get(club="SK")
    change_registration(registration_id=one.pk, values={"name": "Angelo, Chiara"}, by=ORGANISER)
    upload(client, into, form_key=key)
    assert Registration.objects.count() == 2


def test_mails_of_a_file_wait_until_the_organiser_sends_them() -> None:
    into = desk()
    client = staff(into)
    upload(client, into)
    assert not Mail.objects.exists()
    ones = Registration.objects.order_by("pk")
    assert names(into, pile="unwritten") == ["M", "D"]
    client.post(address(into, "decide/"), {"do": "write", "pile": "unwritten", "chosen": chosen(ones[0])})
    assert list(Mail.objects.values_list("registration", "kind")) == [(ones[0].pk, "pending")]
    answer = client.post(address(into, "decide/"), {"do": "write", "pile": "all", "all": "2"}, follow=True)
    assert (Mail.objects.count(), names(into, pile="unwritten")) == (2, [])
    assert "1 mail is on its way." in answer.content.decode()


FORMS = (
    "Timestamp,Full name,Date of birth (dd/mm/yyyy),Which section do you want to play?,Your rating,E-mail,Phone,"
    "Anything else?\n"
    'x,"Ek, Ada",05/06/1990,{section},1850 F,ada@example.org,+353 1 234,vegetarian\n'
)


def look(client: Client, into: Section, text: str, **more: str) -> HttpResponse:
    file = SimpleUploadedFile("list.csv", text.encode())
    return client.post(address(into, "upload/"), {"section": into.pk, "file": file, **more})


def again(client: Client, into: Section, shown: HttpResponse, **more: str) -> HttpResponse:
    """Press a button of the page that was shown, with all that its form has."""
    columns = {field.html_name: field.value() or "" for field, *_ in shown.context["columns"].rows}
    sent = {"section": into.pk, "upload": shown.context["token"], "read": shown.context["read"], **columns}
    return client.post(
        address(into, "upload/"), {**sent, **{name.replace("_", "-"): more[name] for name in more}}
    )


def test_answers_of_a_questionnaire_become_registrations() -> None:
    into = desk()
    client = staff(into)
    again(client, into, look(client, into, FORMS.format(section=into.name)))
    one = Registration.objects.get()
    assert (one.name, one.birth_date, one.rating, one.email, one.phone, one.message) == (
        "Ek, Ada",
        "1990/06/05",
        1850,
        "ada@example.org",
        "+353 1 234",
        "vegetarian",
    )


def test_the_organiser_says_what_the_columns_are_and_the_next_file_is_read_so() -> None:
    into = desk()
    client = staff(into)
    shown = look(client, into, "Ada;Ek;a@example.org\nEve;Bo;b@example.org\n")
    assert "The columns have no names, and their meaning is not certain." in shown.content.decode()
    shown = again(client, into, shown, column_0="GIVEN", column_1="LAST", column_2="EMAIL")
    assert not Registration.objects.exists()
    assert "Take 2 registrations" in " ".join(shown.content.decode().split())
    again(client, into, shown)
    assert list(Registration.objects.order_by("pk").values_list("name", "email")) == [
        ("Ek, Ada", "a@example.org"),
        ("Bo, Eve", "b@example.org"),
    ]
    shown = look(client, into, "Ida;Om;c@example.org\n")
    assert (
        "The columns are read as you chose for the last list with the same columns." in shown.content.decode()
    )
    assert "Take 1 registration" in " ".join(shown.content.decode().split())
    assert "as you chose" not in again(client, into, shown, forget="yes").content.decode()


def test_what_was_chosen_for_a_list_of_entries_is_not_used_for_registrations() -> None:
    into = desk()
    client = staff(into)
    text = b"Name;Elo;E-mail;Ort\nEk, Ada;1500;a@example.org;Ulm\n"
    shapes = [read_entries(text, offered=offered).shape for offered in (OF_ENTRIES, OF_REGISTRATIONS)]
    remember_layout(
        User.objects.get(pk=client.session["_auth_user_id"]), shapes[0], {"columns": "name rating - club"}
    )
    again(client, into, look(client, into, text.decode()))
    assert (len(set(shapes)), Registration.objects.get().email) == (2, "a@example.org")


def test_rows_that_were_copied_in_a_spreadsheet_become_registrations() -> None:
    into = desk()
    client = staff(into)
    rows = "Name\tElo\tE-mail\nEk, Ada\t1850\tada@example.org\n"
    shown = client.post(address(into, "upload/"), {"section": into.pk, "text": rows})
    assert "Pasted rows" in shown.content.decode()
    again(client, into, shown)
    assert Registration.objects.values_list("name", "rating", "email").get() == (
        "Ek, Ada",
        1850,
        "ada@example.org",
    )


def test_a_file_or_rows_are_needed_not_both_and_pasted_rows_stay_after_a_refusal() -> None:
    into = desk()
    client = staff(into)
    empty = client.post(address(into, "upload/"), {"section": into.pk})
    assert (empty.status_code, "Choose a file, or paste rows." in empty.content.decode()) == (422, True)
    file = SimpleUploadedFile("list.csv", b"Name\nA, B\n")
    sent = {"section": into.pk, "file": file, "text": "Name\nC, D\n"}
    both = client.post(address(into, "upload/"), sent)
    assert "Send the file or the rows, not both." in both.content.decode()
    refused = client.post(address(into, "upload/"), {"section": into.pk, "text": "Name\tElo\n"})
    assert refused.status_code == 422
    assert "There are no rows in the file." in refused.content.decode()
    assert "Name\tElo\n</textarea>" in refused.content.decode()


def test_a_workbook_of_registrations_is_read_once_until_it_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the columns were chosen for an earlier file, and are chosen again."""
    into, read = desk(), []
    client = staff(into)
    real = spreadsheets.read_sheet

    def counted(data: bytes, wanted: str, **limits: int) -> WorkbookSheet:
        read.append(wanted)
        return real(data, wanted, **limits)

    monkeypatch.setattr(spreadsheets, "read_sheet", counted)
    rows = [["Name", "Elo", "Wert", "E-mail"], ["Ek, Ada", 1850.0, 1790.0, "ada@example.org"]]
    file = SimpleUploadedFile("list.ods", ods(rows))
    shown = client.post(address(into, "upload/"), {"section": into.pk, "file": file})
    shown = again(client, into, shown, column_2="NATIONAL_RATING", column_1="FIDE_RATING")
    again(client, into, shown)
    assert (read, Registration.objects.get().name) == ([""], "Ek, Ada")
    file = SimpleUploadedFile("list.ods", ods([rows[0], ["Om, Ida", 1700.0, 1650.0, "ida@example.org"]]))
    shown = client.post(address(into, "upload/"), {"section": into.pk, "file": file})
    assert "as you chose" in shown.content.decode()
    again(client, into, shown)
    assert (read, Registration.objects.count()) == (["", ""], 2)


def test_a_column_that_is_chosen_twice_takes_nothing() -> None:
    into = desk()
    client = staff(into)
    shown = look(client, into, "Name;Elo;Ort\nA, X;1500;Ulm\n")
    refused = again(client, into, shown, column_2="RATING")
    assert (refused.status_code, Registration.objects.exists()) == (422, False)
    assert "Two columns have the same meaning: Rating." in refused.content.decode()


def test_a_national_title_of_a_file_is_in_the_message_of_the_registration() -> None:
    into = desk()
    client = staff(into)
    again(client, into, look(client, into, "ФИО;Звание;Рейтинг;Пол\nПетров Пётр Ильич;КМС;1 905;м\n"))
    one = Registration.objects.get()
    assert (one.name, one.title, one.message, one.rating, one.sex) == (
        "Петров, Пётр Ильич",
        "",
        "КМС",
        1905,
        "m",
    )
