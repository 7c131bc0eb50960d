"""Entry lists in workbooks: cells of every kind, sheets, and files that are damaged or hostile."""

from __future__ import annotations

import io
import random
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from tests.workbooks import ods, xls
from tournaments.files import spreadsheets as workbook_module
from tournaments.files.columns import ListColumn
from tournaments.files.entry_lists import (
    MAX_COLUMNS,
    MAX_ROWS,
    ListLayout,
    corrected_list,
    named_entries,
    read_entries,
    read_entry_rows,
)
from tournaments.files.list_refusals import FileRefused

HEAD = ["Name", "Rating", "FIDE ID", "Birth date", "Bye"]


def workbook(sheets: Mapping[str, Sequence[Sequence[Any]]], hidden: Sequence[str] = ()) -> bytes:
    """Return a workbook with these rows in its sheets."""
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
        if name in hidden:
            sheet.sheet_state = "hidden"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def with_member(data: bytes, name: str, content: bytes) -> bytes:
    """Return the archive with one member replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.namelist():
            if member != name:
                new.writestr(member, old.read(member))
        new.writestr(name, content)
    return out.getvalue()


CELLS = (
    b"<worksheet><sheetData><row r='1'>" + b"<c><v>1</v></c>" * 700_000 + b"</row></sheetData></worksheet>"
)
OLD: list[list[str | float]] = [["Name", "Rating"], ["Ибраев, Ана", 1850.0], ["Žák, Jan", 1700.5]]
LIST = workbook({"Entries": [HEAD, ["Menon, Vivek", 1764, 81241687, date(1989, 1, 8), 2]]})


def test_numbers_and_dates_of_a_sheet_are_read_as_they_are() -> None:
    rows = [
        HEAD,
        ["Menon, Vivek", 1764, 81241687, datetime(1989, 1, 8), 2],  # noqa: DTZ001 - cells have no time zone
        ["Greco,  Sara ", 1480.0, "81241688", 1990, 2.4],
        ["Ibáñez, Ana", "2050", None, "1990/05/06", "2, 3"],
    ]
    table = read_entries(workbook({"Entries": rows}))
    assert [(row.number, *row.cells.values()) for row in table.rows] == [
        (2, "Menon, Vivek", "1764", "81241687", "1989-01-08", "2"),
        (3, "Greco, Sara", "1480", "81241688", "1990", "2.4"),
        (4, "Ibáñez, Ana", "2050", "1990/05/06", "2, 3"),
    ]
    assert [
        (row.reasons, row.values["birth_date"], row.values["byes"]) for row in read_entry_rows(table)
    ] == [
        ((), "1989/01/08", (2,)),
        ((), "1990", (2, 4)),
        ((), "1990/05/06", (2, 3)),
    ]


def test_rows_keep_their_numbers_in_the_sheet() -> None:
    rows = [["Club open"], [], HEAD, [], ["Menon, Vivek", 1764], [None, None], ["Greco, Sara", 1480]]
    table = read_entries(workbook({"Entries": rows}))
    assert [(row.number, row.cells[ListColumn.NAME]) for row in table.rows] == [
        (5, "Menon, Vivek"),
        (7, "Greco, Sara"),
    ]


def test_first_sheet_with_rows_is_read_unless_another_one_is_asked_for() -> None:
    data = workbook(
        {
            "Secret": [HEAD, ["Hidden, Man", 1]],
            "Empty": [],
            "A": [HEAD, ["Menon, Vivek", 1764]],
            "B": [HEAD, ["Greco, Sara", 1480]],
        },
        hidden=["Secret"],
    )
    for wanted, sheet, name in (
        ("", "A", "Menon, Vivek"),
        ("B", "B", "Greco, Sara"),
        ("C", "A", "Menon, Vivek"),
    ):
        table = read_entries(data, layout=ListLayout(sheet=wanted))
        assert (table.sheet, table.sheets) == (sheet, ("Empty", "A", "B"))
        assert [row.cells[ListColumn.NAME] for row in table.rows] == [name]


@pytest.mark.parametrize("write", [xls, ods])
def test_old_excel_and_libreoffice_are_read_like_other_workbooks(write: Callable[..., bytes]) -> None:
    table = read_entries(write(OLD))
    assert (table.sheet, table.sheets) == ("List", ("List",))
    assert [(row.number, *row.cells.values()) for row in table.rows] == [
        (2, "Ибраев, Ана", "1850"),
        (3, "Žák, Jan", "1700.5"),
    ]


def test_libreoffice_dates_and_row_numbers_are_kept() -> None:
    (row,) = read_entries(ods([["Name", "Birth date"], ["Duval, Zoé", date(1990, 5, 6)]], above=3)).rows
    assert (row.number, row.cells[ListColumn.BIRTH_DATE]) == (5, "1990-05-06")


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STRINGS = f"""<sst xmlns="{MAIN}"><si><t>Name</t></si><si><t>Rating</t></si>
<si><r><t>Menon, </t></r><r><rPr><b/></rPr><t>Vivek</t></r></si></sst>"""
SHEET = f"""<worksheet xmlns="{MAIN}"><sheetData>
<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>
<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>1764</v></c></row></sheetData></worksheet>"""


def test_texts_in_the_table_of_shared_strings_are_read() -> None:
    """Excel and LibreOffice write each text once, in a separate table."""
    with zipfile.ZipFile(io.BytesIO(LIST)) as archive:
        types = archive.read("[Content_Types].xml").decode()
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    part = f'<Override PartName="/xl/sharedStrings.xml" ContentType="{kind}" /></Types>'
    data = with_member(LIST, "[Content_Types].xml", types.replace("</Types>", part).encode())
    data = with_member(data, "xl/sharedStrings.xml", STRINGS.encode())
    (row,) = read_entries(with_member(data, "xl/worksheets/sheet1.xml", SHEET.encode())).rows
    assert dict(row.cells) == {ListColumn.NAME: "Menon, Vivek", ListColumn.RATING: "1764"}


def test_formula_gives_the_value_that_the_spreadsheet_computed_last() -> None:
    data = workbook({"Entries": [HEAD, ["Menon, Vivek", "=1700+64"]]})
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml")
    computed = sheet.replace(b"<v></v>", b"<v>1764</v>").replace(b"<v />", b"<v>1764</v>")
    assert computed != sheet
    (row,) = read_entries(with_member(data, "xl/worksheets/sheet1.xml", computed)).rows
    assert row.cells[ListColumn.RATING] == "1764"


BOMB = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "%s">%s]><sst>&j;</sst>' % (
    b"ha" * 50,
    b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9)),
)
FAR_CELL = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    b'<row r="1"><c r="XFD1" t="inlineStr"><is><t>Name</t></is></c></row>'
    b'<row r="1048576"><c r="A1048576" t="inlineStr"><is><t>Far, Away</t></is></c></row></sheetData></worksheet>'
)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (lambda: workbook({"A": [], "B": []}), "empty"),
        (lambda: workbook({"A": [["Rating", "Club"], [2000, "West"]]}), "no_name_column"),
        (lambda: workbook({"A": [HEAD, *([["A, B", 1500]] * (MAX_ROWS + 20))]}), "too_many_rows"),
        (lambda: workbook({"A": [HEAD + ["x"] * MAX_COLUMNS]}), "too_many_columns"),
        (lambda: LIST[: len(LIST) // 2], "workbook_damaged"),
        (
            lambda: with_member(LIST, "xl/worksheets/sheet1.xml", b"<worksheet><sheetData><row"),
            "workbook_damaged",
        ),
        (lambda: with_member(LIST, "xl/worksheets/sheet1.xml", BOMB), "workbook_damaged"),
        (lambda: with_member(LIST, "xl/worksheets/sheet1.xml", b" " * 40_000_000), "workbook_large"),
        (lambda: with_member(LIST, "xl/worksheets/sheet1.xml", CELLS), "workbook_cells"),
        (lambda: with_member(LIST, "xl/sharedStrings.xml", b"<si/>" * 2_500_001), "workbook_cells"),
        (lambda: with_member(LIST, "xl/styles.xml", b"<xf/>" * 200_001), "workbook_cells"),
        (
            lambda: with_member(LIST, "xl/media/image1.png", random.Random(1).randbytes(6_000_000)),
            "too_large",
        ),
        (lambda: with_member(LIST, "xl/worksheets/sheet1.xml", FAR_CELL), "too_many_lines"),
        (lambda: with_member(LIST, "Index/Document.iwa", b""), "numbers"),
        (lambda: with_member(LIST, "list.numbers/Index.zip", b""), "numbers"),
        (lambda: with_member(LIST, "word/document.xml", b""), "workbook"),
        (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(3000), "workbook_damaged"),
        (lambda: xls(OLD)[:3000], "workbook_damaged"),
        (lambda: ods([])[:200], "workbook_damaged"),
        (lambda: xls(OLD, far=(20_000, 0)), "too_many_lines"),
        (lambda: ods(OLD, above=20_000), "too_many_lines"),
        (lambda: ods([["A, B", 1500.0]], repeat=20_001), "too_many_lines"),
        (lambda: xls(OLD, far=(65_535, 255)), "workbook_cells"),
        (lambda: xls([]), "empty"),
        (lambda: with_member(ods(OLD), "content.xml", b" " * 40_000_000), "workbook_large"),
        (lambda: with_member(ods(OLD), "Pictures/1", random.Random(1).randbytes(6_000_000)), "too_large"),
        (lambda: xls([]) + bytes(6_000_000), "too_large"),
        (
            lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + "EncryptedPackage".encode("utf-16-le"),
            "workbook_locked",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",  # bytes differ in each process
)
def test_workbooks_that_cannot_be_read_are_refused_with_a_sentence(
    data: Callable[[], bytes], code: str
) -> None:
    with pytest.raises(FileRefused) as refused:
        named_entries(data())
    assert (refused.value.reason.code, bool(str(refused.value))) == (code, True)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (
            lambda: with_member(LIST, "Index/Document.iwa", b""),
            (
                "Evenboard cannot read files of Numbers. In Numbers: File, Export To, Excel. "
                "Then choose the new file here."
            ),
        ),
        (
            lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
            (
                "The workbook is protected with a password. Save it without one, then choose it again. "
                "Excel: File, Info, Protect Workbook, Encrypt with Password, and empty the field. "
                "LibreOffice: File, Save As, and untick “Save with password”."
            ),
        ),
    ],
    ids=["numbers", "password"],
)
def test_refusal_of_another_kind_of_workbook_says_what_to_do(
    data: Callable[[], bytes], sentence: str
) -> None:
    with pytest.raises(FileRefused) as refused:
        named_entries(data())
    assert str(refused.value) == sentence


@settings(max_examples=10, deadline=None)
@given(st.integers(0, len(xls(OLD)) - 1), st.binary(min_size=1, max_size=30))
def test_no_damage_to_an_old_workbook_breaks_the_reader(place: int, noise: bytes) -> None:
    old = xls(OLD)
    with suppress(FileRefused):
        read_entries(old[:place] + noise + old[place + len(noise) :])


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(LIST) - 1), st.binary(min_size=1, max_size=30))
def test_no_damage_to_a_workbook_breaks_the_reader(place: int, noise: bytes) -> None:
    damaged = LIST[:place] + noise + LIST[place + len(noise) :]
    with suppress(FileRefused):
        assert len(read_entries(damaged).rows) == 1


def test_formula_without_a_stored_value_is_reported_in_its_row() -> None:
    """openpyxl, like many programs, writes formulas without their values."""
    rows = [HEAD, ["Menon, Vivek", "=1700+64", 81241687, None, None], ["Greco, Sara", 1480, None, "=1990", 2]]
    rows += [[], ["=A2", "=B2", None, None, None], [None, None, None, None, None, "=E2"]]
    table = read_entries(workbook({"Entries": rows}))
    sentence = (
        "%s is a formula without a saved value, so it is read as empty. "
        "Save the workbook in the spreadsheet program again, or correct the cell."
    )
    assert [(row.number, [str(note) for note in row.notes]) for row in table.rows] == [
        (2, [sentence % "Rating"]),
        (3, [sentence % "Birth date"]),
        (5, [sentence % "Name", sentence % "Rating"]),
    ]
    first, *_others = corrected_list(table, {2: {ListColumn.RATING: "1764"}}).rows
    assert (first.cells[ListColumn.RATING], first.notes) == ("1764", ())


def test_formula_with_a_stored_value_needs_no_note() -> None:
    data = workbook({"Entries": [HEAD, ["Menon, Vivek", "=1700+64", None, None, None]]})
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml")
    assert sheet.count(b"<f>1700+64</f><v></v>") + sheet.count(b"<f>1700+64</f><v />") == 1
    saved = re.sub(rb"(<f>1700\+64</f>)<v ?/?>(</v>)?", rb"\1<v>1764</v>", sheet)
    (row,) = read_entries(with_member(data, "xl/worksheets/sheet1.xml", saved)).rows
    assert (row.cells[ListColumn.RATING], row.notes) == ("1764", ())


def test_sheet_of_formulas_without_values_is_refused_with_the_reason() -> None:
    with pytest.raises(FileRefused) as refused:
        read_entries(workbook({"Entries": [["=A1", "=B1"], ["=A2", "=B2"]]}))
    assert refused.value.reason.code == "workbook_formulas"


def _sheet(inside: bytes, dimension: bytes = b"") -> bytes:
    """Return the list with another sheet: these rows, and what the sheet says of its own size."""
    size = b"<dimension ref='%s'/>" % dimension if dimension else b""
    text = b'<worksheet xmlns="%s">%s<sheetData>%s</sheetData></worksheet>' % (MAIN.encode(), size, inside)
    return with_member(LIST, "xl/worksheets/sheet1.xml", text)


def _row(number: int, *texts: str) -> bytes:
    cells = "".join(f'<c t="inlineStr"><is><t>{text}</t></is></c>' for text in texts)
    return f'<row r="{number}">{cells}</row>'.encode()


@pytest.mark.parametrize("size", [b"A1", b"A1:B1", b"A1:BK1048576", b"A1:XFD3"])
def test_what_a_sheet_says_of_its_own_size_is_not_believed(size: bytes) -> None:
    rows = [_row(1, "Name", "Rating"), _row(2, "Menon, Vivek", "1764"), _row(3, "Greco, Sara", "1480")]
    table = read_entries(_sheet(b"".join(rows), size))
    assert [row.cells[ListColumn.NAME] for row in table.rows] == ["Menon, Vivek", "Greco, Sara"]
    assert [row.cells[ListColumn.RATING] for row in table.rows] == ["1764", "1480"]


@pytest.mark.parametrize("tag", [b"<row/>", b"<row r='5'></row>"])
@pytest.mark.parametrize("piece", [workbook_module.PIECE, 7])
def test_rows_are_counted_before_any_of_them_is_read(
    monkeypatch: pytest.MonkeyPatch, tag: bytes, piece: int
) -> None:
    read = list[int]()
    monkeypatch.setattr(workbook_module, "PIECE", piece)
    monkeypatch.setattr(workbook_module, "_lines", lambda *_parts: read.append(1) or [])
    limits = {"most_lines": 30, "most_columns": 5, "most_letters": 50}
    with pytest.raises(FileRefused) as refused:
        workbook_module.read_sheet(_sheet(tag * 31), **limits)
    assert (refused.value.reason.code, read) == ("too_many_lines", [])
    with pytest.raises(FileRefused):
        workbook_module.read_sheet(_sheet(tag * 30), **limits)
    assert read == [1]


def test_counting_stops_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small archive may unfold to megabytes. Nothing of it is unpacked after the first tag too many."""
    pieces = list[int]()
    read = zipfile.ZipExtFile.read

    def counted(part: zipfile.ZipExtFile, size: int = -1) -> bytes:
        pieces.append(size)
        return read(part, size)

    data = _sheet(b"<row/>" * 50_000)
    monkeypatch.setattr(workbook_module, "PIECE", 1_000)
    monkeypatch.setattr(workbook_module, "MAX_TAGS", 100)
    monkeypatch.setattr(zipfile.ZipExtFile, "read", counted)
    with pytest.raises(FileRefused) as refused:
        read_entries(data)
    assert refused.value.reason.code == "workbook_cells"
    assert len(pieces) < 100


def test_reading_a_sheet_has_a_limit_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook_module, "LONGEST", -1.0)
    with pytest.raises(FileRefused) as refused:
        read_entries(LIST)
    assert refused.value.reason.code == "workbook_cells"
