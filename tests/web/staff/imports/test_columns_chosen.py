"""The arbiter says on the page what the columns of a list are, and the next list of this shape is read so."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client

from tests.web.staff.conftest import address
from tests.web.staff.imports.conftest import names, token, upload
from tournaments.models import ColumnLayout, Section

BARE = "Hans;Meier;1800\nEva;Blum;1900\n"


def read_as(answer: object) -> list[tuple[str, str]]:
    """Return the heading of each column and what the page says that it is."""
    rows = answer.context["columns"].rows  # type: ignore[attr-defined]
    return [(heading, field.value() or "") for field, heading, _cells in rows]


class Desk:
    """An arbiter who imports lists into one section."""

    def __init__(self, page: Client, section: Section) -> None:
        self.page, self.section = page, section
        self.here = address(section, "entries/import/")
        self.check = address(section, "entries/import/check/")

    def send(self, data: bytes | str, name: str = "list.csv") -> str:
        status, html = upload(self.page, self.here, data, name)
        assert status == 200
        return unescape(html)

    def shown(self, query: str = "") -> object:
        return self.page.get(self.check + query, follow=True)

    def press(self, query: str = "", **fields: object) -> object:
        """Press a button of the page, with all that its form has."""
        before = self.page.get(self.check + query, follow=True)
        columns = {field.html_name: field.value() or "" for field, *_ in before.context["columns"].rows}
        self.section.refresh_from_db()
        sent = {"read": before.context["read"], "upload": token(before.content.decode()), **columns}
        sent["revision"] = self.section.revision
        return self.page.post(
            self.check, {**sent, **{name.replace("_", "-"): value for name, value in fields.items()}}
        )


@pytest.fixture
def desk(page: Client, section: Section) -> Desk:
    return Desk(page, section)


def test_a_list_without_headings_is_read_once_its_columns_are_chosen(desk: Desk) -> None:
    html = desk.send(BARE)
    assert "The columns have no names, and their meaning is not certain." in html
    assert [cell in html for cell in ("Hans", "Meier", "1900")] == [True, True, True]
    assert read_as(desk.shown()) == [("", "LAST"), ("", "GIVEN"), ("", "RATING")]
    answer = desk.press(again="yes", column_0="GIVEN", column_1="LAST")
    assert names(desk.section) == []
    query = f"?{answer.url.partition('?')[2]}"
    assert "Meier, Hans" in desk.shown(query).content.decode()
    assert desk.press(query).status_code == 302
    assert names(desk.section) == ["Meier, Hans", "Blum, Eva"]


def test_the_next_list_of_this_shape_is_read_as_the_last_one_until_the_choice_is_forgotten(
    desk: Desk,
) -> None:
    desk.send(BARE)
    answer = desk.press(again="yes", column_0="GIVEN", column_1="LAST")
    desk.press(f"?{answer.url.partition('?')[2]}")
    html = desk.send("Uwe;Bauer;1750\n")
    assert "Bauer, Uwe" in html
    assert "The columns are read as you chose for the last list with the same columns." in html
    assert "as you chose" not in desk.send("Name;Rating\nVrba, Ota;1900\n")
    desk.send("Uwe;Bauer;1750\n")
    assert desk.press(forget="yes").url == desk.check
    assert (ColumnLayout.objects.count(), "Bauer, Uwe" in desk.shown().content.decode()) == (0, False)


def test_what_another_person_chose_is_not_used(desk: Desk, owners_page: Client) -> None:
    desk.send(BARE)
    answer = desk.press(again="yes", column_0="GIVEN", column_1="LAST")
    desk.press(f"?{answer.url.partition('?')[2]}")
    assert "Meier, Hans" not in Desk(owners_page, desk.section).send(BARE)


def test_of_two_ratings_the_arbiter_chooses_which_is_of_fide_and_which_is_national(desk: Desk) -> None:
    html = desk.send("Name;Elo;Elo\nVrba, Ota;1900;1850\nNovák, Jan;;1800\n")
    assert "Several columns can be the same, Rating: Elo and Elo." in html
    assert read_as(desk.shown()) == [("Name", "NAME"), ("Elo", ""), ("Elo", "RATING")]
    answer = desk.press(again="yes", column_1="FIDE_RATING", column_2="NATIONAL_RATING")
    desk.press(f"?{answer.url.partition('?')[2]}")
    entry = desk.section.participants.get(player__name="Vrba, Ota")
    assert (entry.rating, entry.official_rating, entry.national_rating) == (1900, 1900, 1850)


def test_two_columns_cannot_be_the_same_and_what_was_chosen_stays_on_the_page(desk: Desk) -> None:
    desk.send("Name;Elo;Club\nVrba, Ota;1900;West\n")
    answer = desk.press(column_2="RATING")
    assert answer.status_code == 422
    assert "Two columns have the same meaning: Rating." in answer.content.decode()
    assert read_as(answer) == [("Name", "NAME"), ("Elo", "RATING"), ("Club", "RATING")]
    assert names(desk.section) == []


def test_the_button_of_the_import_takes_nothing_while_a_column_is_chosen_differently(desk: Desk) -> None:
    desk.send("Name;Elo;Stadt\nVrba, Ota;1900;West\n")
    answer = desk.press(column_2="CLUB")
    assert answer.url.startswith(f"{desk.check}?")
    assert names(desk.section) == []
    desk.press(f"?{answer.url.partition('?')[2]}")
    assert desk.section.participants.get(player__name="Vrba, Ota").club == "West"


def test_a_list_in_an_unknown_language_has_its_headings_and_its_first_rows_on_the_page(desk: Desk) -> None:
    desk.send("Nimi;Vahvuusluku\nVirtanen Matti;1800\nKorhonen Aino;1700\n")
    assert read_as(desk.shown()) == [("Nimi", "NAME"), ("Vahvuusluku", "RATING")]
    answer = desk.press(again="yes")
    desk.press(f"?{answer.url.partition('?')[2]}")
    assert names(desk.section) == ["Virtanen Matti", "Korhonen Aino"]


def test_separator_character_set_and_row_of_headings_can_be_chosen(desk: Desk) -> None:
    text = "Liste 2026: offen\nSpieler:Zahl\nИванов, Пётр:1800\n"
    desk.send(text.encode("mac_cyrillic"))
    answer = desk.press(again="yes", delimiter=":", encoding="mac_cyrillic", heading="2")
    query = f"?{answer.url.partition('?')[2]}"
    assert read_as(desk.shown(query)) == [("Spieler", "NAME"), ("Zahl", "")]
    answer = desk.press(query, again="yes", column_1="RATING")
    desk.press(f"?{answer.url.partition('?')[2]}")
    assert names(desk.section) == ["Иванов, Пётр"]
    assert "Смирнова, Анна" in desk.send(
        text.replace("Иванов, Пётр", "Смирнова, Анна").encode("mac_cyrillic")
    )


def test_corrected_cells_stay_when_another_column_is_chosen(desk: Desk) -> None:
    desk.send("Name;Elo;Stadt\nVrba, Ota;l9OO;West\n")
    desk.press(again="yes", **{"cell-2-RATING": "1900"})
    answer = desk.press(again="yes", column_2="CLUB")
    desk.press(f"?{answer.url.partition('?')[2]}")
    entry = desk.section.participants.get(player__name="Vrba, Ota")
    assert (entry.rating, entry.club) == (1900, "West")


def test_columns_that_are_not_used_are_named_with_an_example(desk: Desk) -> None:
    html = " ".join(desk.send("Name;Elo;;Fee\nVrba, Ota;1900;left-handed;45\n").split())
    assert "These columns are not read: column 3 (left-handed), Fee (45)." in html


def test_a_national_title_is_kept_in_the_note_and_a_column_of_titles_needs_no_heading(desk: Desk) -> None:
    desk.send("Name;;Elo\nVrba, Ota;FM;1900\nNovák, Jan;WGM;1800\n")
    desk.press()
    html = desk.send("ФИО;Звание;Рейтинг;Примечание\nПетров, Пётр;КМС;1900;опоздает\nVrba, Ota;КМС;1900;\n")
    assert html.count("Звание “КМС” is not a title of FIDE. It is kept in the note.") == 2
    desk.press()
    entries = desk.section.participants.order_by("pk").values_list("player__name", "player__title", "note")
    assert list(entries)[2:] == [
        ("Vrba, Ota", "FM", "КМС"),
        ("Novák, Jan", "WGM", ""),
        ("Петров, Пётр", "", "КМС; опоздает"),
    ]


def test_a_letter_says_which_rating_it_is(desk: Desk) -> None:
    desk.send("Nom;Elo;Code FIDE\nUN, A;1820 F;11\nDEUX, B;1750 N;12\nTROIS, C;1399 E;13\n")
    desk.press()
    entries = desk.section.participants.order_by("pk")
    assert [(e.rating, e.official_rating, e.national_rating, e.rating_source) for e in entries][2:] == [
        (1820, 1820, None, "file"),
        (1750, None, 1750, "file"),
        (1399, None, None, "provisional"),
    ]
