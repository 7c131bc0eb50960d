"""PostgreSQL that accepts and never answers, freezes, or runs too long: each wait has an end."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from typing import Any

import environ
import pytest
from django.conf import settings
from django.db import OperationalError

from base.postgresql import base
from server.failures import BUSY, SLOW, STOPPED, failure_of

pytestmark = [pytest.mark.postgres, pytest.mark.slow, pytest.mark.django_db, pytest.mark.one_database]


def wrapper(url: str, **options: Any) -> base.DatabaseWrapper:
    """Return a connection of its own to the database of `url`, as Django would make it."""
    found = {
        **dict.fromkeys(("CONN_MAX_AGE", "TIME_ZONE", "AUTOCOMMIT", "ATOMIC_REQUESTS")),
        **settings.DATABASES["default"],
        **environ.Env.db_url_config(url),
        "CONN_HEALTH_CHECKS": False,
        "AUTOCOMMIT": True,
        "TIME_ZONE": None,
        "OPTIONS": options,
    }
    return base.DatabaseWrapper(found, "probe")


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait one second for an answer."""
    monkeypatch.setattr(base.Patience, "seconds", 1.0)


@pytest.fixture
def database(postgres_url: str) -> Iterator[base.DatabaseWrapper]:
    made = wrapper(postgres_url, options="-c statement_timeout=300ms -c lock_timeout=100ms")
    yield made
    made.close()


def ask(database: base.DatabaseWrapper, sql: str) -> object:
    with database.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone()


def test_waiting_for_a_server_that_accepts_and_never_answers_ends() -> None:
    silent = socket.create_server(("127.0.0.1", 0))
    port = silent.getsockname()[1]
    with pytest.raises(OperationalError) as caught:
        ask(wrapper(f"postgres://a:b@127.0.0.1:{port}/c", connect_timeout=2), "SELECT 1")
    assert failure_of(caught.value) is SLOW
    silent.close()
    with pytest.raises(OperationalError) as caught:
        ask(wrapper(f"postgres://a:b@127.0.0.1:{port}/c", connect_timeout=2), "SELECT 1")
    assert failure_of(caught.value) is STOPPED


@pytest.mark.skipif(os.name == "nt", reason="Windows freezes no process")
def test_waiting_for_a_frozen_server_ends_and_it_is_used_again_later(
    database: base.DatabaseWrapper, patience: None
) -> None:
    (process,) = ask(database, "SELECT pg_backend_pid()")
    os.kill(process, signal.SIGSTOP)
    try:
        with pytest.raises(OperationalError) as caught:
            ask(database, "SELECT 1")
        assert failure_of(caught.value) is SLOW
        assert not database.is_usable()
    finally:
        os.kill(process, signal.SIGCONT)
    database.close()
    assert ask(database, "SELECT 1") == (1,)


def test_statement_that_runs_too_long_is_ended_by_the_server(database: base.DatabaseWrapper) -> None:
    with pytest.raises(OperationalError) as caught:
        ask(database, "SELECT pg_sleep(5)")
    assert failure_of(caught.value) is SLOW
    assert ask(database, "SELECT 1") == (1,)


def test_waiting_for_a_lock_that_is_never_released_ends_with_an_error(
    database: base.DatabaseWrapper, postgres_url: str
) -> None:
    holder = wrapper(postgres_url)
    ask(holder, "SELECT pg_advisory_lock(4711)")
    with pytest.raises(OperationalError) as caught:
        ask(database, "SELECT pg_advisory_lock(4711)")
    assert failure_of(caught.value) is BUSY
    holder.close()


def test_migration_may_take_longer(database: base.DatabaseWrapper) -> None:
    with database.cursor() as cursor:
        try:
            base.without_limits(cursor)
            cursor.execute("SELECT pg_sleep(0.5)")
            assert base.Patience.seconds is None
        finally:
            base.with_limits(cursor)
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("300ms",)
    assert base.Patience.seconds == base.ANSWER_SECONDS
