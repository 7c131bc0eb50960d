"""Imports: the preview, what is written, and files that cannot be read."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from pairing.engine.trf import Report
from tests.engine.trf.columns import as_file, player_line
from tests.engine.trf.contradictions import CONTRADICTIONS
from tests.factories import section_of
from tests.imports.test_workbook import workbook
from tests.web.staff.conftest import address, paired, played
from tournaments.exports.report_trf import tournament_report
from tournaments.imports.entries_csv import Table, read_entries
from tournaments.models import Bye, Event, Player, Section
from tournaments.web import report_facts, uploads
from tournaments.web.views.staff import import_list

CSV = """Name;Rating;Federation;Title
Novák, Jan;2010;CZE;FM
Lindqvist, Åke;;SWE;
Surname0001, Given;2555;NED;
"""


@pytest.fixture(autouse=True)
def var_dir(settings: Settings, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.fixture
def section(event: Event) -> Section:
    """Two players whose names the list above knows."""
    section = section_of(2, event=event, name="Section A", slug="a")
    for entry in section.participants.select_related("player"):
        entry.player.name = f"Surname000{entry.tpn}, Given"
        entry.player.save()
    return section


def upload(page: Client, url: str, data: bytes | str, name: str = "entries.csv") -> tuple[int, str]:
    content = data.encode() if isinstance(data, str) else data
    answer = page.post(url, {"file": SimpleUploadedFile(name, content)}, follow=True)
    return answer.status_code, answer.content.decode()


def confirm(page: Client, url: str, **fields: object) -> HttpResponse:
    """Press the button of the preview at this address."""
    return page.post(url, {**shown(page.get(url).content.decode()), **fields})


def shown(html: str) -> dict[str, str]:
    """Return the values that the form of a preview sends back: the file, and the rounds that it showed."""
    seen = re.findall(r'name="seen" value="([^"]*)"', html)
    return {"upload": token(html), **({"seen": seen[0]} if seen else {})}


def test_neither_file_nor_pasted_rows_is_called_optional(page: Client, section: Section) -> None:
    html = page.get(address(section, "entries/import/")).content.decode()
    assert ("File</label>" in html, "Or paste rows</label>" in html, "optional" in html) == (
        True,
        True,
        False,
    )


def token(html: str) -> str:
    """The token of the file that a preview shows."""
    return "".join(re.findall(r'name="upload" value="(\w+)"', html))


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


def test_confirmation_writes_what_was_shown(page: Client, section: Section, var_dir: Path) -> None:
    upload(page, address(section, "entries/import/"), CSV)
    section.refresh_from_db()
    answer = confirm(page, address(section, "entries/import/check/"), revision=section.revision)
    assert (answer.status_code, answer.url) == (302, address(section, "entries/"))
    ratings = dict(section.participants.values_list("player__name", "rating"))
    assert ratings == {"Surname0001, Given": 2555, "Surname0002, Given": 2480, "Novák, Jan": 2010}
    assert list((var_dir / "uploads").iterdir()) == []
    told = page.get(address(section, "entries/")).content.decode()
    assert "2 rows imported. 1 row left out." in told


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


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "There are no rows in the file."),
        (b"\x00\x01\x02\x03" * 50, "not a text file"),
        (b"PK\x03\x04" + b"x" * 500, "The workbook is damaged."),
        (b"Rating;Club\n2000;West\n", "There is no column with names."),
        (b'Name;Rating\n"Novak;2000\n', "quotation mark"),
        (b"Name;Rating\n" + b"A;2000\n" * 6_000, "more than 5000 rows"),
        (b"x" * (1024 * 1024 + 1), "larger than 1024 kB"),
        (b"012 Open\n001 one\n", "Line 2"),
    ],
)
def test_file_that_cannot_be_imported_is_refused_with_the_reason(
    page: Client, section: Section, data: bytes, sentence: str
) -> None:
    status, html = upload(page, address(section, "entries/import/"), data)
    assert status == 422
    assert sentence in html
    assert section.participants.count() == 2


def test_file_that_is_too_large_is_refused_before_it_is_read(page: Client, section: Section) -> None:
    status, html = upload(page, address(section, "entries/import/"), b"x" * 5_000_001)
    assert status == 422
    assert "The file is larger than 5 MB." in html


def test_missing_file_is_reported_under_the_field(page: Client, section: Section) -> None:
    answer = page.post(address(section, "entries/import/"), {})
    assert answer.status_code == 422
    assert "Choose a file, or paste rows." in answer.content.decode()


# --- rows that were pasted, and workbooks


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
    answer = page.post(address(section, "entries/import/"), {"text": "Novák\tJan\n"}, follow=True)
    assert answer.status_code == 422
    assert "Novák\tJan</textarea>" in answer.content.decode().replace("\n</textarea>", "</textarea>")


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


# --- cells corrected on the page


WRONG = "Name;Rating;Federation;Birth date\nNovák, Jan;2l10;CZE;\nBerg, Bo;1900;HOL;\nEk, Ada;1800;XYZ;12-05-1988\n"


def names(section: Section) -> list[str]:
    return list(section.participants.order_by("pk").values_list("player__name", flat=True)[2:])


def test_refused_row_keeps_its_federation_and_offers_its_cells(page: Client, section: Section) -> None:
    _status, html = upload(page, address(section, "entries/import/"), WRONG)
    assert "3 refused" in html
    assert re.findall(r'<td class="fed mid-wide">(\w+)</td>', html) == ["CZE", "HOL", "XYZ"]
    assert re.findall(r'name="(cell-[^"]+)" value="([^"]*)"', html) == [
        ("cell-2-RATING", "2l10"),
        ("cell-3-FEDERATION", "HOL"),
        ("cell-4-FEDERATION", "XYZ"),
        ("cell-4-BIRTH_DATE", "12-05-1988"),
    ]
    assert re.findall(r'name="use" value="([^"]+)"', html) == ["cell-2-RATING=2110", "cell-3-FEDERATION=NED"]


def test_row_is_imported_after_its_cells_are_corrected_on_the_page(page: Client, section: Section) -> None:
    upload(page, address(section, "entries/import/"), WRONG)
    check = address(section, "entries/import/check/")
    answer = confirm(page, check, use="cell-3-FEDERATION=NED")
    assert (answer.status_code, answer.url) == (302, check)
    html = unescape(page.get(check).content.decode())
    assert "2 refused" in html
    assert "Federation corrected here: HOL → NED" in html
    cells = {"cell-2-RATING": "2110", "cell-4-FEDERATION": "", "cell-4-BIRTH_DATE": "1988/05/12"}
    confirm(page, check, again="yes", **cells)
    html = page.get(check).content.decode()
    assert "Import 3 rows" in html
    assert "4 cells are corrected on this page." in html
    confirm(page, check, revision=section.revision)
    assert names(section) == ["Novák, Jan", "Berg, Bo", "Ek, Ada"]
    entry = section.participants.get(player__name="Ek, Ada")
    assert (entry.player.federation, entry.player.birth_date) == ("", "1988/05/12")


TWICE = """Name;Rating;Federation;FIDE ID
Haddad, Yaqub;1983;JOR;990012748
Menon, Vivek;1500;;77
Haddad, Y.;1990;JOR;990012748
"""


def pressed(html: str, text: str) -> list[str]:
    """Return what the buttons with this text choose."""
    return re.findall(rf'name="choose" value="([^"]+)">{text}<', html)


def test_duplicate_is_settled_on_the_page_by_keeping_the_other_row(page: Client, section: Section) -> None:
    _status, html = upload(page, address(section, "entries/import/"), TWICE)
    assert "also in row 4, which is not imported" in html
    assert pressed(html, "Keep this one") == ["keep-4"]
    check = address(section, "entries/import/check/")
    answer = confirm(page, check, choose="keep-4")
    assert (answer.status_code, answer.url) == (302, check)
    html = page.get(check).content.decode()
    assert pressed(html, "Keep this one") == ["keep-2"]
    band = html[html.index('id="left-out"') :]
    assert "<b>1 left out</b>" in band
    assert "left out, because row 4 was kept" in band
    assert "need" not in re.search(r'<ol class="line.*?</ol>', html, re.DOTALL)[0]
    assert "leave out 1" in html
    assert "Row 4 has the same FIDE ID." not in html
    assert "For 1 row you chose the player." in html
    confirm(page, check, revision=section.revision)
    assert names(section) == ["Menon, Vivek", "Haddad, Y."]


def test_row_and_the_entry_of_the_same_fide_id_are_compared_and_joined(
    page: Client, section: Section
) -> None:
    entry = section.participants.get(tpn=1)
    Player.objects.filter(pk=entry.player_id).update(fide_id=77, federation="NED")
    _status, html = upload(page, address(section, "entries/import/"), TWICE)
    sides = html.split('<caption class="sr">Row 3 ')[1].split("</table>")[0]
    assert re.findall(r'<th scope="col">([^<]+)</th>', sides) == ["Row 3", "Entered: 1 Surname0001, Given"]
    assert re.findall(r"<mark>([^<]+)</mark>", sides) == ["Surname0001, Given", str(entry.rating)]
    assert pressed(sides, "The same player") == [f"same-3-{entry.player_id}"]
    check = address(section, "entries/import/check/")
    confirm(page, check, choose=f"same-3-{entry.player_id}")
    html = page.get(check).content.decode()
    assert "the same player as Surname0001, Given: you chose this" in html
    assert pressed(html, "Ask again") == ["ask-3"]
    confirm(page, check, choose="ask-3")
    assert pressed(page.get(check).content.decode(), "The same player") == [f"same-3-{entry.player_id}"]
    confirm(page, check, choose=f"same-3-{entry.player_id}")
    confirm(page, check, revision=section.revision)
    entry.player.refresh_from_db()
    assert entry.player.name == "Menon, Vivek"


def test_window_opened_before_a_choice_imports_nothing(page: Client, section: Section) -> None:
    _status, html = upload(page, address(section, "entries/import/"), TWICE)
    check = address(section, "entries/import/check/")
    confirm(page, check, choose="keep-4")
    answer = page.post(check, {**shown(html), "revision": section.revision})
    assert (answer.status_code, names(section)) == (409, [])


def test_formula_without_a_saved_value_is_reported(page: Client, section: Section) -> None:
    rows = [["Name", "Rating", "Title"], ["Novák, Jan", 2010, "=1"], ["Berg, Bo", "=1900", None]]
    answer = upload(page, address(section, "entries/import/"), workbook({"A": rows}), "entries.xlsx")
    html = unescape(answer[1])
    assert "Rows 2, 3 have formulas without a saved value. Their cells are read as empty." in html
    assert html.count("is a formula without a saved value, so it is read as empty.") == 2
    assert 'name="cell-3-RATING" value=""' in html


def test_corrections_that_are_not_kept_are_reported(
    page: Client, section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MOST_CORRECTIONS", 2)
    upload(page, address(section, "entries/import/"), WRONG)
    check = address(section, "entries/import/check/")
    cells = {"cell-2-RATING": "2110", "cell-3-FEDERATION": "NED", "cell-4-BIRTH_DATE": "1988/05/12"}
    confirm(page, check, again="yes", **cells)
    html = page.get(check).content.decode()
    assert "This page keeps 2 corrected cells. 1 more is not corrected." in html
    assert 'name="cell-4-BIRTH_DATE" value="12-05-1988"' in html


def test_corrections_are_shown_before_anything_is_imported_with_them(page: Client, section: Section) -> None:
    """Import was pressed, and said how many rows, before the cell was corrected."""
    upload(page, address(section, "entries/import/"), WRONG + "Li, Bo;1700;;\n")
    check = address(section, "entries/import/check/")
    answer = confirm(page, check, revision=section.revision, **{"cell-2-RATING": "2110"})
    assert (answer.status_code, answer.url, names(section)) == (302, check, [])
    html = page.get(check).content.decode()
    assert "Your corrections are in the preview now. Nothing is imported yet." in html
    assert "Import 2 rows, leave out 2" in html


def test_correction_that_is_wrong_too_stays_in_its_field(page: Client, section: Section) -> None:
    upload(page, address(section, "entries/import/"), WRONG)
    check = address(section, "entries/import/check/")
    confirm(page, check, again="yes", **{"cell-3-FEDERATION": "HOO"})
    html = unescape(page.get(check).content.decode())
    assert "Federation “HOO” is not a FIDE code." in html
    assert 'name="cell-3-FEDERATION" value="HOO"' in html


def test_corrections_can_be_discarded_and_stay_if_the_file_is_read_differently(
    page: Client, section: Section
) -> None:
    upload(page, address(section, "entries/import/"), WRONG)
    check = address(section, "entries/import/check/")
    answer = confirm(page, check, use="cell-3-FEDERATION=NED", dates="day")
    assert answer.url == f"{check}?dates=day"
    assert "2 refused" in page.get(answer.url).content.decode()
    confirm(page, check, drop="yes")
    assert "3 refused" in page.get(check).content.decode()


def test_reading_the_file_differently_keeps_what_was_typed(page: Client, section: Section) -> None:
    _status, html = upload(page, address(section, "entries/import/"), WRONG + "Li, Bo;;;\n")
    (button,) = re.findall(r"<button[^>]*>Read the file again</button>", html)
    assert ('form="take"' in button, 'name="again"' in button) == (True, True)
    (field,) = re.findall(r'<input[^>]* name="unrated"[^>]*>', html)
    assert 'form="take"' in field
    check = address(section, "entries/import/check/")
    answer = confirm(page, check, again="yes", read="", unrated="1000", **{"cell-2-RATING": "2110"})
    assert answer.url == f"{check}?unrated=1000"
    html = page.get(answer.url).content.decode()
    assert "Import 2 rows, leave out 2" in html
    assert "1 cell is corrected on this page." in html


def test_file_is_shown_as_it_is_read_before_it_is_imported(page: Client, section: Section) -> None:
    """Import was pressed, and said how many rows, before the arbiter looked again with the rating."""
    upload(page, address(section, "entries/import/"), CSV)
    check = address(section, "entries/import/check/")
    sent = {"revision": section.revision, "unrated": "1000"}
    answer = confirm(page, check, read="", **sent)
    assert (answer.status_code, answer.url, names(section)) == (302, f"{check}?unrated=1000", [])
    html = page.get(answer.url).content.decode()
    assert "The preview shows the file as you now read it. Nothing is imported yet." in html
    confirm(page, answer.url, read="unrated=1000", **sent)
    assert names(section) == ["Novák, Jan", "Lindqvist, Åke"]


def test_another_sheet_has_no_corrections_of_the_first(page: Client, section: Section) -> None:
    data = workbook(
        {
            "First": [["Name", "Rating"], ["Ek, Ada", "2l10"]],
            "Second": [["Name", "Rating"], ["Li, Bo", "1700"]],
        }
    )
    upload(page, address(section, "entries/import/"), data, "entries.xlsx")
    check = address(section, "entries/import/check/")
    answer = confirm(page, check, again="yes", read="", sheet="Second", **{"cell-2-RATING": "2110"})
    html = page.get(answer.url).content.decode()
    assert ("Li, Bo" in html, "corrected on this page" in html) == (True, False)


def test_old_window_imports_nothing_after_a_correction_in_another_window(
    page: Client, section: Section
) -> None:
    _status, first = upload(page, address(section, "entries/import/"), WRONG)
    check = address(section, "entries/import/check/")
    confirm(page, check, use="cell-3-FEDERATION=NED")
    answer = page.post(check, {"upload": token(first), "revision": section.revision})
    assert (answer.status_code, names(section)) == (409, [])
    assert "entries.csv was chosen or corrected in another window since." in answer.content.decode()


def test_order_of_day_and_month_is_asked_once_for_the_file(page: Client, section: Section) -> None:
    dates = "Name;Rating;Birth date\nBerg, Bo;1900;03/04/1990\nEk, Ada;1800;12-05-1988\n"
    _status, html = upload(page, address(section, "entries/import/"), dates)
    (said,) = re.findall(r'id="two-ways">\s*(.*?)\s*</p>', html)
    assert said == (
        "2 birth dates can be read in two ways, such as 03/04/1990. Which comes first, the day or the month?"
    )
    check = address(section, "entries/import/check/")
    assert "Import 2 rows" in page.get(f"{check}?dates=month").content.decode()
    confirm(page, check, revision=section.revision, dates="month")
    found = section.participants.filter(player__birth_date__gt="").order_by("pk")
    assert list(found.values_list("player__birth_date", flat=True)) == ["1990/03/04", "1988/12/05"]


def test_names_without_a_comma_are_reported(page: Client, section: Section) -> None:
    rows = 'Name;Rating\nBerg, Bo;1900\n"Novak; Jan";1800\nPolak Petr;1700\nAnand;2700\n'
    _status, html = upload(page, address(section, "entries/import/"), rows)
    (said,) = re.findall(r'id="no-comma">\s*(.*?)\s*</p>', html)
    assert said == (
        "The names in rows 3, 4 have no comma. Write names as “Surname, Given”. Otherwise lists may have players under "
        "their given names."
    )


@pytest.mark.parametrize(
    ("telling", "said", "born"),
    [
        ("31.12.1970", "Dates such as 03/04/1990 are read day first because of row 3.", "1990/04/03"),
        ("12/31/1970", "Dates such as 03/04/1990 are read month first because of row 3.", "1990/03/04"),
    ],
)
def test_date_that_decides_how_others_are_read_is_named_with_its_row(
    page: Client, section: Section, telling: str, said: str, born: str
) -> None:
    dates = f"Name;Rating;Birth date\nBerg, Bo;1900;03/04/1990\nEk, Ada;1800;{telling}\nUhl, Eva;1700;1980\n"
    _status, html = upload(page, address(section, "entries/import/"), dates)
    assert re.findall(r'id="dates-read">\s*(.*?)\s*</p>', html) == [said]
    assert re.findall(r'<td class="born[^"]*">([^<]*)</td>', html) == [born, "1970/12/31", "1980"]
    assert 'name="dates"' in html
    html = page.get(address(section, "entries/import/check/?dates=day")).content.decode()
    assert "dates-read" not in html  # the arbiter has said how


def test_dates_that_are_clear_need_no_sentence(page: Client, section: Section) -> None:
    dates = "Name;Rating;Birth date\nBerg, Bo;1900;13/04/1990\nEk, Ada;1800;31.12.1970\nUhl, Eva;1700;05.06.1980\n"
    _status, html = upload(page, address(section, "entries/import/"), dates)
    assert "dates-read" not in html


# --- questions before the rows are written


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
    answer = page.post(check, {"upload": token(html), "revision": section.revision, "numbers": "yes"})
    assert (answer.status_code, names(section)) == (302, ["Novák, Jan"])


def test_second_half_point_bye_is_asked_about_before_the_import(page: Client, section: Section) -> None:
    """VCL4THP.13 Q174; and then the numbers, with the first answer kept."""
    played(section)
    upload(page, address(section, "entries/import/"), "Name;Rating;Bye\nNovák, Jan;2600;2,3\n")
    section.refresh_from_db()
    check = address(section, "entries/import/check/")
    sent = {"revision": section.revision}
    html = unescape(confirm(page, check, **sent).content.decode())
    assert "More than one half-point bye: Novák, Jan." in html
    assert "pairing numbers of Section A change" not in html
    html = unescape(confirm(page, check, **sent, proceed="yes").content.decode())
    assert "2 pairing numbers of Section A change" in html
    assert '<input type="hidden" name="proceed" value="yes" form="take">' in html
    assert confirm(page, check, **sent, proceed="yes", numbers="yes").status_code == 302
    entry = section.participants.get(player__name="Novák, Jan")
    assert list(entry.byes.order_by("round_number").values_list("round_number", flat=True)) == [2, 3]


@pytest.fixture
def report(event: Event) -> bytes:
    """The report file of another section: six players, one round played, one running."""
    section = section_of(6, event=event, rounds=5)
    played(section)
    paired(section)
    return tournament_report(section)


def test_report_file_becomes_a_new_section(owners_page: Client, event: Event, report: bytes) -> None:
    here = f"/{event.slug}/-/report/"
    status, html = upload(owners_page, here, report, "other.trf")
    assert status == 200
    assert "6 players" in html
    assert "2 of 5" in html
    answer = confirm(owners_page, f"{here}?preview", name="Brought in")
    made = event.sections.get(name="Brought in")
    assert (answer.status_code, answer.url) == (302, address(made, "desk/"))
    assert (made.participants.count(), made.played_rounds.count(), made.rounds) == (6, 2, 5)


def test_rounds_of_a_report_file_do_not_get_the_time_of_the_import(
    owners_page: Client, event: Event, report: bytes
) -> None:
    """Nobody knows when these rounds were paired and published."""
    here = f"/{event.slug}/-/report/"
    upload(owners_page, here, report, "other.trf")
    confirm(owners_page, f"{here}?preview", name="Brought in")
    made = event.sections.get(name="Brought in")
    assert set(made.played_rounds.values_list("published_at", "finished_at")) == {(None, None)}
    cockpit = owners_page.get(address(made, "desk/")).content.decode()
    facts = cockpit[cockpit.index("<h1>") : cockpit.index("</p>", cockpit.index("<h1>"))]
    assert facts.split("<p>")[1].strip() == "From a report file"
    stops = cockpit[cockpit.index('<ol class="line"') :].split("</ol>")[0]
    assert re.findall(r"\d\d:\d\d", stops) == []
    paper = owners_page.get(address(made, "round/2/print/boards/")).content.decode()
    assert ("DRAFT" in paper, "Published" in paper) == (False, False)


def test_page_for_a_report_file_asks_for_a_file_when_it_is_opened_again(
    owners_page: Client, event: Event, report: bytes
) -> None:
    here = f"/{event.slug}/-/report/"
    _status, html = upload(owners_page, here, report, "other.trf")
    assert f'<a class="btn" href="{here}" data-key="Escape">Choose another file <kbd' in html
    assert token(owners_page.get(f"{here}?preview").content.decode())
    again = owners_page.get(here).content.decode()
    assert ('type="file"' in again, token(again)) == (True, "")


def test_rounds_outside_the_dates_of_the_event_are_a_warning(
    owners_page: Client, event: Event, report: bytes
) -> None:
    lines = [line for line in report.decode().splitlines() if not line.startswith(("132", "042", "052"))]
    here = f"/{event.slug}/-/report/"
    for first, last, told in (
        ("2026/10/17", "2026/10/25", False),
        ("2026/10/16", "2026/10/25", True),
        ("2026/10/18", "2026/10/26", True),
    ):
        dated = "\n".join(["042 " + first, "052 " + last, *lines])
        html = upload(owners_page, here, dated, "other.trf")[1]
        assert ("Correct the dates of the event" in html) is told, first
    assert (
        "The rounds are from 18 Oct 2026 to 26 Oct 2026, but the event is from 17 Oct 2026 to 25 Oct 2026. The report "
        "of the section has dates that include all rounds (042, 052)."
    ) in html


def test_report_file_with_the_name_of_another_section_is_reported(
    owners_page: Client, event: Event, report: bytes, section: Section
) -> None:
    here = f"/{event.slug}/-/report/"
    upload(owners_page, here, report, "other.trf")
    answer = confirm(owners_page, f"{here}?preview", name=section.name)
    assert answer.status_code == 422
    assert "This event already has a section Section A." in answer.content.decode()


@pytest.mark.parametrize("data", [b"", b"nothing of the kind", b"001 one\n", b"\xff\xfe\x00", CSV.encode()])
def test_file_that_is_no_report_makes_no_section(owners_page: Client, event: Event, data: bytes) -> None:
    status, html = upload(owners_page, f"/{event.slug}/-/report/", data, "x.trf")
    assert status == 422
    assert "The file cannot be read." in html
    assert event.sections.count() == 0


@pytest.mark.parametrize("own_section", [True, False])
def test_fide_id_of_another_person_is_reported_with_its_line_before_the_section_is_made(
    page: Client, owners_page: Client, event: Event, report: bytes, own_section: bool
) -> None:
    player = event.players.order_by("pk").first()
    lines = report.decode().splitlines()
    (line,) = (
        number for number, text in enumerate(lines, 1) if text.startswith("001") and player.name in text
    )
    text = lines[line - 1]
    lines[line - 1] = text[:57] + f"{990010437:>11}" + text[68:]
    Player.objects.filter(pk=player.pk).update(fide_id=990010437, name="Ozoliņa, Dženifera")
    data = "\r\n".join(lines) + "\r\n"
    if own_section:
        empty = section_of(0, event=event, slug="empty")
        _status, html = upload(page, address(empty, "entries/import/"), data, "b.trf")
    else:
        _status, html = upload(owners_page, f"/{event.slug}/-/report/", data, "b.trf")
    (told,) = re.findall(r'<div class="note bad stack" id="conflicts".*?</div>', unescape(html), re.DOTALL)
    assert "One FIDE ID of the file belongs to another name in " + event.name in told
    assert re.findall("<li>(.*?)</li>", told) == [
        f"Line {line}, FIDE ID 990010437: {player.name} in the file, Ozoliņa, Dženifera in the event"
    ]
    assert 'disabled aria-describedby="conflicts"' in html
    Player.objects.filter(pk=player.pk).update(name=player.name.upper())
    shown_again = (page if own_section else owners_page).get(
        address(empty, "entries/import/check/") if own_section else f"/{event.slug}/-/report/?preview"
    )
    assert 'id="conflicts"' not in shown_again.content.decode()


def test_report_file_fills_an_empty_section(page: Client, event: Event, report: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    status, html = upload(page, address(empty, "entries/import/"), report, "other.trf")
    assert status == 200
    assert "Import into this section" in html
    answer = confirm(page, address(empty, "entries/import/check/"))
    assert (answer.status_code, answer.url) == (302, address(empty, "desk/"))
    assert (empty.participants.count(), empty.played_rounds.count()) == (6, 2)


def test_report_file_for_a_section_with_entries_is_refused(
    page: Client, section: Section, report: bytes
) -> None:
    _status, html = upload(page, address(section, "entries/import/"), report, "other.trf")
    assert "into an empty section" in html
    answer = confirm(page, address(section, "entries/import/check/"))
    assert answer.status_code == 422
    assert section.participants.count() == 2


def test_number_of_rounds_must_be_entered_if_the_report_file_lacks_it(
    owners_page: Client, event: Event, report: bytes
) -> None:
    lines = [line for line in report.decode().splitlines() if not line.startswith(("XXR", "142"))]
    here = f"/{event.slug}/-/report/"
    _status, html = upload(owners_page, here, "\n".join(lines), "other.trf")
    (label,) = re.findall(r'<label for="id_rounds">(.*?)</label>', html)
    assert label == "Rounds"
    answer = confirm(owners_page, f"{here}?preview", name="Brought in")
    assert answer.status_code == 422
    assert "This field is required." in answer.content.decode()


# --- warnings, and rounds that do not follow the rules


@pytest.fixture
def odd(report: bytes) -> bytes:
    """The same file with an invalid title, an invalid number of players, and White and Black of round 1 exchanged."""
    lines = report.decode().splitlines()
    for at, line in enumerate(lines):
        if line.startswith("001    3"):
            line = f"{line[:10]} XM{line[13:]}"
        if line.startswith("001"):
            line = f"{line[:96]}{'b' if line[96] == 'w' else 'w'}{line[97:]}"
        lines[at] = "062 9" if line.startswith("062") else line
    return "\n".join(lines).encode()


def test_warnings_are_distinguished_from_errors(page: Client, event: Event, odd: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    status, html = upload(page, address(empty, "entries/import/"), odd, "odd.trf")
    assert status == 200
    (warnings,) = re.findall(r'id="doubts">(.*?)</section>', html, re.DOTALL)
    assert re.findall("<li>(.*?)</li>", warnings) == [
        "Line 6, column 5: the number of players is 9 here, but the file has 6.",
        "Line 15, column 11: player 3: &#x27;XM&#x27; is not a FIDE title.",
    ]
    assert "The file cannot be read." not in html
    assert "Import into this section" in html


def departures(page: Client, section: Section, report: bytes) -> str:
    """Return what the preview of a report file says about rounds that do not follow the rules."""
    _status, html = upload(page, address(section, "entries/import/"), report, "odd.trf")
    (found,) = re.findall(r'id="departures">(.*?)</section>', html, re.DOTALL)
    return str(found)


def test_rounds_that_do_not_follow_the_rules_are_named_before_and_after(
    page: Client, event: Event, odd: bytes
) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    found = departures(page, empty, odd)
    assert "do not follow the rules.</b>" in found
    assert "<li>4 has White against 1, but 1 must have White (5.2.1).</li>" in found
    answer = confirm(page, address(empty, "entries/import/check/"))
    told = page.get(answer.url).content.decode()
    assert "The report of the section says so." in told
    comments = [line for line in tournament_report(empty).decode().splitlines() if "### Import" in line]
    assert comments[0].startswith("### Import @ Round 1: 1-4 ")


def test_round_that_the_file_says_was_paired_by_hand_is_called_so(
    page: Client, event: Event, odd: bytes
) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    told = odd + b"\n### MPA @ Round 1: 1-4 5-2 => 4-1 2-5\n"
    found = departures(page, empty, told)
    said = [re.findall("<li>(.*?)</li>", one)[0] for one in found.split("<details")[1:]]
    assert said[0] == "The file says that round 1 was paired by hand (MPA)."
    assert "by hand" not in said[1]


def test_lines_that_are_not_used_are_shown(page: Client, event: Event, report: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    told = report + b"### Hall <2>\r\n### by hand\r\n"
    _status, html = upload(page, address(empty, "entries/import/"), told, "other.trf")
    assert "2 lines are not used here. They are kept and written back." in html
    (shown,) = re.findall(r'<details id="kept">(.*?)</details>', html, re.DOTALL)
    assert re.findall("<li>(.*?)</li>", shown) == ["### Hall &lt;2&gt;", "### by hand"]


@pytest.mark.parametrize(("edition", "cited"), [("2018", "E.0"), ("2025", "5.2.1"), ("2026", "5.2.1")])
def test_check_of_a_file_cites_the_article_of_colours_in_its_edition(
    page: Client, event: Event, edition: str, cited: str
) -> None:
    section = section_of(6, event=event, rounds=5, options={"edition": edition})
    played(section)
    lines = tournament_report(section).decode().splitlines()
    turned = {"w": "b", "b": "w"}
    data = "\n".join(f"{one[:96]}{turned[one[96]]}{one[97:]}" if one[:3] == "001" else one for one in lines)
    empty = section_of(0, event=event, name="Empty", slug="empty")
    _status, html = upload(page, address(empty, "entries/import/"), data, "odd.trf")
    assert f"<li>4 has White against 1, but 1 must have White ({cited}).</li>" in html


@pytest.mark.parametrize(("edition", "cited"), [("2018", "A.8"), ("2025", "1.8.3"), ("2026", "1.9.3")])
def test_check_of_a_round_without_a_legal_pairing_cites_the_article_of_its_edition(
    page: Client, event: Event, edition: str, cited: str
) -> None:
    """Two players meet twice, which no pairing by the rules gives."""
    section = section_of(2, event=event, rounds=3, options={"edition": edition})
    played(section)
    lines = tournament_report(section).decode().splitlines()
    turned = {"w": "b", "b": "w"}
    for at, line in enumerate(lines):
        if line.startswith("001"):
            opponent, colour = line[91:95], line[96]
            lines[at] = f"{line[:80]} 1.0{line[84:91]}{opponent} {colour} =  {opponent} {turned[colour]} ="
    empty = section_of(0, event=event, name="Empty", slug="empty")
    _status, html = upload(page, address(empty, "entries/import/"), "\n".join(lines), "twice.trf")
    (told,) = re.findall(r"<summary>Round 2</summary>(.*?)</details>", html, re.DOTALL)
    assert f"<li>No legal pairing exists for the players who are present ({cited}).</li>" in told


def lacking(data: bytes, *, rounds: bool = False, rating: bool = False) -> str:
    """A report file without its number of rounds, or without the rating of a player."""
    lines = data.decode().splitlines()
    if rounds:
        lines = [line for line in lines if not line.startswith(("XXR", "142"))]
    if rating:
        lines = [f"{line[:48]}    {line[52:]}" if line.startswith("001    6") else line for line in lines]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("missing", "typed"),
    [({"rounds": True}, {"rounds": "5"}), ({"rating": True}, {"unrated": "1000"})],
    ids=["rounds", "rating"],
)
def test_rounds_found_with_what_is_typed_are_asked_about_before_anything_is_written(
    owners_page: Client, event: Event, odd: bytes, missing: dict[str, bool], typed: dict[str, str]
) -> None:
    """VCL4THP.13 Q55: the normal case of TRF16, which does not say how many rounds are planned."""
    here = f"/{event.slug}/-/report/"
    before = event.sections.count()
    _status, html = upload(owners_page, here, lacking(odd, **missing), "odd.trf")
    assert 'id="departures"' not in html
    asked = confirm(owners_page, f"{here}?preview", name="Brought in", **typed)
    html = asked.content.decode()
    assert (asked.status_code, event.sections.count()) == (422, before)
    assert "Rounds 1 and 2 do not follow the rules. Nothing is saved yet." in html
    assert "<li>4 has White against 1, but 1 must have White (5.2.1).</li>" in html
    answer = owners_page.post(here, {**shown(html), "name": "Brought in", **typed})
    assert answer.status_code == 302
    made = event.sections.get(name="Brought in")
    assert "### Import @ Round 1: 1-4 " in tournament_report(made).decode()


def test_rating_typed_for_an_empty_section_is_asked_about_too(page: Client, event: Event, odd: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    upload(page, address(empty, "entries/import/"), lacking(odd, rating=True), "odd.trf")
    check = address(empty, "entries/import/check/")
    asked = confirm(page, check, unrated="1000")
    assert (asked.status_code, empty.participants.count()) == (422, 0)
    html = asked.content.decode()
    assert "do not follow the rules. Nothing is saved yet." in html
    assert page.post(check, {**shown(html), "unrated": "1000"}).status_code == 302
    assert empty.participants.count() == 6


def test_no_question_where_the_typed_rounds_follow_the_rules(
    owners_page: Client, event: Event, report: bytes
) -> None:
    here = f"/{event.slug}/-/report/"
    upload(owners_page, here, lacking(report, rounds=True), "other.trf")
    assert confirm(owners_page, f"{here}?preview", name="Brought in", rounds="5").status_code == 302


def test_byes_of_an_older_file_are_among_what_is_changed(page: Client, event: Event) -> None:
    """VCL4THP.13 Q48."""
    empty = section_of(0, event=event, name="Empty", slug="empty")
    lines = ["012 Old", "XXR 3"]
    for rank, cell in enumerate(("   2 w 1", "   1 b 0", "0000 - +"), start=1):
        lines.append(f"001 {rank:>4} {'':5}{f'Player {rank}':<33} {2300 - rank:>4}".ljust(91) + cell)
    _status, html = upload(page, address(empty, "entries/import/"), "\n".join(lines), "old.trf")
    (found,) = re.findall(r'id="adjustments">(.*?)</section>', html, re.DOTALL)
    bye = "'+' without an opponent is taken as the pairing-allocated bye: player 3 in round 1."
    assert f"Line 5, column 99: {bye}" in unescape(found)
    assert 'id="doubts"' not in html
    confirm(page, address(empty, "entries/import/check/"))
    assert Bye.objects.get(participant__section=empty).kind == "U"


def test_numbers_of_those_who_came_later_are_explained_in_one_sentence(page: Client, event: Event) -> None:
    """GHR 2.4: players who were not paired in round 1 have no number in it. If a file counts them, colours differ."""
    empty = section_of(0, event=event, name="Empty", slug="empty")
    opponents = {1: "5 w 1", 3: "6 w 1", 4: "7 b 0", 5: "1 b 0", 6: "3 b 0", 7: "4 w 1"}
    lines = ["012 Counted", "142 5", "XXC white1", "XXZ 4"]
    for rank in range(1, 8):
        cell = f"{opponents[rank]:>8}" if rank in opponents else "0000 - H"
        points = "1.0" if cell.endswith("1") else "0.5" if rank == 2 else "0.0"
        lines.append(
            f"001 {rank:>4}      {f'Player {rank}':<33} {2300 - rank:>4} {'':27}{points:>4} {rank:>4}  {cell:>8}"
        )
    _status, html = upload(page, address(empty, "entries/import/"), "\n".join(lines), "counted.trf")
    (said,) = re.findall(r'id="numbers">.*?<p>(.*?)</p>', html, re.DOTALL)
    assert said == (
        "2 boards have the opposite colours. In round 1, the file also counts players who were not paired (2). By our "
        "reading of GHR 2.4 they have no pairing number yet; without them, odd and even numbers change (5.2.1). You "
        "need not do anything: the colours stay as they were played."
    )
    assert re.findall(r"<dt>Not in round 2</dt><dd>(.*?)</dd>", html) == ["4 Player 4"]
    assert 'id="departures"' not in html
    confirm(page, address(empty, "entries/import/check/"))
    assert "### Import" not in tournament_report(empty).decode()


def test_a_question_ends_without_a_full_stop(page: Client, event: Event) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    _status, html = upload(page, address(empty, "entries/import/"), "012 Nobody", "nobody.trf")
    assert "is this a tournament report file?" in html
    assert "file?." not in html


def test_a_file_that_follows_the_rules_says_so(page: Client, event: Event, report: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    _status, html = upload(page, address(empty, "entries/import/"), report, "other.trf")
    assert "2, all follow the rules" in html
    assert 'id="departures"' not in html
    assert 'id="doubts"' not in html


def test_assumptions_are_listed(owners_page: Client, event: Event, report: bytes) -> None:
    """VCL4THP.13 Q50."""
    lines = [
        line for line in report.decode().splitlines() if not line.startswith(("XXR", "142", "152", "XXC"))
    ]
    lines = [f"{line[:48]}    {line[52:]}" if line.startswith("001    2") else line for line in lines]
    _status, html = upload(owners_page, f"/{event.slug}/-/report/", "\n".join(lines), "other.trf")
    (found,) = re.findall(r'id="adjustments">(.*?)</section>', html, re.DOTALL)
    assert "The file does not have the initial-colour (152). It follows from round 1: White." in found
    assert "provisional rating" in found
    assert "The rounds cannot be checked without the number of rounds." in html


def test_a_file_of_another_system_is_refused_with_its_line(page: Client, event: Event, report: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    data = report.replace(b"192 FIDE_DUBOV", b"192 FIDE_DUTCH")
    status, html = upload(page, address(empty, "entries/import/"), data, "dutch.trf")
    assert status == 422
    assert "another pairing system" in html


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_contradiction_is_reported_with_its_place_and_nothing_is_imported(
    page: Client, event: Event, name: str
) -> None:
    data, told = CONTRADICTIONS[name]
    empty = section_of(0, event=event, name="Empty", slug="empty")
    status, html = upload(page, address(empty, "entries/import/"), data, "broken.trf")
    (found,) = re.findall(r'id="problem">(.*?)</div>', html, re.DOTALL)
    assert status == 422
    assert [unescape(line) for line in re.findall("<li>(.*?)</li>", found)] == [
        f"{line[0].upper()}{line[1:]}." for line in told
    ]
    assert empty.participants.count() == 0


@pytest.fixture
def previews(monkeypatch: pytest.MonkeyPatch) -> list[Report]:
    """The reports whose preview was worked out, in order."""
    made: list[Report] = []

    def counted(report: Report, *args: Any, **options: Any) -> dict[str, Any]:
        made.append(report)
        return facts_of(report, *args, **options)

    facts_of = report_facts.report_facts
    monkeypatch.setattr(report_facts, "report_facts", counted)
    return made


def test_preview_of_a_report_file_is_worked_out_once_an_upload(
    page: Client, event: Event, odd: bytes, previews: list[Report]
) -> None:
    empty = section_of(0, event=event, name="B", slug="b")
    upload(page, address(empty, "entries/import/"), odd + b"### once\n", "open.trf")
    check = address(empty, "entries/import/check/")
    first = page.get(check).content
    assert page.get(check).content.count(b"<tr") == first.count(b"<tr")
    assert len(previews) == 1
    upload(page, address(empty, "entries/import/"), odd + b"### once\n", "the same again.trf")
    assert len(previews) == 1
    page.get(check + "?unrated=1500")
    assert len(previews) == 2


@pytest.mark.parametrize(
    ("missing", "typed"),
    [({"rounds": True}, {"rounds": "5"}), ({"rating": True}, {"unrated": "1000"})],
    ids=["rounds", "rating"],
)
def test_what_is_typed_for_a_new_section_needs_one_preview(
    owners_page: Client,
    event: Event,
    odd: bytes,
    missing: dict[str, bool],
    typed: dict[str, str],
    previews: list[Report],
) -> None:
    """The server may have started again since the page was shown; then no answer is kept."""
    here = f"/{event.slug}/-/report/"
    _status, html = upload(owners_page, here, lacking(odd, **missing) + "\n### one\n", "odd.trf")
    report_facts._previews.clear()
    previews.clear()
    assert owners_page.post(here, {**shown(html), "name": "Brought in", **typed}).status_code == 422
    assert len(previews) == 1


def test_new_section_needs_the_rounds_that_its_file_does_not_say(
    owners_page: Client, event: Event, report: bytes
) -> None:
    here = f"/{event.slug}/-/report/"
    upload(owners_page, here, lacking(report, rounds=True), "other.trf")
    page = owners_page.get(f"{here}?preview").content.decode()
    assert re.findall(r'<input type="number" name="rounds"[^>]*required', page)
    answer = confirm(owners_page, f"{here}?preview", name="Brought in")
    errors = re.findall(r'<span class="err" id="id_rounds_error">(.*?)</span>', answer.content.decode())
    assert (answer.status_code, errors) == (422, ["This field is required."])


def test_preview_is_worked_out_again_when_the_event_or_the_section_changes(
    page: Client, event: Event, odd: bytes, previews: list[Report]
) -> None:
    empty = section_of(0, event=event, name="B", slug="b")
    upload(page, address(empty, "entries/import/"), odd + b"### changes\n", "open.trf")
    check = address(empty, "entries/import/check/")
    for change, worked_out in (
        (lambda: Event.objects.update(end=event.end + timedelta(days=1)), 2),
        (lambda: Section.objects.filter(pk=empty.pk).update(rounds=empty.rounds + 1), 3),
        (lambda: Section.objects.filter(pk=empty.pk).update(options={"upfloats": "paired"}), 4),
    ):
        change()
        page.get(check)
        page.get(check)
        assert len(previews) == worked_out


def test_report_file_that_forbids_all_pairs_a_thousand_times_has_its_preview_at_once(
    page: Client, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    monkeypatch.setattr(
        "pairing.engine.trf.prohibitions.combinations",
        lambda players, size: made.append(players) or combinations(players, size),
    )
    empty = section_of(0, event=event, name="B", slug="b")
    ranks = range(1, 102)
    everybody = " ".join(f"{rank:04}" for rank in ranks)
    players = [player_line(starting_rank=rank, rating=2500 - rank) for rank in ranks]
    lines = [f"260 001 009 {everybody}"] * 1_000
    status, html = upload(
        page, address(empty, "entries/import/"), as_file("142 9", "152 W", *players, *lines), "all.trf"
    )
    assert (status, html.count('id="doubts"')) == (200, 1)
    assert len(made) == 1


def test_report_file_with_more_than_a_section_can_hold_is_refused_with_its_line(
    page: Client, event: Event
) -> None:
    empty = section_of(0, event=event, name="B", slug="b")
    everybody = " ".join(str(rank) for rank in range(1, 318))
    players = [player_line(starting_rank=rank, rating=2500 - rank) for rank in range(1, 318)]
    pairs = as_file("142 9", "152 W", *players, f"XXP {everybody}")
    status, html = upload(page, address(empty, "entries/import/"), pairs, "all.trf")
    assert status == 422
    assert "Line 320, column 5: with this line there are more than 50000 forbidden pairs" in unescape(html)
    status, html = upload(page, address(empty, "entries/import/"), as_file("142 31", *players), "long.trf")
    assert (status, "Line 1: more than 30 rounds" in unescape(html)) == (422, True)


def test_list_is_read_once_for_each_way_of_reading_it(
    page: Client, section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[tuple[str, str]] = []

    def counted(data: bytes, filename: str, encoding: str, sheet: str) -> Table:
        read.append((encoding, sheet))
        return read_entries(data, filename, encoding, sheet)

    monkeypatch.setattr(import_list, "read_entries", counted)
    upload(page, address(section, "entries/import/"), CSV, "once.csv")
    check = address(section, "entries/import/check/")
    page.get(check)
    page.get(check + "?unrated=1400")
    assert read == [("", "")]
