"""Files that a browser saves."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse

from tournaments.exports.table_files import Write, csv_file, xlsx_file
from tournaments.models import Section

TABLES: dict[str, tuple[Write, str]] = {
    "csv": (csv_file, "text/csv; charset=utf-8"),
    "xlsx": (xlsx_file, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}
"""By the ending of the file's name: how a table is written, and the content type."""


def download(content: bytes, name: str, kind: str) -> HttpResponse:
    """Answer with a file of that name and content type."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=headers)


def table_download(make: Callable[[Write], bytes], name: str, kind: str) -> HttpResponse:
    """Answer with a table as a file of that kind: csv or xlsx."""
    write, content_type = TABLES[kind]
    return download(make(write), f"{name}.{kind}", content_type)


def file_name(section: Section, ending: str) -> str:
    """The event, the section and `ending`. Slugs are safe in a header."""
    return f"{section.event.slug}-{section.slug}{ending}"
