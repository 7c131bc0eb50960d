"""Copies of the whole site, and what comes back from a directory of copies.

A copy has every row of the database, except sessions and what counts on one machine alone. It is an index with the rows
that are of no event, and a file for each event, which is written again only if the event has changed. It holds the
hashes of passwords, so all files are sealed with a key that is made from SECRET_KEY. It can be read into the other kind
of database, and by a later version: the tables are first made as they were, then filled, then changed as an upgrade
changes them.
"""

from __future__ import annotations

import hmac
import json
import logging
import zlib
from base64 import b64encode
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import chain
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
from tournaments.actions.stored_copies import (
    BEGINS,
    ERASED_SINCE,
    EVENTS_OF_SITE,
    HEAD_BYTES,
    INDEX,
    MARK_ENDS,
    WHOLE,
    changes_of_events,
    empty_files,
    site_copies,
    sweep,
    write_whole,
)
from tournaments.copy_format import MOST_BYTES, state_in_head
from tournaments.errors import DomainError
from tournaments.files.copy_reading import EventCopy, read_any
from tournaments.files.copy_writing import event_state
from tournaments.models import Event, EventChange, KeptAnswer, User
from tournaments.models.event_changes import NOT_COPIED, stop_watching, watch_events, way_to_event
from tournaments.spare_messages import ForgedError, divided, joined, made_key, opened, sealed
from web.words.refusals import explain

logger = logging.getLogger(__name__)
FORMAT, PURPOSE = "evenboard-site", "site copy"
TIME = "%Y%m%dT%H%M%S%fZ"
EVERY = timedelta(hours=1)
KEPT, DAYS = 3, 7
"""So many copies are kept, and the newest of each of so many days."""
OF_DJANGO = {"auth", "contenttypes", "sessions"}
PART = 2_000  # rows
AT_ONCE = 10  # events whose rows are in memory at the same time
LOOKS = 7 * 24
"""Each run opens the files of one event in so many, so that damage is found within about a week."""
NAMED = 5
"""Files that a message names."""


class NotRestored(Exception):
    """Nothing was restored. The text says why."""


# Writing


def copy_site(directory: Path) -> Path | None:
    """Write a copy and delete old ones. Return None if the newest one is not an hour old, unless a player was erased or
    an event was deleted since. Raises OSError.
    """
    now, folder = timezone.now(), directory / EVENTS_OF_SITE
    erased = set(folder.glob(f"*{MARK_ENDS}"))
    recent = any(timedelta() <= now - _time_of(copy) < EVERY for copy in site_copies(directory)[:1])
    if recent and not erased:
        return None
    watch_events()
    sweep(folder)
    with consistent_read():
        head = {
            "format": FORMAT,
            "made_at": timezone.now().isoformat(),
            "program": PROGRAM,
            "migrations": applied(),
        }
        events = site_events()
        names = {event.key: event.name(settings.SECRET_KEY, head["migrations"]) for event in events}
        looked_at = {key for key in names if key % LOOKS == int(now.timestamp()) // 3600 % LOOKS}
        written = _write_events(folder, names, looked_at | {_key_in(mark) for mark in erased})
        index = _index(head, events)
    _empty_what_was_erased(folder, written, erased)
    path = write_whole(directory / f"{BEGINS}{now.astimezone(UTC):{TIME}}{INDEX}", index)
    for mark in erased:
        mark.unlink(missing_ok=True)
    _delete_old(directory)
    return path


@dataclass(frozen=True, slots=True)
class SiteEvent:
    """An event as the index names it. marks: the sum of its marks, another one after each change."""

    key: int
    marks: int
    slug: str

    def name(self, secret: str, migrations: object) -> str:
        """Return the name of the file with this state of the event, as this key seals it and these tables have it."""
        state = json.dumps([FORMAT, self.key, self.marks, migrations]).encode()
        return f"{self.key}-{hmac.digest(_key(secret).encode(), state, 'sha256').hex()[:16]}{WHOLE}"


def site_events() -> list[SiteEvent]:
    """Return all events as they are now."""
    marks = changes_of_events()
    events = Event.objects.order_by("pk").values_list("pk", "slug")
    return [SiteEvent(key, marks.get(key, 0), slug) for key, slug in events]


def _write_events(folder: Path, names: dict[int, str], looked_at: Container[int]) -> set[str]:
    """Write the files that are not there, and again those that are looked at and damaged. Return their names."""
    there = {path.name for path in folder.glob(f"*{WHOLE}")}
    files, due = EventFiles(folder, settings.SECRET_KEY), []
    for key, name in names.items():
        if name not in there:
            due.append(key)
        elif key in looked_at and (fault := files.fault(name)):
            logger.warning("%s/%s is written again: %s", folder.name, name, fault)
            due.append(key)
    for start in range(0, len(due), AT_ONCE):
        for key, lines in rows_of_events(due[start : start + AT_ONCE]).items():
            files.write(names[key], b"".join(lines))
    return {names[key] for key in due}


def rows_of_events(keys: Sequence[int]) -> dict[int, list[bytes]]:
    """Return the lines of each event: one for each table, with its columns, and after it one for each row."""
    found: dict[int, list[bytes]] = {key: [] for key in keys}
    for model in _models(apps):
        way = way_to_event(model)
        if way is None:
            continue
        event = "__".join(column.name for column in way) or "pk"
        rows = _rows(model).filter(**{f"{event}__in": keys}).values_list(event, *_names(model))
        begun = set()
        for key, *row in rows:
            if key not in begun:
                begun.add(key)
                found[key].append(_head_of(model))
            found[key].append(_line(row))
    return found


def _index(head: dict[str, Any], events: Iterable[SiteEvent]) -> bytes:
    """Return the index: the events, then what is of no event."""
    packer = zlib.compressobj()
    data = bytearray(joined(head))
    lines = (_line({"events": [[event.key, event.marks, event.slug] for event in events]}),)
    for line in chain(lines, _rows_of_site()):
        data += packer.compress(line)
    data += packer.flush()
    return sealed(_key(settings.SECRET_KEY), PURPOSE, data)


def _rows_of_site() -> Iterator[bytes]:
    for model in _models(apps):
        way, rows = way_to_event(model), _rows(model)
        if way is not None:
            if not any(column.null for column in way):
                continue
            rows = rows.filter(**{f"{'__'.join(column.name for column in way)}__isnull": True})
        names = _names(model)
        yield _head_of(model)
        for row in rows.values_list(*names).iterator(chunk_size=PART):
            # an answer to a program may name a player, and no copy of before forgets who was erased
            emptied = ("{}" if name == "body" else value for name, value in zip(names, row, strict=True))
            yield _line([*emptied] if model is KeptAnswer else row)


def _empty_what_was_erased(folder: Path, written: set[str], before: Container[Path]) -> None:
    """Empty what was written of an event of which a player was erased meanwhile."""
    since = {_key_in(mark) for mark in folder.glob(f"*{MARK_ENDS}") if mark not in before}
    empty_files(folder / name for name in written if _key_in(folder / name) in since)


def _key_in(path: Path) -> int:
    """Return the key of the event that the name of a file has."""
    return int(path.name.partition("-")[0])


def _delete_old(directory: Path) -> None:
    """Delete copies that are no longer kept, and the files of events that no copy names. While a copy cannot be read,
    nobody knows which ones it names.
    """
    there = site_copies(directory)
    of_days = {copy.name[: len(BEGINS) + 8]: copy for copy in reversed(there)}
    kept = {*there[:KEPT], *sorted(of_days.values())[-DAYS:]}
    for copy in set(there) - kept:
        copy.unlink(missing_ok=True)
    named: set[str] = set()
    for copy in kept:
        if copy.suffix == INDEX:
            found = _opened(copy)
            if found is None:
                return
            named.update(found.names.values())
    for path in (directory / EVENTS_OF_SITE).glob(f"*{WHOLE}"):
        if path.name not in named:
            path.unlink(missing_ok=True)


def _models(of: Apps) -> list[type[models.Model]]:
    """Return the models whose rows are copied, without those that Django itself fills."""
    return [
        model
        for model in of.get_models(include_auto_created=True)
        if model._meta.app_label not in OF_DJANGO  # noqa: SLF001 - Django documents it
        and model.__name__ not in {*NOT_COPIED, "User_groups", "User_user_permissions"}
    ]


def _columns(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    return [column for column in model._meta.local_concrete_fields if not column.generated]  # noqa: SLF001


def _names(model: type[models.Model]) -> list[str]:
    return [column.attname for column in _columns(model)]


def _rows(model: type[models.Model]) -> models.QuerySet[Any]:
    return model._base_manager.order_by("pk")  # noqa: SLF001


def _head_of(model: type[models.Model]) -> bytes:
    return _line({"model": model._meta.label, "columns": _names(model)})  # noqa: SLF001


def _line(value: object) -> bytes:
    return _ENCODED(value).encode() + b"\n"


def _as_text(value: object) -> str:
    if isinstance(value, bytes | memoryview):
        return b64encode(value).decode()
    return value.isoformat() if isinstance(value, date) else str(value)


_ENCODED = json.JSONEncoder(default=_as_text, ensure_ascii=False, separators=(",", ":")).encode


def applied() -> list[list[str]]:
    return sorted(map(list, MigrationRecorder(connection).applied_migrations()))


def _key(secret: str) -> str:
    return made_key(secret, PURPOSE)


def _time_of(copy: Path) -> datetime:
    return datetime.strptime(copy.stem[len(BEGINS) :], TIME).replace(tzinfo=UTC)


# Restoring

CHUNK = 65_536  # bytes that are unpacked at once
MISSING, DAMAGED = "the file is missing", "the file is damaged"
ERASED = "a player was erased since, or the event was deleted"
DAMAGED_FILES = (
    "If the directory was copied to another place, put these files back from there, and run the command again. Or run "
    "it with --without-damaged: each of these events then comes from its own copy, if there is one, as a new event "
    "without registrations, webhooks and undo."
)


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


@dataclass(frozen=True)
class SiteCopy:
    """A copy of the site that was opened. data: its own lines, compressed. names: of the files of events, by key."""

    path: Path
    secret: str
    head: dict[str, Any]
    data: bytes
    events: list[SiteEvent]
    names: dict[int, str]

    @property
    def files(self) -> EventFiles:
        return EventFiles(self.path.parent / EVENTS_OF_SITE, self.secret)

    def lines(self, lost: Container[int]) -> Iterator[bytes]:
        """Yield all lines of the copy, without those of some events. In memory are those of one event at a time."""
        yield from _unpacked(self.data)
        for event in self.events:
            if event.key not in lost:
                yield from _unpacked(self.files.open(self.names[event.key]))


class EventFiles:
    """The files of events in a folder. The name of a file is sealed with it, so no file can stand for another one."""

    def __init__(self, folder: Path, secret: str) -> None:
        self._folder, self._key = folder, _key(secret)

    def write(self, name: str, lines: bytes) -> None:
        """Write a file. Raises OSError."""
        data = sealed(self._key, f"{PURPOSE} {name}", zlib.compress(lines))
        write_whole(self._folder / name, data, alone=False)

    def open(self, name: str) -> bytes:
        """Return the lines in a file, compressed. Raises OSError, ForgedError."""
        return opened(self._key, f"{PURPOSE} {name}", (self._folder / name).read_bytes())

    def fault(self, name: str) -> str:
        """Return why a file cannot be read, "" if it can."""
        try:
            self.open(name)
        except FileNotFoundError:
            return MISSING
        except OSError as error:
            return error.strerror or str(error)
        except ForgedError:
            return ERASED if (self._folder / name).read_bytes() == ERASED_SINCE else DAMAGED
        return ""


def _opened(copy: Path) -> SiteCopy | None:
    """Open a copy of the site. Return None if it is damaged, or was made with another key."""
    data = copy.read_bytes()
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        try:
            head, own = divided(opened(_key(secret), PURPOSE, data))
        except ForgedError:
            continue
        first = json.loads(next(_unpacked(own)))
        events = [SiteEvent(*event) for event in first.get("events", ())]  # version 1.0 has none
        names = {event.key: event.name(secret, head["migrations"]) for event in events}
        return SiteCopy(copy, secret, head, own, events, names)
    return None


def _unpacked(data: bytes) -> Iterator[bytes]:
    """Yield the lines of what was compressed."""
    unpacker, rest = zlib.decompressobj(), b""
    for start in range(0, len(data), CHUNK):
        *lines, rest = (rest + unpacker.decompress(data[start : start + CHUNK])).split(b"\n")
        yield from lines


def restore(directory: Path, *, without_damaged: bool = False) -> Restored:
    """Fill an empty database with what a directory of copies has: the newest copy of the site, and each event whose own
    copy is newer. All of it comes back, or nothing. without_damaged: an event whose file in the copy of the site cannot
    be read comes from its own copy. Raises NotRestored, OSError.
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
    copy = _newest_site(directory, restored)
    lost = _lost_events(copy, restored, refuse=not without_damaged) if copy else {}
    try:
        if copy:
            stop_watching()
            of_then = _tables_as_they_were(copy.head["migrations"])
            with transaction.atomic():
                _fill(of_then, copy.lines(lost))
        call_command("migrate", interactive=False, verbosity=0)
        with transaction.atomic():
            if copy and copy.events:  # so that the next copy names the same files
                EventChange.objects.all().delete()
                EventChange.objects.bulk_create(
                    EventChange(event_key=event.key, mark=event.marks) for event in copy.events
                )
            _load_newer_events(directory, restored, lost.values())
    except BaseException:
        if connection.introspection.table_names():
            call_command("flush", interactive=False, verbosity=0)
        raise
    return restored


def _newest_site(directory: Path, restored: Restored) -> SiteCopy | None:
    """Return the newest copy of the site that can be read. Note those that cannot."""
    for path in site_copies(directory):
        if copy := _opened(path):
            restored.site, restored.made_at = path, copy.head["made_at"]
            return copy
        restored.left[path.name] = "it is damaged, or was made with another SECRET_KEY"
    return None


def _lost_events(copy: SiteCopy, restored: Restored, *, refuse: bool) -> dict[int, str]:
    """Return the addresses of the events whose files cannot be read, by key. Note these files. Raises NotRestored."""
    lost, damaged = {}, []
    for event in copy.events:
        name = copy.names[event.key]
        if fault := copy.files.fault(name):
            lost[event.key] = event.slug
            restored.left[f"{EVENTS_OF_SITE}/{name}"] = f"{fault} (event /{event.slug}/)"
            damaged += [f"  {EVENTS_OF_SITE}/{name} (event /{event.slug}/): {fault}"] * (fault != ERASED)
    if refuse and damaged:
        lines = (
            f"Nothing was restored. {copy.path.name} names files that cannot be read ({len(damaged)}):",
            *damaged[:NAMED],
            *(["  ..."] if damaged[NAMED:] else []),
            DAMAGED_FILES,
        )
        raise NotRestored("\n".join(lines))
    return lost


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


def _fill(of_then: Apps, lines: Iterable[bytes]) -> None:
    """Write the rows of the copy into the tables."""
    known = {model._meta.label: model for model in _models(of_then)}  # noqa: SLF001
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
                if "events" in found:
                    continue
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


def _load_newer_events(directory: Path, restored: Restored, lost: Container[str]) -> None:
    """Load the newest copy of each event that can be loaded, unless the site has that state or a newer one. lost: the
    addresses of events of which the site has nothing.
    """
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
            if (of_site and time <= of_site and address not in lost) or (
                there and state == event_state(there)
            ):
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
