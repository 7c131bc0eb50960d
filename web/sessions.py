"""Sessions in the database; signed, in the cookie of the browser, while the database cannot be written.

When the disk is full, a person who must log in can still look at everything, whichever process of the server answers.
"""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.core import signing
from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import get_random_string

from base.cache import Cache
from tournaments.queries.site import cannot_write
from web.requests import Middleware

SALT = "web.sessions"
LASTS = timedelta(minutes=30)
"""How long a signed session lasts after the log-in, at most: nobody can end it from another device."""

ended: Cache[str, bool] = Cache(1_000, seconds=settings.SESSION_COOKIE_AGE)
"""Keys of sessions that ended while the database could not be written. This process refuses them."""


class SessionStore(db.SessionStore):
    """A session in the database. If the database refuses a new one, its key is the signed session itself.

    A signed session counts only while the database refuses sessions, so it ends with the outage.
    refusal: why the database has refused it.
    """

    refusal: DatabaseError | None = None

    def load(self) -> dict[str, Any]:
        key = self.session_key or ""
        if not (key in ended or (is_signed(key) and cache.get(_ended_key(key)))):
            if not is_signed(key):
                return super().load()
            data = signed_data(key)
            self.refusal = None if data is None else _refusal()
            if data is not None and self.refusal:
                return data
        self._session_key = None
        return {}

    def exists(self, session_key: str) -> bool:
        if session_key in ended:
            return False
        if is_signed(session_key):
            return signed_data(session_key) is not None
        return super().exists(session_key)

    def get_session_cookie_age(self) -> int:
        age = super().get_session_cookie_age()
        return int(LASTS.total_seconds()) if is_signed(self.session_key or "") else age

    def save(self, must_create: bool = False) -> None:
        if self.session_key is None:
            return self.create()
        data = self._get_session(no_load=must_create)  # type: ignore[attr-defined]
        if is_signed(self.session_key):
            self._sign(data)
            return None
        try:
            _delete_ended()
            super().save(must_create=must_create)
        except (DatabaseError, UpdateError) as error:
            # Django says of each failed update that the session was deleted meanwhile.
            cause = error.__context__ if isinstance(error, UpdateError) else error
            if not (isinstance(cause, DatabaseError) and cannot_write(cause)):
                raise
            if must_create:
                self.refusal = cause
                self._sign(data)
            elif not data.items() <= super().load().items():
                raise cause from None
            # What a session only forgets is forgotten later: a page to look at is more important.
        return None

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key or ""
        try:
            super().delete(session_key)
        except DatabaseError as error:
            if not cannot_write(error):
                raise
            ended.put(key, True)
        if is_signed(key):
            ended.put(key, True)
            cache.set(_ended_key(key), 1, LASTS.total_seconds())  # for the other processes

    def _sign(self, data: dict[str, Any]) -> None:
        # The random part keeps two sessions of one second apart, of which one may have ended.
        self._session_key = signing.dumps([get_random_string(12), data], salt=SALT, compress=True)


class LooksOnly(Middleware):
    """Lets a person with a signed session look at pages, and answers each change with what the database refuses."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        """Raise what refused the session, if the person sends a change. Logging out is possible."""
        session, match = request.session, request.resolver_match
        if not is_signed(session.session_key or "") or SESSION_KEY not in session:
            return
        allowed = match is not None and match.url_name in ("logout", "spare")
        if request.method not in ("GET", "HEAD") and not allowed:
            assert isinstance(session, SessionStore)
            assert session.refusal is not None
            raise session.refusal


def _ended_key(key: str) -> str:
    return f"session-ended:{sha256(key.encode()).hexdigest()}"


def is_signed(key: str) -> bool:
    """Return whether the key of a session is the session itself."""
    return ":" in key


def signed_data(key: str) -> dict[str, Any] | None:
    """Return what a signed session holds, None if it is too old or we did not sign it."""
    try:
        data: dict[str, Any] = signing.loads(key, salt=SALT, max_age=LASTS)[1]
    except signing.BadSignature:
        return None
    return data


def _refusal() -> DatabaseError | None:
    """Return why the database refuses sessions now, None if it saves them."""
    try:
        with transaction.atomic():
            _delete_ended()
            row = Session.objects.create(
                session_key=get_random_string(32), session_data="", expire_date=timezone.now()
            )
        row.delete()
    except DatabaseError as error:
        if not cannot_write(error):
            raise
        return error
    return None


def _delete_ended() -> None:
    """Delete the sessions that ended while the database could not be written, if there are some."""
    if keys := [key for key, _ended in ended.items() if not is_signed(key)]:
        Session.objects.filter(session_key__in=keys).delete()
        for key in keys:
            ended.discard(key)
