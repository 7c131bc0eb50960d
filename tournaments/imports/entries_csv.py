"""Reads an entry list (CSV, .xlsx, or pasted from a spreadsheet) into rows of named cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tournaments.reader import READER

from .cells import has_games
from .columns import EXPECTED, RATINGS, Column, assign, recognise
from .decoding import clean, decode
from .guess_columns import guess_columns
from .reasons import FileRefused, Reason
from .workbook import Line, is_workbook, read_sheet

MAX_BYTES = 1024 * 1024
MAX_ROWS = 5_000
MAX_LINES = 20_000  # blank ones too
MAX_COLUMNS = 60
MAX_CELL = 500
DELIMITERS = (";", ",", "\t", "|")
HEADER_WITHIN = 10  # lines: there can be a title above the names of the columns
SAMPLE_ROWS = 60


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row of the list. number: of its first line in the file, from 1. cells: cleaned, blank ones left out.

    faults: reasons why the row as a whole cannot be read. corrected: the text in the file of each cell that the arbiter
    has corrected. notes: what the arbiter should know about single cells.
    """

    number: int
    cells: Mapping[Column, str]
    faults: tuple[Reason, ...] = ()
    corrected: Mapping[Column, str] = field(default_factory=dict)
    notes: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A list that was read.

    encoding, delimiter: what was found, in words; "" for a workbook. header: the names of the columns in the file,
    for messages; our own names if the file has none. unused: columns without a meaning here. rows: without blank
    ones. used: how many columns of the file have a meaning. headless: the file does not name its columns. sheet,
    sheets: of a workbook, the sheet that was read, and all sheets.
    """

    filename: str
    encoding: str
    delimiter: str
    header: Mapping[Column, str]
    unused: tuple[str, ...]
    rows: tuple[RawRow, ...]
    used: int = 0
    headless: bool = False
    sheet: str = ""
    sheets: tuple[str, ...] = ()


def read_entries(data: bytes, filename: str = "", encoding: str = "", sheet: str = "") -> Table:
    """Read an entry list. Encoding, delimiter and columns are found automatically.

    encoding: as in `decode`. sheet: the name of a sheet of a workbook; else the first sheet with rows is read.
    At most `MAX_BYTES` (`workbook.MAX_BYTES`), `MAX_ROWS` and `MAX_COLUMNS`. Cost: linear.
    Raises FileRefused, and nothing else, for any bytes.
    """
    if is_workbook(data):
        return _read_workbook(data, filename, sheet)
    if len(data) > MAX_BYTES:
        raise FileRefused("too_large", limit=MAX_BYTES // 1024)
    text, encoding = decode(data, encoding)
    delimiter = delimiter_of(text)
    table = _table(text_lines(text, delimiter), filename)
    return replace(table, encoding=encoding, delimiter={"\t": "tab"}.get(delimiter, delimiter))


def _read_workbook(data: bytes, filename: str, wanted: str) -> Table:
    sheet = read_sheet(data, wanted, most_lines=MAX_LINES, most_columns=MAX_COLUMNS, most_letters=MAX_CELL)
    for number, cells in sheet.lines:
        if any(cells[MAX_COLUMNS:]):
            raise FileRefused("too_many_columns", row=number, limit=MAX_COLUMNS)
    if len(sheet.lines) > MAX_ROWS + HEADER_WITHIN:
        raise FileRefused("too_many_rows", limit=MAX_ROWS)
    return replace(_table(sheet.lines, filename, sheet.unsaved), sheet=sheet.name, sheets=sheet.names)


def correct(table: Table, corrections: Mapping[int, Mapping[Column, str]]) -> Table:
    """The table with the corrections of the arbiter. corrections: by row number and column; "" empties a cell."""
    if not corrections:
        return table
    columns = {column for cells in corrections.values() for column in cells}
    return replace(
        table,
        header={**{column: column.value for column in Column if column in columns}, **table.header},
        rows=tuple(_corrected(row, corrections.get(row.number, {})) for row in table.rows),
    )


def _corrected(row: RawRow, cells: Mapping[Column, str]) -> RawRow:
    changed = {column: text for column, text in cells.items() if text != row.cells.get(column, "")}
    if not changed:
        return row
    new = {column: text for column, text in {**row.cells, **changed}.items() if text}
    faults, notes = (
        tuple(each for each in found if not set(each.cells) & set(changed))
        for found in (row.faults, row.notes)
    )
    return RawRow(row.number, new, faults, {column: row.cells.get(column, "") for column in changed}, notes)


def _table(
    lines: Sequence[Line], filename: str, unsaved: Mapping[int, frozenset[int]] | None = None
) -> Table:
    """Rows of text to named cells. unsaved: as in `Sheet`. Raises FileRefused."""
    if not lines:
        raise FileRefused("empty")
    start, places, header = _columns(lines)
    names = lines[start - 1][1] if start else ()
    width = len(names) if start else MAX_COLUMNS
    lost = {number: here for number, here in (unsaved or {}).items() if not here.isdisjoint(places.values())}
    found = (
        _row(number, cells, places, header, width) or (RawRow(number, {}) if number in lost else None)
        for number, cells in lines[start:]
    )
    rows = tuple(_noted(row, places, header, lost) for row in found if row is not None)
    if not rows:
        raise FileRefused("empty")
    return Table(
        filename=filename,
        encoding="",
        delimiter="",
        header=header,
        unused=tuple(name for place, name in enumerate(names) if name and place not in places.values()),
        rows=rows,
        used=len(places),
        headless=start == 0,
    )


def text_lines(text: str, delimiter: str, *, only: int | None = None) -> list[Line]:
    """The rows that are not blank, each with its line number; all of them, or the first `only`."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True
    )
    out: list[Line] = []
    number = 1
    try:
        for cells in reader:
            row = [clean(cell[: MAX_CELL + 1]) for cell in cells[: MAX_COLUMNS + 1]]
            if any(row):
                if len(cells) > MAX_COLUMNS and any(cell.strip() for cell in cells[MAX_COLUMNS:]):
                    raise FileRefused("too_many_columns", row=number, limit=MAX_COLUMNS)
                out.append((number, row))
            if len(out) > MAX_ROWS + HEADER_WITHIN or reader.line_num > MAX_LINES:
                raise FileRefused("too_many_rows", limit=MAX_ROWS)
            if only is not None and len(out) >= only:
                break
            number = reader.line_num + 1
    except csv.Error as error:
        too_long = "field larger" in str(error)
        raise FileRefused("line_too_long" if too_long else "quotation", row=number) from error
    return out


def delimiter_of(text: str) -> str:
    """The separator with the most known column names; then the fewest rows of another width, then the most columns."""
    best, best_score = DELIMITERS[0], None
    for delimiter in DELIMITERS:
        try:
            rows = [cells for _, cells in text_lines(text, delimiter, only=SAMPLE_ROWS)]
        except FileRefused as refused:
            if refused.reason.code == "quotation":
                continue
            raise
        if not rows:
            raise FileRefused("empty")  # only separators
        widths = [len(cells) for cells in rows]
        usual = max(set(widths), key=widths.count)
        known = max(_known(cells) for cells in rows[:HEADER_WITHIN])
        score = (known, -sum(width != usual for width in widths), usual)
        if best_score is None or score > best_score:
            best, best_score = delimiter, score
    return best


def _known(cells: Sequence[str]) -> int:
    return sum(recognise(cell) is not None for cell in cells)


def _columns(
    lines: Sequence[Line],
) -> tuple[int, Mapping[Column, int], Mapping[Column, str]]:
    """The line where the entries start, the place of each column, and its name in the file."""
    top = [cells for _, cells in lines[:HEADER_WITHIN]]
    known = [_known(cells) for cells in top]
    most = max(known)
    place = known.index(most)
    cells = top[place]
    if most >= 2 or (most == 1 and len([cell for cell in cells if cell]) == 1):
        places = assign(cells)
        if not {Column.NAME, Column.LAST} & places.keys():
            found = READER.listed(filter(None, cells), "comma")[:200]
            raise FileRefused("no_name_column", expected=EXPECTED, found=found)
        return place + 1, places, {column: cells[at] for column, at in places.items()}
    guessed = guess_columns([row for _, row in lines])
    if guessed is None:
        raise FileRefused("headless", expected=EXPECTED)
    return 0, guessed, {column: column.value for column in guessed}


def _noted(
    row: RawRow,
    places: Mapping[Column, int],
    header: Mapping[Column, str],
    unsaved: Mapping[int, frozenset[int]],
) -> RawRow:
    """The row with a note for each cell whose formula has no stored value, or whose rating has a number of games."""
    here = unsaved.get(row.number, frozenset())
    columns = [column for column, at in places.items() if at in here]
    notes = [Reason("unsaved_formula", {"column": header[column]}, cells=(column,)) for column in columns]
    notes += [
        Reason("games_left_out", {"column": header[column], "value": row.cells[column]}, cells=(column,))
        for column in RATINGS
        if has_games(row.cells.get(column, ""))
    ]
    return replace(row, notes=tuple(notes)) if notes else row


def _row(
    number: int, cells: Sequence[str], places: Mapping[Column, int], header: Mapping[Column, str], width: int
) -> RawRow | None:
    """A row of the list, or None if its known columns are blank. width: number of columns in the header."""
    found = {column: cells[at] for column, at in places.items() if at < len(cells) and cells[at]}
    if not found:
        return None
    if any(cells[width:]):
        return RawRow(number, found, (Reason("row_too_long"),))
    faults = tuple(
        Reason("cell_too_long", {"column": header[column], "limit": MAX_CELL}, cells=(column,))
        for column, cell in found.items()
        if len(cell) > MAX_CELL
    )
    return RawRow(number, found, faults)
