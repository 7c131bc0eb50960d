"""Read many rows as they were at one moment, while others write, and without making any action wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
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
    with ExitStack() as stack:
        with _deferred():
            stack.enter_context(transaction.atomic())
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        stack.callback(_open.reset, _open.set(True))
        yield True


@contextmanager
def _deferred() -> Iterator[None]:
    """Let a transaction of SQLite begin without the lock for writing, which config/settings.py asks for."""
    database: Any = connection
    if database.vendor != "sqlite":
        yield
        return
    database.ensure_connection()  # reads the settings; a thread may not have asked anything yet
    former = database.transaction_mode
    database.transaction_mode = "DEFERRED"
    try:
        yield
    finally:
        database.transaction_mode = former
