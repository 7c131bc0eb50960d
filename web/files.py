"""Files that a browser saves, and files that it sends: kept between their preview and their confirmation."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from tournaments.files.table_files import Write, csv_file, xlsx_file
from tournaments.models import KeptUpload, Section

# Files that a browser saves.

TABLES: dict[str, tuple[Write, str]] = {
    "csv": (csv_file, "text/csv; charset=utf-8"),
    "xlsx": (xlsx_file, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}
"""By the ending of the file's name: how a table is written, and the content type."""


def file_response(content: bytes, name: str, kind: str) -> HttpResponse:
    """Answer with a file of that name and content type."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=headers)


def table_response(make: Callable[[Write], bytes], name: str, kind: str) -> HttpResponse:
    """Answer with a table as a file of that kind: csv or xlsx."""
    write, content_type = TABLES[kind]
    return file_response(make(write), f"{name}.{kind}", content_type)


def file_name(section: Section, ending: str) -> str:
    """The event, the section and `ending`. Slugs are safe in a header."""
    return f"{section.event.slug}-{section.slug}{ending}"


# Keeps an uploaded file between its preview and its confirmation, which another host may answer.
#
# Each session has one file; a new one replaces it. A file that nobody confirms is deleted after two hours.

KEY = "upload"
MOST_FILES = 200
MOST_CORRECTIONS = 2_000
"""Cells. They are kept in the session, which is read with each request."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that waits for its confirmation. name: from the browser. token: the preview sends it back.

    corrections: new texts for cells, by row and name of the column.
    choices: as `Choices.data` gives them. pasted: the rows were pasted, not sent as a file.
    """

    name: str
    data: bytes
    token: str
    corrections: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    choices: Mapping[str, Any] = field(default_factory=dict)
    pasted: bool = False


def _token_in(request: HttpRequest, place: str | None = None) -> str:
    """Return the token of the session's file, "" if there is none, or none for this place."""
    held = request.session.get(KEY)
    if not isinstance(held, dict) or place not in (None, held.get("place")):
        return ""
    return str(held.get("token"))


def keep_upload(request: HttpRequest, place: str, name: str, data: bytes, *, pasted: bool = False) -> None:
    """Keep a file for this session. place: its purpose; it cannot be used for anything else."""
    forget_upload(request)
    newest = KeptUpload.objects.order_by("-at").values_list("pk", flat=True)
    KeptUpload.objects.filter(pk__in=list(newest[MOST_FILES:])).delete()
    token = KeptUpload.objects.create(token=secrets.token_hex(16), data=data).pk
    request.session[KEY] = {"token": token, "place": place, "name": name[:120], "pasted": pasted}


def correct_upload(
    request: HttpRequest,
    file: Upload,
    corrections: Mapping[str, Mapping[str, str]],
    choices: Mapping[str, Any],
) -> int:
    """Replace the corrections and the choices of the file; return how many cells beyond `MOST_CORRECTIONS` are lost.

    The token changes, so that a page that showed other corrections cannot confirm the file.
    """
    kept: dict[str, dict[str, str]] = {}
    cells = [(row, name, text) for row, found in corrections.items() for name, text in found.items()]
    for row, name, text in cells[:MOST_CORRECTIONS]:
        kept.setdefault(row, {})[name] = text
    token = secrets.token_hex(16)
    KeptUpload.objects.filter(pk=file.token).update(token=token)
    request.session[KEY] = {
        **request.session[KEY],
        "token": token,
        "corrections": kept,
        "choices": dict(choices),
    }
    return len(cells[MOST_CORRECTIONS:])


def kept_upload(request: HttpRequest, place: str) -> Upload | None:
    """Return the file of this session for that place, None if it is gone."""
    since = timezone.now() - KeptUpload.LASTS
    row = KeptUpload.objects.filter(pk=_token_in(request, place), at__gt=since).first()
    if row is None:
        return None
    held = request.session[KEY]
    return Upload(
        name=held["name"],
        data=bytes(row.data),
        token=row.token,
        corrections=held.get("corrections", {}),
        choices=held.get("choices", {}),
        pasted=held.get("pasted", False),
    )


def forget_upload(request: HttpRequest) -> None:
    """Delete the file of this session."""
    if token := _token_in(request):
        KeptUpload.objects.filter(pk=token).delete()
        del request.session[KEY]
