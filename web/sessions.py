"""Sessions in the database; in the memory of the process while the database cannot be written.

When the disk is full, a person who must log in can still look at everything. Such a session ends with the process.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.db import DatabaseError

from base.cache import Cache
from tournaments.queries.storage import cannot_write

MOST = 1_000


DELETED = ""

unwritten_sessions: Cache[str, str] = Cache(MOST, seconds=settings.SESSION_COOKIE_AGE)
"""What could not be written: the data of sessions by their key, or DELETED."""


class SessionStore(db.SessionStore):
    """A session in the database, or in memory if the database refuses it."""

    def load(self) -> dict[str, object]:
        data = unwritten_sessions.get(self.session_key or "")
        if data is None:
            return super().load()
        if data == DELETED:
            self._session_key = None
            return {}
        return self.decode(data)

    def exists(self, session_key: str) -> bool:
        data = unwritten_sessions.get(session_key)
        return super().exists(session_key) if data is None else data != DELETED

    def save(self, must_create: bool = False) -> None:
        if self.session_key is None:
            return self.create()
        in_memory = self.session_key in unwritten_sessions
        try:
            super().save(must_create=must_create or in_memory)
        except (DatabaseError, UpdateError) as error:
            # Django says of each failed update that the session was deleted meanwhile.
            cause = error.__context__ if isinstance(error, UpdateError) else error
            if not (isinstance(cause, DatabaseError) and cannot_write(cause)):
                raise
            data = self._get_session(no_load=must_create)  # type: ignore[attr-defined]
            unwritten_sessions.put(self.session_key, self.encode(data))
        else:
            unwritten_sessions.discard(self.session_key)
        return None

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        try:
            super().delete(session_key)
        except DatabaseError as error:
            if key is None or not cannot_write(error):
                raise
            unwritten_sessions.put(key, DELETED)
        else:
            unwritten_sessions.discard(key or "")
