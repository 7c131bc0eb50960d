"""Copies of the whole site, and what comes back from a directory of copies.

A copy has every row of the database, except sessions and what counts on one machine alone. It holds the hashes of
passwords, so it is sealed with a key that is made from SECRET_KEY. It can be read into the other kind of database, and
by a later version: the tables are first made as they were, then filled, then changed as an upgrade changes them.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from django.apps import apps
from django.apps.registry import Apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from base.consistent_read import consistent_read
from evenboard_engine import PROGRAM
from tournaments.actions.copies import load_event_copy
from tournaments.actions.ledger import Actor
from tournaments.actions.stored_copies import BEGINS, ENDS, HEAD_BYTES, site_copies, write_whole
from tournaments.copy_format import MOST_BYTES, state_in_head
from tournaments.errors import DomainError
from tournaments.files.copy_reading import EventCopy, read_any
from tournaments.files.copy_writing import event_state
from tournaments.models import Event, User
from tournaments.spare_messages import ForgedError, divided, joined, made_key, opened, sealed
from web.words.refusals import explain

FORMAT, PURPOSE = "evenboard-site", "site copy"
TIME = "%Y%m%dT%H%M%S%fZ"
EVERY = timedelta(hours=1)
KEPT, DAYS = 3, 7
"""So many copies are kept, and the newest of each of so many days."""
LEFT_OUT = {"RatingList", "LoginSession", "CopyProof", "Chore", "KeptUpload"}
"""Models whose rows count on one machine alone, or name files beside the database."""
OF_DJANGO = {"auth", "contenttypes", "sessions"}
PART = 2_000  # rows


class NotRestored(Exception):
    """Nothing was restored. The text says why."""


# Writing


def copy_site(directory: Path) -> Path | None:
    """Write a copy and delete old ones. Return None if the newest one is not an hour old. Raises OSError."""
    now = timezone.now()
    if any(timedelta() <= now - _time_of(copy) < EVERY for copy in site_copies(directory)[:1]):
        return None
    path = write_whole(directory / f"{BEGINS}{now.astimezone(UTC):{TIME}}{ENDS}", site_file())
    there = site_copies(directory)
    of_days = {copy.name[: len(BEGINS) + 8]: copy for copy in reversed(there)}
    for copy in set(there) - {*there[:KEPT], *sorted(of_days.values())[-DAYS:]}:
        copy.unlink(missing_ok=True)
    return path


def site_file() -> bytes:
    """Return the copy of the site as it is at one moment."""
    packer = zlib.compressobj()
    with consistent_read():
        head = {
            "format": FORMAT,
            "made_at": timezone.now().isoformat(),
            "program": PROGRAM,
            "migrations": _applied(),
        }
        data = bytearray(joined(head))  # of a large site: it is not copied more often than sealing needs
        for line in _lines():
            data += packer.compress(line)
    data += packer.flush()
    return sealed(_key(settings.SECRET_KEY), PURPOSE, data)


def _lines() -> Iterator[bytes]:
    """Yield a line for each table, with its columns, and after it one for each row."""
    for model in _models(apps):
        columns = [column.attname for column in _columns(model)]
        yield _line({"model": model._meta.label, "columns": columns})  # noqa: SLF001 - Django documents it
        rows = model._base_manager.order_by("pk").values_list(*columns)  # noqa: SLF001
        for row in rows.iterator(chunk_size=PART):
            yield _line(row)


def _models(of: Apps) -> list[type[models.Model]]:
    """Return the models whose rows are copied, without those that Django itself fills."""
    return [
        model
        for model in of.get_models(include_auto_created=True)
        if model._meta.app_label not in OF_DJANGO  # noqa: SLF001
        and model.__name__ not in {*LEFT_OUT, "User_groups", "User_user_permissions"}
    ]


def _columns(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    return [column for column in model._meta.local_concrete_fields if not column.generated]  # noqa: SLF001


def _line(value: object) -> bytes:
    return _ENCODED(value).encode() + b"\n"


def _as_text(value: object) -> str:
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    return value.isoformat() if isinstance(value, date) else str(value)


_ENCODED = json.JSONEncoder(default=_as_text, ensure_ascii=False, separators=(",", ":")).encode


def _applied() -> list[list[str]]:
    return sorted(map(list, MigrationRecorder(connection).applied_migrations()))


def _key(secret: str) -> str:
    return made_key(secret, PURPOSE)


def _time_of(copy: Path) -> datetime:
    return datetime.strptime(copy.name[len(BEGINS) : -len(ENDS)], TIME).replace(tzinfo=UTC)


# Restoring


@dataclass
class Restored:
    """What came back from a directory.

    site: the copy of the site, None if none can be read. events: those loaded from copies of their own, by
    the name of the file. left: files that could not be read, with the reason.
    """

    site: Path | None = None
    made_at: str = ""
    events: dict[str, Event] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)


def restore(directory: Path) -> Restored:
    """Fill an empty database with what a directory of copies has: the newest copy of the site, and each event whose own
    copy is newer. All of it comes back, or nothing. Raises NotRestored, OSError.
    """
    if not directory.is_dir():
        raise NotRestored(f"There is no directory {directory}.")
    if "tournaments_event" in connection.introspection.table_names() and (
        Event.objects.exists() or User.objects.exists()
    ):
        raise NotRestored(
            "The database has events or logins. Copies are restored into an empty database only."
        )
    restored = Restored()
    head, data = _newest_site(directory, restored)
    try:
        if head:
            of_then = _tables_as_they_were(head["migrations"])
            with transaction.atomic():
                _fill(of_then, data)
        call_command("migrate", interactive=False, verbosity=0)
        with transaction.atomic():
            _load_newer_events(directory, restored)
    except BaseException:
        if connection.introspection.table_names():
            call_command("flush", interactive=False, verbosity=0)
        raise
    return restored


def _newest_site(directory: Path, restored: Restored) -> tuple[dict[str, Any], bytes]:
    """Return the newest copy of the site that can be read: its head and its rows. Note those that cannot."""
    for copy in site_copies(directory):
        sealed_data = copy.read_bytes()
        for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
            try:
                head, data = divided(opened(_key(secret), PURPOSE, sealed_data))
            except ForgedError:
                continue
            restored.site, restored.made_at = copy, head["made_at"]
            return head, data
        restored.left[copy.name] = "it is damaged, or was made with another SECRET_KEY"
    return {}, b""


def _tables_as_they_were(migrations: list[list[str]]) -> Apps:
    """Make the tables that the copy is of, and return their models. Raises NotRestored."""
    executor = MigrationExecutor(connection)
    loader, then = executor.loader, {(app, name) for app, name in migrations}
    unknown = sorted(
        key for key in then if key[0] in loader.migrated_apps and key not in loader.disk_migrations
    )
    if unknown:
        raise NotRestored(
            f"A newer version of Evenboard made the copy: {'.'.join(unknown[-1])} is unknown here."
        )
    if set(loader.applied_migrations) - then:
        raise NotRestored(
            "An earlier version of Evenboard made the copy. Begin with a database without any tables."
        )
    known = [key for key in sorted(then) if key in loader.graph.nodes]
    last = [
        key
        for key in known
        if not any(
            child.key in then and child.key[0] == key[0] for child in loader.graph.node_map[key].children
        )
    ]
    executor.migrate(last)
    return executor.loader.project_state(last).apps


def _fill(of_then: Apps, data: bytes) -> None:
    """Write the rows of the copy into the tables."""
    known = {model._meta.label: model for model in _models(of_then)}  # noqa: SLF001
    lines = iter(zlib.decompress(data).splitlines())
    with connection.cursor() as cursor:
        insert = ""
        columns: list[models.Field[Any, Any]] = []
        rows: list[list[Any]] = []

        def write() -> None:
            if rows:
                cursor.executemany(insert, rows)
                rows.clear()

        for line in lines:
            found = json.loads(line)
            if isinstance(found, dict):
                write()
                model = known[found["model"]]
                by_name = {column.attname: column for column in _columns(model)}
                columns = [by_name[name] for name in found["columns"]]
                insert = _insert(model, columns)
            else:
                rows.append([_value(column, value) for column, value in zip(columns, found, strict=True)])
                if len(rows) >= PART:
                    write()
        write()
        for reset in connection.ops.sequence_reset_sql(no_style(), list(known.values())):
            cursor.execute(reset)
    # no list is here, so that each is fetched whole again
    of_then.get_model("ratings", "KnownOrigin")._base_manager.update(etag="", asked=True)  # noqa: SLF001


def _insert(model: type[models.Model], columns: Sequence[models.Field[Any, Any]]) -> str:
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(column.column)) for column in columns)
    marks = ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({marks})"  # noqa: S608, SLF001


def _value(column: models.Field[Any, Any], value: object) -> Any:
    return column.get_db_prep_save(column.to_python(value), connection)


def _load_newer_events(directory: Path, restored: Restored) -> None:
    """Load the newest copy of each event that can be loaded, unless the site has that state or a newer one."""
    of_site = _time_of(restored.site) if restored.site else None
    copies: dict[str, list[Path]] = {}
    for path in sorted(directory.glob("*-*Z.json.gz"), reverse=True):
        copies.setdefault(path.name.rpartition("-")[0], []).append(path)
    for address, of_event in copies.items():
        there = Event.objects.filter(slug=address).first()
        for path in of_event:
            time = datetime.strptime(path.name.rpartition("-")[2].partition(".")[0], TIME).replace(tzinfo=UTC)
            with path.open("rb") as file:
                state = state_in_head(file.read(HEAD_BYTES))
            if (of_site and time <= of_site) or (there and state == event_state(there)):
                break
            try:
                copy = read_any(path.read_bytes()[: MOST_BYTES + 1])
                assert isinstance(copy, EventCopy)
                actor = Actor.command()
                restored.events[path.name] = load_event_copy(
                    actor=actor, copy=copy, roles=True, source=path.name
                )
                break
            except DomainError as error:
                restored.left[path.name] = explain(error)
