"""Reads an entry list (CSV, a workbook, a table of a page, or pasted from a spreadsheet) into values of entries.

First into rows of named cells, then into values, or into reasons why a row is refused.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import Any

from base.reader import READER
from tournaments.player_fields import PLAIN

from . import cell_values, spreadsheets
from .cell_values import has_games
from .columns import EXPECTED, OF_ENTRIES, OF_NAMES, RATINGS, ListColumn, recognise
from .guess_columns import Guess, assign_columns, guess_columns, has_heading
from .list_refusals import CellRefused, FileRefused, RefusalReason
from .spreadsheets import SheetLine, clean_cell, decode, is_html, read_html_table, stated_encoding

# Reads an entry list (CSV, a workbook, a table of a page, or pasted from a spreadsheet) into rows of named
# cells.

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
    cells: Mapping[ListColumn, str]
    faults: tuple[RefusalReason, ...] = ()
    corrected: Mapping[ListColumn, str] = field(default_factory=dict)
    notes: tuple[RefusalReason, ...] = ()


@dataclass(frozen=True, slots=True)
class ListLayout:
    """How a list is read; the program finds out what is "" or None.

    encoding: as in `decode`. sheet: of a workbook. heading: the number of the row that names the columns, 0 if none
    does. columns: what each column is, None for one that is not used.
    """

    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""
    heading: int | None = None
    columns: tuple[ListColumn | None, ...] | None = None


AUTOMATIC = ListLayout()


def spelled_columns(columns: Sequence[ListColumn | None]) -> str:
    """Return what the columns are as an address has it: "name - fide_id"."""
    return " ".join(column.name.lower() if column else "-" for column in columns)


def columns_spelled(text: str) -> tuple[ListColumn | None, ...] | None:
    """Return what `spelled_columns` gives; None for "". Words that are no column count as not used."""
    if not text:
        return None
    known = {column.name.lower(): column for column in ListColumn}
    found = [known.get(word.lower()) for word in text.split()[:MAX_COLUMNS]]
    return tuple(column if column not in found[:place] else None for place, column in enumerate(found))


@dataclass(frozen=True, slots=True)
class FileColumn:
    """A column of the file. place: from 0. cells: of the first rows. example: its first value."""

    place: int
    heading: str
    meaning: ListColumn | None
    cells: tuple[str, ...]
    example: str


@dataclass(frozen=True, slots=True)
class ListTable:
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
    header: Mapping[ListColumn, str]
    columns: tuple[FileColumn, ...]
    rows: tuple[RawRow, ...]
    heading: int = 1
    first: tuple[int, ...] = ()
    top: tuple[int, ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    problem: RefusalReason | None = None
    doubts: tuple[RefusalReason, ...] = ()
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
    def meanings(self) -> tuple[ListColumn | None, ...]:
        """What each column of the file is, as `ListLayout` has it."""
        known = {column.place: column.meaning for column in self.columns}
        return tuple(known.get(place) for place in range(max(known, default=-1) + 1))


@dataclass(frozen=True, slots=True)
class OpenedList:
    """The cells of a file, from which tables with other columns are made without reading it again.

    lines: the rows that are not blank. encoding, delimiter, sheet, sheets: as in `ListTable`. unsaved: as in
    `WorkbookSheet`.
    unclosed: the numbers of rows with a quotation mark that is not closed.
    """

    lines: Sequence[SheetLine]
    encoding: str = ""
    delimiter: str = ""
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    unsaved: Mapping[int, frozenset[int]] = field(default_factory=dict)
    unclosed: Sequence[int] = ()


def read_entries(
    data: bytes,
    filename: str = "",
    layout: ListLayout = AUTOMATIC,
    offered: Collection[ListColumn] = OF_ENTRIES,
) -> ListTable:
    """Read a list of players. offered: what its columns can be.

    If it is not certain which column has the names, the table has a problem, guessed columns, and no rows.
    At most `MAX_BYTES` (`workbook.MAX_BYTES`), `MAX_ROWS` and `MAX_COLUMNS`. Cost: linear.
    Raises FileRefused, and nothing else, for any bytes.
    """
    return table_of(opened_list(data, layout), filename, layout, offered)


def opened_list(data: bytes, layout: ListLayout = AUTOMATIC) -> OpenedList:
    """Read the cells of a file, as the encoding, the delimiter and the sheet of the layout say. Raises FileRefused."""
    if spreadsheets.is_workbook(data):
        return _opened_sheet(spreadsheets.read_sheet(data, layout.sheet, **_LIMITS))
    if len(data) > spreadsheets.MAX_BYTES:
        raise FileRefused("too_large", limit=MAX_BYTES // 1024)
    text, encoding = decode(data, layout.encoding, stated_encoding(data))
    if is_html(text):
        table = read_html_table(text, layout.sheet, **_LIMITS)
        return replace(_opened_sheet(table), encoding=encoding)
    if len(data) > MAX_BYTES:
        raise FileRefused("too_large", limit=MAX_BYTES // 1024)
    delimiter = layout.delimiter or delimiter_of(text)
    lines, unclosed = text_lines(text, delimiter)
    return OpenedList(lines, encoding, {"\t": "tab"}.get(delimiter, delimiter), unclosed=unclosed)


def named_entries(
    data: bytes,
    filename: str = "",
    layout: ListLayout = AUTOMATIC,
    offered: Collection[ListColumn] = OF_ENTRIES,
) -> ListTable:
    """Read a list of players for a program, which cannot be asked. Raises FileRefused, also if there is a problem."""
    table = read_entries(data, filename, layout, offered)
    if table.problem is not None:
        raise FileRefused(table.problem.code, **table.problem.params)
    return table


def _opened_sheet(sheet: spreadsheets.WorkbookSheet) -> OpenedList:
    for number, cells in sheet.lines:
        if any(cells[MAX_COLUMNS:]):
            raise FileRefused("too_many_columns", row=number, limit=MAX_COLUMNS)
    if len(sheet.lines) > MAX_ROWS + HEADER_WITHIN:
        raise FileRefused("too_many_rows", limit=MAX_ROWS)
    return OpenedList(sheet.lines, sheet=sheet.name, sheets=sheet.names, unsaved=sheet.unsaved)


def corrected_list(table: ListTable, corrections: Mapping[int, Mapping[ListColumn, str]]) -> ListTable:
    """The table with the corrections of the arbiter. corrections: by row number and column; "" empties a cell.

    A text that is equal to the cell is an answer too: the name stays as it is, though it has no comma.
    """
    if not corrections:
        return table
    columns = {column for cells in corrections.values() for column in cells}
    return replace(
        table,
        header={**{column: column.value for column in ListColumn if column in columns}, **table.header},
        rows=tuple(_corrected(row, corrections.get(row.number, {})) for row in table.rows),
    )


def _corrected(row: RawRow, cells: Mapping[ListColumn, str]) -> RawRow:
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
    layout: ListLayout = AUTOMATIC,
    offered: Collection[ListColumn] = OF_ENTRIES,
) -> ListTable:
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
    return ListTable(
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


def _unclosed(file: OpenedList) -> list[RefusalReason]:
    rows = file.unclosed
    params = {"rows": READER.listed(rows, longest=SHOWN_UNCLOSED), "n": len(rows)}
    return [RefusalReason("unclosed", params)] if rows else []


def _columns(
    names: Sequence[str], body: Sequence[Sequence[str]], layout: ListLayout, offered: Collection[ListColumn]
) -> tuple[Guess, RefusalReason | None]:
    """Return what each column is, and why the arbiter must say it."""
    if layout.columns is not None:
        guess = Guess(
            {column: at for at, column in enumerate(layout.columns) if column in offered and column}
        )
        named = {ListColumn.NAME, ListColumn.LAST} & guess.places.keys()
        return guess, None if named else RefusalReason("no_name_chosen")
    if not names:
        guess = guess_columns(body)
        return guess, None if guess.certain else RefusalReason("headless", {"expected": EXPECTED})
    guess = assign_columns(names, body, offered)
    if guess.certain:
        return guess, None
    found = READER.listed(filter(None, names), "comma")[:200]
    problem = RefusalReason("no_name_column", {"expected": EXPECTED, "found": found})
    return replace(guess_columns(body, guess.places), doubts=guess.doubts), problem


def _file_columns(
    names: Sequence[str], body: Sequence[Sequence[str]], places: Mapping[ListColumn, int]
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


def _shape(names: Sequence[str], body: Sequence[Sequence[str]], offered: Collection[ListColumn]) -> str:
    """Return what lists of the same origin have in common: the headings, without them the number of columns.

    A list of entries and one of registrations differ, because a column can be the e-mail address in one of them only.
    """
    kind = "registrations" if ListColumn.EMAIL in offered else "entries"
    text = "\n".join([kind, *(names or [str(max(map(len, body)))])])
    return sha256(text.encode()).hexdigest()


def text_lines(text: str, delimiter: str, *, only: int | None = None) -> tuple[list[SheetLine], list[int]]:
    """Return the rows that are not blank, each with its line number; all of them, or the first `only`.

    The second list has the numbers of rows with a quotation mark that is not closed, which are read as they stand.
    """
    out: list[SheetLine] = []
    unclosed: list[int] = []
    for number, last, cells in _records(text, delimiter, unclosed):
        row = [clean_cell(cell[: MAX_CELL + 1]) for cell in cells[: MAX_COLUMNS + 1]]
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


def _start(lines: Sequence[SheetLine], heading: int | None) -> int:
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
    places: Mapping[ListColumn, int],
    header: Mapping[ListColumn, str],
    unsaved: Mapping[int, frozenset[int]],
) -> RawRow:
    """The row with a note for each cell whose formula has no stored value, or whose rating has a number of games."""
    here = unsaved.get(row.number, frozenset())
    columns = [column for column, at in places.items() if at in here]
    notes = [
        RefusalReason("unsaved_formula", {"column": header[column]}, cells=(column,)) for column in columns
    ]
    notes += [
        RefusalReason(
            "games_left_out", {"column": header[column], "value": row.cells[column]}, cells=(column,)
        )
        for column in RATINGS
        if has_games(row.cells.get(column, ""))
    ]
    return replace(row, notes=tuple(notes)) if notes else row


def _row(
    number: int,
    cells: Sequence[str],
    places: Mapping[ListColumn, int],
    header: Mapping[ListColumn, str],
    width: int,
) -> RawRow | None:
    """A row of the list, or None if its known columns are blank. width: number of columns in the header."""
    found = {column: cells[at] for column, at in places.items() if at < len(cells) and cells[at]}
    if not found:
        return None
    if any(cells[width:]):
        return RawRow(number, found, (RefusalReason("row_too_long"),))
    faults = tuple(
        RefusalReason("cell_too_long", {"column": header[column], "limit": MAX_CELL}, cells=(column,))
        for column, cell in found.items()
        if len(cell) > MAX_CELL
    )
    return RawRow(number, found, faults)


# Turns rows of named cells into values of an entry, or into reasons why a row is refused.

_READERS: dict[ListColumn, tuple[str, Callable[[str], Any]]] = {
    ListColumn.FEDERATION: ("federation", cell_values.federation),
    ListColumn.FIDE_ID: ("fide_id", cell_values.fide_id),
    ListColumn.NATIONAL_ID: ("national_id", cell_values.national_id),
    ListColumn.BIRTH_DATE: ("birth_date", cell_values.birth_date),
    **{
        ListColumn(field.name): (field.name, partial(cell_values.at_most, limit=field.longest))
        for field in PLAIN
    },
    ListColumn.TEAM: ("team", cell_values.team),
    ListColumn.FLAGS: ("pairing_flags", cell_values.pairing_flags),
    ListColumn.BYES: ("byes", cell_values.rounds),
    ListColumn.NOTE: ("note", cell_values.note),
}


@dataclass(frozen=True)
class ReadRow:
    """A row as values. values: by the names of `EntryData`, and "byes"; blank cells are not in it.

    In `values`, rating is None if the row says "unrated", estimated is True if it says that the rating is, and
    other_title is a title that FIDE does not have. raw: the row as it was read.
    """

    number: int
    name: str
    raw: RawRow
    values: Mapping[str, Any] = field(default_factory=dict)
    reasons: tuple[RefusalReason, ...] = ()

    @property
    def fide_id(self) -> int | None:
        return self.values.get("fide_id")

    @property
    def birth_date(self) -> str:
        return str(self.values.get("birth_date", ""))


def read_entry_rows(table: ListTable, day_first: bool | None = None) -> tuple[ReadRow, ...]:
    """The rows of a table in their order, each with everything that is wrong in it.

    day_first: the arbiter's answer whether 05/06/1990 is in June. Without one, the other dates of the column decide.
    """

    def texts(column: ListColumn) -> frozenset[str]:
        return frozenset(row.cells[column] for row in table.rows if column in row.cells)

    order = _order_of_dates(table, texts(ListColumn.BIRTH_DATE)) if day_first is None else day_first
    titles = cell_values.national_titles(texts(ListColumn.TITLE))
    readers: dict[ListColumn, tuple[str, Callable[[str], Any]]] = {
        ListColumn.SEX: (
            "sex",
            partial(
                cell_values.sex,
                meanings=cell_values.sexes_of_column(
                    table.header.get(ListColumn.SEX, ""), texts(ListColumn.SEX)
                ),
            ),
        ),
        ListColumn.TITLE: (
            "title",
            lambda text: (cell_values.title(text, titles), cell_values.other_title(text, titles)),
        ),
        **_READERS,
        ListColumn.BIRTH_DATE: ("birth_date", partial(cell_values.birth_date, day_first=order)),
    }
    return tuple(_read(row, table.header, readers) for row in table.rows)


def _order_of_dates(table: ListTable, texts: Iterable[str]) -> bool | None:
    return cell_values.day_first_in(texts, table.header.get(ListColumn.BIRTH_DATE, ""))


@dataclass(frozen=True, slots=True)
class DatesRead:
    """How dates with two readings, such as `example`, are read because the date in row `number` shows the order."""

    example: str
    number: int
    day_first: bool


def dates_read(table: ListTable) -> DatesRead | None:
    """How the column of birth dates says in which order its dates are written. None without a date that needs it."""
    texts = {
        row.number: row.cells[ListColumn.BIRTH_DATE]
        for row in table.rows
        if ListColumn.BIRTH_DATE in row.cells
    }
    order = _order_of_dates(table, texts.values())
    example = next(filter(cell_values.has_two_readings, texts.values()), None)
    if order is None or example is None:
        return None
    number = next(
        (number for number, text in texts.items() if cell_values.order_of(text) is not None), table.heading
    )
    return DatesRead(example, number, order)


def _read(
    row: RawRow,
    header: Mapping[ListColumn, str],
    readers: Mapping[ListColumn, tuple[str, Callable[[str], Any]]],
) -> ReadRow:
    if row.faults:
        return ReadRow(row.number, _shown(_raw_name(row)), row, reasons=row.faults)
    values: dict[str, Any] = {}
    reasons: list[RefusalReason] = []

    def take(column: ListColumn, name: str, reader: Callable[[str], Any]) -> None:
        text = row.cells.get(column)
        if text is None:
            return
        try:
            values[name] = reader(text)
        except CellRefused as refused:
            details = {"column": header[column], "value": _shown(text), **refused.extra}
            reasons.append(
                RefusalReason(refused.code, details, cells=(column,), suggestion=refused.suggestion)
            )

    for column in (ListColumn.NAME, *OF_NAMES):
        take(column, column.value, cell_values.name)
    parts = {column: values.pop(column.value, "") for column in OF_NAMES}
    name = values.pop(ListColumn.NAME.value, None) or _joined(parts)
    if not name and not reasons:
        column = ListColumn.NAME if ListColumn.NAME in header else ListColumn.LAST
        reasons.append(RefusalReason("no_name", {"column": header[column]}, cells=(column,)))
    for column, (key, reader) in readers.items():
        take(column, key, reader)
    if "title" in values:
        values["title"], other = values["title"]
        if other:
            values["other_title"] = other
    _take_rating(row, values, header, take)
    return ReadRow(row.number, name or _shown(_raw_name(row)), row, values=values, reasons=tuple(reasons))


_LETTERS = {"F": ListColumn.FIDE_RATING, "N": ListColumn.NATIONAL_RATING, "E": ListColumn.RATING}


def _take_rating(
    row: RawRow,
    values: dict[str, Any],
    header: Mapping[ListColumn, str],
    take: Callable[[ListColumn, str, Callable[[str], Any]], None],
) -> None:
    """Find the tournament rating: the plain one, else FIDE's, else the national one. FIDE's is the official rating.

    A letter behind a rating says which one it is. If no column is called "FIDE rating", the plain rating of a player
    with a FIDE ID is also the official one.
    """
    found: dict[ListColumn, Any] = {}
    letters = set()
    for column in RATINGS:
        take(column, column.value, cell_values.rating)
        if (value := values.pop(column.value, None)) is not None:
            letter = cell_values.which_rating(row.cells[column])
            if "rating" not in values:
                values |= {"rating": value, **({"estimated": True} if letter == "E" else {})}
            found.setdefault(_LETTERS.get(letter, column), value)
            letters.add(letter)
    if ListColumn.NATIONAL_RATING in found:
        values["national_rating"] = found[ListColumn.NATIONAL_RATING]
    if ListColumn.FIDE_RATING in found:
        values["official_rating"] = found[ListColumn.FIDE_RATING]
    elif (
        ListColumn.FIDE_RATING not in header
        and ListColumn.RATING in found
        and values.get("fide_id")
        and letters == {""}
    ):
        values["official_rating"] = found[ListColumn.RATING]


def _joined(parts: Mapping[ListColumn, str]) -> str:
    surname = " ".join(
        filter(
            None, (parts[column] for column in (ListColumn.PREFIX, ListColumn.LAST, ListColumn.SECOND_LAST))
        )
    )
    given = " ".join(filter(None, (parts[column] for column in (ListColumn.GIVEN, ListColumn.MIDDLE))))
    return (
        f"{surname}, {given}"
        if parts[ListColumn.LAST] and given
        else surname
        if parts[ListColumn.LAST]
        else ""
    )


def _raw_name(row: RawRow) -> str:
    cells = [row.cells.get(column, "") for column in (ListColumn.NAME, *OF_NAMES)]
    return ", ".join(cell for cell in cells if cell)


def _shown(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
