"""A program that asks what has changed misses nothing, also what was being saved while it asked."""

from __future__ import annotations

from threading import Event, Thread

import pytest
from django.db import connection, transaction

from tests.factories import EventFactory
from tests.waiting import LONG
from tournaments.actions.events import edit_event
from tournaments.actions.ledger import Actor
from tournaments.queries.programs import changed_in_log, log_mark


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_an_action_that_is_committed_later_than_a_newer_one_is_not_missed(transactional_db: None) -> None:
    slow, quick = EventFactory(), EventFactory()
    wrote, go_on = Event(), Event()

    def slowly() -> None:
        with transaction.atomic():
            edit_event(actor=Actor.command(), event=slow, city="Bled")
            wrote.set()
            go_on.wait(LONG)
        connection.close()

    def ask() -> set[int] | None:
        nonlocal mark
        newest, found = log_mark(), changed_in_log(mark, "event_id")
        mark = newest
        return found

    mark = log_mark()
    writer = Thread(target=slowly)
    writer.start()
    assert wrote.wait(LONG)
    edit_event(actor=Actor.command(), event=quick, city="Bled")
    assert ask() == {quick.pk}
    go_on.set()
    writer.join()
    assert slow.pk in (ask() or ())
    assert ask() == set()
