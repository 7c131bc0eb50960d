"""Reads an entry list (CSV, a workbook, a table of a page, or pasted from a spreadsheet) into rows of named cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import islice

from base.reader import READER

from . import workbook
from .cells import has_games
from .columns import EXPECTED, OF_ENTRIES, RATINGS, Column, recognise
from .decoding import clean, decode
from .guess_columns import Guess, assign, guess_columns, has_heading
from .html_tables import is_html, read_table, stated_encoding
from .reasons import FileRefused, Reason
from .workbook import Line

MAX_BYTES = 1024 * 1024
MAX_ROWS = 5_000
MAX_LINES = 20_000  # blank ones too
MAX_COLUMNS = 60
MAX_CELL = 500
_LIMITS = {"most_lines": MAX_LINES, "most_columns": MAX_COLUMNS, "most_letters": MAX_CELL}
MAX_UNCLOSED, SHOWN_UNCLOSED = 100, 10  # rows with a quotation mark that is not closed
DELIMITERS = (";", ",", "\t", "|")  # that can be found
CHOSEN_DELIMITERS = (*DELIMITERS, ":")  # a colon also stands in times
HEADER_WITHIN = 10  # lines: there can be a title above the names of the columns
SAMPLE_ROWS = 60
SHOWN_ROWS, SHOWN_LETTERS = 4, 60  # of the columns, for the page on which the arbiter says what they are


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
class Layout:
    """How a list is read; the program finds out what is "" or None.

    encoding: as in `decode`. sheet: of a workbook. heading: the number of the row that names the columns, 0 if none
    does. columns: what each column is, None for one that is not used.
    """

    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""
    heading: int | None = None
    columns: tuple[Column | None, ...] | None = None


AUTOMATIC = Layout()


def spelled(columns: Sequence[Column | None]) -> str:
    """Return what the columns are as an address has it: "name - fide_id"."""
    return " ".join(column.name.lower() if column else "-" for column in columns)


def columns_of(text: str) -> tuple[Column | None, ...] | None:
    """Return what `spelled` gives; None for "". Words that are no column count as not used."""
    if not text:
        return None
    known = {column.name.lower(): column for column in Column}
    found = [known.get(word.lower()) for word in text.split()[:MAX_COLUMNS]]
    return tuple(column if column not in found[:place] else None for place, column in enumerate(found))


@dataclass(frozen=True, slots=True)
class FileColumn:
    """A column of the file. place: from 0. cells: of the first rows. example: its first value."""

    place: int
    heading: str
    meaning: Column | None
    cells: tuple[str, ...]
    example: str


@dataclass(frozen=True, slots=True)
class Table:
    """A list that was read.

    encoding, delimiter: what was found, in words; "" for a workbook. header: the names of the columns in the file,
    for messages; our own names if the file has none. columns: those that have a name or a value. rows: without blank
    ones. heading: the number of the row that names the columns, 0 if none does. first: the numbers of the first rows,
    whose cells `columns` have. top: the numbers of the rows that may name the columns. sheet, sheets: of a workbook,
    the sheet that was read, and all sheets. problem: why the arbiter must first say what the columns are. doubts: what
    the arbiter should look at. shape: what lists of the same origin have in common.
    """

    filename: str
    encoding: str
    delimiter: str
    header: Mapping[Column, str]
    columns: tuple[FileColumn, ...]
    rows: tuple[RawRow, ...]
    heading: int = 1
    first: tuple[int, ...] = ()
    top: tuple[int, ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    problem: Reason | None = None
    doubts: tuple[Reason, ...] = ()
    shape: str = ""

    @property
    def headless(self) -> bool:
        return self.heading == 0

    @property
    def unused(self) -> tuple[FileColumn, ...]:
        return tuple(column for column in self.columns if column.meaning is None)

    @property
    def used(self) -> int:
        return len(self.columns) - len(self.unused)

    @property
    def meanings(self) -> tuple[Column | None, ...]:
        """What each column of the file is, as `Layout` has it."""
        known = {column.place: column.meaning for column in self.columns}
        return tuple(known.get(place) for place in range(max(known, default=-1) + 1))


@dataclass(frozen=True, slots=True)
class OpenedList:
    """The cells of a file, from which tables with other columns are made without reading it again.

    lines: the rows that are not blank. encoding, delimiter, sheet, sheets: as in `Table`. unsaved: as in `Sheet`.
    unclosed: the numbers of rows with a quotation mark that is not closed.
    """

    lines: Sequence[Line]
    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    unsaved: Mapping[int, frozenset[int]] = field(default_factory=dict)
    unclosed: Sequence[int] = ()


def read_entries(
    data: bytes, filename: str = "", layout: Layout = AUTOMATIC, offered: Collection[Column] = OF_ENTRIES
) -> Table:
    """Read a list of players. offered: what its columns can be.

    If it is not certain which column has the names, the table has a problem, guessed columns, and no rows.
    At most `MAX_BYTES` (`workbook.MAX_BYTES`), `MAX_ROWS` and `MAX_COLUMNS`. Cost: linear.
    Raises FileRefused, and nothing else, for any bytes.
    """
    return table_of(opened(data, layout), filename, layout, offered)


def opened(data: bytes, layout: Layout = AUTOMATIC) -> OpenedList:
    """Read the cells of a file, as the encoding, the delimiter and the sheet of the layout say. Raises FileRefused."""
    if workbook.is_workbook(data):
        return _opened_sheet(workbook.read_sheet(data, layout.sheet, **_LIMITS))
    if len(data) > workbook.MAX_BYTES:
        raise FileRefused("too_large", limit=MAX_BYTES // 1024)
    text, encoding = decode(data, layout.encoding, stated_encoding(data))
    if is_html(text):
        table = read_table(text, layout.sheet, **_LIMITS)
        return replace(_opened_sheet(table), encoding=encoding)
    if len(data) > MAX_BYTES:
        raise FileRefused("too_large", limit=MAX_BYTES // 1024)
    delimiter = layout.delimiter or delimiter_of(text)
    lines, unclosed = text_lines(text, delimiter)
    return OpenedList(lines, encoding, {"\t": "tab"}.get(delimiter, delimiter), unclosed=unclosed)


def named_entries(
    data: bytes, filename: str = "", layout: Layout = AUTOMATIC, offered: Collection[Column] = OF_ENTRIES
) -> Table:
    """Read a list of players for a program, which cannot be asked. Raises FileRefused, also if there is a problem."""
    table = read_entries(data, filename, layout, offered)
    if table.problem is not None:
        raise FileRefused(table.problem.code, **table.problem.params)
    return table


def _opened_sheet(sheet: workbook.Sheet) -> OpenedList:
    for number, cells in sheet.lines:
        if any(cells[MAX_COLUMNS:]):
            raise FileRefused("too_many_columns", row=number, limit=MAX_COLUMNS)
    if len(sheet.lines) > MAX_ROWS + HEADER_WITHIN:
        raise FileRefused("too_many_rows", limit=MAX_ROWS)
    return OpenedList(sheet.lines, sheet=sheet.name, sheets=sheet.names, unsaved=sheet.unsaved)


def correct(table: Table, corrections: Mapping[int, Mapping[Column, str]]) -> Table:
    """The table with the corrections of the arbiter. corrections: by row number and column; "" empties a cell.

    A text that is equal to the cell is an answer too: the name stays as it is, though it has no comma.
    """
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
    if not cells:
        return row
    new = {column: text for column, text in {**row.cells, **changed}.items() if text}
    faults, notes = (
        tuple(each for each in found if not set(each.cells) & set(changed))
        for found in (row.faults, row.notes)
    )
    return RawRow(row.number, new, faults, {column: row.cells.get(column, "") for column in cells}, notes)


def table_of(
    file: OpenedList,
    filename: str = "",
    layout: Layout = AUTOMATIC,
    offered: Collection[Column] = OF_ENTRIES,
) -> Table:
    """Return the rows of an opened file as `read_entries` does. Raises FileRefused."""
    lines = file.lines
    if not lines:
        raise FileRefused("empty")
    start = _start(lines, layout.heading)
    names, body = lines[start - 1][1] if start else [], [cells for _, cells in lines[start:]]
    if not body:
        raise FileRefused("empty")
    guess, problem = _columns(names, body, layout, offered)
    header = {column: (at < len(names) and names[at]) or column.value for column, at in guess.places.items()}
    width = len(layout.columns) if layout.columns is not None else len(names) if start else MAX_COLUMNS
    taken = set(guess.places.values())
    lost = {number: here for number, here in file.unsaved.items() if not here.isdisjoint(taken)}
    found = (
        _row(number, cells, guess.places, header, width) or (RawRow(number, {}) if number in lost else None)
        for number, cells in lines[start:]
    )
    rows: tuple[RawRow, ...] = ()
    if problem is None:
        rows = tuple(_noted(row, guess.places, header, lost) for row in found if row is not None)
        if not rows:
            raise FileRefused("empty")
    return Table(
        filename=filename,
        encoding=file.encoding,
        delimiter=file.delimiter,
        header=header,
        columns=_file_columns(names, body, guess.places),
        rows=rows,
        heading=lines[start - 1][0] if start else 0,
        first=tuple(number for number, _ in lines[start : start + SHOWN_ROWS]),
        top=tuple(number for number, _ in lines[:HEADER_WITHIN]),
        sheet=file.sheet,
        sheets=file.sheets,
        problem=problem,
        doubts=(*_unclosed(file), *guess.doubts),
        shape=_shape(names, body, offered),
    )


def _unclosed(file: OpenedList) -> list[Reason]:
    rows = file.unclosed
    params = {"rows": READER.listed(rows, longest=SHOWN_UNCLOSED), "n": len(rows)}
    return [Reason("unclosed", params)] if rows else []


def _columns(
    names: Sequence[str], body: Sequence[Sequence[str]], layout: Layout, offered: Collection[Column]
) -> tuple[Guess, Reason | None]:
    """Return what each column is, and why the arbiter must say it."""
    if layout.columns is not None:
        guess = Guess(
            {column: at for at, column in enumerate(layout.columns) if column in offered and column}
        )
        named = {Column.NAME, Column.LAST} & guess.places.keys()
        return guess, None if named else Reason("no_name_chosen")
    if not names:
        guess = guess_columns(body)
        return guess, None if guess.certain else Reason("headless", {"expected": EXPECTED})
    guess = assign(names, body, offered)
    if guess.certain:
        return guess, None
    found = READER.listed(filter(None, names), "comma")[:200]
    problem = Reason("no_name_column", {"expected": EXPECTED, "found": found})
    return replace(guess_columns(body, guess.places), doubts=guess.doubts), problem


def _file_columns(
    names: Sequence[str], body: Sequence[Sequence[str]], places: Mapping[Column, int]
) -> tuple[FileColumn, ...]:
    meanings = {at: column for column, at in places.items()}
    found = []
    for place in range(max(len(names), *map(len, body))):
        heading = names[place] if place < len(names) else ""
        cells = [row[place] if place < len(row) else "" for row in body]
        example = next(filter(None, cells), "")
        if heading or example:
            first = tuple(cell[:SHOWN_LETTERS] for cell in cells[:SHOWN_ROWS])
            found.append(FileColumn(place, heading, meanings.get(place), first, example[:SHOWN_LETTERS]))
    return tuple(found)


def _shape(names: Sequence[str], body: Sequence[Sequence[str]], offered: Collection[Column]) -> str:
    """Return what lists of the same origin have in common: the headings, without them the number of columns.

    A list of entries and one of registrations differ, because a column can be the e-mail address in one of them only.
    """
    kind = "registrations" if Column.EMAIL in offered else "entries"
    text = "\n".join([kind, *(names or [str(max(map(len, body)))])])
    return sha256(text.encode()).hexdigest()


def text_lines(text: str, delimiter: str, *, only: int | None = None) -> tuple[list[Line], list[int]]:
    """Return the rows that are not blank, each with its line number; all of them, or the first `only`.

    The second list has the numbers of rows with a quotation mark that is not closed, which are read as they stand.
    """
    out: list[Line] = []
    unclosed: list[int] = []
    for number, last, cells in _records(text, delimiter, unclosed):
        row = [clean(cell[: MAX_CELL + 1]) for cell in cells[: MAX_COLUMNS + 1]]
        if any(row):
            if len(cells) > MAX_COLUMNS and any(cell.strip() for cell in cells[MAX_COLUMNS:]):
                raise FileRefused("too_many_columns", row=number, limit=MAX_COLUMNS)
            out.append((number, row))
        if len(out) > MAX_ROWS + HEADER_WITHIN or last > MAX_LINES:
            raise FileRefused("too_many_rows", limit=MAX_ROWS)
        if only is not None and len(out) >= only:
            break
    return out, unclosed


def _records(text: str, delimiter: str, unclosed: list[int]) -> Iterator[tuple[int, int, list[str]]]:
    """Yield each row: its first line, its last line, its cells. unclosed: takes the numbers of such rows."""
    lines, read = list(io.StringIO(text, newline="")), 0
    while read < len(lines):
        reader = csv.reader(
            islice(lines, read, None), delimiter=delimiter, strict=True, skipinitialspace=True
        )
        number, before = read + 1, read
        try:
            for cells in reader:
                read = before + reader.line_num
                yield number, read, cells
                number = read + 1
        except csv.Error as error:
            line = lines[number - 1]
            if len(line) > csv.field_size_limit():
                raise FileRefused("line_too_long", row=number) from error
            if len(unclosed) == MAX_UNCLOSED:  # each of them may read much of the file again
                raise FileRefused("quotation", row=number) from error
            unclosed.append(number)
            read = number
            (cells,) = csv.reader([line], delimiter=delimiter, quoting=csv.QUOTE_NONE, skipinitialspace=True)
            yield (
                number,
                number,
                [cell[1:] if cell.startswith('"') and cell.count('"') == 1 else cell for cell in cells],
            )


def delimiter_of(text: str) -> str:
    """Return the separator with the most known column names; then the fewest quotation marks that are not closed, the
    fewest rows of another width, the most columns.
    """
    best, best_score = DELIMITERS[0], None
    for delimiter in DELIMITERS:
        try:
            lines, unclosed = text_lines(text, delimiter, only=SAMPLE_ROWS)
        except FileRefused as refused:
            if refused.reason.code == "quotation":
                continue
            raise
        rows = [cells for _, cells in lines]
        if not rows:
            raise FileRefused("empty")  # only separators
        widths = [len(cells) for cells in rows]
        usual = max(set(widths), key=widths.count)
        known = max(_known(cells) for cells in rows[:HEADER_WITHIN])
        score = (known, -len(unclosed), -sum(width != usual for width in widths), usual)
        if best_score is None or score > best_score:
            best, best_score = delimiter, score
    return best


def _known(cells: Sequence[str]) -> int:
    return sum(recognise(cell) is not None for cell in cells)


def _start(lines: Sequence[Line], heading: int | None) -> int:
    """Return the place of the first line of entries: behind the headings. heading: their row, if somebody chose it."""
    if heading is not None:
        return next((at for at, (number, _) in enumerate(lines, start=1) if number == heading), 0)
    top = [cells for _, cells in lines[:HEADER_WITHIN]]
    known = [_known(cells) for cells in top]
    most = max(known)
    place = known.index(most)
    if most >= 2 or (most == 1 and len([cell for cell in top[place] if cell]) == 1):
        return place + 1
    return int(has_heading([cells for _, cells in lines]))


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
