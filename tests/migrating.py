"""The database of a test, as an earlier version had it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

WITH_TOURNAMENTS = "0016_order_of_forbidden_pairs"
"""In this version, a section was a `Tournament` in the code and in the database."""

WITH_COLUMNS_OF_OPTIONS = "0018_section"
"""In this version, each option of the pairing system was a column of the section."""


@contextmanager
def at_migration(name: str) -> Iterator[Apps]:
    """Give the models of that migration while the database is as it was then, and migrate it again afterwards.

    The test needs `transaction=True`.
    """
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()  # other applications go back too: their tables refer to ours
    then = [("tournaments", name)]
    executor.migrate(then)
    try:
        yield executor.loader.project_state(then).apps
    finally:
        MigrationExecutor(connection).migrate(newest)
