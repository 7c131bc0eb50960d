"""Pages of the queue, for those who work on the event."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect

from entering.actions.desk import By
from entering.machine import Hand
from entering.models import EventRegistration
from tournaments.models import Event
from tournaments.web.requests import PersonRequest
from tournaments.web.views.staff.access import REGISTRATIONS, event_page

View = Callable[..., HttpResponse]


def by_of(request: PersonRequest) -> By:
    return By(Hand.ORGANISER, request.user, both=request.POST.get("both") == "yes")


def desk_page(*methods: str, permission: str = REGISTRATIONS) -> Callable[[View], View]:
    """Decorate `view(request, event, ...)` for people of the event. Without registration they get its settings."""

    def decorate(view: View) -> View:
        @wraps(view)
        def page(request: PersonRequest, event: Event, **parts: Any) -> HttpResponse:
            form = EventRegistration.objects.filter(event=event).first()
            if form is None:
                return redirect("entering:registration-settings", event=event.slug)
            form.event = event
            answer: HttpResponse = view(request, form, **parts)
            return answer

        return event_page(*methods, permission=permission)(page)

    return decorate
