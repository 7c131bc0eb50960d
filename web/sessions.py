"""Sessions in the database; in the memory of the process while the database cannot be written.

When the disk is full, a person who must log in can still look at everything. Such a session ends with the process.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock

from django.conf import settings
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.db import DatabaseError

from tournaments.queries.storage import cannot_write

MOST = 1_000


class Kept:
    """What could not be written: sessions by their key, and when they end; None for a session that was deleted."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, tuple[str | None, float]] = OrderedDict()
        self._lock = Lock()

    def put(self, key: str, data: str | None) -> None:
        with self._lock:
            self._of[key] = data, time.monotonic() + settings.SESSION_COOKIE_AGE
            self._of.move_to_end(key)
            while len(self._of) > MOST:
                self._of.popitem(last=False)

    def get(self, key: str | None) -> tuple[bool, str | None]:
        """Return whether something is kept about a session, and its data."""
        data, ends = self._of.get(key or "", (None, 0.0))
        return ends > time.monotonic(), data

    def forget(self, key: str | None) -> None:
        with self._lock:
            self._of.pop(key or "", None)


kept = Kept()


class SessionStore(db.SessionStore):
    """A session in the database, or in memory if the database refuses it."""

    def load(self) -> dict[str, object]:
        found, data = kept.get(self.session_key)
        if not found:
            return super().load()
        if data is None:
            self._session_key = None
            return {}
        return self.decode(data)

    def exists(self, session_key: str) -> bool:
        found, data = kept.get(session_key)
        return data is not None if found else super().exists(session_key)

    def save(self, must_create: bool = False) -> None:
        if self.session_key is None:
            return self.create()
        in_memory, _data = kept.get(self.session_key)
        try:
            super().save(must_create=must_create or in_memory)
        except (DatabaseError, UpdateError) as error:
            # Django says of each failed update that the session was deleted meanwhile.
            cause = error.__context__ if isinstance(error, UpdateError) else error
            if not (isinstance(cause, DatabaseError) and cannot_write(cause)):
                raise
            data = self._get_session(no_load=must_create)  # type: ignore[attr-defined]
            kept.put(self.session_key, self.encode(data))
        else:
            kept.forget(self.session_key)
        return None

    def delete(self, session_key: str | None = None) -> None:
        key = session_key or self.session_key
        try:
            super().delete(session_key)
        except DatabaseError as error:
            if key is None or not cannot_write(error):
                raise
            kept.put(key, None)
        else:
            kept.forget(key)
