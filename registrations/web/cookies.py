"""The cookie by which a browser shows a registration, after its personal link was opened there."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from registrations.models import Registration
from registrations.queries.links import registration_of, token_of
from tournaments.models import Event

LASTS = timedelta(days=30)


def _name(event: Event) -> str:
    return f"registration-{event.pk}"


def remember(answer: HttpResponse, one: Registration) -> HttpResponse:
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


def remembered(request: HttpRequest, event: Event) -> Registration | None:
    """Return the registration that this browser may show, or None."""
    return registration_of(event, request.COOKIES.get(_name(event), ""))
