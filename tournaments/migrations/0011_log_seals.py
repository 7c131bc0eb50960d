"""Seal the log. Rows that exist already are sealed as they are now, and rows that a copy brought get their marks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC
from typing import Any

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from tournaments.log_seal import seal_rows

from ._triggers import drop, install

BATCH = 500


def seal_logs(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    log = models.QuerySet(apps.get_model("tournaments", "ActionLog"))  # its own manager refuses updates
    for section in apps.get_model("tournaments", "Tournament").objects.order_by("pk").iterator():
        loads = list(log.filter(tournament=section, action="load_copy").order_by("revision"))
        rows = log.filter(tournament=section).order_by("revision", "pk")
        section.log_head = _seal(
            log, rows, lambda row, loads=loads: [_mark(load) for load in loads if load.revision > row.revision]
        )
        section.save(update_fields=["log_head"])
    for event in apps.get_model("tournaments", "Event").objects.order_by("pk").iterator():
        rows = log.filter(event=event, tournament=None).order_by("pk")
        first = rows.first()
        event.log_head = _seal(
            log, rows, lambda row, first=first: [_mark(first, subject="")] if row.at < first.at else []
        )
        event.save(update_fields=["log_head"])


def _seal(log: Any, rows: Any, marks: Callable[[Any], list[dict[str, str]]]) -> str:
    """Mark and seal the rows in this order. Return the last seal."""
    head = ""
    keys = list(rows.values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        batch = list(rows.filter(pk__in=keys[start : start + BATCH]))
        for row in batch:
            row.brought = marks(row)
        head = seal_rows(batch, head)
        log.bulk_update(batch, ["brought", "seal"])
    return head


def _mark(load: Any, subject: str | None = None) -> dict[str, str]:
    """The row that loaded the copy says which file it was; the first row of a loaded event does not."""
    return {
        "file": load.subject if subject is None else subject,
        "made": str(load.after.get("copied", "")) if subject is None else "",
        "loaded": load.at.astimezone(UTC).isoformat(),
        "by": load.who,
        "origin": "unsealed",
        "key": "",
    }


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0010_event_time_zone")]

    operations = [
        migrations.RunPython(drop, install),
        migrations.AddField("actionlog", "brought", models.JSONField(blank=True, default=list)),
        migrations.AddField("actionlog", "seal", models.CharField(blank=True, max_length=64, default="")),
        migrations.AddField(
            "event", "log_head", models.CharField(blank=True, editable=False, max_length=64, default="")
        ),
        migrations.AddField(
            "tournament", "log_head", models.CharField(blank=True, editable=False, max_length=64, default="")
        ),
        migrations.RunPython(seal_logs, migrations.RunPython.noop),
        migrations.RunPython(install, drop),
    ]
