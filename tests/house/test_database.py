"""A start refuses a database that is damaged, of another program, or of a newer version, and says what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import DatabaseError, Error, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from server import chores, database, health
from tests.house.test_outages import wrapper
from tests.migrated import migrated_copy
from tournaments.models import Chore

pytestmark = pytest.mark.django_db
FILES = pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no file of the database")
Damage = Callable[[Path], None]


def overwritten(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 10)
        file.write(b"\xaa" * (size * 8 // 10))


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def no_database(path: Path) -> None:
    path.write_text("These are my notes.\n" * 500)


@pytest.fixture
def other(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """Return the file of a migrated database, which `server.database` looks at."""
    path = tmp_path / "evenboard.sqlite3"
    migrated_copy(path, tmp_path_factory)
    wrapper: BaseDatabaseWrapper = connections["default"].copy("other")
    wrapper.settings_dict["NAME"] = str(path)
    connections["other"] = wrapper
    monkeypatch.setattr(database, "connection", wrapper)
    monkeypatch.setattr(database, "pages", database.Pages())
    monkeypatch.setattr(health, "pages", database.pages)
    yield path
    wrapper.close()
    del connections["other"]


def start() -> str:
    """Return what the start prints before it ends, "" if it goes on."""
    try:
        database.refuse_unusable()
    except SystemExit as stopped:
        return str(stopped)
    except Error as error:
        return database.explain_start(error)
    return ""


@FILES
@pytest.mark.parametrize("damage", [overwritten, cut, no_database])
def test_a_damaged_file_is_named_with_the_newest_copies_and_the_command_that_loads_one(
    other: Path, damage: Damage, settings: Settings, tmp_path: Path
) -> None:
    settings.BACKUP_DIR, settings.BACKUP_TO = str(tmp_path / "backups"), str(tmp_path / "there")
    kept = tmp_path / "backups" / "open" / "a"
    kept.mkdir(parents=True)
    (tmp_path / "there").mkdir()
    for name in ("20260101T100000Z-rev00001-round1-publish", "20260102T100000Z-rev00002-round2-publish"):
        (kept / f"{name}.json.gz").touch()
    whole = tmp_path / "there" / "open-20260102T100000000000Z.json.gz"
    whole.touch()
    damage(other)
    printed = start()
    assert "is damaged, or another file is in its place" in printed
    assert str(other) in printed
    assert "round2-publish" in printed
    assert "round1-publish" not in printed
    assert f"manage.py load_copy {whole} --owner LOGIN" in printed
    (tmp_path / "there/evenboard-site-20260102T100000000000Z.sealed").touch()
    assert f"manage.py restore {tmp_path / 'there'}\n" in start()


@FILES
def test_a_sound_file_starts_and_readyz_says_when_it_was_checked(other: Path) -> None:
    assert start() == ""
    found = health.integrity()
    assert (found.ok, found.facts["fault"], bool(found.facts["checked_at"])) == (True, "", True)


@FILES
def test_a_file_that_is_damaged_while_the_program_runs_is_reported(other: Path) -> None:
    overwritten(other)
    database.pages.check()
    assert not health.integrity().ok


@FILES
def test_a_file_of_another_program_is_refused(other: Path) -> None:
    other.unlink()
    with sqlite3.connect(other) as theirs:
        theirs.execute("CREATE TABLE invoices (id INTEGER)")
    theirs.close()
    assert "is the database of another program: it has the table invoices" in start()


@FILES
def test_a_new_file_is_no_reason_to_stop(other: Path) -> None:
    other.unlink()
    assert start() == ""


def test_a_database_of_a_newer_version_is_refused_in_one_sentence() -> None:
    assert start() == ""
    MigrationRecorder(connection).record_applied("tournaments", "9999_of_tomorrow")
    printed = start()
    assert (
        "newer version of Evenboard: this program does not know its change tournaments 9999_of_tomorrow"
        in printed
    )
    assert len(printed.splitlines()) == 1


def test_a_database_from_before_the_first_release_is_refused_with_the_way_to_take_its_events_along() -> None:
    for name in ("0002_triggers", "0057_waiting_on_devices"):
        MigrationRecorder(connection).record_applied("tournaments", name)
    printed = start()
    assert "was made before the first release" in printed
    assert "save a copy of each event, and load the copies into a new database" in printed


def test_a_database_with_tables_of_another_program_alone_is_refused() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE invoices (id INTEGER)")
        cursor.execute("DELETE FROM django_migrations")
    assert "is the database of another program: it has the table invoices" in start()


@pytest.mark.parametrize("name", ["SQLITE_CORRUPT", "SQLITE_NOTADB"])
def test_pages_say_that_the_database_is_damaged(client: Client, name: str) -> None:
    def fail(*_: object) -> None:
        cause = sqlite3.DatabaseError("database disk image is malformed")
        cause.sqlite_errorname = name
        raise DatabaseError(*cause.args) from cause

    client.raise_request_exception = False
    with connection.execute_wrapper(fail):
        answer = client.get("/login/", headers={"cookie": "sessionid=somebody"})
    assert answer.status_code == 503
    page = answer.content.decode()
    assert "The database is damaged" in page
    assert " safe" not in page  # nobody knows what is left
    assert answer["X-Failure"] == "database_damaged"


ROWS = 400
INSERT = """
INSERT INTO players SELECT n, 'A', array_to_string(array(SELECT md5((n * k)::text) FROM generate_series(1, 300) k), '')
FROM generate_series(1, %s) n"""
"""The notes are too long for a page, so they stand in a table of their own."""


@dataclass(frozen=True)
class Sound:
    """A database of PostgreSQL with one table. paths: of its files, for the table, its long values and its index."""

    server: psycopg.Connection[Any]
    oid: int
    paths: dict[str, str]
    place: Path


def one(of: psycopg.Connection[Any], sql: str, *values: object) -> Any:
    row = of.execute(sql, values).fetchone()
    assert row
    return row[0]


@pytest.fixture(scope="module")
def sound(postgres_url: str) -> Iterator[Sound]:
    with closing(psycopg.connect(postgres_url, autocommit=True)) as server:
        server.execute("DROP DATABASE IF EXISTS sound")
        server.execute("CREATE DATABASE sound")
        opened = psycopg.connect(f"{postgres_url.rpartition('/')[0]}/sound", autocommit=True)
        with closing(opened):
            opened.execute("CREATE TABLE players (id int PRIMARY KEY, name text, note text)")
            opened.execute(INSERT, [ROWS])
            values = one(
                opened, "SELECT reltoastrelid::regclass::text FROM pg_class WHERE relname = 'players'"
            )
            opened.execute("CHECKPOINT")
            names = {"players": "players", "values": values, "index": "players_pkey"}
            paths = {
                kind: one(opened, "SELECT pg_relation_filepath(%s)", name) for kind, name in names.items()
            }
        oid = one(server, "SELECT oid FROM pg_database WHERE datname = 'sound'")
        yield Sound(server, oid, paths, Path(one(server, "SHOW data_directory")))
        server.execute("DROP DATABASE sound")


@pytest.fixture
def tables(
    sound: Sound, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], Path]]:
    """Let `server.database` look at a copy of the database that nobody has opened yet: its pages are in its files, and
    not in the memory of the server. Return what gives the file of a table, its values or its index.
    """
    if not sound.place.is_dir():
        pytest.skip("needs a PostgreSQL on this machine")
    server = sound.server
    server.execute("DROP DATABASE IF EXISTS damaged")
    in_files = "STRATEGY FILE_COPY" if server.info.server_version >= 150_000 else ""
    server.execute(f"CREATE DATABASE damaged TEMPLATE sound {in_files}")
    oid = one(server, "SELECT oid FROM pg_database WHERE datname = 'damaged'")
    opened = wrapper(f"{postgres_url.rpartition('/')[0]}/damaged")
    opened.alias = "other"
    connections["other"] = opened
    monkeypatch.setattr(database, "connection", opened)
    monkeypatch.setattr(database, "pages", database.Pages())
    monkeypatch.setattr(health, "pages", database.pages)
    yield lambda kind: sound.place / sound.paths[kind].replace(f"/{sound.oid}/", f"/{oid}/")
    opened.close()
    del connections["other"]
    server.execute("DROP DATABASE damaged")


def one_page(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xaa" * 8192)


def inside_pages(path: Path) -> None:
    """Overwrite values, and leave the heads of the pages as they are."""
    with path.open("r+b") as file:
        for at in range(0, path.stat().st_size, 8192):
            file.seek(at + 4096)
            file.write(b"\xaa" * 4096)


def with_amcheck() -> None:
    with connections["other"].cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'amcheck'")
        if cursor.fetchone() is None:
            pytest.skip("needs amcheck, an extension of PostgreSQL")
        cursor.execute("CREATE EXTENSION amcheck")


def no_file(path: Path) -> None:
    path.unlink()


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("kind", "damage", "found"),
    [
        ("values", one_page, "players: invalid page"),
        ("values", inside_pages, "players: "),
        ("values", cut, "players: "),
        ("players", no_file, "players: could not open file"),
        ("index", one_page, "players_pkey: invalid page"),
    ],
)
def test_a_damaged_table_of_postgresql_is_found_and_readyz_names_it(
    tables: Callable[[str], Path], kind: str, damage: Damage, found: str
) -> None:
    if kind == "index":
        with_amcheck()
    damage(tables(kind))
    database.pages.check()
    state = health.integrity()
    assert not state.ok
    assert str(state.facts["fault"]).startswith(found)


@pytest.mark.postgres
def test_sound_tables_of_postgresql_are_read_to_their_end(
    tables: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_amcheck()
    monkeypatch.setattr(database, "PART", ROWS // 4)
    database.pages.check()
    state = health.integrity()
    assert (state.ok, state.facts["fault"], state.facts["unread"]) == (True, "", 0)
    assert state.facts["checked_at"]


@pytest.mark.postgres
def test_readyz_says_that_the_time_was_not_enough_for_all_tables(
    tables: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "LONGEST_CHECK", -1.0)
    database.pages.check()
    state = health.integrity()
    assert (state.ok, state.facts["unread"], state.warning) == (
        True,
        1,
        "the database was not checked wholly",
    )


@pytest.mark.postgres
def test_a_check_that_is_stopped_notes_nothing(tables: Callable[[str], Path]) -> None:
    database.pages.check(lambda: True)
    assert health.integrity().facts["checked_at"] == ""


def test_one_of_several_processes_reads_postgresql_once_a_day_and_all_know_what_it_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outcomes = ["players: invalid page", "", ""]
    read: list[str] = []

    def fault(*_stopped: object) -> tuple[str, int]:
        read.append(outcomes[len(read)])
        return read[-1], 3

    for kind in ("file", "tables"):  # of the database of this test
        monkeypatch.setattr(database, f"_fault_of_{kind}", fault)
    found = []
    for _start in range(4):
        known = database.Pages()
        monkeypatch.setattr(chores, "pages", known)
        chores.Chores()._check_postgresql()
        found.append((known.fault, known.unread, bool(known.at)))
    assert read == outcomes[:2], "again after a fault, and not again on the same day"
    assert found == [(outcomes[0], 3, True), ("", 3, True), ("", 3, True), ("", 3, True)]
    yesterday = timezone.now() - timedelta(days=1)
    Chore.objects.update(done_at=yesterday, error_at=yesterday)
    chores.Chores()._check_postgresql()
    assert read == outcomes
