"""Cells of a list that are corrected on the page, and rows that are joined or kept apart."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from tests.imports.test_workbook import workbook
from tests.web.staff.conftest import address
from tests.web.staff.imports.conftest import CSV, confirm, names, shown, token, upload
from tournaments.models import Player, Section
from web import files

WRONG = "Name;Rating;Federation;Birth date\nNovák, Jan;2l10;CZE;\nBerg, Bo;1900;HOL;\nEk, Ada;1800;XYZ;12-05-1988\n"


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
    assert "Federation corrected here: HOL → NED." in html
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
    assert "Also in row 4, which is not imported." in html
    assert pressed(html, "Keep this one") == ["keep-4"]
    check = address(section, "entries/import/check/")
    answer = confirm(page, check, choose="keep-4")
    assert (answer.status_code, answer.url) == (302, check)
    html = page.get(check).content.decode()
    assert pressed(html, "Keep this one") == ["keep-2"]
    band = html[html.index('id="left-out"') :]
    assert "<b>1 left out</b>" in band
    assert "Left out, because row 4 was kept." in band
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
    assert "The same player as Surname0001, Given: you chose this." in html
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
    assert "Rows 2 and 3 have formulas without a saved value. Their cells are read as empty." in html
    assert html.count("is a formula without a saved value, so it is read as empty.") == 2
    assert 'name="cell-3-RATING" value=""' in html


def test_corrections_that_are_not_kept_are_reported(
    page: Client, section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_CORRECTIONS", 2)
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
    (sentence,) = re.findall(r'id="two-ways">\s*(.*?)\s*</p>', html)
    assert sentence == (
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
    (sentence,) = re.findall(r'id="no-comma">\s*(.*?)\s*</p>', html)
    assert sentence == (
        "The names in rows 3 and 4 have no comma. Write names as “Surname, Given”. Otherwise lists may have players "
        "under their given names."
    )


def test_a_name_that_shall_stay_without_a_comma_is_not_ordered_by_the_next_press(
    page: Client, section: Section
) -> None:
    _status, html = upload(page, address(section, "entries/import/"), "Name;Rating\nNguyen Thao;1900\n")
    check = address(section, "entries/import/check/")
    confirm(page, check, revision=section.revision, **{"cell-2-NAME": "Nguyen Thao", "again": "yes"})
    html = page.get(check).content.decode()
    assert '<option value="Nguyen Thao" selected>' in html
    confirm(page, check, revision=section.revision, **{"cell-2-NAME": "Nguyen Thao"})
    assert section.participants.filter(player__name="Nguyen Thao").exists()


def test_a_heading_says_which_part_of_its_names_is_the_surname(page: Client, section: Section) -> None:
    for heading, name, proposed in [
        ("ФИО", "Щукина Ольга", "Щукина, Ольга"),
        ("Nominativo", "Rossi Mario", "Rossi, Mario"),
        ("Apellidos y nombre", "Ruiz Ana María", "Ruiz, Ana María"),
        ("Nom et prénom (licence)", "Dupont Paul", "Dupont, Paul"),
        ("Vorname Nachname", "Uwe Bauer", "Bauer, Uwe"),
        ("Name", "Uwe Bauer", "Bauer, Uwe"),
    ]:
        _status, html = upload(page, address(section, "entries/import/"), f"{heading};Elo\n{name};1900\n")
        chosen = re.search(
            r'<select name="cell-2-NAME" form="take".*?<option value="([^"]+)" selected', html, re.DOTALL
        )
        assert chosen, heading
        assert chosen[1] == proposed, heading


def test_one_press_orders_the_names_and_each_can_be_changed(page: Client, section: Section) -> None:
    rows = "Name;Rating\nBerg, Bo;1900\nUwe Bauer;1800\nPolak Petr;1700\n"
    _status, html = upload(page, address(section, "entries/import/"), rows)
    fields = re.findall(
        r'<select name="(cell-[^"]+)" form="take".*?<option value="([^"]+)" selected', html, re.DOTALL
    )
    assert fields == [("cell-3-NAME", "Bauer, Uwe"), ("cell-4-NAME", "Petr, Polak")]
    check = address(section, "entries/import/check/")
    before = section.participants.count()
    confirm(page, check, revision=section.revision, **{**dict(fields), "cell-4-NAME": "Polak, Petr"})
    assert section.participants.count() == before, "the preview shows the names first"
    html = page.get(check).content.decode()
    assert "Bauer, Uwe" in html
    assert '<option value="Polak, Petr" selected>' in html
    confirm(page, check, revision=section.revision)
    found = section.participants.order_by("pk").values_list("player__name", flat=True)
    assert set(found) >= {"Berg, Bo", "Bauer, Uwe", "Polak, Petr"}


def test_two_orders_of_one_name_with_one_birth_date_are_one_row(page: Client, section: Section) -> None:
    player = section.participants.get(tpn=1).player
    player.name, player.birth_date = "Bauer, Uwe", "1971/03/04"
    player.save()
    twice = "Polak, Petr;1700;1980/01/01\nPetr Polak;1700;1980/01/01\n"
    rows = f"Name;Rating;Birth date\nUwe Bauer;1800;1971/03/04\n{twice}"
    _status, html = upload(page, address(section, "entries/import/"), rows)
    assert "1 changed" in " ".join(html.split())
    assert "1 refused" in " ".join(html.split())


@pytest.mark.parametrize(
    ("date", "sentence", "born"),
    [
        ("31.12.1970", "Dates such as 03/04/1990 are read day first because of row 3.", "1990/04/03"),
        ("12/31/1970", "Dates such as 03/04/1990 are read month first because of row 3.", "1990/03/04"),
    ],
)
def test_date_that_decides_how_others_are_read_is_named_with_its_row(
    page: Client, section: Section, date: str, sentence: str, born: str
) -> None:
    dates = f"Name;Rating;Birth date\nBerg, Bo;1900;03/04/1990\nEk, Ada;1800;{date}\nUhl, Eva;1700;1980\n"
    _status, html = upload(page, address(section, "entries/import/"), dates)
    assert re.findall(r'id="dates-read">\s*(.*?)\s*</p>', html) == [sentence]
    assert re.findall(r'<td class="born[^"]*">([^<]*)</td>', html) == [born, "1970/12/31", "1980"]
    assert 'name="dates"' in html
    html = page.get(address(section, "entries/import/check/?dates=day")).content.decode()
    assert "dates-read" not in html  # the arbiter has said how


def test_dates_that_are_clear_need_no_sentence(page: Client, section: Section) -> None:
    dates = "Name;Rating;Birth date\nBerg, Bo;1900;13/04/1990\nEk, Ada;1800;31.12.1970\nUhl, Eva;1700;05.06.1980\n"
    _status, html = upload(page, address(section, "entries/import/"), dates)
    assert "dates-read" not in html
