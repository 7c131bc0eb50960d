"""Reads a sheet of an .xls, .xlsb or .ods file. It runs as a program of its own: `read_apart` of spreadsheets.py
starts it.

The library gives each sheet the memory for all cells up to the last one, so a small file with one cell far away could
take all memory of the server, and ends the whole process if there is none. This process may have `MOST_MEMORY`.
Therefore it imports nothing of Evenboard. It reads the file from its standard input and writes one JSON value:
{"sheet", "sheets", "lines"}, or {"refused", "params"} with a code of list_refusals.py.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, time
from typing import Any

MOST_MEMORY = 512 * 1024**2
"""Of the whole process. A full list takes 40 MB. Windows has no such limit; there a process still ends alone."""
LONGEST = 20
"""Seconds."""


def cell_text(value: Any) -> str:
    """Return a cell as a person reads it in the sheet. Dates are 1990-05-06, whole numbers have no decimal point."""
    if value is None:
        return ""
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def read(data: bytes, wanted: str, most_lines: int, most_columns: int, most_letters: int) -> dict[str, Any]:
    """Return what `WorkbookSheet` has of the sheet `wanted`, else of the first sheet with rows."""
    from python_calamine import CalamineError, PasswordError, SheetVisibleEnum, load_workbook

    try:
        book = load_workbook(io.BytesIO(data))
    except PasswordError:
        return {"refused": "workbook_locked"}
    except CalamineError:
        return {"refused": "workbook_damaged"}
    names = [sheet.name for sheet in book.sheets_metadata if sheet.visible == SheetVisibleEnum.Visible]
    for name in [wanted] if wanted in names else names:
        sheet = book.get_sheet_by_name(name)
        if sheet.end is None or sheet.start is None:
            continue
        if sheet.end[0] >= most_lines:
            return {"refused": "too_many_lines", "params": {"limit": most_lines}}
        rows = sheet.to_python(skip_empty_area=False)
        lines = list(_lines(rows, most_columns, most_letters))
        if lines:
            return {"sheet": name, "sheets": names, "lines": lines}
    return {"refused": "empty"}


def _lines(rows: list[list[Any]], most_columns: int, most_letters: int) -> Iterator[tuple[int, list[str]]]:
    for number, cells in enumerate(rows, start=1):
        texts = [cell_text(cell)[: most_letters + 1] for cell in cells[: most_columns + 1]]
        while texts and not texts[-1]:
            texts.pop()
        if texts:
            yield number, texts


def _limit() -> None:
    with suppress(ImportError):  # Windows
        import resource

        with suppress(ValueError):  # macOS reserves more address space for a process than this
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    _limit()
    asked = json.loads(sys.argv[1])
    json.dump(read(sys.stdin.buffer.read(), **asked), sys.stdout)
