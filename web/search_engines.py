"""Whether search engines may list an answer: only public pages of an event whose organiser allows it."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from tournaments.models import Event

HEADER = "X-Robots-Tag"
LISTED, NOT_LISTED = "all", "noindex"


class NotInSearchEngines:
    """Forbids search engines to list an answer, unless its view allows it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault(HEADER, NOT_LISTED)
        return response


def allow_in_search_engines(response: HttpResponse, event: Event) -> HttpResponse:
    """Allow search engines to list a page of an event, if its organiser does and the page itself does not forbid it."""
    if event.public and event.indexed:
        response.headers.setdefault(HEADER, LISTED)
    return response


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    """Let robots read every page. A robot that may not read a page does not see that it must not be listed."""
    return HttpResponse("User-agent: *\nDisallow:\n", content_type="text/plain; charset=utf-8")
