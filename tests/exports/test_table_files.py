"""Tables as workbooks: what a cell is, how the sheet looks, and that no text runs."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence

import pytest
from openpyxl import Workbook, load_workbook

from tournaments.files.lists import money_cell, points
from tournaments.files.table_files import Cell, figure, xlsx_file


def book(rows: Sequence[Sequence[Cell]]) -> Workbook:
    return load_workbook(io.BytesIO(xlsx_file(["No", "Name"], rows)))


def test_headings_are_bold_and_stay_in_view() -> None:
    sheet = book([(1, "Ann")]).active
    assert [(cell.value, cell.font.bold) for row in sheet.rows for cell in row] == [
        ("No", True), ("Name", True), (1, False), ("Ann", False),
    ]  # fmt: skip
    assert sheet.freeze_panes == "A2"


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        (2400, 2400),
        (-3, -3),
        (points(45), 4.5),
        (points(5), 0.5),
        (points(100), 10),
        (points(33), 3.3),
        (money_cell(3350), 33.5),
        (figure("8¾"), 8.75),
        (figure("14.600"), 14.6),
        (figure("-2½"), -2.5),
        (figure(""), None),
        ("½", "½"),
        ("1–0", "1–0"),
        ("0123", "0123"),
        (None, None),
        ("", None),
    ],
)
def test_numbers_are_numbers_and_texts_are_texts(cell: Cell, value: object) -> None:
    assert [cell.value for cell in book([(1, cell)]).active[2]] == [1, value]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@A1", "\tA", "＝1", "\u200b=1"])
def test_a_formula_gets_an_apostrophe(name: str) -> None:
    cell = book([(1, name)]).active["B2"]
    assert (cell.value, cell.data_type) == (f"'{name}", "s")


def test_text_that_a_workbook_cannot_hold_does_not_break_it() -> None:
    rows = [(1, "a\x00b\uffff"), (2, "#N/A"), (3, "x" * 40_000)]
    found = [(row[1].value, row[1].data_type) for row in book(rows).active.iter_rows(min_row=2)]
    assert found == [("a\ufffdb\ufffd", "s"), ("#N/A", "s"), ("x" * 32_767, "s")]


def test_a_workbook_does_not_know_when_it_was_made() -> None:
    """Two workers that make the same list give it the same ETag."""
    with zipfile.ZipFile(io.BytesIO(xlsx_file(["No"], [(1,)]))) as file:
        assert {one.date_time for one in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        times = re.findall(rb">(\d{4}-[^<]+)<", file.read("docProps/core.xml"))
    assert times == [b"1980-01-01T00:00:00Z"] * 2
