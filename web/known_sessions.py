"""The sessions of logged-in people that this process has served: the requests of those who run events go first."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase

logger = logging.getLogger(__name__)

MOST = 2_000
REMEMBERED = 12 * 60 * 60.0  # seconds after the last request
CHECKED = 60.0  # seconds for which a login is believed without looking at the user again


@dataclass(frozen=True, slots=True)
class Login:
    """Whose session it is. works: has a role in an event, or a right on the site."""

    user: int
    works: bool


class KnownSessions:
    """Keys of sessions, each with its login and the time when somebody last looked whether it is logged in."""

    def __init__(self, most: int = MOST, remembered: float = REMEMBERED) -> None:
        self._most, self._remembered = most, remembered
        self._seen: OrderedDict[str, tuple[float, Login]] = OrderedDict()
        self._lock = Lock()

    def __contains__(self, key: str) -> bool:
        return self.login(key) is not None

    def __len__(self) -> int:
        return len(self._seen)

    def login(self, key: str) -> Login | None:
        """Return who was logged in when somebody looked, at most twelve hours ago."""
        seen = self._seen.get(key)
        return seen[1] if seen and time.monotonic() - seen[0] < self._remembered else None

    def age(self, key: str) -> float:
        """Return for how many seconds nobody has looked whether the session's user is logged in."""
        seen = self._seen.get(key)
        return float("inf") if seen is None else time.monotonic() - seen[0]

    def add(self, key: str, login: Login) -> None:
        with self._lock:
            self._seen[key] = time.monotonic(), login
            self._seen.move_to_end(key)
            while len(self._seen) > self._most:
                self._seen.popitem(last=False)

    def forget(self, key: str) -> None:
        with self._lock:
            self._seen.pop(key, None)


known = KnownSessions()


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
            if known.age(key) >= CHECKED:
                self._note(request, key)
        elif key:
            known.forget(key)
        if sent and sent != key:
            known.forget(sent)
        return response

    def _note(self, request: HttpRequest, key: str) -> None:
        try:
            if request.user.is_authenticated:
                known.add(key, Login(request.user.pk, request.user.works))
        except DatabaseError:  # who is served first is less important than the answer that is already made
            logger.exception("The session was not noted.")
