"""Tables as files: for spreadsheets, with the same rows in each format, and as pages that stand alone.

CSV: UTF-8 with a byte order mark, semicolons, CRLF. XLSX: numbers are numbers, and the row of headings stays in view.
A cell that a spreadsheet would take for a formula gets an apostrophe before it. A page is HTML without scripts and
without anything from elsewhere.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from django.utils.html import escape

if TYPE_CHECKING:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet


# Tables as files for spreadsheets, with the same rows in each format.
#
# CSV: UTF-8 with a byte order mark, semicolons, CRLF. XLSX: numbers are numbers, and the row of headings
# stays in view. A cell that a spreadsheet would take for a formula gets an apostrophe before it.

Cell = str | float | None
Write = Callable[[Sequence[str], Iterable[Sequence[Cell]]], bytes]
"""Make a file from the headings and the rows."""

_FORMULA = frozenset("=+-@")
_BLANK = ("\t", "\r", "\n")
_WITHOUT_SHAPE = frozenset("CMZ")
"""Categories of characters, by their first letter: controls, marks on other characters, blanks."""
_FIGURE = re.compile(
    r"(?P<minus>-?)(?:(?P<decimals>[0-9]+\.[0-9]+)"
    r"|(?=[0-9¼½¾])(?P<whole>[0-9]*)(?:(?P<sign>[¼½¾])| (?P<over>[0-9]+)/(?P<under>[1-9][0-9]*))?)"
)
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_TIME = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_LONGEST = 32_767
"""Characters in a cell of a workbook."""
_WIDEST = 40
"""Characters, for the width of a column."""


class Figure(str):
    """A number as people write it (4½), with its value. A spreadsheet that reads text may take 4.5 for a date."""

    __slots__ = ("value",)
    value: float


def figure(text: str) -> str:
    """Return a Figure if the text is a number: 12, 12½, 14.600, "3 3/10". Return any other text as it is."""
    found = _FIGURE.fullmatch(text)
    if found is None:
        return text
    made = Figure(text)
    if found["decimals"]:
        made.value = float(found["decimals"])
    else:
        made.value = int(found["whole"] or 0)
        if found["sign"]:
            made.value += unicodedata.numeric(found["sign"])
        if found["over"]:
            made.value += int(found["over"]) / int(found["under"])
    if found["minus"]:
        made.value = -made.value
    return made


def safe(cell: Cell) -> str:
    """Return the cell as text that no spreadsheet runs as a formula.

    Spreadsheets of East Asia take full-width and small signs for the usual ones. Some skip blanks and characters that
    have no shape of their own before a formula.
    """
    text = "" if cell is None else str(cell)
    first = next((char for char in text if unicodedata.category(char)[0] not in _WITHOUT_SHAPE), "")
    begins = text.startswith(_BLANK) or unicodedata.normalize("NFKC", first) in _FORMULA
    return f"'{text}" if begins and not isinstance(cell, int | float | Figure) else text


def csv_file(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow([safe(name) for name in head])
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def xlsx_file(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return a workbook with one sheet. The same rows give the same bytes."""
    from openpyxl import Workbook
    from openpyxl.utils import get_column_letter

    table = [[_value(cell) for cell in row] for row in rows]
    book = Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.freeze_panes = "A2"
    for at, name in enumerate(head):
        # a sentence below the table stands alone in the first column and may run over the others
        cells = [str(row[at]) for row in table if 1 < len(row) > at and row[at] is not None]
        width = min(max(map(len, [name, *cells])), _WIDEST)
        sheet.column_dimensions[get_column_letter(at + 1)].width = width + 2
    sheet.append([_text(sheet, safe(name), bold=True) for name in head])
    for row in table:
        sheet.append([_text(sheet, value) if isinstance(value, str) else value for value in row])
    out = io.BytesIO()
    book.save(out)
    return _without_times(out)


def _value(cell: Cell) -> Cell:
    """Return a number as it is, and all else as safe text; None for an empty cell."""
    if isinstance(cell, Figure):
        return cell.value
    if isinstance(cell, int | float):
        return cell
    return _NOT_IN_XML.sub("\ufffd", safe(cell))[:_LONGEST] or None


def _text(sheet: WriteOnlyWorksheet, value: str, *, bold: bool = False) -> WriteOnlyCell:
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, value)
    cell.data_type = "s"  # the library would take #N/A for an error
    if bold:
        from openpyxl.styles import Font

        cell.font = Font(bold=True)
    return cell


def _without_times(written: io.BytesIO) -> bytes:
    """Return the workbook without the time at which it was made: pages with the same ETag have the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(written) as dated, zipfile.ZipFile(out, "w") as packed:
        for name in dated.namelist():
            content = dated.read(name)
            if name == "docProps/core.xml":
                content = _TIME.sub(b"1980-01-01T00:00:00Z", content)
            packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


# Tables as pages that stand alone: HTML without scripts and without anything from elsewhere.

_STYLE = (
    "body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}"
    "th,td{border:1px solid #999;padding:.2em .5em;text-align:left}"
)


def page_file(title: str) -> Write:
    """Return the function that writes a table as a page with this title."""

    def write(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
        lines = [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>",
            f"<table>\n<thead>\n<tr>{_cells(head, 'th')}</tr>\n</thead>\n<tbody>",
            *(f"<tr>{_cells(row, 'td')}</tr>" for row in rows),
            "</tbody>\n</table>\n</body>\n</html>\n",
        ]
        return "\n".join(lines).encode()

    return write


def _cells(row: Sequence[Cell], tag: str) -> str:
    return "".join(f"<{tag}>{'' if cell is None else escape(str(cell))}</{tag}>" for cell in row)
