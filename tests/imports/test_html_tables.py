"""Lists as tables of a page or as an XML workbook of 2003, which many programs write and name .xls."""

from __future__ import annotations

import pytest

from tournaments.files.columns import ListColumn
from tournaments.files.entry_lists import ListLayout, named_entries, read_entries
from tournaments.files.list_refusals import FileRefused

PAGE = """<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1250">
<title>A <table> of players</title><style>td {color: red}</style></head><body>
<table><tr><td colspan=6><b>Winter Open</b></td></tr></table>
<!-- <table><tr><td>left out</td></tr></table> -->
<table border=1><thead><tr><th>Lp.</th>
<th>Nazwisko i imię</th><th>Ranking</th><th>Data ur.</th><th>Klub</th></tr></thead>
<tr><td>1<td>W<b>ó</b>jcik, Michał<td align="right">2100<td>1990-05-06<td>KS &amp; Co</tr>
<tr><td>2</td><td>Zięba,&nbsp;Ola</td><td>1&nbsp;650</td><td>2009</td><td>Wieża<br>Opole</td></tr></table>
<script>document.write("<table><tr><td>left out</td></tr></table>")</script></body></html>"""

BOOK = """<?xml version="1.0" encoding="UTF-8"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">
<Worksheet ss:Name="Players"><Table>
<Row><Cell><Data ss:Type="String">Name</Data></Cell><Cell><Data ss:Type="String">Elo</Data></Cell>
<Cell><Data ss:Type="String">Born</Data></Cell></Row>
<ss:Row><ss:Cell><ss:Data ss:Type="String">Öz, Ada</ss:Data></ss:Cell>
<ss:Cell ss:Index="3"><ss:Data ss:Type="DateTime">1990-05-06T00:00:00.000</ss:Data></ss:Cell></ss:Row>
</Table></Worksheet></Workbook>"""


def cells(data: bytes, layout: ListLayout | None = None) -> list[dict[ListColumn, str]]:
    return [dict(row.cells) for row in named_entries(data, "list.xls", layout or ListLayout()).rows]


def test_table_with_the_most_cells_of_a_page_is_read_in_the_encoding_that_the_page_states() -> None:
    data = PAGE.encode("cp1250")
    assert cells(data) == [
        {
            ListColumn.NAME: "Wójcik, Michał",
            ListColumn.RATING: "2100",
            ListColumn.BIRTH_DATE: "1990-05-06",
            ListColumn.CLUB: "KS & Co",
        },
        {
            ListColumn.NAME: "Zięba, Ola",
            ListColumn.RATING: "1 650",
            ListColumn.BIRTH_DATE: "2009",
            ListColumn.CLUB: "Wieża Opole",
        },
    ]
    table = read_entries(data)
    assert (table.encoding, table.sheet, table.sheets) == ("Windows-1250", "2", ("1", "2"))


def test_another_table_and_another_encoding_can_be_chosen() -> None:
    other = read_entries(PAGE.encode("cp1250"), layout=ListLayout(encoding="cp1252", sheet="1"))
    assert (other.encoding, other.sheet, other.columns[0].example) == ("Windows-1252", "1", "Winter Open")


def test_bytes_that_are_utf_8_are_read_so_whatever_the_page_states() -> None:
    assert cells(PAGE.encode())[0][ListColumn.NAME] == "Wójcik, Michał"


def test_xml_workbook_is_read_with_cells_at_a_stated_place_and_days_without_a_time() -> None:
    assert cells(BOOK.encode()) == [{ListColumn.NAME: "Öz, Ada", ListColumn.BIRTH_DATE: "1990-05-06"}]


def test_cells_over_several_rows_or_columns_keep_the_others_in_their_columns() -> None:
    page = (
        "<table><tr><th>Club<th>Name<th colspan='2'>Elo<th>Title"
        "<tr><td rowspan='2'>Rook<td>A, B<td>1500<td><td>FM<tr><td>C, D<td>1600<td><td>WFM"
        "<tr><td>Bishop<td>E, F<td>1700<td><td></table>"
    )
    assert cells(page.encode()) == [
        {ListColumn.CLUB: "Rook", ListColumn.NAME: "A, B", ListColumn.RATING: "1500", ListColumn.TITLE: "FM"},
        {ListColumn.NAME: "C, D", ListColumn.RATING: "1600", ListColumn.TITLE: "WFM"},
        {ListColumn.CLUB: "Bishop", ListColumn.NAME: "E, F", ListColumn.RATING: "1700"},
    ]


@pytest.mark.parametrize(
    ("page", "code"),
    [
        ("<html><table></table></html>", "empty"),
        ("<table>" * 30_000, "too_many_lines"),
        ("<table>" + "<tr><td>a" * 20_001, "too_many_lines"),
        ("<table>" + "<tr><td>a, b<td>1500" * 6_000, "too_many_rows"),
        ("<table><tr>" + "<td>a" * 61, "too_many_columns"),
        ("<table><tr><td>" + "a" * 6_000_000, "too_large"),
    ],
    ids=lambda value: value if len(value) < 30 else "",
)
def test_page_that_cannot_be_read_is_refused_with_a_sentence(page: str, code: str) -> None:
    with pytest.raises(FileRefused) as refused:
        named_entries(page.encode())
    assert refused.value.reason.code == code
    assert str(refused.value)
