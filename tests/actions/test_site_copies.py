"""A lost machine: one command brings back on a new one what a directory of copies has, on either database."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from io import StringIO
from itertools import pairwise
from pathlib import Path
from unittest import mock
from uuid import uuid4

import psycopg
import pytest
from django.apps import apps
from django.conf import settings as of_site
from django.core.management import CommandError, call_command
from django.db import connection, connections, models, transaction
from django.db.utils import ConnectionHandler
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from config.settings import database
from server import site_copies as under_test
from server.site_copies import PURPOSE, _key, _opened, copy_site
from tests.factories import UserFactory, section_of
from tests.migrated import migrated_copy
from tests.web.staff.conftest import enter, paired
from tests.web.test_access import site
from tournaments.actions.event_life import archive_event, delete_wholly
from tournaments.actions.events import edit_event
from tournaments.actions.ledger import Actor
from tournaments.actions.personal_data import erase_player
from tournaments.actions.stored_copies import (
    EVENTS_OF_SITE,
    WHOLE,
    add_up_changes,
    changes_of_events,
    site_copies,
    take_from_site_copies,
)
from tournaments.models import ActionLog, Bye, Event, EventChange, ForbiddenPair, RoundFile, WaitingOnDevice
from tournaments.models.event_changes import NOT_COPIED, way_to_event
from tournaments.models.events import EventState
from tournaments.spare_messages import joined, sealed

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


class NewMachine:
    """A machine with an empty database."""

    def __init__(self, url: str, folder: Path, root: Path) -> None:
        self._environment = {"DATABASE_URL": url, "VAR_DIR": str(folder), "SECRET_KEY": of_site.SECRET_KEY}
        self._root = root

    def run(self, *command: str) -> tuple[int, str]:
        """Run a command in a process of its own. Return its exit code, and what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=self._root,
            env={**os.environ, **self._environment},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def command(self, *command: str) -> tuple[int, str]:
        """Run a command in this process, which takes two seconds less, with the database of the machine."""
        with mock.patch.dict(os.environ, self._environment):
            own = ConnectionHandler({"default": database()}).create_connection("default")
        of_test, printed = connections["default"], StringIO()
        connections["default"] = own
        try:
            call_command(*command, stdout=printed, stderr=printed)
        except CommandError as error:
            return 1, printed.getvalue() + str(error)
        finally:
            connections["default"] = of_test
            own.close()
        return 0, printed.getvalue()


def lines(copy: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name of the table and the line of each row in a copy of the site."""
    found = _opened(copy)
    assert found is not None
    assert found.head["migrations"]
    model = ""
    for line in found.lines(lost=()):
        row = json.loads(line)
        if isinstance(row, list):
            yield model, line
        else:
            model = row.get("model", "")


def rows(directory: Path) -> set[str]:
    """Return every row of the newest copy of the site, with the name of its table."""
    # PostgreSQL has its own order of keys
    return {
        f"{model} {json.dumps(json.loads(line), sort_keys=True)}"
        for model, line in lines(site_copies(directory)[0])
    }


def files(directory: Path) -> set[str]:
    return {path.name for path in (directory / EVENTS_OF_SITE).iterdir()}


def as_in_version_1_0(directory: Path, target: Path) -> Path:
    """Write the newest copy of the site as version 1.0 did: one file, table by table. Return its directory."""
    found = _opened(site_copies(directory)[0])
    assert found
    tables: dict[str, list[bytes]] = {}
    model = ""
    for line in found.lines(lost=()):
        row = json.loads(line)
        if isinstance(row, list):
            tables[model].append(line)
        elif "model" in row:
            model = row["model"]
            tables.setdefault(model, [line])
    data = zlib.compress(b"".join(line + b"\n" for table in tables.values() for line in table))
    target.mkdir()
    name = site_copies(directory)[0].with_suffix(WHOLE).name
    (target / name).write_bytes(sealed(_key(of_site.SECRET_KEY), PURPOSE, joined(found.head, data)))
    return target


@pytest.mark.slow
@pytest.mark.one_database  # both kinds are in it
def test_site_comes_back_on_a_new_machine_with_every_row(
    tmp_path: Path,
    root: Path,
    postgres_url: str,
    tmp_path_factory: pytest.TempPathFactory,
    settings: Settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    copies = tmp_path / "copies"
    settings.BACKUP_TO = str(copies)
    made = site(public=True)
    kept = section_of(4, event__name="Archived", event__slug="archived").event
    archive_event(actor=Actor.command(), event=kept)
    changed = paired(section_of(4, event__name="Changed", event__slug="changed"))
    erased = section_of(4, event__name="Erased", event__slug="erased")
    password = UserFactory(username="ada", is_superuser=True).password
    call_command("copy_tournaments", str(copies), verbosity=0)
    assert password.encode() not in site_copies(copies)[0].read_bytes()

    # The single file of version 1.0 comes back on SQLite, the files of this version on PostgreSQL.
    urls = {"sqlite": (f"sqlite:///{tmp_path / 'new.sqlite3'}", as_in_version_1_0(copies, tmp_path / "1.0"))}
    if connection.vendor == "sqlite":
        urls["postgresql"] = f"{postgres_url.rpartition('/')[0]}/restored", copies
        with closing(psycopg.connect(postgres_url, autocommit=True)) as server:
            server.execute("CREATE DATABASE restored")
    for kind, (url, source) in urls.items():
        machine = NewMachine(url, tmp_path / kind, root)
        run = machine.run if source == copies else machine.command
        status, printed = run("restore", str(source))
        assert status == 0, printed
        assert f"{Event.objects.count()} events" in printed
        assert "as a new event" not in printed
        back = tmp_path / f"back-{kind}"
        assert run("copy_tournaments", str(back))[0] == 0
        assert rows(back) ^ rows(copies) == set()
        assert (files(back) == files(copies)) == (source == copies), "what is the same is not copied again"
    assert machine.command("check_logs")[0] == 0
    status, printed = machine.command("restore", str(copies))
    assert status == 1
    assert "into an empty database only" in printed
    for name in (f'"{made.logins["superuser"].username}"', password, f'"{EventState.ARCHIVED}"', '"changed"'):
        assert any(name in row for row in rows(copies)), name

    # Since the copy of the site, one event has changed, and a player of another one was erased. The last copy of the
    # first one is damaged, so is a newer copy of the site, and a file of the copy that is left is missing.
    for board, result in ((1, "1-0"), (2, "0-1")):
        enter(changed.games.get(board=board), result)
        call_command("copy_tournaments", str(copies), event=["changed"], verbosity=0)
    player = erased.participants.order_by("pk")[0].player
    with django_capture_on_commit_callbacks(execute=True):
        erase_player(actor=Actor.command(), event=erased.event, player_id=player.pk, typed=player.name)
    call_command("copy_tournaments", str(copies), event=["erased"], verbosity=0)
    newest = max(copies.glob("changed-*"))
    newest.write_bytes(newest.read_bytes()[:-40])
    broken = copies / "evenboard-site-29990101T000000000000Z.index"
    broken.write_bytes(site_copies(copies)[0].read_bytes()[:-1])
    (missing,) = (copies / EVENTS_OF_SITE).glob(f"{kept.pk}-*.sealed")
    missing.unlink()
    for name in ("later", "other"):
        migrated_copy(tmp_path / f"{name}.sqlite3", tmp_path_factory)
    later = NewMachine(f"sqlite:///{tmp_path / 'later.sqlite3'}", tmp_path / "later", root)
    status, printed = later.command("restore", str(copies))
    assert status == 1
    assert "Nothing was restored" in printed
    assert f"{missing.name} (event /archived/): the file is missing" in printed
    status, printed = later.command("restore", "--without-damaged", str(copies))
    assert status == 0, printed
    assert f"Not restored: {newest.name}" in printed
    assert f"Not restored: {broken.name}: it is damaged" in printed
    assert f"as a new event /changed-2/, from {sorted(copies.glob('changed-*'))[-2].name}" in printed
    assert "a player was erased since, or the event was deleted (event /erased/)" in printed
    assert "Restored: Erased, as a new event /erased/" in printed
    assert "Restored: Archived, as a new event /archived/" in printed
    assert f"There are {Event.objects.count() + 1} events" in printed

    # Without the key of the lost server, the events come back alone.
    settings.SECRET_KEY = "x" * 60
    other = NewMachine(f"sqlite:///{tmp_path / 'other.sqlite3'}", tmp_path / "other", root)
    status, printed = other.command("restore", str(copies))
    assert status == 0, printed
    assert "another SECRET_KEY" in printed
    assert "/archived/" in printed
    assert f"There are {Event.objects.count()} events and 0 logins" in printed


class Hours:
    """A clock that goes on by an hour for each copy."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._now, self._monkeypatch = timezone.now(), monkeypatch

    def copy(self, directory: Path, hours: float = 1) -> Path | None:
        self._now += timedelta(hours=hours)
        self._monkeypatch.setattr("server.site_copies.timezone.now", lambda: self._now)
        return copy_site(directory)


@pytest.mark.one_database
def test_one_copy_of_the_site_an_hour_and_one_a_day_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    section_of(2)
    hours = Hours(monkeypatch)
    for _ in range(9 * 2):
        assert hours.copy(tmp_path, 12)
        assert hours.copy(tmp_path, 0) is None
    days = [path.name[15:23] for path in site_copies(tmp_path)]
    assert len(set(days)) == 7
    assert len(days) == 8
    assert len(files(tmp_path)) == 1
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(kept) == 9


def test_an_event_is_written_again_when_it_has_changed_and_at_no_other_time(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    settings.BACKUP_TO = str(tmp_path)
    hours = Hours(monkeypatch)
    section = section_of(4, event__slug="a")
    changed, other = section.event, section_of(2, event__slug="b").event
    assert hours.copy(tmp_path)
    first = files(tmp_path)
    edit_event(actor=Actor.command(), event=changed, time_control="90 min")
    add_up_changes()
    hours.copy(tmp_path)
    (new,) = files(tmp_path) - first
    assert new.startswith(f"{changed.pk}-")
    assert any("90 min" in row for row in rows(tmp_path))

    # Killed while it writes: the copies of before stay, and the next one goes on where this one stopped.
    edit_event(actor=Actor.command(), event=changed, time_control="60 min")
    edit_event(actor=Actor.command(), event=other, time_control="Blitz")
    before, there, write = site_copies(tmp_path), files(tmp_path), under_test.write_whole

    def killed(path: Path, data: bytes, **how: bool) -> Path:
        if path.parent == tmp_path:
            raise KeyboardInterrupt
        return write(path, data, **how)

    monkeypatch.setattr(under_test, "write_whole", killed)
    with pytest.raises(KeyboardInterrupt):
        hours.copy(tmp_path)
    monkeypatch.setattr(under_test, "write_whole", write)
    assert site_copies(tmp_path) == before
    written = files(tmp_path) - there
    assert len(written) == 2
    assert len(rows(tmp_path)) > 20
    hours.copy(tmp_path)
    assert files(tmp_path) == there | written

    # A file that is lost or damaged is written again, the damaged one within a week.
    lost, damaged = sorted(written)
    (tmp_path / EVENTS_OF_SITE / lost).unlink()
    (tmp_path / EVENTS_OF_SITE / damaged).write_bytes(b"x" * 1_000)
    hours.copy(tmp_path)
    monkeypatch.setattr(under_test, "LOOKS", 1)
    hours.copy(tmp_path)
    assert len(rows(tmp_path)) > 20

    # A player is erased, once while a copy is being written: no file has the name, and each copy can be read.
    player = section.participants.order_by("pk")[0].player

    def erase() -> None:
        with django_capture_on_commit_callbacks(execute=True):
            erase_player(actor=Actor.command(), event=changed, player_id=player.pk, typed=player.name)

    write_events = under_test._write_events

    def meanwhile(*about: object) -> set[str]:
        take_from_site_copies(tmp_path, changed.pk)
        return write_events(*about)

    assert named(tmp_path, player.name) > 1
    edit_event(actor=Actor.command(), event=changed, time_control="30 min")
    monkeypatch.setattr(under_test, "_write_events", meanwhile)
    hours.copy(tmp_path)
    monkeypatch.setattr(under_test, "_write_events", write_events)
    assert named(tmp_path, player.name) == 0
    erase()
    assert named(tmp_path, player.name) == 0
    hours.copy(tmp_path, 0.1)
    assert any("Erased player 1" in row for row in rows(tmp_path))
    copies = site_copies(tmp_path)
    assert named(tmp_path, "Blitz") > 1
    with django_capture_on_commit_callbacks(execute=True):
        delete_wholly(other)
    hours.copy(tmp_path, 0.1)
    assert set(copies[:2]) < set(site_copies(tmp_path))
    assert named(tmp_path, "Blitz") == named(tmp_path, player.name) == 0
    assert not list((tmp_path / EVENTS_OF_SITE).glob("*.erased"))


def named(directory: Path, text: str) -> int:
    """Return how many copies of the site have a text. Each can be read but for the events that were emptied."""
    found = 0
    for path in site_copies(directory):
        copy = _opened(path)
        assert copy
        lost = under_test._lost_events(copy, under_test.Restored(), refuse=True)
        found += any(text.encode() in line for line in copy.lines(lost))
    for file in (directory / EVENTS_OF_SITE).glob("*.sealed"):  # also those that no copy names
        files = under_test.EventFiles(file.parent, of_site.SECRET_KEY)
        found += not files.fault(file.name) and text.encode() in zlib.decompress(files.open(file.name))
    return found


def first_row(model: type[models.Model], event: Event) -> models.Model:
    """Return a row of an event, a new one if there is none."""
    way = way_to_event(model)
    found = models.QuerySet(model)
    if way is not None:
        found = found.filter(**{"__".join(column.name for column in way) or "pk": event.pk})
    if row := found.order_by("pk").first():
        return row
    row, now = model(), timezone.now()
    values = {
        models.DateTimeField: now,
        models.DateField: now.date(),
        models.JSONField: [],
        models.BinaryField: b"x",
        models.UUIDField: uuid4(),
        models.CharField: "x",
        models.TextField: "x",
        models.BooleanField: True,
        models.TimeField: now.time(),
        models.GenericIPAddressField: "::1",
        models.IntegerField: 9,
    }
    for column in model._meta.local_concrete_fields:
        if isinstance(column, models.ForeignKey):
            if not column.null or column in (way or ()):
                setattr(row, column.name, first_row(column.related_model, event))
        elif not (column.primary_key or column.has_default() or column.generated or column.null):
            value = next(value for kind, value in values.items() if isinstance(column, kind))
            setattr(row, column.attname, column.choices[0][0] if column.choices else value)
    models.QuerySet(model).bulk_create([row])
    return models.QuerySet(model).latest("pk")


def test_each_kind_of_row_of_an_event_counts_when_it_is_added_changed_or_deleted() -> None:
    section = paired(section_of(4)).section
    section_of(2)
    first, second = section.participants.order_by("pk")[:2]
    ForbiddenPair.objects.create(section=section, first=first, second=second)
    Bye.objects.create(participant=first, round_number=2, kind="H")
    WaitingOnDevice.objects.create(
        section=section, number=1, kind="here", user=UserFactory(), count=1, heard_at=timezone.now()
    )
    for model in apps.get_models(include_auto_created=True):
        if way_to_event(model) is None or model.__name__ in NOT_COPIED:
            continue
        first = first_row(model, section.event)
        row = models.QuerySet(model).filter(pk=first.pk)
        column = [column for column in model._meta.local_concrete_fields if not column.generated][-1].attname
        states = [changes_of_events()]
        if model not in (ActionLog, RoundFile):  # the database refuses to change their rows
            row.update(**{column: getattr(first, column)})
            states.append(changes_of_events())
        if model is not Event:
            with transaction.atomic(), connection.constraint_checks_disabled():
                row._raw_delete(using="default")
                states.append(changes_of_events())
                models.QuerySet(model).bulk_create([first])
                states.append(changes_of_events())
        for before, after in pairwise(states):
            assert {key for key in after if after[key] != before.get(key)} == {section.event.pk}, (
                model.__name__
            )


def test_marks_of_an_event_are_added_up_and_the_sum_stays() -> None:
    events = [section_of(2).event for _ in range(2)]
    gone = section_of(2).event
    delete_wholly(gone)
    before = changes_of_events()
    assert EventChange.objects.count() > 10
    add_up_changes()
    assert changes_of_events() == {event.pk: before[event.pk] for event in events}
    assert EventChange.objects.count() == 2
    add_up_changes()
    assert EventChange.objects.count() == 2
