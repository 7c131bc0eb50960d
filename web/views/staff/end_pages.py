"""Pages for arbiters at the end of a section: estimated rating changes, and how far players are from title norms."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from tournaments.models import Section
from web.context import section_context
from web.end_tables import changes_context, norms_context
from web.requests import PersonRequest

from .access import section_page


@section_page("GET", "HEAD")
def rating_changes(request: PersonRequest, section: Section) -> HttpResponse:
    context = section_context(request, section, "documents") | changes_context(section)
    return render(request, "staff/rating_changes.html", context)


@section_page("GET", "HEAD")
def norms(request: PersonRequest, section: Section) -> HttpResponse:
    context = section_context(request, section, "documents") | norms_context(section)
    return render(request, "staff/norms.html", context)
