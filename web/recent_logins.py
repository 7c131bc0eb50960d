"""Who has logged in here: sessions that this process has served, and browsers that logged in under a name before.

The requests of people who run events go first, and a browser that is known for a name does not wait for attackers of
this name.
"""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.core import signing
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from base.cache import Cache
from base.networks import address_of
from tournaments.actions.logins.attempts import LoginSource, login_name_key
from web.requests import Middleware

# The sessions of logged-in people that this process has served: the requests of those who run events go
# first.

logger = logging.getLogger(__name__)

MOST = 2_000
REMEMBERED = 12 * 60 * 60.0  # seconds after the last request
CHECKED = 60.0  # seconds for which a login is believed without looking at the user again


@dataclass(frozen=True, slots=True)
class RecentLogin:
    """Whose session it is. works: has a role in an event, or a right on the site."""

    user: int
    works: bool


known: Cache[str, RecentLogin] = Cache(MOST, seconds=REMEMBERED)
"""Keys of sessions, each with its login, which somebody last looked at within twelve hours."""


def login_of_token(text: str) -> str:
    """Return the key of a program that sends this access token, among the keys of sessions."""
    return f"token {sha256(text.encode()).hexdigest()}"


class RememberSessions(Middleware):
    """Notes who is logged in, after the request; it comes below AuthenticationMiddleware.

    Only the database says who is logged in, so an invented cookie gains nothing. A session that ended is forgotten with
    the first request that reads it.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if not request.session.accessed:
            return response
        sent, key = request.COOKIES.get(settings.SESSION_COOKIE_NAME), request.session.session_key
        if key and SESSION_KEY in request.session:
            if known.get(key, within=CHECKED) is None:
                self._note(request, key)
        elif key:
            known.discard(key)
        if sent and sent != key:
            known.discard(sent)
        return response

    def _note(self, request: HttpRequest, key: str) -> None:
        try:
            if request.user.is_authenticated:
                known.put(key, RecentLogin(request.user.pk, request.user.works))
        except DatabaseError:  # who is served first is less important than the answer that is already made
            logger.exception("The session was not noted.")


# The cookie by which a browser shows that it has logged in under a name before.
#
# It is signed and opens nothing: it only says whose failed attempts count
# (tournaments/actions/logins/attempts.py), and whose turn it is when many log in (server/fair_queue.py). A
# browser gets it, without any name, with the form to log in.

COOKIE = "evenboard-device"
SALT = "tournaments.device"
LIFETIME = timedelta(days=365)
VISIT = timedelta(hours=12)
MOST_NAMES = 8


def source_of(request: HttpRequest, name: str) -> LoginSource:
    """Return where an attempt with this name comes from."""
    device, names = _read(request.COOKIES.get(COOKIE, ""))
    known = device if login_name_key("device", name) in names else ""
    return LoginSource(address=address_of(request), device=known)


def remember_device(request: HttpRequest, answer: HttpResponse, name: str) -> None:
    """Let the browser keep that it has logged in under this name."""
    device, names = _read(request.COOKIES.get(COOKIE, ""))
    key = login_name_key("device", name)
    kept = [key, *(other for other in names if other != key)][:MOST_NAMES]
    _give(answer, device or secrets.token_hex(16), kept, LIFETIME)


def greet_device(request: HttpRequest, answer: HttpResponse) -> None:
    """Let a browser without the cookie have one, so that its form is told from those of others at its address."""
    if not browser_in(request.COOKIES.get(COOKIE, "")):
        _give(answer, secrets.token_hex(16), [], VISIT)


def device_in(cookie: str) -> str:
    """Return the browser that has this cookie if it has logged in before, "" if not or if we did not sign it."""
    device, names = _read(cookie)
    return device if names else ""


def browser_in(cookie: str) -> str:
    """Return the browser that has this cookie, "" if we did not sign it."""
    return _read(cookie)[0]


def _give(answer: HttpResponse, device: str, names: list[str], lifetime: timedelta) -> None:
    answer.set_cookie(
        COOKIE,
        signing.dumps([device, names], salt=SALT),
        max_age=lifetime,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(cookie: str) -> tuple[str, list[str]]:
    try:
        device, names = signing.loads(cookie, salt=SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return "", []
    return device, names
