"""Public pages of registration: the event, headers, the cookie of an own registration, and the public list.

Headers keep secrets and personal data out of caches and logs. The cookie shows a registration in the browser in which
its personal link was opened.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from base.zones import use_zone
from registrations.models import EventRegistration, Registration
from registrations.queries.mails import registration_of, token_of
from registrations.queries.places import PUBLIC_REGISTERED, places_of, public_rows
from registrations.web.words.states import STANDS_STILL
from tournaments.errors import DomainError
from tournaments.models import Event
from web.files import table_response
from web.requests import PageRequest
from web.views.public.public_page import PRIVATE
from web.words.refusals import explain

# Public pages of a registration: the event, and headers that keep secrets and personal data out of caches and
# logs.

View = Callable[..., HttpResponse]


def registration_visitor(*methods: str) -> Callable[[View], View]:
    """Decorate `view(request, form, ...)` for everybody who may see the event, which takes registrations."""

    def decorate(view: View) -> View:
        @wraps(view)
        @never_cache
        @require_http_methods(methods)
        def page(request: PageRequest, event: str, **parts: Any) -> HttpResponse:
            form = EventRegistration.objects.select_related("event").filter(event__slug=event).first()
            if form is None or not request.user.has_perm("tournaments.view_section", form.event):
                raise Http404
            found = form.event
            use_zone(found.time_zone)
            try:
                answer = view(request, form, **parts)
            except DomainError as error:
                context = {"event": found, "problem": explain(error)}
                answer = render(request, "registrations/public/refused.html", context, status=error.status)
            for name, value in PRIVATE.items():
                answer[name] = value
            return answer

        return page

    return decorate


# The cookie by which a browser shows a registration, after its personal link was opened there.

LASTS = timedelta(days=30)


def _name(event: Event) -> str:
    return f"registration-{event.pk}"


def remember_registration(answer: HttpResponse, one: Registration) -> HttpResponse:
    """Let the browser show this registration, in any language. A new link makes the cookie void."""
    answer.set_cookie(
        _name(one.event),
        token_of(one),
        max_age=LASTS,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )
    return answer


def remembered_registration(request: HttpRequest, event: Event) -> Registration | None:
    """Return the registration that this browser may show, or None."""
    return registration_of(event, request.COOKIES.get(_name(event), ""))


# The public list of registrations, which grows as they come.

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


@registration_visitor("GET", "HEAD")
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
    return render(request, "registrations/public/registrations.html", context)


@registration_visitor("GET", "HEAD")
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
    return table_response(lambda write: write(HEAD, rows), f"{form.event.slug}-players", kind)
