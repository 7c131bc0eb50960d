"""Files that last: the report file in older formats, with a page that says what is lost, and the archive."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render

from pairing.engine.trf import FORMATS
from tournaments.exports.archive import archive_zip
from tournaments.exports.older_report import older_report
from tournaments.models import Section
from tournaments.web.context import section_context
from tournaments.web.downloads import download, file_name
from tournaments.web.requests import PersonRequest
from tournaments.web.words.lost import lost_sentences

from .access import section_page


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


@section_page("GET", "HEAD")
def archive(request: PersonRequest, section: Section) -> HttpResponse:
    """Send everything about the section as one file."""
    return download(archive_zip(section), file_name(section, ".zip"), "application/zip")
