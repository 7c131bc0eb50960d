"""Public pages of a registration: the event, and headers that keep secrets and personal data out of caches and logs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from base.zones import use_zone
from registrations.models import EventRegistration
from tournaments.errors import DomainError
from web.requests import PageRequest
from web.words.refusals import explain

View = Callable[..., HttpResponse]
PRIVATE = {"Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex", "Cache-Control": "no-store, private"}
"""Other sites do not learn the address. With "no-referrer" browsers would hide the origin of a form from us too."""


def visitor(*methods: str) -> Callable[[View], View]:
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
