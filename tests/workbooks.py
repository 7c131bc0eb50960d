"""Workbooks for tests: small .xls and .ods files, and a comparison of a workbook with the CSV file of the same list."""

from __future__ import annotations

import csv
import io
import struct
import zipfile
from collections.abc import Sequence
from datetime import date
from unicodedata import numeric
from xml.sax.saxutils import escape

from django.test import Client
from openpyxl import load_workbook


def same_rows(client: Client, table: str, workbook: str) -> list[tuple[object, ...]]:
    """Return the rows of a workbook, which are those of the CSV file. A number may be written as text there."""
    answers = [client.get(path) for path in (table, workbook)]
    assert [answer.status_code for answer in answers] == [200, 200]
    assert answers[1].headers["Content-Disposition"] == answers[0].headers["Content-Disposition"].replace(
        ".csv", ".xlsx"
    )
    lines = list(csv.reader(io.StringIO(answers[0].content.decode("utf-8-sig"), newline=""), delimiter=";"))
    width = max(map(len, lines))
    found = list(load_workbook(io.BytesIO(answers[1].content)).active.values)
    expected = [[*line, *([""] * (width - len(line)))] for line in lines]
    assert [
        [
            cell if isinstance(value, str) or value is None else _number(cell)
            for cell, value in zip(*pair, strict=True)
        ]
        for pair in zip(expected, found, strict=True)
    ] == [["" if value is None else value for value in row] for row in found]
    return found


def _number(cell: str) -> float:
    """Return the value of 12, 12½, 14.600 or "3 3/10"."""
    if cell[-1] in "¼½¾":
        return int(cell[:-1] or 0) + numeric(cell[-1])
    whole, _space, part = cell.partition(" ")
    over, _slash, under = part.partition("/")
    return float(whole) + (int(over) / int(under) if part else 0)


MANIFEST = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'


def ods(rows: Sequence[Sequence[str | float | date]], *, above: int = 0, repeat: int = 1) -> bytes:
    """Return an .ods with these rows below some blank ones. repeat: how often each row stands there."""
    head = f'<table:table-row table:number-rows-repeated="{above}"><table:table-cell/></table:table-row>'
    table = "".join(
        f'<table:table-row table:number-rows-repeated="{repeat}">{"".join(map(_ods_cell, row))}</table:table-row>'
        for row in rows
    )
    names = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    content = (
        f'<office:document-content {names} office:version="1.2"><office:body><office:spreadsheet>'
        f'<table:table table:name="List">{head if above else ""}{table}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        file.writestr("META-INF/manifest.xml", MANIFEST)
        file.writestr("content.xml", content)
    return out.getvalue()


def _ods_cell(value: str | float | date) -> str:
    kind = (
        f'office:value-type="date" office:date-value="{value.isoformat()}"'
        if isinstance(value, date)
        else 'office:value-type="string"'
        if isinstance(value, str)
        else f'office:value-type="float" office:value="{value}"'
    )
    return f"<table:table-cell {kind}><text:p>{escape(str(value))}</text:p></table:table-cell>"


END_OF_CHAIN, FREE, SECTOR = 0xFFFFFFFE, 0xFFFFFFFF, 512


def xls(rows: Sequence[Sequence[str | float]], far: tuple[int, int] | None = None) -> bytes:
    """Return an .xls (BIFF8 in a compound file) of at most 60 kB. far: row and column of one more cell, from 0."""
    cells = [(row, column, value) for row, line in enumerate(rows) for column, value in enumerate(line)]
    cells += [(*far, "x")] if far else []
    sheet = _begin(0x10) + b"".join(_xls_cell(*cell) for cell in cells) + _record(0x0A)
    size = len(_globals(0))
    stream = _globals(size) + sheet
    stream = stream.ljust(max(4096, -(-len(stream) // SECTOR) * SECTOR), b"\0")
    sectors = len(stream) // SECTOR
    chain = [0xFFFFFFFD, END_OF_CHAIN, *range(3, sectors + 2), END_OF_CHAIN]
    table = struct.pack("<128I", *chain, *[FREE] * (128 - len(chain)))
    folder = _entry("Root Entry", 5, 1, END_OF_CHAIN, 0) + _entry("Workbook", 2, FREE, 2, len(stream))
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<10I", 0, 1, 1, 0, 4096, END_OF_CHAIN, 0, END_OF_CHAIN, 0, 0)[: SECTOR - len(head)]
    head += struct.pack("<108I", *[FREE] * 108)
    return head + table + folder.ljust(SECTOR, b"\0") + stream


def _record(kind: int, body: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(body)) + body


def _begin(kind: int) -> bytes:
    return _record(0x0809, struct.pack("<4H2I", 0x0600, kind, 0, 0, 0, 6))


def _globals(place: int) -> bytes:
    sheet = struct.pack("<IH", place, 0) + b"\x04\x00List"
    return _begin(0x05) + _record(0x42, struct.pack("<H", 1200)) + _record(0x85, sheet) + _record(0x0A)


def _xls_cell(row: int, column: int, value: str | float) -> bytes:
    if isinstance(value, str):
        text = struct.pack("<HB", len(value), 1) + value.encode("utf-16-le")
        return _record(0x0204, struct.pack("<3H", row, column, 0) + text)
    return _record(0x0203, struct.pack("<3Hd", row, column, 0, value))


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    text = name.encode("utf-16-le")
    links = struct.pack("<HBB3I", len(text) + 2, kind, 1, FREE, FREE, child)
    return text.ljust(64, b"\0") + links + bytes(36) + struct.pack("<IQ", start, size)
