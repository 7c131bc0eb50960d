"""Rows that the tests of a module share: each test finds them as they were made (tests/shared_rows.py)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from tests.factories import EventFactory
from tests.shared_rows import SharedRows
from tournaments.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]
_made: list[Event] = []


def one_event() -> Event:
    cache.set("made", 1)
    _made.append(EventFactory(name="Shared"))
    return _made[-1]


@pytest.fixture(scope="module", autouse=True)
def event(shared_rows: SharedRows) -> Iterator[Event]:
    with shared_rows(one_event) as made:
        yield made


@pytest.mark.parametrize("time", ["first", "second"])
def test_each_test_finds_the_rows_as_they_were_made(event: Event, time: str) -> None:
    assert Event.objects.get().name == "Shared"
    assert _made == [event]
    assert cache.get("made") is None
    Event.objects.update(name=time)
    assert EventFactory().slug == "event-1"
