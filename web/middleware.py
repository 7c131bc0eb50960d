"""Pages for answers that Django leaves empty, what is noted of each request, and what search engines may list.

Who types the address that a button posts to gets the page with this button. Search engines list only public pages of an
event whose organiser allows it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from base.networks import address_of
from tournaments.actions.logins.sessions import note_session
from tournaments.actions.spare import hear_browser
from tournaments.models import Event, User
from tournaments.models.spare import guard
from web.requests import Middleware

from .qr import url_for_others
from .sessions import is_signed

# Addresses that take what a button sends, and the page with the button: who types such an address gets that
# page.

PAGE_OF = {
    "logout": "home",
    **dict.fromkeys(("end-session", "report-waiting"), "account"),
    "notices": "pairings",
    **dict.fromkeys(("answer-invitation", "spare-question"), "home"),
    **dict.fromkeys(("site-rights", "site-login", "site-time"), "site"),
    **dict.fromkeys(
        ("rating-list-file", "rating-list-part", "rating-list-answer", "rating-list-origin"), "rating-lists"
    ),
    **dict.fromkeys(("event-rating-list-file", "event-rating-list-answer"), "event-rating-lists"),
    "invitation-login": "invitation",
    **dict.fromkeys(
        (
            *("remove-person", "password-link", "revoke-invitation"),
            *("invite-again", "end-role", "own-boards"),
        ),
        "people",
    ),
    **dict.fromkeys(
        (
            "draw-colour",
            "last-step",
            "pair",
            "publish",
            "unpublish",
            "unpair",
            "pair-again",
            "check-round",
            "forget-device",
            "leave-notice",
        ),
        "cockpit",
    ),
    **dict.fromkeys(("pair-all", "pair-ahead", "publish-all", "publish-lists", "take-offer"), "cockpit"),
    "draw-lots": "lots",
    **dict.fromkeys(
        ("record-result", "confirm-result", "mark-over", "new-player-link", "settle", "by-hand-start"),
        "cockpit",
    ),
    **dict.fromkeys(
        ("withdraw", "readmit", "remove-entry", "move-entry", "half-byes", "fixed-board"), "entries"
    ),
    **dict.fromkeys(("open-check-in", "close-check-in", "check-in-player", "check-in-all"), "check-in"),
    **dict.fromkeys(("schedule", "reopen", "take-away", "bring-back"), "settings"),
    "rating-periods": "ratings",
    **dict.fromkeys(("press-screen", "remove-screen"), "hall-screens"),
    **dict.fromkeys(("countdown", "hall-message"), "screens"),
    **dict.fromkeys(("keep-copy", "open-copy", "copy-elsewhere"), "copies"),
    "cancel-bye": "byes",
    "undo-since": "log",
    "end-rehearsal": "rehearsal",
    "archive-event": "event-life",
    "new-link-for-player": "link-for-player",
    "by-hand-begin": "by-hand",
    "remove-incident": "incidents",
    **dict.fromkeys(("allow-pair", "end-rule"), "forbidden-pairs"),
    **dict.fromkeys(("decide-registrations", "erase-registration"), "registrations:registrations"),
    "mark-at-desk": "registrations:registration-desk",
}
"""By name of the address."""
NEEDS = {
    "home": (),
    "account": (),
    "site": (),
    "rating-lists": (),
    "event-rating-lists": ("event",),
    "invitation": ("token",),
    "people": ("event",),
    "hall-screens": ("event",),
    "rehearsal": ("event",),
    "event-life": ("event",),
    "by-hand": ("event", "section", "number"),
    "link-for-player": ("event", "section", "participant"),
    "registrations:registrations": ("event",),
    "registrations:registration-desk": ("event",),
}
"""The parts of the address of a page; of any other page, event and section."""


def page_of(name: str | None, parts: Mapping[str, Any]) -> str | None:
    """Return the address of the page with the button, or None for an address that belongs to no button."""
    page = PAGE_OF.get(name or "")
    if page is None:
        return None
    kept = {part: parts[part] for part in NEEDS.get(page, ("event", "section"))}
    named = page in ("home", "account") or ":" in page
    return reverse(page if named else f"tournaments:{page}", kwargs=kept)


# Whether search engines may list an answer: only public pages of an event whose organiser allows it.

HEADER = "X-Robots-Tag"
LISTED, NOT_LISTED = "all", "noindex"


class NotInSearchEngines(Middleware):
    """Forbids search engines to list an answer, unless its view allows it."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault(HEADER, NOT_LISTED)
        return response


def wants_to_be_found(event: Event) -> bool:
    """Return whether search engines may list the pages of an event (`FOUND_BY_ENGINES`)."""
    return event.listed and event.indexed


def allow_in_search_engines(response: HttpResponse, event: Event) -> HttpResponse:
    """Allow search engines to list a page of an event, if its organiser does and the page itself does not forbid it."""
    if wants_to_be_found(event):
        response.headers.setdefault(HEADER, LISTED)
    return response


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Let robots read every page. A robot that may not read a page does not see that it must not be listed."""
    site_map = url_for_others(request, reverse("tournaments:site-map"))
    lines = f"User-agent: *\nDisallow:\n\nSitemap: {site_map}\n"
    return HttpResponse(lines, content_type="text/plain; charset=utf-8")


# Pages for answers that Django leaves empty.

logger = logging.getLogger(__name__)

TERM_COOKIE = "evenboard-term"
METHOD_NOT_ALLOWED = 405
TOO_LARGE = 413


def note_request(request: HttpRequest, user: User | AnonymousUser) -> None:
    """Note that this request uses its session, and on which registration its person works."""
    key = request.session.session_key
    if user.is_authenticated and key and not is_signed(key):
        note_session(
            user=user,
            key=key,
            address=address_of(request),
            agent=request.META.get("HTTP_USER_AGENT", ""),
            registration=getattr(request, "open_registration", None),
        )


class TimesOfTheServer(Middleware):
    """Begins each request in the server's time zone; a page of an event then takes that of the event."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(None):
            return self.get_response(request)


class NotesSessions(Middleware):
    """Notes which sessions are used, for the list of sessions. A request that did not ask who it is costs nothing."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        session = request.session
        if session.accessed and session.session_key and SESSION_KEY in session:
            try:
                note_request(request, request.user)
            except DatabaseError:  # the list is less important than the page that is already made
                logger.warning("The visit of a session was not noted.", exc_info=True)
        return answer


class CarriesTerm(Middleware):
    """Lets the browser of each person who is logged in carry the term of the machine that wrote last.

    A machine that gets a higher term than its own from a browser has been replaced, and stops. See decision 100.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        sent = request.COOKIES.get(TERM_COOKIE, "")
        if sent and sent != guard.signed:
            hear_browser(sent)
        answer = self.get_response(request)
        session = request.session
        if (
            guard.signed
            and not guard.refused
            and sent != guard.signed
            and session.accessed
            and SESSION_KEY in session
        ):
            answer.set_cookie(
                TERM_COOKIE,
                guard.signed,
                settings.SESSION_COOKIE_AGE,
                httponly=True,
                samesite="Lax",
                secure=settings.HTTPS,
            )
        return answer


class WordsForWrongMethods(Middleware):
    """Leads from the address of a button to its page. Any other empty 405 answer gets a page with a way back."""

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


class WordsForLargeRequests(Middleware):
    """Refuses a request larger than REQUEST_BODY_LIMIT, with a page that says so, before anything reads the
    request.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or ""
        if not length.isdecimal() or int(length) <= settings.REQUEST_BODY_LIMIT:
            return self.get_response(request)
        limit = settings.REQUEST_BODY_LIMIT // 1024**2
        return render(request, "413.html", {"limit": limit, "here": request.path}, status=TOO_LARGE)
