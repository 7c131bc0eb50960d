"""The statistics of a section: for arbiters always, for everybody when the section is closed."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from web.context import section_context
from web.end_tables import statistics_context
from web.views.public.visits import Visit, visitor_page


@visitor_page()
def statistics(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show players, results by round and by the difference of ratings, and the largest upsets."""
    refuse_before_the_end(visit)
    context: dict[str, Any] = section_context(request, visit.section, "standings", None)
    return render(request, "public/statistics.html", context | statistics_context(visit.section))


def refuse_before_the_end(visit: Visit) -> None:
    """Raise Http404 for a visitor of a section that is still open."""
    if not (visit.staff or visit.section.is_closed):
        raise Http404
