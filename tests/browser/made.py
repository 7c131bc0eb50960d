"""Sections that many tests begin with: each process makes one with the actions, and keeps a copy of the database.

A copy holds the rows and the numbers that the next rows get, so a test cannot see whether it got one or a section made
for it. It begins with an empty database, and nothing that a test does gets into the copy. On PostgreSQL each test makes
its section.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from django.db import connection

from tests.shared_rows import next_numbers, number_from
from tournaments.models import Event, Section, User

_copies: dict[Callable[[], Section], tuple[sqlite3.Connection, int, list[int]]] = {}


def made_once(make: Callable[[], Section]) -> Section:
    """Return the section that `make` makes in an empty database. `make` is a function of a module: it is the name."""
    assert not Event.objects.exists() and not User.objects.exists(), "a copy would replace these rows"  # noqa: PT018
    if connection.vendor != "sqlite":
        return Section.objects.get(pk=make().pk)
    if make not in _copies:
        made = make()
        copy = sqlite3.connect(":memory:")
        connection.connection.backup(copy)
        _copies[make] = copy, made.pk, next_numbers()
        return Section.objects.get(pk=made.pk)
    copy, pk, numbers = _copies[make]
    connection.ensure_connection()
    copy.backup(connection.connection)
    number_from(numbers)
    return Section.objects.get(pk=pk)
