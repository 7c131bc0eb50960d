"""Files that a browser saves."""

from __future__ import annotations

from django.http import HttpResponse

from tournaments.models import Section

CSV = "text/csv; charset=utf-8"


def download(content: bytes, name: str, kind: str) -> HttpResponse:
    """Answer with a file of that name and content type."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=headers)


def file_name(section: Section, ending: str) -> str:
    """The event, the section and `ending`. Slugs are safe in a header."""
    return f"{section.event.slug}-{section.slug}{ending}"
