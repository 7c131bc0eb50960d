"""All triggers of migration 0002 exist after the last migration. They can be dropped and installed again."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from tournaments.models import Game, Round
from tournaments.models.event_changes import PREFIX, _triggers_there, stop_watching, watch_events

triggers = import_module("tournaments.migrations._triggers")

_NAMES = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
}


def in_database() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(_NAMES[connection.vendor])
        return {name for (name,) in cursor.fetchall() if not name.startswith(PREFIX)}


def expected() -> set[str]:
    if connection.vendor == "postgresql":
        return {trigger.name for trigger in triggers.TRIGGERS} | {"log_in_progress"}
    return {
        f"{trigger.name}_{occasion}"
        for trigger in triggers.TRIGGERS
        for occasion in ("insert", "update")
        if trigger.insert or occasion == "update"
    }


@pytest.mark.django_db
def test_all_triggers_exist_after_the_last_migration() -> None:
    assert in_database() == expected()


@pytest.mark.django_db(transaction=True)
def test_triggers_can_be_dropped_and_installed_again() -> None:
    with connection.schema_editor() as editor:
        triggers.drop(apps, editor)
    assert in_database() == set()
    with connection.schema_editor() as editor:
        triggers.install(apps, editor)
        triggers.install(apps, editor)
    assert in_database() == expected()


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL alters tables in place")
def test_table_can_be_rebuilt_between_drop_and_install() -> None:
    there = _triggers_there()
    stop_watching()
    with connection.schema_editor() as editor:
        triggers.drop(apps, editor)
        editor._remake_table(Game)
        editor._remake_table(Round)
        triggers.install(apps, editor)
    assert in_database() == expected()
    assert _triggers_there() == {}
    watch_events()
    assert _triggers_there() == there != {}
