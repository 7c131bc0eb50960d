"""Pages for answers that Django leaves empty."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from base.networks import address_of
from tournaments.actions.login_sessions import note_session
from tournaments.models import User
from tournaments.open_pages import OpenPage

from .button_addresses import page_of
from .sessions import is_signed
from .words.pages import PAGES

logger = logging.getLogger(__name__)

METHOD_NOT_ALLOWED = 405
TOO_LARGE = 413


SHOWN = (200, 204)
"""The statuses of a page that is open: 204 means that the open page has no news."""


def note_request(
    request: HttpRequest, user: User | AnonymousUser, answer: HttpResponse | None = None
) -> None:
    """Note that this request uses its session, and the page of an event that it shows."""
    key = request.session.session_key
    if user.is_authenticated and key and not is_signed(key):
        note_session(
            user=user,
            key=key,
            address=address_of(request),
            agent=request.META.get("HTTP_USER_AGENT", ""),
            page=_opened(request, answer) if answer is not None else None,
        )


def _opened(request: HttpRequest, answer: HttpResponse) -> OpenPage | None:
    match = request.resolver_match
    if request.method != "GET" or answer.status_code not in SHOWN or match is None:
        return None
    name, parts = match.url_name or "", match.kwargs
    if name not in PAGES or "event" not in parts:
        return None
    watched = hasattr(request, "row_at_hand")
    number = getattr(request, "row_at_hand", parts.get("number"))
    return OpenPage(name, parts["event"], parts.get("section", ""), number, timezone.now(), watched)


class TimesOfTheServer:
    """Begins each request in the server's time zone; a page of an event then takes that of the event."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(None):
            return self.get_response(request)


class NotesSessions:
    """Notes which sessions are used, for the list of sessions. A request that did not ask who it is costs nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        session = request.session
        if session.accessed and session.session_key and SESSION_KEY in session:
            try:
                note_request(request, request.user, answer)
            except DatabaseError:  # the list is less important than the page that is already made
                logger.warning("The visit of a session was not noted.", exc_info=True)
        return answer


class WordsForWrongMethods:
    """Leads from the address of a button to its page. Any other empty 405 answer gets a page with a way back."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        if answer.status_code != METHOD_NOT_ALLOWED or answer.content:
            return answer
        match = request.resolver_match
        parts = match.kwargs if match else {}
        if request.method in ("GET", "HEAD") and match and (address := page_of(match.url_name, parts)):
            return redirect(address)
        page = render(request, "405.html", {"parts": parts}, status=METHOD_NOT_ALLOWED)
        for name in ("Allow", "Cache-Control", "Expires"):
            if name in answer:
                page[name] = answer[name]
        return page


class WordsForLargeRequests:
    """Refuses a request larger than REQUEST_BODY_LIMIT, with a page that says so, before anything reads the
    request.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or ""
        if not length.isdecimal() or int(length) <= settings.REQUEST_BODY_LIMIT:
            return self.get_response(request)
        limit = settings.REQUEST_BODY_LIMIT // 1024**2
        return render(request, "413.html", {"limit": limit, "here": request.path}, status=TOO_LARGE)
