"""Files that a browser saves, and files that it sends: kept between their preview and their confirmation."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from tournaments.files.table_files import Write, csv_file, xlsx_file
from tournaments.models import Section

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


# Keeps an uploaded file on the server between its preview and its confirmation.
#
# Each session has one file; a new one replaces it. A file that nobody confirms is removed after two hours.

KEY = "upload"
LIFE = 2 * 60 * 60  # seconds
MOST_FILES = 200
MOST_CORRECTIONS = 2_000
"""Cells. They are kept in the session, which is read with each request."""
TOKEN = re.compile(r"[0-9a-f]{32}")


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


def _directory() -> Path:
    path = Path(settings.VAR_DIR) / "uploads"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def _write(data: bytes) -> str:
    """Write a file that only this user can read, and return its token."""
    token = secrets.token_hex(16)
    path = _directory() / token
    try:
        path.touch(mode=0o600)
        path.write_bytes(data)
    except OSError:  # such as a full disk: no part of a file may stay
        path.unlink(missing_ok=True)
        raise
    return token


def keep_upload(request: HttpRequest, place: str, name: str, data: bytes, *, pasted: bool = False) -> None:
    """Keep a file for this session. place: its purpose; it cannot be used for anything else."""
    forget_upload(request)
    _sweep()
    token = _write(data)
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
    token = _write(file.data)
    (_directory() / file.token).unlink(missing_ok=True)
    request.session[KEY] = {
        **request.session[KEY],
        "token": token,
        "corrections": kept,
        "choices": dict(choices),
    }
    return len(cells[MOST_CORRECTIONS:])


def kept_upload(request: HttpRequest, place: str) -> Upload | None:
    """The file of this session for that place, None if it is gone."""
    held = request.session.get(KEY)
    if (
        not isinstance(held, dict)
        or held.get("place") != place
        or not TOKEN.fullmatch(str(held.get("token")))
    ):
        return None
    try:
        data = (_directory() / held["token"]).read_bytes()
    except FileNotFoundError:
        return None
    return Upload(
        name=held["name"],
        data=data,
        token=held["token"],
        corrections=held.get("corrections", {}),
        choices=held.get("choices", {}),
        pasted=held.get("pasted", False),
    )


def forget_upload(request: HttpRequest) -> None:
    """Remove the file of this session."""
    held = request.session.pop(KEY, None)
    if isinstance(held, dict) and TOKEN.fullmatch(str(held.get("token"))):
        (_directory() / held["token"]).unlink(missing_ok=True)


def _sweep() -> None:
    """Remove files that are too old, and the oldest ones if there are too many."""
    files = sorted(_directory().iterdir(), key=_age)
    now = time.time()
    for place, path in enumerate(reversed(files)):
        if place >= MOST_FILES or now - _age(path) > LIFE:
            path.unlink(missing_ok=True)


def _age(path: Path) -> float:
    """When the file was written; 0 if another request has just removed it."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
