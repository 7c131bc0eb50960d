"""Read many rows as they were at one moment, without making any action wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import connection, transaction

_open: ContextVar[bool] = ContextVar("one_moment", default=False)


@contextmanager
def one_moment() -> Iterator[bool]:
    """Open a transaction whose queries all see the same moment. Nothing may be written or locked in it.

    Yields False inside another transaction, which has its own rules: there the caller locks what must not change.
    """
    if connection.in_atomic_block:
        with transaction.atomic():
            yield _open.get()
        return
    mode = getattr(connection, "transaction_mode", None)  # of SQLite
    if connection.vendor == "sqlite":
        mode_of: Any = connection  # Django's types do not know the mode of SQLite
        mode_of.transaction_mode = "DEFERRED"  # takes no lock, unlike the transactions of actions
    token = _open.set(True)
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield True
    finally:
        _open.reset(token)
        if connection.vendor == "sqlite":
            mode_of.transaction_mode = mode
