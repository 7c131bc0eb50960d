"""The sessions of logged-in people that this process has served: the requests of those who run events go first."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from base.cache import Cache

logger = logging.getLogger(__name__)

MOST = 2_000
REMEMBERED = 12 * 60 * 60.0  # seconds after the last request
CHECKED = 60.0  # seconds for which a login is believed without looking at the user again


@dataclass(frozen=True, slots=True)
class Login:
    """Whose session it is. works: has a role in an event, or a right on the site."""

    user: int
    works: bool


known: Cache[str, Login] = Cache(MOST, seconds=REMEMBERED)
"""Keys of sessions, each with its login, which somebody last looked at within twelve hours."""


def of_token(text: str) -> str:
    """Return the key of a program that sends this access token, among the keys of sessions."""
    return f"token {sha256(text.encode()).hexdigest()}"


class RememberSessions:
    """Notes who is logged in, after the request; it comes below AuthenticationMiddleware.

    Only the database says who is logged in, so an invented cookie gains nothing. A session that ended is forgotten with
    the first request that reads it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

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
                known.put(key, Login(request.user.pk, request.user.works))
        except DatabaseError:  # who is served first is less important than the answer that is already made
            logger.exception("The session was not noted.")
