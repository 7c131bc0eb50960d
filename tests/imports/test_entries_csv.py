from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.files.columns import ListColumn
from tournaments.files.entry_lists import MAX_BYTES, named_entries, read_entries, read_entry_rows
from tournaments.files.list_refusals import FileRefused

LIST = "Name{0}Rating{0}Fed\n{1}Menon, Vivek{1}{0}1764{0}IND\n{1}Greco, Sara{1}{0}1480{0}ITA\n"


@pytest.mark.parametrize(
    ("delimiter", "quote", "found"), [(";", "", ";"), (",", '"', ","), ("\t", "", "tab"), ("|", "", "|")]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends_are_found(delimiter: str, quote: str, found: str, end: str) -> None:
    table = read_entries(LIST.format(delimiter, quote).replace("\n", end).encode())
    assert table.delimiter == found
    assert [(row.number, row.cells[ListColumn.NAME], row.cells[ListColumn.RATING]) for row in table.rows] == [
        (2, "Menon, Vivek", "1764"),
        (3, "Greco, Sara", "1480"),
    ]


def test_line_ends_may_be_mixed() -> None:
    table = read_entries(b"Name;Elo\rAb, C;1500\nDe, F;1600\r\nGh, I;1700")
    assert [(row.number, row.cells[ListColumn.NAME]) for row in table.rows] == [
        (2, "Ab, C"),
        (3, "De, F"),
        (4, "Gh, I"),
    ]


def test_title_above_the_columns_and_blank_rows_are_skipped() -> None:
    table = read_entries(b"Club open;;\n;;\n;Name;Elo\n;Ab, C;1500\n;;\n;De, F;1600\n")
    assert [(row.number, row.cells[ListColumn.NAME]) for row in table.rows] == [(4, "Ab, C"), (6, "De, F")]


def test_unused_columns_are_named() -> None:
    table = read_entries(b"Name;Elo;E-mail;Fee\nAb, C;1500;a@example.org;45\n")
    assert [(column.heading, column.example) for column in table.unused] == [
        ("E-mail", "a@example.org"),
        ("Fee", "45"),
    ]


def test_a_cell_may_have_two_lines() -> None:
    table = read_entries(b'Name;Elo;Note\n"Ab,\nC";1500;x\nDe, F;1600;y\n')
    assert [(row.number, row.cells[ListColumn.NAME]) for row in table.rows] == [(2, "Ab, C"), (4, "De, F")]


def test_a_list_without_a_header_is_read_if_its_columns_are_certain() -> None:
    data = "1;Müller, Hans;FM;GER;4612345;2190;1980\n2;Wąs, Ewa;;POL;1112345;1850;1995\n"
    table = read_entries(data.encode())
    assert table.headless
    assert dict(table.rows[0].cells) == {
        ListColumn.NAME: "Müller, Hans",
        ListColumn.TITLE: "FM",
        ListColumn.FEDERATION: "GER",
        ListColumn.FIDE_ID: "4612345",
        ListColumn.RATING: "2190",
    }


@pytest.mark.parametrize(
    "data",
    [
        b"Hans;Meier;1800\nEva;Blum;1900\n",  # which is the surname?
        b"Meier, Hans;1980;1950\nBlum, Eva;1990;1960\n",  # which is the rating?
        b"Meier, Hans\nBlum, Eva\n",  # no rating at all
    ],
)
def test_a_list_without_a_header_is_refused_if_its_columns_are_not_certain(data: bytes) -> None:
    with pytest.raises(FileRefused, match="names of the columns: Name, Rating") as refused:
        named_entries(data)
    assert refused.value.reason.code == "headless"


def test_refusal_of_a_header_without_names_quotes_the_header() -> None:
    with pytest.raises(FileRefused, match="In the file it is: Elo, Club"):
        named_entries(b"Elo;Club\n1500;SC\n")


def test_a_row_with_too_many_cells_is_reported() -> None:
    rows = read_entry_rows(read_entries(b"Name,Elo\nAb C,1500\nDe, F,1600\n"))
    assert [[reason.code for reason in row.reasons] for row in rows] == [[], ["row_too_long"]]


def test_every_wrong_cell_of_a_row_is_reported_with_its_column() -> None:
    data = "Nachname;Vorname;Titel;Land;Elo;Geboren\nMeier;Hans;Dr.;DEU;2l78;31.2.1990\n"
    (row,) = read_entry_rows(read_entries(data.encode()))
    assert [str(reason) for reason in row.reasons] == [
        "Land “DEU” is not a FIDE code. Use GER (Germany).",
        "Geboren “31.2.1990” is not a date. Use YYYY/MM/DD or a year.",
        "Elo “2l78” is not a rating. Use a number from 100 to 3999.",
    ]


def test_names_in_two_columns_are_joined() -> None:
    rows = read_entry_rows(
        read_entries(b"Surname;First name;Elo\nvan den Berg;Iris;1500\nMadonna;;1400\n;Eva;1300\n")
    )
    assert [(row.name, [reason.code for reason in row.reasons]) for row in rows] == [
        ("van den Berg, Iris", []),
        ("Madonna", []),
        ("Eva", ["no_name"]),
    ]


@pytest.mark.parametrize(
    ("head", "row", "name"),
    [
        ("Achternaam;Tussenvoegsel;Voornaam", "Berg;van den;Iris", "van den Berg, Iris"),
        ("Apellido 1;Apellido 2;Nombre", "Peña;Ruiz;José María", "Peña Ruiz, José María"),
        ("Фамилия;Имя;Отчество", "Иванов;Пётр;Сергеевич", "Иванов, Пётр Сергеевич"),
        ("ФИО;Рейтинг;Пол", "Иванов Пётр Сергеевич;1800;м", "Иванов, Пётр Сергеевич"),
    ],
)
def test_all_parts_of_a_name_are_read(head: str, row: str, name: str) -> None:
    (read,) = read_entry_rows(read_entries(f"{head}\n{row}\n".encode()))
    assert read.name == name


def test_rating_and_official_rating_are_read_from_their_columns() -> None:
    data = b"Name;Elo;FIDE rating;DWZ;FIDE ID\nAb, C;1900;1850;1700;77\nDe, F;;1650;1600;\nGh, I;;;1500;\nJk, L;0;;;5"
    rows = read_entry_rows(read_entries(data))
    assert [(row.values.get("rating"), row.values.get("official_rating")) for row in rows] == [
        (1900, 1850),
        (1650, 1650),
        (1500, None),
        (None, None),
    ]


def test_rating_of_a_player_with_a_fide_id_is_the_official_one() -> None:
    rows = read_entry_rows(read_entries(b"Name;Elo;FIDE ID\nAb, C;1900;77\nDe, F;1650;\n"))
    assert [row.values.get("official_rating") for row in rows] == [1900, None]


@pytest.mark.parametrize("none", [b"", b"0"])
def test_player_without_a_fide_rating_has_no_official_one_if_the_list_has_that_column(none: bytes) -> None:
    rows = read_entry_rows(
        read_entries(b"Name;Elo;FIDE rating;FIDE ID\nAb, C;2000;1900;1\nDe, F;1950;" + none + b";2\n")
    )
    assert [(row.values["rating"], row.values.get("official_rating")) for row in rows] == [
        (2000, 1900),
        (1950, None),
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"\n\r\n ;;; \r", "empty"),
        (b"Name;Elo\n", "empty"),
        (b";" * MAX_BYTES, "empty"),
        (b"Name;Elo\n" + b"A, B;1500\n" * 100_000, "too_many_rows"),
        (b"Name;Elo\n" + b"\n" * 500_000, "too_many_rows"),
        (b"Name;Elo\n" + b"A, B;1500\n" * 110_000, "too_large"),
        (b"Name;Elo\n" + b"a" * 1_000_000, "line_too_long"),
        (b'"' * 1_000_000, "line_too_long"),
        (b"Name;Elo" + b";x" * 100, "too_many_columns"),
        (b"Name;Elo\n" + b'"Ab, C;1500\n' * 101, "quotation"),
        (b"PK\x03\x04" + b"x" * 500, "workbook_damaged"),
        (b"%PDF-1.7\n" + b"x" * 500, "workbook"),
        (b"<html><body>Not found</body></html>", "headless"),
        (b"001    1 m    Menon, Vivek   1764 IND", "headless"),
        (random.Random(1).randbytes(500_000), "not_text"),
        (bytes(range(128, 256)) * 3000, "line_too_long"),
        (b"\x00" * 1000, "not_text"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_hostile_files_are_refused_with_a_sentence(data: bytes, code: str) -> None:
    with pytest.raises(FileRefused) as refused:
        named_entries(data)
    assert (refused.value.reason.code, bool(str(refused.value))) == (
        "too_large" if len(data) > MAX_BYTES else code,
        True,
    )


def test_row_with_an_open_quotation_mark_is_read_as_it_stands_with_a_note() -> None:
    table = read_entries(
        b'Name;Rating;Club\n"Novak, Jan;2000;A\nDoe, Jane;1850;"Two\nlines"\n'
        b'"Bobby" Fischer, R;2700;B\n"Roe, Rick";1900;C\n"Last, One;1700;D'
    )
    assert [(row.number, *row.cells.values()) for row in table.rows] == [
        (2, "Novak, Jan", "2000", "A"),
        (3, "Doe, Jane", "1850", "Two lines"),
        (5, '"Bobby" Fischer, R', "2700", "B"),
        (6, "Roe, Rick", "1900", "C"),
        (7, "Last, One", "1700", "D"),
    ]
    (doubt,) = table.doubts
    assert str(doubt) == (
        "A quotation mark is not closed in the rows 2, 5 and 7. They are read as they stand: look at them."
    )


def test_an_open_quotation_mark_does_not_hide_what_separates_the_columns() -> None:
    table = read_entries(b'Name,Rating\n"Novak; Jan,2000\nRoe; Rick,1900\n')
    assert (table.delimiter, [row.cells[ListColumn.RATING] for row in table.rows]) == (",", ["2000", "1900"])
    assert str(table.doubts[0]).startswith("A quotation mark in row 2 is not closed.")


def test_formula_is_refused_as_a_name() -> None:
    rows = read_entry_rows(read_entries(b"Name;Elo\n\"=cmd|' /C calc'!A0\";1500\n+SUM(A1);1500\n"))
    assert [[reason.code for reason in row.reasons] for row in rows] == [["not_a_name"], ["not_a_name"]]


def sentences_of(data: bytes) -> list[str]:
    """Return all sentences that refuse the file or one of its cells."""
    try:
        table = read_entries(data)
    except FileRefused as refused:
        return [str(refused)]
    rows = read_entry_rows(table)
    return [str(reason) for row in rows for reason in row.reasons]


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    for start in (b"", b"Name;Elo\n", b"Last name,First name,Elo,Birth date,Bye\n"):
        assert all(sentences_of(start + data))


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from("aé0129,;|\t\"'/.-=+@ \r\nName;Elo"), max_size=120))
def test_no_text_breaks_the_reader(text: str) -> None:
    header = "Name;Sex;Title;Fed;FIDE ID;Elo;Born;Club;Bye;Note\n"
    assert all(sentences_of((header + text).encode()))


@pytest.mark.parametrize(
    ("text", "rating", "years"),
    [
        ("Doe, Jane;1850;1990\nRoe, Rick;unrated;1980\nPoe, Pia;1700;2001", 1, 2),
        ("Doe, Jane;1990;unr\nRoe, Rick;1980;1850", 2, 1),
        ("Jane Doe;1850;1990\nRick Roe;brak;1980", 1, 2),
        ("Jane Doe;-;1990\nRick Roe;1850 F;1980", 1, 2),
        ("Jane Doe;unrated\nRick Roe;1850", 1, None),
    ],
)
def test_column_of_ratings_without_a_heading_may_say_unrated_and_years_never_take_its_place(
    text: str, rating: int, years: int | None
) -> None:
    table = read_entries(text.encode())
    assert table.headless
    assert table.meanings[rating] == ListColumn.RATING
    assert years is None or table.meanings[years] in (None, ListColumn.BIRTH_DATE)


def test_headings_in_unknown_words_above_a_column_that_says_unrated_are_no_player() -> None:
    table = read_entries(b"Spielerin;Zahl\nDoe, Jane;1850\nRoe, Rick;unrated\n")
    assert table.heading == 1
