"""Rows that the tests of a module begin with, made once for all of them. What a test changes is undone after it.

The rows are in a transaction that ends with the fixture that asked for them, and each test has a transaction of its own
inside. That fixture is `autouse`, or each test of the module uses it. Otherwise the order of the tests would decide
whether a test sees the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from typing import TypeVar
from unittest import mock

from django.core.cache import cache as kept_by_django
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from base.cache import clear_caches
from tests.factories import EventFactory, PlayerFactory, SectionFactory, UserFactory
from web.languages import CODES, occupied

Made = TypeVar("Made")
NUMBERED = (EventFactory, PlayerFactory, SectionFactory, UserFactory)


class _AsDatetime(type):
    """A class that can stand for `datetime` in `isinstance`."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, datetime)


class Clock:
    """Django's clock, which stands still. It moves on by a microsecond each time somebody looks, so that of two moments
    one is later.
    """

    def __init__(self) -> None:
        self._began, self._looks = datetime.now(UTC).replace(microsecond=0), count()

    def now(self, tz: object) -> datetime:
        return self._began + timedelta(microseconds=next(self._looks))

    def stopped(self) -> AbstractContextManager[object]:
        """`timezone.now` itself is the default of fields of models, so what it calls is replaced."""
        return mock.patch.object(timezone, "datetime", _AsDatetime("stopped", (), {"now": self.now}))


def keep_nothing() -> None:
    """Empty what a process keeps, also counted requests to the API. No event has the name of a language."""
    clear_caches()
    kept_by_django.clear()
    occupied.put(CODES, frozenset())


def next_numbers() -> list[int]:
    """Return the number of the next row of each factory, which it uses then."""
    numbers = [factory._meta.next_sequence() for factory in NUMBERED]
    number_from(numbers)
    return numbers


def number_from(numbers: list[int]) -> None:
    for factory, number in zip(NUMBERED, numbers, strict=True):
        factory.reset_sequence(number)


@cache
def made_without_rows(make: Callable[[], Made]) -> Made:
    """Return what `make` makes from rows that are then gone, such as a file: once in a process. `make` is a function of
    a module: it is the name.
    """
    numbers = next_numbers()
    with transaction.atomic():
        made = make()
        transaction.set_rollback(True)
    number_from(numbers)
    return made


class SharedRows:
    """Makes rows for all tests of a module. The clock of these tests and the names of factories go on from there."""

    def __init__(self, blocker: DjangoDbBlocker) -> None:
        self._blocker = blocker
        self.clock, self.numbers = Clock(), [0] * len(NUMBERED)

    @contextmanager
    def __call__(self, make: Callable[[], Made]) -> Iterator[Made]:
        """Yield what `make` makes. Its rows are gone at the end."""
        self.clock = Clock()
        atomic = transaction.atomic()
        atomic._from_testcase = True
        with self._blocker.unblock(), atomic:
            keep_nothing()
            number_from([0] * len(NUMBERED))
            with self.clock.stopped():
                made = make()
            self.numbers = next_numbers()
            with self._blocker.block():
                yield made
            transaction.set_rollback(True)
