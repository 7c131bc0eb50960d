"""The public list of registrations, which grows as they come."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from registrations.models import EventRegistration
from registrations.queries.places import places_of
from registrations.queries.public_list import PUBLIC_REGISTERED, public_rows
from registrations.web.visitors import visitor
from registrations.web.words.states import STANDS_STILL
from web.downloads import table_download
from web.requests import PageRequest

LONGEST = 500
"""Rows of one page."""
HEAD = (
    "Section",
    "Name",
    "Title",
    "Federation",
    "Rating",
    *(field.english_head for field in PUBLIC_REGISTERED),
)


@visitor("GET", "HEAD")
def entry_list(request: PageRequest, form: EventRegistration) -> HttpResponse:
    """Show for each section how many places are taken, and the accepted players of one section."""
    now = timezone.now()
    places = [each for each in places_of(form.event).values() if not each.section.taken_away]
    slug = request.GET.get("section", "")
    chosen = next((each for each in places if each.section.slug == slug), places[0] if places else None)
    number = request.GET.get("page", "1")
    page = max(1, int(number)) if number.isascii() and number.isdigit() and len(number) < 4 else 1
    rows = []
    if chosen is not None and form.shown == form.Shown.ACCEPTED:
        rows = public_rows(chosen.section, start=(page - 1) * LONGEST, most=LONGEST + 1)
    context = {
        "event": form.event,
        "registration": form,
        "open": form.is_open(now),
        "places": [(each, STANDS_STILL.get(each.stands_still(form, now), "")) for each in places],
        "chosen": chosen,
        "rows": rows[:LONGEST],
        "page": page,
        "next": page + 1 if len(rows) > LONGEST else None,
    }
    return render(request, "registrations/public/list.html", context)


@visitor("GET", "HEAD")
def entry_list_file(_request: PageRequest, form: EventRegistration, kind: str = "csv") -> HttpResponse:
    """Send the accepted players of all sections, with what the page shows of them. 404 if the names are not shown."""
    if form.shown != form.Shown.ACCEPTED:
        raise Http404
    sections = form.event.sections.filter(taken_away=False)
    rows = (
        (section.name, row.name, row.title, row.federation, row.rating, *row.plain.values())
        for section in sections
        for row in public_rows(section)
    )
    return table_download(lambda write: write(HEAD, rows), f"{form.event.slug}-players", kind)
