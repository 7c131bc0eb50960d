"""Files that last: the report file in older formats, with a page that says what is lost, and the archive."""

from __future__ import annotations

from collections.abc import Callable
from io import SEEK_END
from tempfile import TemporaryFile
from typing import IO, cast

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import redirect, render

from evenboard_engine.trf import FORMATS
from tournaments.actions.archives import note_archive
from tournaments.errors import DomainError
from tournaments.exports.archive import write_archive, write_event_archive
from tournaments.exports.older_report import older_report
from tournaments.models import Event, Section
from tournaments.rights import Right
from web.context import section_context, section_url
from web.downloads import download, file_name
from web.requests import PersonRequest
from web.words.log_sentences import sentence_of
from web.words.lost import lost_sentences
from web.words.refusals import explain

from .access import ARCHIVE, COPIES, actor_of, event_page, section_page

IN_MEMORY = 4 * 1024**2
"""Bytes. A larger archive is sent from the disk, part by part."""


@section_page("GET", "HEAD")
def older_format(request: PersonRequest, section: Section, trf: str) -> HttpResponse:
    """Show what the format cannot hold. With ?file=yes, send the file."""
    if trf not in FORMATS:
        raise Http404
    content, lost = older_report(section, trf)
    if request.GET.get("file") == "yes":
        return download(content, file_name(section, f"-trf{trf}.trf"), "text/plain; charset=utf-8")
    context = {
        **section_context(request, section, "documents"),
        "format": f"TRF{trf}",
        "trf": trf,
        "lost": lost_sentences(lost),
    }
    return render(request, "staff/older_format.html", context)


@section_page("GET", "HEAD", permission=COPIES)
def archive(request: PersonRequest, section: Section) -> HttpResponse:
    """Send everything about the section as one file. The log notes it."""
    made = _written(lambda file: write_archive(section, file, sentence_of))
    if isinstance(made, DomainError):
        messages.warning(request, explain(made))
        return redirect(section_url("documents", section))
    note_archive(actor=actor_of(request), event_id=section.event_id, subject=section.name)
    return sent_archive(made, file_name(section, ".zip"))


@event_page("GET", "HEAD", permission=ARCHIVE)
def event_archive(request: PersonRequest, event: Event) -> HttpResponse:
    """Send the archives of all sections of the event, and its registrations, as one file. The log notes it."""
    sees, manages = Right.SEE_REGISTRATIONS in request.rights, Right.MANAGE in request.rights
    made = _written(
        lambda file: write_event_archive(event, file, sentence_of, registrations=sees, whole_copy=manages)
    )
    if isinstance(made, DomainError):
        messages.warning(request, explain(made))
        return redirect("tournaments:event", event.slug)
    note_archive(actor=actor_of(request), event_id=event.pk, subject=event.name)
    return sent_archive(made, f"{event.slug}.zip")


def _written(write: Callable[[IO[bytes]], None]) -> IO[bytes] | DomainError:
    """Return the archive as a file on the disk, or why there is none."""
    file = TemporaryFile()  # noqa: SIM115 - a large one is sent later, and closed then
    try:
        write(file)
    except DomainError as error:
        file.close()
        return error
    return file


def sent_archive(file: IO[bytes], name: str) -> HttpResponse:
    """Answer with an archive, and close its file. A large one is sent from the disk, part by part."""
    is_small = file.seek(0, SEEK_END) <= IN_MEMORY
    file.seek(0)
    if is_small:
        with file:
            return download(file.read(), name, "application/zip")
    answer = FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")
    return cast("HttpResponse", answer)  # views answer with HttpResponse; a file is a sister of it
