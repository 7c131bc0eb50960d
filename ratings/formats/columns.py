"""Lists of national federations and others: a file of columns, and somebody who says which column is what.

`ColumnReading` is what that person said. It is kept with the list, so that the import can go on after a stop.
"""

from __future__ import annotations

import codecs
import csv
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ratings.errors import ListRefused
from ratings.players import BadLine, ListedPlayer, birth, fide_id, rating

from .packed import LONGEST_LINE

FIELDS = (
    "name", "last_name", "first_name", "fide_id", "number", "rating", "federation", "sex", "born", "title",
)  # fmt: skip
"""What a column can be."""


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """How a file is read. columns: the place of each of `FIELDS` that the file has, from 0. headed: the first line
    names the columns. federation: of players whose line names none.
    """

    columns: Mapping[str, int] = field(default_factory=dict)
    delimiter: str = ";"
    encoding: str = "utf-8-sig"
    headed: bool = True
    federation: str = ""

    def stored(self) -> dict[str, Any]:
        return asdict(self)


def checked(reading: ColumnReading) -> ColumnReading:
    """Return the reading. Raises ListRefused if nobody could be found or rated with it."""
    named = "name" in reading.columns or {"last_name", "first_name"} <= set(reading.columns)
    if not named or "rating" not in reading.columns or len(reading.delimiter) != 1:
        raise ListRefused("columns_missing")
    try:
        codecs.lookup(reading.encoding)
    except LookupError as error:
        raise ListRefused("encoding_unknown", encoding=reading.encoding) from error
    return reading


def read_rows(
    reading: ColumnReading, pieces: Iterable[bytes], skip: int
) -> Iterator[tuple[int, ListedPlayer | BadLine]]:
    """Yield each row with its number, from 1. The first `skip` rows are passed over."""
    rows = csv.reader(_lines(reading.encoding, pieces), delimiter=reading.delimiter)
    number = 0
    while True:
        number += 1
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:
            yield number, BadLine(number, "line_unreadable", "")
            continue
        if number <= skip or (number == 1 and reading.headed) or not any(map(str.strip, row)):
            continue
        yield number, _listed(reading, row, number)


def _lines(encoding: str, pieces: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines of a file with their ends."""
    decoder, rest = codecs.getincrementaldecoder(encoding)(errors="replace"), ""
    for piece in itertools.chain(pieces, [None]):
        text = rest + decoder.decode(piece or b"", final=piece is None).replace("\0", " ")
        found = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        rest = found.pop()
        if len(rest) > LONGEST_LINE:
            raise ListRefused("line_too_long", line=0)
        yield from (f"{line}\n" for line in found)
    if rest:
        yield rest


def _listed(reading: ColumnReading, row: Sequence[str], number: int) -> ListedPlayer | BadLine:
    def cell(name: str) -> str:
        place = reading.columns.get(name)
        return " ".join(row[place].split()) if place is not None and place < len(row) else ""

    parts = [part for part in (cell("last_name"), cell("first_name")) if part]
    name = cell("name") or ", ".join(parts)
    text = reading.delimiter.join(row).strip()[:100]
    if not any(map(str.isalpha, name)):
        return BadLine(number, "name_missing", text)
    try:
        value, born = _points(cell("rating")), birth(cell("born"))
    except ValueError:
        return BadLine(number, "number_unreadable", text)
    return ListedPlayer(
        fide_id=fide_id(cell("fide_id")),
        number=cell("number")[:20],
        name=name[:100],
        federation=(cell("federation") or reading.federation)[:3].upper(),
        sex={"f": "w", "w": "w", "m": "m"}.get(cell("sex")[:1].lower(), ""),
        born=born,
        title=cell("title")[:20].upper(),
        national=value,
    )


def _points(cell: str) -> int:
    """Return a national rating. Some have decimals (1834.6), or a dash and the number of evaluations (1834-12)."""
    text = cell.partition("-")[0].replace(",", ".").partition(".")[0]
    return rating(text)
