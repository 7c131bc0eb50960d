"""The columns of a national or own rating list: what the beginning of the file lets one guess."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ratings.errors import ListRefused
from ratings.formats.columns import ColumnReading
from ratings.formats.packed import Packed

from .columns import ListColumn, recognise
from .entry_lists import MAX_COLUMNS, delimiter_of
from .list_refusals import FileRefused
from .spreadsheets import BYTE_ORDER_MARKS, ONE_BYTE, decode

SAMPLE = 64 * 1024
SHOWN = 6
FIELDS: dict[ListColumn, str] = {
    ListColumn.NAME: "name",
    ListColumn.LAST: "last_name",
    ListColumn.GIVEN: "first_name",
    ListColumn.FIDE_ID: "fide_id",
    ListColumn.NATIONAL_RATING: "rating",
    ListColumn.RATING: "rating",
    ListColumn.FEDERATION: "federation",
    ListColumn.SEX: "sex",
    ListColumn.BIRTH_DATE: "born",
    ListColumn.TITLE: "title",
}
"""The column of an entry list, and the field of a rating list."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The beginning of a file. reading: a guess. rows: the first ones, all of the same width."""

    reading: ColumnReading
    rows: tuple[tuple[str, ...], ...]


def sample_of(path: Path) -> Sample:
    """Return the beginning of a file of columns. Raises ListRefused if it is none."""
    packed = Packed(path)
    try:
        data = next(packed.pieces(), b"")[:SAMPLE]
    finally:
        packed.close()
    whole = data.rpartition(b"\n")[0] or data
    try:
        text, label = decode(whole if len(whole) % 2 == 0 or b"\0" not in whole else whole + b"\0")
        delimiter = delimiter_of("\n".join(text.splitlines()[:60]))
    except FileRefused as error:
        raise ListRefused("not_a_list") from error
    found = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    rows = [[" ".join(cell.split())[:40] for cell in row[:MAX_COLUMNS]] for row in found if any(row)][:SHOWN]
    width = max(map(len, rows), default=0)
    if width < 2:
        raise ListRefused("not_a_list")
    reading = ColumnReading(
        columns=_guessed(rows[0]),
        delimiter=delimiter,
        encoding=_codec(data, label),
        headed=any(recognise(cell) for cell in rows[0]),
    )
    return Sample(reading, tuple(tuple(row + [""] * (width - len(row))) for row in rows))


def _guessed(header: Sequence[str]) -> dict[str, int]:
    columns: dict[str, int] = {}
    named = {
        column: place for place, cell in reversed(list(enumerate(header))) if (column := recognise(cell))
    }
    for column, field in FIELDS.items():
        if column in named:
            columns.setdefault(field, named[column])
    if "first_name" in columns and "name" in columns and "last_name" not in columns:
        columns["last_name"] = columns.pop("name")
    return columns


def _codec(data: bytes, label: str) -> str:
    for mark, codec, _label in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return codec
    known = {name: codec for codec, name in (*ONE_BYTE.items(), ("utf-16", "UTF-16"))}
    return known.get(label, "utf-8-sig")
