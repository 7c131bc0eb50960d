"""Read several things as they were at one moment, while others write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def one_moment() -> Iterator[None]:
    """Let all queries inside see the database as it was at the first of them. Nothing is locked; for reading only.

    Otherwise a round that is published between two queries of a page would be in one half of the page and not in the
    other. Inside a transaction that has begun, this changes nothing.
    """
    if connection.in_atomic_block:
        yield
        return
    with ExitStack() as stack:
        with _deferred():
            stack.enter_context(transaction.atomic())
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield


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
