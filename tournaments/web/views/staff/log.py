"""The log of a section."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.models import Tournament
from tournaments.queries.log import log_page
from tournaments.web.context import section_context
from tournaments.web.log_words import say_row

from .access import asks_for_part, section_page


@section_page("GET", "HEAD")
def log(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everything that was done, newest first; searched in the words of the rows."""
    page = log_page(tournament, request.GET.get("page", "1")[:9], request.GET.get("q", ""))
    context = {
        **section_context(request, tournament, "log"),
        "page": page,
        "changes": [say_row(row) for row in page.rows],
    }
    template = "staff/log.html#list" if asks_for_part(request) else "staff/log.html"
    return render(request, template, context)
