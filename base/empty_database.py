"""An empty database in memory, for a test restore."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from django.apps import apps
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler

ALIAS = "default"
SCRATCH = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": ":memory:",
    "OPTIONS": {"init_command": "PRAGMA foreign_keys=ON; PRAGMA synchronous=OFF"},
}


@contextmanager
def scratch_database() -> Iterator[None]:
    """Put an empty SQLite database in the place of the real one, for this thread. It is gone afterwards.

    It has the tables, constraints and triggers of the models as they are now, without the migrations, which would take
    seconds. SQLite serves for PostgreSQL too: a copy can be loaded on both, and this needs no right to make a database.
    """
    real = connections[ALIAS]
    scratch = ConnectionHandler({ALIAS: dict(SCRATCH)}).create_connection(ALIAS)
    connections[ALIAS] = scratch
    try:
        with scratch.schema_editor() as editor:
            for model in apps.get_models():
                if model._meta.managed and not model._meta.proxy:  # noqa: SLF001 - Django documents _meta as public
                    editor.create_model(model)
        with scratch.schema_editor() as editor:
            import_module("tournaments.migrations._triggers").install(apps, editor)
        yield
    finally:
        connections[ALIAS] = real
        BaseDatabaseWrapper.close(scratch)  # SQLite's own close keeps a database in memory
