"""`manage.py migrate`: Django's own, by one host at a time."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate

from server.prepare import only_one_host


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        with only_one_host():
            super().handle(*args, **options)
