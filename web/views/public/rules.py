"""The rules of a section for its players, written from the settings."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.queries.departures import departures_of
from web.context import section_context
from web.views.public.visits import Visit, visitor_page
from web.words.rules_page import rules_parts


@visitor_page()
def rules(request: HttpRequest, visit: Visit) -> HttpResponse:
    context: dict[str, Any] = section_context(request, visit.section, "rules")
    context["parts"] = rules_parts(visit.section, departures_of(visit.section))
    return render(request, "public/rules.html", context)
