from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tournaments.imports import values
from tournaments.imports.federations import FEDERATIONS, fide_code
from tournaments.imports.reasons import CellRefused


@pytest.mark.parametrize(
    ("reader", "text", "expected"),
    [
        (values.name, "Surname ,Given", "Surname, Given"),
        (values.name, "Nguyễn Thị Ánh", "Nguyễn Thị Ánh"),
        (values.name, "O'Neil, Seán,", "O'Neil, Seán,"),
        (values.name, "Surname,", "Surname"),
        (values.sex, "M", "m"),
        (values.sex, "f", "w"),
        (values.sex, "female", "w"),
        (values.sex, "Männlich", "m"),
        (values.sex, "V", "w"),
        (values.sex, "Kobieta", "w"),
        (values.title, "g", "GM"),
        (values.title, "gm", "GM"),
        (values.title, "FIDE Master", "FM"),
        (values.title, "Woman International Master", "WIM"),
        (values.title, "wf", "WFM"),
        (values.title, "Großmeister", "GM"),
        (values.title, "-", ""),
        (values.title, "AFM", ""),
        (values.federation, "ned", "NED"),
        (values.federation, "BRN", "BRN"),
        (values.fide_id, "1 234 567", 1234567),
        (values.fide_id, "01234567", 1234567),
        (values.fide_id, "1234567.0", 1234567),
        (values.fide_id, "0", None),
        (values.fide_id, "-", None),
        (values.rating, "1850", 1850),
        (values.rating, "1850,0", 1850),
        (values.rating, "0", None),
        (values.rating, "UNR", None),
        (values.birth_date, "1989/01/08", "1989/01/08"),
        (values.birth_date, "1989-1-8", "1989/01/08"),
        (values.birth_date, "8.1.1989", "1989/01/08"),
        (values.birth_date, "08-08-1989", "1989/08/08"),
        (values.birth_date, "23/01/1989", "1989/01/23"),
        (values.birth_date, "01/23/1989", "1989/01/23"),
        (values.birth_date, "1989-01-08 00:00:00", "1989/01/08"),
        (values.birth_date, "1989/00/00", "1989/00/00"),
        (values.birth_date, "1989/05/00", "1989/05/00"),
        (values.birth_date, "1989", "1989"),
        (values.rounds, "2", (2,)),
        (values.rounds, "4,2", (2, 4)),
        (values.rounds, "2; 4", (2, 4)),
        (values.rounds, "R2 and R4", (2, 4)),
        (values.rounds, "Runde 3", (3,)),
        (values.rounds, "3.0", (3,)),
        (values.rounds, "no", ()),
        (values.rounds, "-", ()),
    ],
)
def test_cells_are_read(reader: Callable[[str], object], text: str, expected: object) -> None:
    assert reader(text) == expected


@pytest.mark.parametrize(
    ("reader", "text", "code"),
    [
        (values.name, "=HYPERLINK(1)", "not_a_name"),
        (values.name, "@risk", "not_a_name"),
        (values.name, "12345", "not_a_name"),
        (values.name, ", Given", "not_a_name"),
        (values.name, "x" * 121, "cell_too_long"),
        (values.sex, "x", "sex"),
        (values.title, "Dr.", "title"),
        (values.title, "mf", "title"),
        (values.federation, "DNK", "federation_hint"),
        (values.federation, "DE", "federation_hint"),
        (values.federation, "Germany", "federation_hint"),
        (values.federation, "HOL", "federation_hint"),
        (values.federation, "GBR", "federation_hint"),
        (values.federation, "NRO", "federation_guess"),
        (values.federation, "XYZ", "federation"),
        (values.federation, "ZZZ", "federation"),
        (values.federation, "NETH", "federation"),
        (values.federation, "N3D", "federation"),
        (values.fide_id, "12a45", "fide_id"),
        (values.fide_id, "123456789012", "fide_id"),
        (values.fide_id, "-5", "fide_id"),
        (values.rating, "2l78", "rating"),
        (values.rating, "4000", "rating"),
        (values.rating, "99", "rating"),
        (values.rating, "-1500", "rating"),
        (values.rating, "１８５０", "rating"),
        (values.birth_date, "05/06/1990", "birth_date_order"),
        (values.birth_date, "12-05-1988", "birth_date_order"),
        (values.birth_date, "1989/02/30", "birth_date"),
        (values.birth_date, "1889", "birth_date_early"),
        (values.birth_date, "2999", "birth_date_future"),
        (values.birth_date, "2999/01/01", "birth_date_future"),
        (values.birth_date, "31/12/2999", "birth_date_future"),
        (values.birth_date, "89", "birth_date"),
        (values.birth_date, "1989/13/00", "birth_date"),
        (values.birth_date, "1989/00/05", "birth_date"),
        (values.rounds, "2-4", "byes"),
        (values.rounds, "all", "byes"),
        (values.rounds, "0, 2", "byes"),
        (values.rounds, "100", "byes"),
        (values.club, "x" * 81, "cell_too_long"),
        (values.note, "x" * 201, "cell_too_long"),
    ],
)
def test_cells_without_a_possible_value_are_refused(
    reader: Callable[[str], object], text: str, code: str
) -> None:
    with pytest.raises(CellRefused) as refused:
        reader(text)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("said", "meant"),
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
def test_iso_codes_and_countries_suggest_a_federation(said: str, meant: str) -> None:
    assert fide_code(said) == meant


def test_table_of_federations_has_codes_of_three_capitals_and_a_name_for_each() -> None:
    assert [code for code, name in FEDERATIONS.items() if not (re.fullmatch("[A-Z]{3}", code) and name)] == []
    assert len(FEDERATIONS) > 200


@pytest.mark.parametrize("code", sorted(FEDERATIONS))
def test_every_code_of_fide_is_taken_in_capitals_and_small_letters(code: str) -> None:
    assert (values.federation(code), values.federation(code.lower())) == (code, code)


def test_name_of_every_federation_suggests_its_code() -> None:
    assert {fide_code(name) for name in FEDERATIONS.values()} == set(FEDERATIONS)


@pytest.mark.parametrize(
    ("reader", "text", "suggestion"),
    [
        (values.federation, "HOL", "NED"),
        (values.federation, "NRO", "NOR"),
        (values.federation, "GBR", ""),
        (values.federation, "XYZ", ""),
        (values.rating, "2l78", "2178"),
        (values.rating, "18O0", "1800"),
        (values.rating, "lll", "111"),
        (values.rating, "OOO", ""),
        (values.rating, "about 1800", ""),
    ],
)
def test_refused_cell_suggests_a_correct_value(
    reader: Callable[[str], object], text: str, suggestion: str
) -> None:
    with pytest.raises(CellRefused) as refused:
        reader(text)
    assert refused.value.suggestion == suggestion


@pytest.mark.parametrize(
    ("day_first", "expected"), [(True, ["1990/06/05", "1988/05/12"]), (False, ["1990/05/06", "1988/12/05"])]
)
def test_slashes_and_dashes_follow_the_same_order_of_day_and_month(
    day_first: bool, expected: list[str]
) -> None:
    assert [values.birth_date(text, day_first=day_first) for text in ("05/06/1990", "12-05-1988")] == expected
    assert values.birth_date("23/01/1989", day_first=day_first) == "1989/01/23"


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
    assert values.day_first_in(texts) is expected


def test_letter_for_a_sex_is_not_guessed_if_its_meaning_depends_on_the_language() -> None:
    hombre_mujer = values.ambiguous_sexes("Sexo", frozenset({"H", "M"}))
    with pytest.raises(CellRefused, match="sex_ambiguous"):
        values.sex("M", ambiguous=hombre_mujer)
    assert values.sex("H", ambiguous=hombre_mujer) == "m"
    assert values.ambiguous_sexes("Sexo", frozenset({"M", "F"})) == frozenset()
    assert values.ambiguous_sexes("Geslacht", frozenset({"M", "V"})) == frozenset()


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
    assert (values.federation(meant), fide_code(meant)) == (meant, "")
