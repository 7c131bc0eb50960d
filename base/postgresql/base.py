"""PostgreSQL that may stop answering: no request waits for it without an end.

The server ends a statement by itself (statement_timeout, lock_timeout). A server that is frozen, or behind a network
that loses everything, ends nothing. Then the wait of the client has an end too, and the connection is closed.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

import psycopg
from django.db.backends.postgresql import base

CONNECT_SECONDS = 5
LOCK_SECONDS = 8
STATEMENT_SECONDS = 12
ANSWER_SECONDS = 14.0
"""The page for results waits 15 s for an answer, so all of these are shorter."""


class Patience:
    """How long clients wait for an answer. seconds: None for no end, while a migration runs."""

    seconds: float | None = ANSWER_SECONDS


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, with connections that do not wait longer than `Patience.seconds` for an answer."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        waits = connection.wait

        def wait(asked: Generator[Any, Any, Any], *args: Any, **options: Any) -> Any:
            try:
                return waits(_within(asked, Patience.seconds), *args, **options)
            except _NoAnswer:
                connection.close()
                raise psycopg.OperationalError("the database did not answer in time") from None

        connection.wait = wait
        return connection


class _NoAnswer(Exception):
    """The database has not answered in time."""


def _within(asked: Generator[Any, Any, Any], seconds: float | None) -> Generator[Any, Any, Any]:
    """Pass everything on; raise _NoAnswer if nothing was ready for so many seconds."""
    heard = time.monotonic()
    try:
        wanted = next(asked)
        while True:
            ready = yield wanted
            if ready:
                heard = time.monotonic()
            elif seconds is not None and time.monotonic() - heard > seconds:
                raise _NoAnswer
            wanted = asked.send(ready)
    except StopIteration as end:
        return end.value


def without_limits(cursor: Any) -> None:
    """Lift the limits of this connection: a migration may take minutes."""
    Patience.seconds = None
    cursor.execute("SET statement_timeout = 0")
    cursor.execute("SET lock_timeout = 0")


def with_limits(cursor: Any) -> None:
    """Bring the limits back."""
    Patience.seconds = ANSWER_SECONDS
    cursor.execute("RESET statement_timeout")
    cursor.execute("RESET lock_timeout")
