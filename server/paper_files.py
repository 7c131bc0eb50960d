"""Write the papers of the current rounds into files on the spare, which open without any server:
`python -m server.paper_files ADDRESS`.

Each section has one page with its pairings, names, slips and standings, and the same as PDF if this computer has
Chromium, Chrome or Edge. ADDRESS is that of the first server, for the codes on the slips. The spare starts this as a
process of its own with low priority, and it makes only what has changed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from server.chromium import find_chromium

if TYPE_CHECKING:
    from server.spare_state import StateReceiver
    from tournaments.queries.spare import HeldRound

FOLDER = "papers"
MADE = "made.json"
PAUSE = 15.0  # seconds between two starts
LONGEST = 300.0  # seconds for one PDF
PAPERS = ("boards", "names", "slips", "standings")
STYLES = ("tokens", "base", "components", "print")


class PaperFiles:
    """Keeps the files up to date. failed: the last process did not end well."""

    def __init__(self, receiver: StateReceiver) -> None:
        self.folder = receiver.folder / FOLDER
        self._receiver, self._version, self._began = receiver, "", -PAUSE
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def failed(self) -> bool:
        return self._process is not None and bool(self._process.poll())

    def look(self) -> None:
        """Start the process if there is a new state."""
        runs = self._process is not None and self._process.poll() is None
        version, now = self._receiver.held.version, time.monotonic()
        if runs or version == self._version or now - self._began < PAUSE:
            return
        self._version, self._began = version, now
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-m", "server.paper_files", self._receiver.source],
            cwd=Path(__file__).resolve().parent.parent,
            creationflags=getattr(subprocess, "IDLE_PRIORITY_CLASS", 0),
        )


def main(address: str) -> int:
    """Write what has changed. Return the exit status."""
    if hasattr(os, "nice"):
        os.nice(10)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["*"]
    django.setup()
    from django.db import connections

    from server.spare import STATE
    from tournaments.models.spare import SPARE, guard
    from tournaments.queries.spare import held_rounds

    guard.refused = SPARE
    spare = Path(settings.VAR_DIR) / "spare"
    version = json.loads((spare / STATE).read_text(encoding="utf-8"))["version"]
    state = spare / f"state-{version}.sqlite3"
    connections.settings["default"].update(NAME=f"{state.as_uri()}?immutable=1", OPTIONS={})
    folder = spare / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    index = folder / MADE
    made = json.loads(index.read_text(encoding="utf-8")) if index.is_file() else {}
    status, current = 0, dict[str, int]()
    for row in held_rounds():
        name = f"{row.section.event.slug}-{row.section.slug}-{row.number}"
        try:
            if made.get(name) != row.section.revision or not (folder / f"{name}.html").is_file():
                write_paper(folder / f"{name}.html", round_page(row, address))
            current[name] = row.section.revision
        except (OSError, subprocess.SubprocessError) as error:  # such as a PDF that is open, on Windows
            print(f"{name}: {error}", file=sys.stderr)
            status, current[name] = 1, -1
    for path in folder.iterdir():
        if path != index and path.stem not in current:
            with suppress(PermissionError):
                path.unlink()
    index.write_text(json.dumps(current), encoding="utf-8")
    return status


def round_page(row: HeldRound, address: str) -> str:
    """Return a page with all papers of a round, which needs nothing beside it."""
    from django.contrib.staticfiles.finders import find
    from django.template.loader import render_to_string
    from django.test import RequestFactory

    from tournaments.models import User
    from tournaments.models.entries import names_for_arbiters
    from web.views.public.paper import sheets_context
    from web.views.public.public_page import visit_of

    parts = urlsplit(address)
    factory = RequestFactory(HTTP_HOST=parts.netloc or "localhost")
    request = factory.get("/", secure=parts.scheme == "https")
    request.user = User(username="spare", is_superuser=True)
    visit = visit_of(request, row.section.event.slug, row.section.slug)
    sheets: list[str] = []
    with names_for_arbiters():
        for document in PAPERS:
            number = None if document == "standings" else row.number
            context = sheets_context(request, visit, document, number)
            context |= {"frame": "print/sheets.html", "under": bool(sheets)}
            sheets.append(render_to_string(f"print/{document}.html", context, request))
    styles = "\n".join(Path(str(find(f"css/{name}.css"))).read_text(encoding="utf-8") for name in STYLES)
    about = {"number": row.number, "section": visit.section, "sheets": sheets, "styles": styles}
    return render_to_string("print/paper-file.html", about)


def write_paper(path: Path, page: str) -> None:
    """Write a page, and the same as PDF if a browser can make it. Raises OSError."""
    from tournaments.actions.stored_copies import write_whole

    write_whole(path, page.encode())
    if (chromium := find_chromium()) is None:
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        pdf = Path(place, "paper.pdf")
        command = [str(chromium), "--headless", "--disable-gpu", "--no-first-run", f"--user-data-dir={place}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.append("--no-sandbox")  # Chromium refuses to start for root otherwise
        command += ["--no-pdf-header-footer", f"--print-to-pdf={pdf}", path.as_uri()]
        subprocess.run(  # noqa: S603 - the page is ours and has no script
            command, check=True, timeout=LONGEST, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        write_whole(path.with_suffix(".pdf"), pdf.read_bytes())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
