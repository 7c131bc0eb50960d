from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from base.zones import in_zone
from tournaments.files import cell_values
from tournaments.files.federations import FEDERATIONS, fide_code
from tournaments.files.list_refusals import CellRefused

Reader = Callable[[str], object]


def refusal(reader: Reader, text: str) -> CellRefused:
    with pytest.raises(CellRefused) as refused:
        reader(text)
    return refused.value


@pytest.mark.parametrize(
    ("reader", "text", "expected"),
    [
        (cell_values.name, "Surname ,Given", "Surname, Given"),
        (cell_values.name, "Nguyễn Thị Ánh", "Nguyễn Thị Ánh"),
        (cell_values.name, "O'Neil, Seán,", "O'Neil, Seán,"),
        (cell_values.name, "Surname,", "Surname"),
        (cell_values.name, "Иванов Пётр Сергеевич", "Иванов, Пётр Сергеевич"),
        (cell_values.name, "Пётр Сергеевич Абрамович", "Абрамович, Пётр Сергеевич"),
        (cell_values.name, "Шевчук Олена Андріївна", "Шевчук, Олена Андріївна"),
        (cell_values.name, "Щукина Ольга", "Щукина Ольга"),
        (cell_values.name, "Rabinovich Juan Carlos", "Rabinovich Juan Carlos"),
        (cell_values.sex, "M", "m"),
        (cell_values.sex, "f", "w"),
        (cell_values.sex, "female", "w"),
        (cell_values.sex, "Männlich", "m"),
        (cell_values.sex, "V", "w"),
        (cell_values.sex, "Kobieta", "w"),
        (cell_values.sex, "м", "m"),
        (cell_values.sex, "Ж", "w"),
        (cell_values.sex, "женский", "w"),
        (cell_values.sex, "Ч", "m"),
        (cell_values.sex, "жін.", "w"),
        (cell_values.title, "g", "GM"),
        (cell_values.title, "gm", "GM"),
        (cell_values.title, "FIDE Master", "FM"),
        (cell_values.title, "Woman International Master", "WIM"),
        (cell_values.title, "wf", "WFM"),
        (cell_values.title, "Großmeister", "GM"),
        (cell_values.title, "-", ""),
        (cell_values.title, "MF", "FM"),  # Spanish, Italian, French
        (cell_values.title, "MFF", "WFM"),
        (cell_values.title, "MIF", "WIM"),
        (cell_values.title, "GMF", "WGM"),
        (cell_values.title, "gf", "WGM"),  # of the FFE
        (cell_values.title, "MC", "CM"),
        (cell_values.title, "AFM", ""),
        (cell_values.title, "КМС", ""),
        (cell_values.title, "мг", "GM"),
        (cell_values.title, "ММ", "IM"),
        (cell_values.federation, "ned", "NED"),
        (cell_values.federation, "BRN", "BRN"),
        (cell_values.fide_id, "1 234 567", 1234567),
        (cell_values.fide_id, "01234567", 1234567),
        (cell_values.fide_id, "1234567.0", 1234567),
        (cell_values.fide_id, "0", None),
        (cell_values.fide_id, "-", None),
        (cell_values.rating, "1850", 1850),
        (cell_values.rating, "1850,0", 1850),
        (cell_values.rating, "0", None),
        (cell_values.rating, "UNR", None),
        (cell_values.rating, "1650P8", 1650),
        (cell_values.rating, "1611/24", 1611),
        (cell_values.rating, "1834-12", 1834),
        (cell_values.rating, "1820 F", 1820),
        (cell_values.rating, "1399E", 1399),
        (cell_values.rating, "1 905", 1905),
        (cell_values.rating, "2.304", 2304),
        (cell_values.rating, "2'304", 2304),
        (cell_values.rating, "1,905.0", 1905),
        (cell_values.rating, "1834.6", 1834),
        (cell_values.rating, "б/р", None),
        (cell_values.birth_date, "1989/01/08", "1989/01/08"),
        (cell_values.birth_date, "1989-1-8", "1989/01/08"),
        (cell_values.birth_date, "8.1.1989", "1989/01/08"),
        (cell_values.birth_date, "08-08-1989", "1989/08/08"),
        (cell_values.birth_date, "23/01/1989", "1989/01/23"),
        (cell_values.birth_date, "01/23/1989", "1989/01/23"),
        (cell_values.birth_date, "1989-01-08 00:00:00", "1989/01/08"),
        (cell_values.birth_date, "1989/00/00", "1989/00/00"),
        (cell_values.birth_date, "1989/05/00", "1989/05/00"),
        (cell_values.birth_date, "1989", "1989"),
        (cell_values.rounds, "2", (2,)),
        (cell_values.rounds, "4,2", (2, 4)),
        (cell_values.rounds, "2; 4", (2, 4)),
        (cell_values.rounds, "R2 and R4", (2, 4)),
        (cell_values.rounds, "Runde 3", (3,)),
        (cell_values.rounds, "3.0", (3,)),
        (cell_values.rounds, "no", ()),
        (cell_values.rounds, "-", ()),
    ],
)
def test_cells_are_read(reader: Reader, text: str, expected: object) -> None:
    assert reader(text) == expected


@pytest.mark.parametrize(
    ("reader", "text", "code"),
    [
        (cell_values.name, "=HYPERLINK(1)", "not_a_name"),
        (cell_values.name, "@risk", "not_a_name"),
        (cell_values.name, "12345", "not_a_name"),
        (cell_values.name, ", Given", "not_a_name"),
        (cell_values.name, "x" * 121, "cell_too_long"),
        (cell_values.sex, "x", "sex"),
        (cell_values.title, "mf", "title"),
        (cell_values.federation, "DNK", "federation_hint"),
        (cell_values.federation, "DE", "federation_hint"),
        (cell_values.federation, "Germany", "federation_hint"),
        (cell_values.federation, "HOL", "federation_hint"),
        (cell_values.federation, "GBR", "federation_hint"),
        (cell_values.federation, "NRO", "federation_guess"),
        (cell_values.federation, "XYZ", "federation"),
        (cell_values.federation, "ZZZ", "federation"),
        (cell_values.federation, "NETH", "federation"),
        (cell_values.federation, "N3D", "federation"),
        (cell_values.fide_id, "12a45", "fide_id"),
        (cell_values.fide_id, "123456789012", "fide_id"),
        (cell_values.fide_id, "-5", "fide_id"),
        (cell_values.rating, "2l78", "rating"),
        (cell_values.rating, "4000", "rating"),
        (cell_values.rating, "99", "rating"),
        (cell_values.rating, "-1500", "rating"),
        (cell_values.rating, "１８５０", "rating"),
        (cell_values.rating, "1 90", "rating"),
        (cell_values.rating, "1820 X", "rating"),
        (cell_values.birth_date, "05/06/1990", "birth_date_order"),
        (cell_values.birth_date, "12-05-1988", "birth_date_order"),
        (cell_values.birth_date, "1989/02/30", "birth_date"),
        (cell_values.birth_date, "1889", "birth_date_early"),
        (cell_values.birth_date, "2999", "birth_date_future"),
        (cell_values.birth_date, "2999/01/01", "birth_date_future"),
        (cell_values.birth_date, "31/12/2999", "birth_date_future"),
        (cell_values.birth_date, "89", "birth_date"),
        (cell_values.birth_date, "1989/13/00", "birth_date"),
        (cell_values.birth_date, "1989/00/05", "birth_date"),
        (cell_values.rounds, "2-4", "byes"),
        (cell_values.rounds, "all", "byes"),
        (cell_values.rounds, "0, 2", "byes"),
        (cell_values.rounds, "100", "byes"),
        (cell_values.team, "x" * 33, "cell_too_long"),
        (cell_values.note, "x" * 201, "cell_too_long"),
    ],
)
def test_cells_without_a_possible_value_are_refused(reader: Reader, text: str, code: str) -> None:
    assert refusal(reader, text).code == code


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("DNK", "DEN"),
        ("DEU", "GER"),
        ("nl", "NED"),
        ("HOL", "NED"),
        ("Schweiz", "SUI"),
        ("Österreich", "AUT"),
        ("south africa", "RSA"),
        ("United Kingdom", "ENG, SCO or WLS"),
        ("NED", ""),
        ("XYZ", ""),
    ],
)
def test_iso_codes_and_countries_suggest_a_federation(written: str, meant: str) -> None:
    assert fide_code(written) == meant


def test_table_of_federations_has_codes_of_three_capitals_and_a_name_for_each() -> None:
    assert [code for code, name in FEDERATIONS.items() if not (re.fullmatch("[A-Z]{3}", code) and name)] == []
    assert len(FEDERATIONS) > 200


@pytest.mark.parametrize("code", sorted(FEDERATIONS))
def test_every_code_of_fide_is_taken_in_capitals_and_small_letters(code: str) -> None:
    assert (cell_values.federation(code), cell_values.federation(code.lower())) == (code, code)


def test_name_of_every_federation_suggests_its_code() -> None:
    assert {fide_code(name) for name in FEDERATIONS.values()} == set(FEDERATIONS)


@pytest.mark.parametrize(
    ("reader", "text", "suggestion"),
    [
        (cell_values.federation, "HOL", "NED"),
        (cell_values.federation, "NRO", "NOR"),
        (cell_values.federation, "GBR", ""),
        (cell_values.federation, "XYZ", ""),
        (cell_values.rating, "2l78", "2178"),
        (cell_values.rating, "18O0", "1800"),
        (cell_values.rating, "lll", "111"),
        (cell_values.rating, "OOO", ""),
        (cell_values.rating, "about 1800", ""),
    ],
)
def test_refused_cell_suggests_a_correct_value(reader: Reader, text: str, suggestion: str) -> None:
    assert refusal(reader, text).suggestion == suggestion


@pytest.mark.parametrize(
    ("day_first", "expected"), [(True, ["1990/06/05", "1988/05/12"]), (False, ["1990/05/06", "1988/12/05"])]
)
def test_slashes_and_dashes_follow_the_same_order_of_day_and_month(
    day_first: bool, expected: list[str]
) -> None:
    assert [
        cell_values.birth_date(text, day_first=day_first) for text in ("05/06/1990", "12-05-1988")
    ] == expected
    assert cell_values.birth_date("23/01/1989", day_first=day_first) == "1989/01/23"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["05/06/1990", "23/01/1989"], True),
        (["05/06/1990", "01/23/1989"], False),
        (["05-06-1990", "5.6.1990"], True),
        (["05/06/1990", "03-04-1990", "1990", "1990/01/23"], None),
        (["13/01/1990", "01/13/1990"], None),
        ([], None),
    ],
)
def test_dates_of_a_column_show_the_order_of_day_and_month(texts: list[str], expected: bool | None) -> None:
    assert cell_values.day_first_in(texts) is expected


@pytest.mark.parametrize(
    ("column", "letters", "meant"),
    [
        ("Sexo", "H M", "m w"),
        ("Sexe", "H F", "m w"),
        ("Sex", "H M", "m w"),
        ("Sexo", "V M", "m w"),
        ("Sexo", "M F", "m w"),
        ("Geslacht", "M V", "m w"),
        ("Geschlecht", "m w", "m w"),
        ("Пол", "м ж", "m w"),
        ("Płeć", "M K", "m w"),
    ],
)
def test_the_letters_of_a_column_say_together_which_sex_each_is(
    column: str, letters: str, meant: str
) -> None:
    texts = letters.split()
    meanings = cell_values.sexes_of_column(column, frozenset(texts))
    assert [cell_values.sex(text, meanings) for text in texts] == meant.split()


def test_letter_for_a_sex_is_not_guessed_if_the_column_mixes_languages() -> None:
    meanings = cell_values.sexes_of_column("Sexo", frozenset({"H", "M", "F"}))
    with pytest.raises(CellRefused, match="sex_ambiguous"):
        cell_values.sex("M", meanings)
    assert (cell_values.sex("H", meanings), cell_values.sex("F", meanings)) == ("m", "w")


@pytest.mark.parametrize(
    ("column", "of_fide", "others"),
    [
        ("GM КМС 1 разряд", ["GM", "", ""], ["", "КМС", "1 разряд"]),
        ("m FM", ["IM", "FM"], ["", ""]),
        ("m k+ FM", ["", "", "FM"], ["m", "k+", ""]),
        ("CM 1N", ["", ""], ["CM", "1N"]),
        ("Dr. -", ["", ""], ["Dr.", ""]),
    ],
)
def test_titles_that_are_not_of_fide_are_kept_as_they_are_written(
    column: str, of_fide: list[str], others: list[str]
) -> None:
    texts = re.findall(r"\d разряд|\S+", column)
    national = cell_values.national_titles(texts)
    assert [cell_values.title(text, national) for text in texts] == of_fide
    assert [cell_values.other_title(text, national) for text in texts] == others


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Date of birth (dd/mm/yyyy)", True),
        ("Birth date (MM/DD/YYYY)", False),
        ("Geburtsdatum (TT.MM.JJJJ)", True),
        ("Дата рождения (дд.мм.гггг)", True),
        ("Birth date (yyyy-mm-dd)", None),
        ("Né(e) le", True),
        ("Data di nascita", True),
        ("Дата рождения", True),
        ("Date of birth", None),
    ],
)
def test_a_heading_says_what_comes_first_in_its_dates(heading: str, expected: bool | None) -> None:
    assert cell_values.day_first_in(["05/06/1990"], heading) is expected


@pytest.mark.parametrize(
    "meant",
    [
        "BAN",
        "BUL",
        "CHI",
        "CRO",
        "DEN",
        "ENG",
        "GER",
        "GRE",
        "GUI",
        "INA",
        "IRI",
        "MAS",
        "MGL",
        "NED",
        "NIG",
        "NGR",
        "PHI",
        "POR",
        "RSA",
        "SCO",
        "SLO",
        "SUI",
        "SUR",
        "URU",
        "VIE",
        "WLS",
        "FID",
    ],
)
def test_no_code_of_fide_is_read_as_another(meant: str) -> None:
    assert (cell_values.federation(meant), fide_code(meant)) == (meant, "")


def test_today_is_the_day_in_the_zone_of_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 12, 31, 20, 0, tzinfo=UTC))
    with in_zone("Asia/Tokyo"):
        assert cell_values.birth_date("2027-01-01") == "2027/01/01"
        assert cell_values.birth_date("2027") == "2027"
        assert refusal(cell_values.birth_date, "2027-01-02").code == "birth_date_future"
    with in_zone("America/Lima"):
        assert refusal(cell_values.birth_date, "2027-01-01").code == "birth_date_future"
