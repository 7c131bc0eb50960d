"""Sheets of a workbook as rows of text, within limits of size and without trust in the file."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from . import other_workbooks
from .decoding import OLE, ZIP, clean
from .other_workbooks import cell_text
from .reasons import FileRefused

MAX_BYTES = 5 * 1024 * 1024
MAX_UNPACKED = 32 * 1024 * 1024
"""Bytes of everything in the archive. zipfile reads no member beyond the size that the archive states."""
MAX_TAGS = 2_500_000
"""In all cells. A full list (5,000 rows, 60 columns) has 1.8 million, which openpyxl reads in seconds."""
MAX_OTHER_TAGS = 200_000
"""In styles and all else that is no cell."""
_LOCKED = "EncryptedPackage".encode("utf-16-le")
_XLSX, _XLSB = "xl/workbook.xml", "xl/workbook.bin"
_WORD = "word/document.xml"

LONGEST = 20.0
"""Seconds for reading a sheet. Only one reading runs at a time (server/priority_queues.py)."""
PIECE = 1 << 20

_ROW = re.compile(rb"<(?:\w+:)?row[ >/]")
_FORMULA = re.compile(rb"<(?:\w+:)?f[ >/]")

Line = tuple[int, list[str]]
"""The number of a row in its sheet, from 1, and its cells."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet that was read. names: of all visible sheets. lines: the rows that are not blank.

    unsaved: the places (from 0) of formulas without a stored value, by row number. Their cells are blank in `lines`,
    which has rows without any other cell too.
    """

    name: str
    names: tuple[str, ...]
    lines: list[Line]
    unsaved: Mapping[int, frozenset[int]]


def is_workbook(data: bytes) -> bool:
    """Whether these are bytes of a spreadsheet program, readable or not."""
    return data.startswith((ZIP, OLE))


def read_sheet(
    data: bytes, wanted: str = "", *, most_lines: int, most_columns: int, most_letters: int
) -> Sheet:
    """Read one sheet of a workbook.

    wanted: the name of a sheet; else the first sheet with rows is read. A row with more than `most_columns` cells has
    one cell more, and a longer text has one letter more than `most_letters`, so that the caller can refuse them.
    Raises FileRefused, and nothing else, for any bytes; too_many_lines for more than `most_lines` rows, also
    if they are blank: a sheet with a million formatted rows would take too long. Rows are counted before they are read.
    What the sheet says of its own size is not believed.
    """
    if not _is_xlsx(data):
        return read_apart(data, wanted, most_lines, most_columns, most_letters)
    try:
        with warnings.catch_warnings():
            # openpyxl warns of what it leaves out: pictures, validation, styles
            warnings.simplefilter("ignore")
            sheets, formulas = _sheets(data, values=True), None
            if _has_formulas(data):
                formulas = _sheets(data, values=False)
            for name in [wanted] if wanted in sheets else sheets:
                _refuse_long(data, sheets[name], most_lines)
                rows = sheets[name].iter_rows(max_col=most_columns + 1, values_only=True)
                lines = list(_lines(rows, most_lines, most_letters))
                if lines:
                    unsaved = _unsaved(formulas[name], lines, most_lines, most_columns) if formulas else {}
                    blank: list[tuple[int, list[str]]] = [
                        (number, []) for number in unsaved.keys() - dict(lines).keys()
                    ]
                    return Sheet(name, tuple(sheets), sorted([*lines, *blank]), unsaved)
            if formulas:
                raise FileRefused("workbook_formulas")
    except FileRefused:
        raise
    except Exception as error:  # a damaged workbook breaks openpyxl in a dozen ways
        raise FileRefused("workbook_damaged") from error
    raise FileRefused("empty")


def _sheets(data: bytes, *, values: bool) -> dict[str, Any]:
    """The visible sheets by name. values: cells with a formula have its stored value, else the formula."""
    from openpyxl import load_workbook  # workbooks are rare, and the library takes long to load

    book = load_workbook(io.BytesIO(data), read_only=True, data_only=values, keep_links=False)
    for sheet in book.worksheets:
        sheet.reset_dimensions()  # openpyxl would read no row beyond those, and add blank ones up to them
    return {sheet.title: sheet for sheet in book.worksheets if sheet.sheet_state == "visible"}


def _has_formulas(data: bytes) -> bool:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [name for name in archive.namelist() if name.startswith("xl/worksheets/")]
        return any(_FORMULA.search(archive.read(name)) for name in names)


def _unsaved(sheet: Any, lines: list[Line], most_lines: int, most_columns: int) -> dict[int, frozenset[int]]:
    """The places of formulas that have no stored value. Programs that write workbooks often leave the values out."""
    texts = dict(lines)
    found = {}
    rows = sheet.iter_rows(max_row=most_lines, max_col=most_columns, values_only=True)
    for number, cells in enumerate(rows, start=1):
        known = texts.get(number, ())
        places = {
            place
            for place, cell in enumerate(cells)
            if isinstance(cell, str) and cell.startswith("=") and not any(known[place : place + 1])
        }
        if places:
            found[number] = frozenset(places)
    return found


def read_apart(data: bytes, wanted: str, most_lines: int, most_columns: int, most_letters: int) -> Sheet:
    """Read a sheet of another kind of workbook in a process of its own (other_workbooks.py). Raises FileRefused."""
    asked = {
        "wanted": wanted,
        "most_lines": most_lines,
        "most_columns": most_columns,
        "most_letters": most_letters,
    }
    command = [sys.executable, "-I", other_workbooks.__file__, json.dumps(asked)]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=2 * LONGEST)  # noqa: S603
    except subprocess.TimeoutExpired as error:
        raise FileRefused("workbook_cells") from error
    if done.returncode:
        damaged = (
            done.returncode == 1
        )  # an exception; the library ends the process if the memory is too small
        raise FileRefused("workbook_damaged" if damaged else "workbook_cells")
    found = json.loads(done.stdout)
    if "refused" in found:
        raise FileRefused(found["refused"], **found.get("params", {}))
    texts = ((number, [clean(cell) for cell in cells]) for number, cells in found["lines"])
    lines = [(number, cells) for number, cells in texts if any(cells)]
    if not lines:
        raise FileRefused("empty")
    return Sheet(found["sheet"], tuple(found["sheets"]), lines, {})


def _is_xlsx(data: bytes) -> bool:
    """Return whether this is an .xlsx; False for an .xls, .xlsb or .ods.

    Raises FileRefused for other files, and for one that is too large as it is or when it is unpacked.
    """
    if len(data) > MAX_BYTES:
        raise FileRefused("too_large", limit=MAX_BYTES // 1024)
    if data.startswith(OLE):
        if _LOCKED in data:
            raise FileRefused("workbook_locked")
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {member.filename for member in archive.infolist()}
            if sum(member.file_size for member in archive.infolist()) > MAX_UNPACKED:
                raise FileRefused("workbook_large", limit=MAX_UNPACKED // 1024**2)
            if _XLSX in members:
                _refuse_many_tags(archive)
            mimetype = archive.read("mimetype") if "mimetype" in members else b""
    except FileRefused:
        raise
    except Exception as error:
        raise FileRefused("workbook_damaged") from error
    if any(name.endswith((".iwa", ".iwph", "Index.zip", "index.apxl")) for name in members):
        raise FileRefused("numbers")
    if _WORD in members:
        raise FileRefused("workbook", kind="Word")
    if not members & {_XLSX, _XLSB} and b"opendocument.spreadsheet" not in mimetype:
        raise FileRefused("not_text")
    return _XLSX in members


def _refuse_long(data: bytes, sheet: Any, most_lines: int) -> None:
    """Raise FileRefused for a sheet with too many rows, as soon as there is one too many."""
    rows, rest = 0, b""
    with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(sheet._worksheet_path) as part:  # noqa: SLF001
        while piece := part.read(PIECE):
            begun, tag, cut = (rest + piece).rpartition(b"<")
            rows += len(_ROW.findall(begun))
            rest = tag + cut
            if rows > most_lines:
                raise FileRefused("too_many_lines", limit=most_lines)


def _refuse_many_tags(archive: zipfile.ZipFile) -> None:
    """Raise FileRefused for a small archive that unfolds to millions of cells or styles: reading them takes minutes."""
    cells = others = 0
    for member in archive.infolist():
        of_cells = member.filename.startswith(("xl/worksheets/", "xl/sharedStrings"))
        with archive.open(member) as part:
            while piece := part.read(PIECE):
                tags = piece.count(b"<")
                cells, others = (cells + tags, others) if of_cells else (cells, others + tags)
                if cells > MAX_TAGS or others > MAX_OTHER_TAGS:
                    raise FileRefused("workbook_cells")


def _lines(rows: Iterator[tuple[Any, ...]], most_lines: int, most_letters: int) -> Iterator[Line]:
    end = monotonic() + LONGEST
    for number, cells in enumerate(rows, start=1):
        if number > most_lines:
            raise FileRefused("too_many_lines", limit=most_lines)
        if monotonic() > end:
            raise FileRefused("workbook_cells")
        texts = [clean(cell_text(cell)[: most_letters + 1]) for cell in cells]
        if any(texts):
            yield number, texts
