"""Lists as rows of text: the encoding of a text, the sheets of a workbook, the tables of an HTML page.

Everything has limits of size, and no file is trusted. Many programs write a page of HTML, or XML of 2003, and name it
.xls. It is cut at its tags with expressions that look at each letter once, so that no file takes long. Nothing in it
is run or fetched.
"""

from __future__ import annotations

import codecs
import io
import json
import re
import subprocess
import sys
import unicodedata
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from time import monotonic
from typing import Any

from charset_normalizer import from_bytes

from . import other_workbooks
from .list_refusals import FileRefused
from .other_workbooks import cell_text

# Decodes a list: finds the encoding that the spreadsheet used.

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
ZIP = b"PK\x03\x04"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
UTF_8 = "utf-8"
NO_TEXT = ((ZIP, "ZIP"), (OLE, ".xls"), (b"%PDF", "PDF"))
# Encodings of spreadsheets without Unicode. The first nine can be guessed; the arbiter can choose any.
ONE_BYTE = {
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "iso8859_2": "ISO 8859-2",
    "cp1251": "Windows-1251",
    "koi8_r": "KOI8-R",
    "koi8_u": "KOI8-U",
    "cp866": "DOS 866",
    "iso8859_5": "ISO 8859-5",
    "cp1253": "Windows-1253",
    "mac_cyrillic": "Mac Cyrillic",
    "cp1254": "Windows-1254",
    "cp1257": "Windows-1257",
    "mac_roman": "Mac Roman",
    "cp850": "DOS 850",
    "latin_1": "ISO 8859-1",
}
ENCODINGS = {UTF_8: "UTF-8", **ONE_BYTE}
_LATIN = ("cp1252", "cp1250", "iso8859_2")
_CYRILLIC = ("cp1251", "koi8_r", "koi8_u", "cp866", "iso8859_5")
_OTHER_SCRIPTS = (*_CYRILLIC, "cp1253")
_FREQUENT = frozenset("оеаинтсрвлі")
"""The letters of most words in Cyrillic. With a wrong codec, others take their place."""
SAMPLE = 16_384
_SIGN_IN_WORD = re.compile(r"[^\W\d_][^\w\s'’.,;|/()&+\"-]|[^\w\s'’.,;|/()&+\"-][^\W\d_]|[^\W\d_][¹²³¼½¾]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def decode(data: bytes, encoding: str = "", stated: str = "") -> tuple[str, str]:
    """The text and the name of the encoding. Raises FileRefused if the bytes are not text.

    encoding: a key of `ENCODINGS`, if the arbiter has chosen one. Else a byte order mark decides, else UTF-8 if the
    bytes are valid, else `stated` (what the file says of itself), else the most likely key of `ONE_BYTE`. The preview
    shows the encoding.
    """
    for start, kind in NO_TEXT:
        if data.startswith(start):
            raise FileRefused("workbook", kind=kind)
    for mark, codec, label in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _checked(_strict(data, codec)), label
    if b"\x00" in data:
        if (wide := _utf_16(data)) is None:
            raise FileRefused("not_text")
        return _checked(_strict(data, wide)), "UTF-16"
    if encoding in ONE_BYTE:
        return _checked(_strict(data, encoding)), ONE_BYTE[encoding]
    if encoding == UTF_8:  # with a sign for what is not UTF-8, so that one wrong byte does not decide
        return _checked(data.decode(UTF_8, "replace")), ENCODINGS[UTF_8]
    try:
        return _checked(data.decode(UTF_8)), ENCODINGS[UTF_8]
    except UnicodeDecodeError:
        codec = stated if stated in ONE_BYTE and _decodes(data, stated) else _likeliest(data)
        return _checked(_strict(data, codec)), ONE_BYTE[codec]


def clean_cell(text: str) -> str:
    """The text of a cell with composed letters and single spaces, without invisible and direction characters."""
    composed = unicodedata.normalize("NFC", text)
    visible = "".join(
        " " if unicodedata.category(char) in ("Zs", "Zl", "Zp", "Cc") else char for char in composed
    )
    return " ".join("".join(char for char in visible if unicodedata.category(char) != "Cf").split())


def _strict(data: bytes, codec: str) -> str:
    try:
        return data.decode(codec)
    except (UnicodeDecodeError, UnicodeError) as error:
        raise FileRefused("not_text") from error


def _checked(text: str) -> str:
    """Refuse a text with more than a few control characters: it is a binary file."""
    if "\x00" in text or len(_CONTROLS.findall(text)) > 5:
        raise FileRefused("not_text")
    return text


def _utf_16(data: bytes) -> str | None:
    """Return the codec of a text of two bytes for each letter without a mark in front, None for other bytes."""
    first, second = data[0:SAMPLE:2], data[1:SAMPLE:2]
    if second.count(0) * 3 > len(second) and not first.count(0):
        return "utf-16-le"
    return "utf-16-be" if first.count(0) * 3 > len(first) and not second.count(0) else None


def _likeliest(data: bytes) -> str:
    """The one-byte codec with which the lines with letters beyond ASCII look most like names.

    Other scripts are easy to recognise. The Latin codecs share most letters; where they differ, a wrong codec puts
    signs into the middle of words (Wa\u00b3\u00easa for Wa\u0142\u0119sa). If none does, the most common one is taken.
    """
    lines = [line for line in data.splitlines() if any(byte > 0x7F for byte in line)]
    sample = b"\n".join(lines)[:SAMPLE]
    if _CONTROLS.search(sample.decode("latin-1")):
        raise FileRefused("not_text")
    candidates = [*_OTHER_SCRIPTS, *_LATIN[:2]]
    best = from_bytes(sample, cp_isolation=candidates, preemptive_behaviour=False).best()
    if best is not None and best.encoding in _CYRILLIC:
        return max((codec for codec in _CYRILLIC if _decodes(data, codec)), key=partial(_frequent, sample))
    if best is not None and best.encoding in _OTHER_SCRIPTS and _decodes(data, best.encoding):
        return best.encoding
    latin = [codec for codec in _LATIN if _decodes(data, codec)]
    return min(latin, key=lambda codec: len(_SIGN_IN_WORD.findall(sample.decode(codec))), default="latin_1")


def _frequent(sample: bytes, codec: str) -> int:
    return sum(letter in _FREQUENT for letter in sample.decode(codec, "replace").casefold())


def _decodes(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


# Sheets of a workbook as rows of text, within limits of size and without trust in the file.

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

SheetLine = tuple[int, list[str]]
"""The number of a row in its sheet, from 1, and its cells."""


@dataclass(frozen=True, slots=True)
class WorkbookSheet:
    """A sheet that was read. names: of all visible sheets. lines: the rows that are not blank.

    unsaved: the places (from 0) of formulas without a stored value, by row number. Their cells are blank in `lines`,
    which has rows without any other cell too.
    """

    name: str
    names: tuple[str, ...]
    lines: list[SheetLine]
    unsaved: Mapping[int, frozenset[int]]


def is_workbook(data: bytes) -> bool:
    """Whether these are bytes of a spreadsheet program, readable or not."""
    return data.startswith((ZIP, OLE))


def read_sheet(
    data: bytes, wanted: str = "", *, most_lines: int, most_columns: int, most_letters: int
) -> WorkbookSheet:
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
                    return WorkbookSheet(name, tuple(sheets), sorted([*lines, *blank]), unsaved)
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


def _unsaved(
    sheet: Any, lines: list[SheetLine], most_lines: int, most_columns: int
) -> dict[int, frozenset[int]]:
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


def read_apart(
    data: bytes, wanted: str, most_lines: int, most_columns: int, most_letters: int
) -> WorkbookSheet:
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
    texts = ((number, [clean_cell(cell) for cell in cells]) for number, cells in found["lines"])
    lines = [(number, cells) for number, cells in texts if any(cells)]
    if not lines:
        raise FileRefused("empty")
    return WorkbookSheet(found["sheet"], tuple(found["sheets"]), lines, {})


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


def _lines(rows: Iterator[tuple[Any, ...]], most_lines: int, most_letters: int) -> Iterator[SheetLine]:
    end = monotonic() + LONGEST
    for number, cells in enumerate(rows, start=1):
        if number > most_lines:
            raise FileRefused("too_many_lines", limit=most_lines)
        if monotonic() > end:
            raise FileRefused("workbook_cells")
        texts = [clean_cell(cell_text(cell)[: most_letters + 1]) for cell in cells]
        if any(texts):
            yield number, texts


# Reads the tables of an HTML page, or the sheets of an XML workbook of 2003, as rows of text.
#
# Many programs write such a file and name it .xls. It is cut at its tags with expressions that look at each
# letter once, so that no file takes long. Nothing in it is run or fetched.

HEAD = 2_048  # bytes, within which a page says its encoding
MOST_TABLES = 50  # that are offered, the largest ones
_IS_TABLE = re.compile(r"<(?:\w{1,20}:)?(?:table|workbook)[\s>]", re.IGNORECASE)
_CHARSET = re.compile(rb"""(?:charset|encoding)\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})""", re.IGNORECASE)
_NO_TEXT = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style|title)\b.*?(?:</\1|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<(/?)(?:\w{1,20}:)?([a-z]\w*+)([^<>]*+)>([^<]*+)", re.IGNORECASE)
_NUMBER = re.compile(r"""\b(colspan|rowspan|ss:index)\s{0,9}=\s{0,9}["']?(\d{1,6})""", re.IGNORECASE)
_MIDNIGHT = re.compile(r"(\d{4}-\d{2}-\d{2})T00:00:00(?:\.0+)?")
_SAME = {"th": "td", "cell": "td", "row": "tr"}
_BREAKS = frozenset({"br", "p", "div", "li"})


@dataclass(slots=True)
class _Table:
    """A table while it is read. below: columns that cells of earlier rows fill too, with the number of rows."""

    rows: list[list[str]] = field(default_factory=list)
    below: dict[int, int] = field(default_factory=dict)
    cell: list[str] | None = None
    after: int = 0

    def begin_row(self) -> None:
        self.end_cell()
        self.rows.append([])

    def begin_cell(self, attributes: str, most: int) -> None:
        """Begin a cell, behind those that earlier rows fill. A row gets at most one cell more than `most`."""
        self.end_cell()
        if not self.rows:
            self.rows.append([])
        row, numbers = (
            self.rows[-1],
            {name.lower(): int(number) for name, number in _NUMBER.findall(attributes)},
        )
        while len(row) <= most and (len(row) < numbers.get("ss:index", 1) - 1 or self._is_filled(len(row))):
            row.append("")
        if len(row) > most:
            return
        wide = min(numbers.get("colspan", 1), most + 1 - len(row))
        if numbers.get("rowspan", 1) > 1:
            self.below.update(dict.fromkeys(range(len(row), len(row) + wide), numbers["rowspan"]))
        self.cell, self.after = [], wide - 1

    def end_cell(self) -> None:
        if self.cell is not None:
            self.rows[-1] += ["".join(self.cell), *[""] * self.after]
            self.cell = None

    def take(self, tag: str, closes: str, attributes: str, most: int) -> None:
        """Do what a tag of a row or a cell says."""
        if tag == "tr" and not closes:
            self.begin_row()
        elif tag == "td" and not closes:
            self.begin_cell(attributes, most)
        elif tag in {"tr", "td"}:
            self.end_cell()
        elif tag in _BREAKS and self.cell is not None:
            self.cell.append(" ")

    def _is_filled(self, place: int) -> bool:
        """Return whether a cell of an earlier row fills this place. It counts down."""
        left = self.below.get(place, 0)
        self.below[place] = left - 1
        return left > 1


def is_html(text: str) -> bool:
    """Return whether a text is a page or an XML file with a table."""
    return text.lstrip().startswith("<") and bool(_IS_TABLE.search(text))


def stated_encoding(data: bytes) -> str:
    """Return the encoding that a page gives itself, a key of `ONE_BYTE`; "" if these bytes are no page or give none."""
    found = _CHARSET.search(data[:HEAD]) if data.lstrip().startswith(b"<") else None
    name = ""
    if found:
        with suppress(LookupError):
            name = codecs.lookup(found[1].decode()).name.replace("-", "_")
    return {"iso8859_1": "cp1252"}.get(name, name if name in ONE_BYTE else "")


def read_html_table(
    text: str, wanted: str, *, most_lines: int, most_columns: int, most_letters: int
) -> WorkbookSheet:
    """Read one table of a page. wanted: its number, as in `Sheet.names`; else that with the most cells is read.

    The limits are those of `read_sheet`. Raises FileRefused.
    """
    found = {}
    for number, table in enumerate(_tables(text, most_lines, most_columns), start=1):
        lines = list(_lines_of_table(table, most_columns, most_letters))
        if lines:
            found[str(number)] = lines
    largest = sorted(found, key=lambda name: -_cells(found[name]))[:MOST_TABLES]
    if not largest:
        raise FileRefused("empty")
    name = wanted if wanted in largest else largest[0]
    return WorkbookSheet(name, tuple(sorted(largest, key=int)), found[name], {})


def _cells(lines: list[SheetLine]) -> int:
    return sum(sum(map(bool, cells)) for _, cells in lines)


def _lines_of_table(table: _Table, most_columns: int, most_letters: int) -> Iterator[SheetLine]:
    for number, row in enumerate(table.rows, start=1):
        cells = [_text(cell)[: most_letters + 1] for cell in row[: most_columns + 1]]
        if any(cells):
            yield number, cells


def _text(cell: str) -> str:
    if not cell or cell.isspace():
        return ""
    text = clean_cell(unescape(cell))
    whole = _MIDNIGHT.fullmatch(text)
    return whole[1] if whole else text


def _tables(text: str, most_lines: int, most_columns: int) -> Iterator[_Table]:
    """Yield the tables as they end. A table inside a cell is a table of its own."""
    begun, open_ones = 0, []
    for found in _TAG.finditer(_NO_TEXT.sub("", text)):
        closes, tag, attributes, after = found.groups()
        name = _SAME.get(tag.lower(), tag.lower())
        begun += name in {"table", "tr"} and not closes
        if begun > most_lines:
            raise FileRefused("too_many_lines", limit=most_lines)
        if name == "table" and not closes:
            open_ones.append(_Table())
        elif open_ones and name == "table":
            open_ones[-1].end_cell()
            yield open_ones.pop()
        elif open_ones:
            open_ones[-1].take(name, closes, attributes, most_columns)
        if open_ones and (cell := open_ones[-1].cell) is not None:
            cell.append(after)
    for table in open_ones:
        table.end_cell()
        yield table
