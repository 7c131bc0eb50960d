from __future__ import annotations

import pytest

from tournaments.imports.columns import Column, assign, recognise
from tournaments.imports.reasons import FileRefused


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (
            "Last name;First name;Sex;Title;Federation;FIDE ID;Rating;Birth date;Club;Half-point bye in round",
            "LAST GIVEN SEX TITLE FEDERATION FIDE_ID RATING BIRTH_DATE CLUB BYES",
        ),
        ("Name;Vorname;Verein;Geburtsjahr;Elo;DWZ", "LAST GIVEN CLUB BIRTH_DATE RATING NATIONAL_RATING"),
        ("Nachname;Vorname;Geschlecht;Titel;Land;FIDE-ID", "LAST GIVEN SEX TITLE FEDERATION FIDE_ID"),
        (
            "Nom;Prénom;Sexe;Fédération;Code FIDE;Elo;Né le",
            "LAST GIVEN SEX FEDERATION FIDE_ID RATING BIRTH_DATE",
        ),
        ("Apellidos;Nombre;Título;País;Fecha de nacimiento", "LAST GIVEN TITLE FEDERATION BIRTH_DATE"),
        (
            "Achternaam;Voornaam;Geslacht;Bond;Geboortejaar;Vereniging",
            "LAST GIVEN SEX FEDERATION BIRTH_DATE CLUB",
        ),
        (
            "Cognome;Nome;Sesso;Titolo;Federazione;Data di nascita",
            "LAST GIVEN SEX TITLE FEDERATION BIRTH_DATE",
        ),
        (
            "Nazwisko;Imię;Płeć;Tytuł;Kraj;Ranking FIDE;Klub",
            "LAST GIVEN SEX TITLE FEDERATION FIDE_RATING CLUB",
        ),
        ("Nazwisko i imię;Rok urodzenia;Uwagi", "NAME BIRTH_DATE NOTE"),
        ("Name;Rtg;Birth", "NAME RATING BIRTH_DATE"),
        ("NAME;FED;RTG;ID", "NAME FEDERATION RATING FIDE_ID"),
        ("Player;Rtg Int;Rtg Nat", "NAME FIDE_RATING NATIONAL_RATING"),
        ("Nombre;Elo", "NAME RATING"),
        ("Surname;Elo", "NAME RATING"),
        ("Name;Surname;Elo", "GIVEN LAST RATING"),
    ],
)
def test_columns_are_known_in_many_languages(header: str, expected: str) -> None:
    cells = header.split(";")
    found = assign(cells)
    assert [next(c.name for c, at in found.items() if at == place) for place in range(len(cells))] == (
        expected.split()
    )


def test_column_fide_id_is_preferred_to_column_id() -> None:
    assert assign(["ID", "Name", "FIDE ID"]) == {Column.NAME: 1, Column.FIDE_ID: 2}


def test_two_columns_with_one_meaning_are_refused() -> None:
    with pytest.raises(FileRefused, match="Elo and Rating"):
        assign(["Name", "Elo", "Rating"])


def test_full_name_is_ignored_beside_surname_and_first_name() -> None:
    assert assign(["Name", "Last name", "First name"]) == {Column.LAST: 1, Column.GIVEN: 2}


@pytest.mark.parametrize("cell", ["", "No.", "E-mail", "Menon", "1850", "Fee paid"])
def test_cells_without_a_known_meaning_name_no_column(cell: str) -> None:
    assert recognise(cell) is None


@pytest.mark.parametrize(
    ("header", "unread"),
    [
        ("Nr.;Name;FideID;FED;Elo;EloN;Verein/Ort;Sex;Geb.;Titel", ["Nr."]),
        ("SNo;Title;Name;FideID;FED;RtgI;RtgN;Club/City;sex;Birth;Typ", ["SNo", "Typ"]),
        ("No.;Tít;Nombre;FideID;FED;Elo;EloN;Club/Ciudad;Sexo;Fecha Nac.", ["No."]),
        ("Rg.;Nom;Code FIDE;FED;Elo;EloN;Club/Ville;Sexe", ["Rg."]),
    ],
    ids=["German", "English", "Spanish", "French"],
)
def test_lists_of_swiss_manager_are_read_in_its_languages(header: str, unread: list[str]) -> None:
    cells = header.split(";")
    places = assign(cells)
    assert [cell for place, cell in enumerate(cells) if place not in places.values()] == unread
    assert {Column.NAME, Column.FIDE_ID, Column.FEDERATION, Column.CLUB, Column.SEX} <= places.keys()
