"""Reads the tables of an HTML page, or the sheets of an XML workbook of 2003, as rows of text.

Many programs write such a file and name it .xls. It is cut at its tags with expressions that look at each letter
once, so that no file takes long. Nothing in it is run or fetched.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape

from .decoding import ONE_BYTE, clean
from .reasons import FileRefused
from .workbook import Line, Sheet

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


def read_table(text: str, wanted: str, *, most_lines: int, most_columns: int, most_letters: int) -> Sheet:
    """Read one table of a page. wanted: its number, as in `Sheet.names`; else that with the most cells is read.

    The limits are those of `read_sheet`. Raises FileRefused.
    """
    found = {}
    for number, table in enumerate(_tables(text, most_lines, most_columns), start=1):
        lines = list(_lines(table, most_columns, most_letters))
        if lines:
            found[str(number)] = lines
    largest = sorted(found, key=lambda name: -_cells(found[name]))[:MOST_TABLES]
    if not largest:
        raise FileRefused("empty")
    name = wanted if wanted in largest else largest[0]
    return Sheet(name, tuple(sorted(largest, key=int)), found[name], {})


def _cells(lines: list[Line]) -> int:
    return sum(sum(map(bool, cells)) for _, cells in lines)


def _lines(table: _Table, most_columns: int, most_letters: int) -> Iterator[Line]:
    for number, row in enumerate(table.rows, start=1):
        cells = [_text(cell)[: most_letters + 1] for cell in row[: most_columns + 1]]
        if any(cells):
            yield number, cells


def _text(cell: str) -> str:
    if not cell or cell.isspace():
        return ""
    text = clean(unescape(cell))
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
