"""Read many rows as they were at one moment, while others write, and without making any action wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import connection, transaction

_open: ContextVar[bool] = ContextVar("consistent_read", default=False)


@contextmanager
def consistent_read() -> Iterator[bool]:
    """Let all queries inside see the database as it was at the first of them. Nothing may be written or locked.

    Otherwise a round that is published between two queries of a page would be in one half of the page and not in the
    other. Yields False inside a transaction that has begun otherwise, where this changes nothing: if rows must not
    change there, the caller locks them.
    """
    if connection.in_atomic_block:
        yield _open.get()
        return
    with _as_of_one_moment(), transaction.atomic():
        token = _open.set(True)
        try:
            yield True
        finally:
            _open.reset(token)


@contextmanager
def _as_of_one_moment() -> Iterator[None]:
    """Let a transaction begin without the lock for writing, which config/settings.py asks SQLite for. PostgreSQL learns
    with BEGIN that it is read as of one moment, so this is no statement of its own.
    """
    database: Any = connection
    database.ensure_connection()  # reads the settings; a thread may not have asked anything yet
    if database.vendor == "sqlite":
        begins: Any = database
        wanted: dict[str, Any] = {"transaction_mode": "DEFERRED"}
    else:
        from psycopg import IsolationLevel

        begins = database.connection
        wanted = {"isolation_level": IsolationLevel.REPEATABLE_READ, "read_only": True}
    former = {name: getattr(begins, name) for name in wanted}
    for name, value in wanted.items():
        setattr(begins, name, value)
    try:
        yield
    finally:
        if not getattr(begins, "closed", False):  # by PostgreSQL, which may stop answering
            for name, value in former.items():
                setattr(begins, name, value)
