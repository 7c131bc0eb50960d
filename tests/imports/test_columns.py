from __future__ import annotations

import pytest

from tournaments.files.columns import OF_REGISTRATIONS, ListColumn, recognise
from tournaments.files.guess_columns import assign_columns


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
        ("NrFFE;Nom;Prénom;Fede;CodeFIDE", "NATIONAL_ID LAST GIVEN FEDERATION FIDE_ID"),
        ("Apellidos, Nombre;Observación", "NAME NOTE"),
        ("Surname;Elo", "NAME RATING"),
        ("Name;Surname;Elo", "GIVEN LAST RATING"),
    ],
)
def test_columns_are_known_in_many_languages(header: str, expected: str) -> None:
    cells = header.split(";")
    found = assign_columns(cells).places
    assert [next(c.name for c, at in found.items() if at == place) for place in range(len(cells))] == (
        expected.split()
    )


def test_column_fide_id_is_preferred_to_column_id() -> None:
    assert assign_columns(["ID", "Name", "FIDE ID"]).places == {ListColumn.NAME: 1, ListColumn.FIDE_ID: 2}


def test_of_two_columns_with_one_meaning_the_fuller_one_is_read_and_the_page_names_both() -> None:
    found = assign_columns(["Name", "Elo", "Rating"], [["Ab, C", "", "1500"], ["De, F", "1600", "1610"]])
    assert found.places == {ListColumn.NAME: 0, ListColumn.RATING: 2}
    (doubt,) = found.doubts
    assert "Several columns can be the same, Rating: Elo and Rating. “Rating” is read." in str(doubt)


def test_full_name_is_ignored_beside_surname_and_first_name() -> None:
    assert assign_columns(["Name", "Last name", "First name"]).places == {
        ListColumn.LAST: 1,
        ListColumn.GIVEN: 2,
    }


@pytest.mark.parametrize("cell", ["", "No.", "Menon", "1850", "Fee paid", "Timestamp"])
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
    places = assign_columns(cells).places
    assert [cell for place, cell in enumerate(cells) if place not in places.values()] == unread
    assert {
        ListColumn.NAME,
        ListColumn.FIDE_ID,
        ListColumn.FEDERATION,
        ListColumn.CLUB,
        ListColumn.SEX,
    } <= places.keys()


@pytest.mark.parametrize(
    "header",
    [
        "Surname and name;Rating;National rating;Birth date;Sex;Title;Federation;FIDE ID;Club;Note;E-mail;Phone;Group",
        "Nachname, Vorname;Wertungszahl;DWZ;Geboren;Geschlecht;Titel;Land;FIDE-ID;Verein;Anmerkung;E-Mail;Handy;Gruppe",
        "Nom et prénom;Elo;Elo national;Né(e) le;Sexe;Titre;Féd.;Code FIDE;Club;Remarques;Courriel;Téléphone;Tournoi",
        "Apellidos, Nombre;Elo;Elo FEDA;Fecha Nac.;Sexo;Título;País;Código FIDE;Club;Notas;Correo;Teléfono;Torneo",
        "Naam;Rating;KNSB-rating;Geboren;Geslacht;Titel;Bond;FIDE-nr;Club;Opmerking;E-mail;Telefoon;Groep",
        "Nazwisko i imię;Ranking;Ranking krajowy;Data ur.;Płeć;Tytuł;Kraj;Numer FIDE;Klub;Uwagi;E-mail;Telefon;Turniej",
        "Фамилия, имя;Рейтинг;ФШР;Дата рождения;Пол;Звание;Страна;Код ФИДЕ;Клуб;Примечание;Почта;Телефон;Группа",
        "Прізвище, ім’я;Рейтинг;ФШУ;Дата народження;Стать;Звання;Країна;ID ФІДЕ;Клуб;Примітка;Пошта;Телефон;Турнір",
        "Nominativo;Elo;Elo Italia;Data di nascita;Sesso;Titolo;Fed;ID FIDE;Circolo;Commenti;E-mail;Cellulare;Torneo",
    ],
    ids=["English", "German", "French", "Spanish", "Dutch", "Polish", "Russian", "Ukrainian", "Italian"],
)
def test_headings_are_known_in_the_languages_of_the_program(header: str) -> None:
    cells = header.split(";")
    values = [
        "Ab, C",
        "1800",
        "1750",
        "1.2.1990",
        "m",
        "FM",
        "NED",
        "1234567",
        "SC",
        "x",
        "a@example.org",
        "0123456",
        "A",
    ]
    found = assign_columns(cells, [values], OF_REGISTRATIONS)
    expected = (
        "NAME RATING NATIONAL_RATING BIRTH_DATE SEX TITLE FEDERATION FIDE_ID CLUB NOTE EMAIL PHONE SECTION"
    )
    assert ({column.name: at for column, at in found.places.items()}, found.doubts) == (
        {name: at for at, name in enumerate(expected.split())},
        (),
    )


@pytest.mark.parametrize(
    ("header", "row", "unread"),
    [
        (
            "Ном.;;Имя;код FIDE;ФЕД.;РейтМ;РейтН;пол;Тип;Гр.;Клуб/Город",
            "1;GM;Ab, C;1234567;RUS;2500;2480;м;;;СК",
            "0 8 9",
        ),
        (
            "TlnNr;Teilnehmer;Titel;ELO;NWZ;Attr.;Verein/Ort;Land;Geburt;FideKenn;PKZ",
            "1;Ab, C;FM;2300;2280;;SC;GER;1990;4600001;12",
            "0 5",
        ),
        (
            "NAME;COUNTRY;BIRTHDAY;G;TITLE;IDFIDE;ELOFIDE;IDNAT;ELONAT;CLUB",
            "Ab C;ITA;01/02/1990;m;FM;800001;2300;77;2250;SC",
            "",
        ),
        (
            "N° FFE;Nom;Prénom;Titre;Sexe;Né(e) le;Cat.;Elo;Rapide;Blitz;Féd.;Code FIDE;Club;Ligue",
            "A1;UN;B;f;M;1/2/1990;SenM;1820 F;;;FRA;650001;SC;OCC",
            "6 8 9 13",
        ),
        (
            "Nº;Apellidos, Nombre;FIDE;FEDA;F. Nac.;Sexo;Federación;ID FEDA",
            "1;Ab, C;2100;2080;1990;H;ESP;123",
            "0",
        ),
        (
            "Nº;Apellidos y Nombre;Tít.;Fec. Nac.;Cód. FIDE;Elo FEDA",
            "1;Ab, C;MF;21/07/1985;24500011;2.210",
            "0",
        ),
        (
            "№;ФИО;Звание;ID ФИДЕ;Федерация;Рейтинг ФИДЕ;Рейтинг ФШР;Дата рождения;Клуб;Пол;Регион",
            "1;Аб Ц;КМС;24100001;RUS;2100;2080;1990;СК;м;М",
            "0 10",
        ),
        ("Achternaam;Tussenvoegsel;Voornaam;KNSB-nummer;Rating", "Berg;van den;Iris;123;1500", ""),
        ("Фамилия;Имя;Отчество;Год рождения;Разряд", "Аб;Це;Де;2010;1", ""),
        ("Apellido 1;Apellido 2;Nombre;Elo", "Peña;Ruiz;José;1500", ""),
        (
            "Time;What is your full name?;Date of birth (d/m/y);Your current rating;Which club is yours?;FIDE ID?;Note",
            "2026;Ab C;1/2/1990;1500;SC;1234567;no",
            "0",
        ),
    ],
    ids=[
        "chess-results",
        "Swiss-Chess",
        "Vega",
        "Papi",
        "FEDA",
        "FEDA with abbreviations",
        "RCF",
        "KNSB",
        "patronymic",
        "surnames",
        "questions",
    ],
)
def test_headings_of_other_programs_and_questionnaires_are_known(header: str, row: str, unread: str) -> None:
    cells = header.split(";")
    found = assign_columns(cells, [row.split(";")])
    assert [at for at in range(len(cells)) if at not in found.places.values()] == [
        int(at) for at in unread.split()
    ]
    assert (found.certain, found.doubts) == (True, ())


def test_a_word_within_a_longer_heading_counts_only_if_the_cells_hold_such_values() -> None:
    rows = [["Ab, C", "yes", "1500"], ["De, F", "no", "1600"]]
    heading = ["Name", "Do you have a national rating already?", "Last known rating of the player"]
    assert assign_columns(heading, rows).places == {ListColumn.NAME: 0, ListColumn.RATING: 2}


@pytest.mark.parametrize(
    "question",
    [
        "W której grupie chcesz grać?",
        "В якій групі гратимете?",
        "В каком турнире вы играете?",
        "In welcher Gruppe spielst du?",
        "¿En qué grupo juegas?",
        "Dans quel groupe jouez-vous ?",
    ],
)
def test_question_for_the_section_is_known_in_forms_of_many_languages(question: str) -> None:
    assert (
        assign_columns(["Name", question], [["Ab, C", "A"]], OF_REGISTRATIONS).places[ListColumn.SECTION] == 1
    )
