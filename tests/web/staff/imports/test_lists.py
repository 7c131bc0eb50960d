"""Lists of entries: the preview, what is written, pasted rows, workbooks, and files that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.answers import answers_in
from tests.factories import section_of
from tests.imports.test_workbook import workbook
from tests.web.staff.conftest import address, played
from tests.web.staff.imports.conftest import CSV, confirm, names, token, upload
from tournaments.files.entry_lists import ListLayout, OpenedList, opened_list
from tournaments.models import Event, KeptUpload, Section
from web.views.staff import entry_lists


def test_neither_file_nor_pasted_rows_is_called_optional(page: Client, section: Section) -> None:
    html = page.get(address(section, "entries/import/")).content.decode()
    assert ("File</label>" in html, "Or paste rows</label>" in html, "optional" in html) == (
        True,
        True,
        False,
    )


def test_upload_shows_what_the_list_would_do(page: Client, section: Section) -> None:
    status, html = upload(page, address(section, "entries/import/"), CSV)
    assert status == 200
    assert "1 refused" in html
    assert "There is no rating." in html
    assert "1 changed" in html
    assert "rating <del>2490</del> <ins>2555</ins>" in " ".join(html.split())
    assert "1 added" in html
    assert "Import 2 rows, leave out 1" in html
    assert section.participants.count() == 2


def test_confirmation_writes_what_was_shown(page: Client, section: Section) -> None:
    upload(page, address(section, "entries/import/"), CSV)
    section.refresh_from_db()
    answer = confirm(page, address(section, "entries/import/check/"), revision=section.revision)
    assert (answer.status_code, answer.url) == (302, address(section, "entries/"))
    ratings = dict(section.participants.values_list("player__name", "rating"))
    assert ratings == {"Surname0001, Given": 2555, "Surname0002, Given": 2480, "Novák, Jan": 2010}
    assert not KeptUpload.objects.exists()
    entries = page.get(address(section, "entries/")).content.decode()
    assert "2 rows imported. 1 row left out." in entries


def test_provisional_rating_lets_unrated_players_be_imported(page: Client, section: Section) -> None:
    upload(page, address(section, "entries/import/"), CSV)
    check = address(section, "entries/import/check/")
    assert "Import 3 rows" in page.get(f"{check}?unrated=1000").content.decode()
    confirm(page, check, revision=section.revision, unrated="1000")
    assert section.participants.get(player__name="Lindqvist, Åke").rating == 1000


@pytest.mark.parametrize(
    "options", ["unrated=none", "unrated=-1", "encoding=klingon", "unrated=" + "9" * 400]
)
def test_impossible_options_are_refused(page: Client, section: Section, options: str) -> None:
    upload(page, address(section, "entries/import/"), CSV)
    assert page.get(address(section, f"entries/import/check/?{options}")).status_code == 422


def test_confirmation_of_a_section_that_changed_is_refused_and_shown_again(
    page: Client, section: Section
) -> None:
    upload(page, address(section, "entries/import/"), CSV)
    check = address(section, "entries/import/check/")
    entry = {"name": "Novák, Jan", "rating": "2010", "rating_source": "typed", "first_round": "1"}
    page.post(address(section, "entries/add/"), entry)
    answer = confirm(page, check, revision=0)
    html = answer.content.decode()
    section.refresh_from_db()
    assert answer.status_code == 409
    assert "2 changed" in html
    assert f'name="revision" value="{section.revision}"' in html
    assert confirm(page, check, revision=section.revision).status_code == 302


def test_confirmation_without_a_file_goes_back_to_the_choice(page: Client, section: Section) -> None:
    answer = page.post(address(section, "entries/import/check/"), {"revision": 0})
    assert (answer.status_code, answer.url) == (302, address(section, "entries/import/"))
    assert "The file is no longer kept here." in page.get(answer.url).content.decode()


def test_import_button_in_the_tab_of_an_earlier_file_imports_nothing(page: Client, section: Section) -> None:
    check = address(section, "entries/import/check/")
    _status, first = upload(page, address(section, "entries/import/"), CSV, "a.csv")
    upload(page, address(section, "entries/import/"), "Name;Rating\nVrba, Ota;1900\n", "b.csv")
    section.refresh_from_db()
    answer = page.post(check, {"upload": token(first), "revision": section.revision})
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "b.csv was chosen or corrected in another window since." in html
    assert "Vrba, Ota" in html
    assert section.participants.count() == 2
    assert page.post(check, {"upload": token(html), "revision": section.revision}).status_code == 302
    assert section.participants.filter(player__name="Vrba, Ota").exists()


def test_section_is_not_made_from_a_file_that_the_page_did_not_show(
    owners_page: Client, event: Event, report: bytes
) -> None:
    here = f"/{event.slug}/-/report/"
    _status, first = upload(owners_page, here, report, "a.trf")
    _status, second = upload(owners_page, here, report, "b.trf")
    count = event.sections.count()
    answer = owners_page.post(here, {"upload": token(first), "name": "Brought in"})
    assert answer.status_code == 409
    assert "b.trf was chosen or corrected in another window since." in answer.content.decode()
    assert event.sections.count() == count
    assert owners_page.post(here, {"upload": token(second), "name": "Brought in"}).status_code == 302


def test_file_of_one_section_is_not_imported_into_another(
    page: Client, section: Section, event: Event
) -> None:
    other = section_of(0, event=event)
    upload(page, address(section, "entries/import/"), CSV)
    answer = page.get(address(other, "entries/import/check/"))
    assert (answer.status_code, answer.url) == (302, address(other, "entries/import/"))


def test_file_that_cannot_be_imported_is_refused_with_the_reason(page: Client, section: Section) -> None:
    for data, sentence in [
        (b"", "There are no rows in the file."),
        (b"\x00\x01\x02\x03" * 50, "not a text file"),
        (b"PK\x03\x04" + b"x" * 500, "The workbook is damaged."),
        (b"Name;Rating\n" + b'"Novak;2000\n' * 101, "quotation mark"),
        (b"Name;Rating\n" + b"A;2000\n" * 6_000, "more than 5000 rows"),
        (b"x" * (1024 * 1024 + 1), "larger than 1024 kB"),
        (b"012 Open\n001 one\n", "Line 2"),
    ]:
        status, html = upload(page, address(section, "entries/import/"), data)
        assert status == 422, data
        assert sentence in html, data
        assert section.participants.count() == 2, data


def test_file_that_is_too_large_is_refused_before_it_is_read(page: Client, section: Section) -> None:
    status, html = upload(page, address(section, "entries/import/"), b"x" * 5_000_001)
    assert status == 422
    assert "The file is larger than 5 MB." in html


def test_missing_file_is_reported_under_the_field(page: Client, section: Section) -> None:
    answer = page.post(address(section, "entries/import/"), {})
    assert answer.status_code == 422
    assert "Choose a file, or paste rows." in answer.content.decode()


PASTED = "Name\tRating\tFederation\r\nNovák, Jan\t2010\tCZE\r\nLindqvist, Åke\t1900\tSWE\r\n"


def test_rows_pasted_from_a_spreadsheet_are_imported_like_a_file(page: Client, section: Section) -> None:
    answer = page.post(address(section, "entries/import/"), {"text": PASTED}, follow=True)
    html = unescape(answer.content.decode())
    assert "Pasted rows, 2 rows, separated by tab" in html
    assert "2 added" in html
    assert "Read the rows differently" in html
    assert " file" not in re.sub(r"<[^>]*>", " ", html.partition("<main")[2].partition("</main>")[0]).lower()
    confirm(page, address(section, "entries/import/check/"), revision=section.revision)
    assert section.participants.filter(player__name__in=["Novák, Jan", "Lindqvist, Åke"]).count() == 2
    assert section.log.get(action="import_entries").subject == "pasted rows"


def test_pasted_rows_that_cannot_be_read_stay_on_the_page(page: Client, section: Section) -> None:
    answer = page.post(address(section, "entries/import/"), {"text": "Name\tRating\n"}, follow=True)
    assert answer.status_code == 422
    assert "Name\tRating</textarea>" in answer.content.decode().replace("\n</textarea>", "</textarea>")


def test_file_and_pasted_rows_together_are_refused(page: Client, section: Section) -> None:
    both = {"file": SimpleUploadedFile("a.csv", CSV.encode()), "text": PASTED}
    answer = page.post(address(section, "entries/import/"), both)
    assert answer.status_code == 422
    assert "Send the file or the rows, not both." in answer.content.decode()


def test_workbook_is_imported_from_the_chosen_sheet(page: Client, section: Section) -> None:
    data = workbook(
        {"A": [["Name", "Rating"], ["Novák, Jan", 2010]], "B": [["Name", "Rating"], ["Ek, Ada", 1900]]}
    )
    status, html = upload(page, address(section, "entries/import/"), data, "entries.xlsx")
    assert status == 200
    assert "entries.xlsx, 1 row, sheet “A”" in html
    check = address(section, "entries/import/check/")
    html = page.get(f"{check}?sheet=B").content.decode()
    assert '<option value="B" selected>B</option>' in html
    confirm(page, check, revision=section.revision, sheet="B")
    assert set(section.participants.values_list("player__name", flat=True)) == {
        "Surname0001, Given",
        "Surname0002, Given",
        "Ek, Ada",
    }


@pytest.mark.parametrize(
    "make",
    [
        lambda: workbook({"Notes": [], "List": [["Name", "Rating"], ["Ek, Ada", 1900]]}),
        lambda: b"<table><tr><td>Open</table><table><tr><td>Name<td>Rating<tr><td>Ek, Ada<td>1900</table>",
    ],
    ids=["blank sheet", "small table"],
)
def test_page_names_the_sheet_that_it_shows_and_its_button_imports_this_sheet(
    page: Client, section: Section, make: Callable[[], bytes]
) -> None:
    _status, html = upload(page, address(section, "entries/import/"), make(), "entries.xls")
    assert "Ek, Ada" in html
    (chosen,) = re.findall(r'<option value="([^"]*)" selected>(?:List|2)</option>', html)
    (read,) = re.findall(r'name="read" value="([^"]*)"', html)
    check = address(section, "entries/import/check/")
    confirm(page, check, revision=section.revision, sheet=chosen, read=unescape(read))
    assert section.participants.filter(player__name="Ek, Ada").exists()


def test_numbers_that_would_change_are_asked_about_before_the_import(page: Client, section: Section) -> None:
    """VCL4THP.13 Q154: as for an entry by hand."""
    played(section)
    upload(page, address(section, "entries/import/"), "Name;Rating\nNovák, Jan;2600\n")
    section.refresh_from_db()
    check = address(section, "entries/import/check/")
    answer = confirm(page, check, revision=section.revision)
    html = unescape(answer.content.decode())
    assert (answer.status_code, names(section)) == (422, [])
    assert "2 pairing numbers of Section A change (1 → 2, 2 → 3)." in html
    given = answers_in(answer)
    answer = page.post(check, {"upload": token(html), "revision": section.revision, "answer": given})
    assert (answer.status_code, names(section)) == (302, ["Novák, Jan"])


def test_second_half_point_bye_is_asked_about_before_the_import(page: Client, section: Section) -> None:
    """VCL4THP.13 Q174; and then the numbers, with the first answer kept."""
    played(section)
    upload(page, address(section, "entries/import/"), "Name;Rating;Bye\nNovák, Jan;2600;2,3\n")
    section.refresh_from_db()
    check = address(section, "entries/import/check/")
    sent = {"revision": section.revision}
    question = confirm(page, check, **sent)
    html = unescape(question.content.decode())
    assert "More than one half-point bye: Novák, Jan." in html
    assert "pairing numbers of Section A change" not in html
    question = confirm(page, check, **sent, answer=answers_in(question))
    assert "2 pairing numbers of Section A change" in unescape(question.content.decode())
    assert confirm(page, check, **sent, answer=answers_in(question)).status_code == 302
    entry = section.participants.get(player__name="Novák, Jan")
    assert list(entry.byes.order_by("round_number").values_list("round_number", flat=True)) == [2, 3]


def test_list_is_read_once_for_each_way_of_reading_it(
    page: Client, section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[ListLayout] = []

    def counted(data: bytes, layout: ListLayout) -> OpenedList:
        read.append(layout)
        return opened_list(data, layout)

    monkeypatch.setattr(entry_lists, "opened_list", counted)
    upload(page, address(section, "entries/import/"), f"{CSV}Once, Ada;1500;NED;\n", "once.csv")
    check = address(section, "entries/import/check/")
    page.get(check)
    page.get(check + "?unrated=1400")
    assert read == [ListLayout()]
