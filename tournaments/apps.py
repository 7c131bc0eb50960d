from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Tournaments")

    def ready(self) -> None:
        from tournaments.models.spare import watch_connection

        connection_created.connect(watch_connection)
        pre_migrate.connect(_take_time, sender=self)
        post_migrate.connect(_take_no_time, sender=self)


def _take_time(using: str, plan: Sequence[object] = (), **_signal: Any) -> None:
    """Lift the limits on the time of statements: a migration of a large database may take minutes.

    SQLite cannot alter a table that a trigger names. PostgreSQL can, and others may write meanwhile.
    """
    from tournaments.models.event_changes import stop_watching

    _limits(using, "without_limits")
    if plan and connections[using].vendor == "sqlite":
        stop_watching()


def _take_no_time(using: str, **_signal: Any) -> None:
    from tournaments.models.event_changes import watch_events

    watch_events()
    _limits(using, "with_limits")


def _limits(using: str, change: str) -> None:
    connection = connections[using]
    if connection.vendor == "postgresql":
        from base.postgresql import base

        with connection.cursor() as cursor:
            getattr(base, change)(cursor)
