"""A consistent read sees the database as it was at one moment, and makes nobody wait."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from django.db import DatabaseError, connection, connections, transaction

from base.consistent_read import consistent_read
from tests.factories import EventFactory
from tests.waiting import LONG
from tournaments.models import Event

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]
Answer = TypeVar("Answer")


def elsewhere(work: Callable[[], Answer]) -> Answer:
    """Return what another thread answers, which has not asked the database anything yet."""

    def work_and_close() -> Answer:
        try:
            return work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work_and_close).result(LONG)


def test_what_others_write_meanwhile_is_not_seen() -> None:
    EventFactory()
    with consistent_read() as is_consistent:
        before = Event.objects.count()
        elsewhere(EventFactory)
        assert (is_consistent, before, Event.objects.count()) == (True, 1, 1)
    assert Event.objects.count() == 2


def test_reading_waits_for_nobody_who_writes() -> None:
    """SQLite has one lock for writing. A thread that begins with a consistent read does not ask for it."""

    def read() -> int:
        with consistent_read():
            return Event.objects.count()

    with transaction.atomic():
        EventFactory()
        assert elsewhere(read) == 0


def test_writing_takes_its_lock_again_after_a_consistent_read() -> None:
    with consistent_read():
        Event.objects.count()
    assert getattr(connection, "transaction_mode", "IMMEDIATE") == "IMMEDIATE"


def test_the_caller_knows_whether_it_must_lock() -> None:
    with (
        consistent_read() as outer,
        consistent_read() as inner,
        transaction.atomic(),
        consistent_read() as inmost,
    ):
        assert (outer, inner, inmost) == (True, True, True)
    with transaction.atomic(), consistent_read() as inside:
        assert inside is False


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such transactions")
def test_nothing_is_written_in_a_consistent_read() -> None:
    with pytest.raises(DatabaseError, match="read-only"), consistent_read():
        EventFactory()
