"""A full disk, a database that is stopped, frozen or busy: what is answered, and that nothing is half written."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import psycopg
import pytest
from django import db
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from psycopg import errors

from server.failures import BUSY, DAMAGED, FULL, READ_ONLY, SLOW, STOPPED, UNWRITABLE, Failure, failure_of
from tests.factories import EventFactory, EventRoleFactory, section_of
from tests.web.staff.conftest import address, paired
from tournaments.models import ActionLog, Game, Section


def of_sqlite(name: str) -> Callable[[], None]:
    def fail() -> None:
        cause = sqlite3.OperationalError("database or disk is full")
        cause.sqlite_errorname = name
        raise db.OperationalError(*cause.args) from cause

    return fail


def of_psycopg(cause: psycopg.Error, kind: type[Exception] = db.OperationalError) -> Callable[[], None]:
    def fail() -> None:
        raise kind(*cause.args) from cause

    return fail


def of_system(number: int) -> Callable[[], None]:
    def fail() -> None:
        raise OSError(number, "told by the system")

    return fail


def behind_another() -> None:
    try:
        of_system(errno.ENOSPC)()
    except OSError:
        raise ValueError("while it was handled")  # noqa: B904


@pytest.mark.parametrize(
    ("fail", "meaning"),
    [
        (of_sqlite("SQLITE_FULL"), FULL),
        (of_sqlite("SQLITE_BUSY_SNAPSHOT"), BUSY),
        (of_sqlite("SQLITE_IOERR_WRITE"), UNWRITABLE),
        (of_sqlite("SQLITE_CANTOPEN"), UNWRITABLE),
        (of_sqlite("SQLITE_ERROR"), None),
        (of_system(errno.ENOSPC), FULL),
        (of_system(errno.EROFS), UNWRITABLE),
        (of_system(errno.ENOENT), None),
        (behind_another, FULL),
        (of_psycopg(errors.DiskFull("no space left on device")), FULL),
        (of_psycopg(errors.ReadOnlySqlTransaction("cannot execute INSERT"), db.InternalError), READ_ONLY),
        (of_psycopg(errors.QueryCanceled("statement timeout")), SLOW),
        (of_psycopg(errors.LockNotAvailable("lock timeout")), BUSY),
        (of_psycopg(errors.AdminShutdown("terminating connection")), STOPPED),
        (of_psycopg(errors.TooManyConnections("sorry, too many clients")), BUSY),
        (of_psycopg(psycopg.OperationalError("connection refused")), STOPPED),
        (of_psycopg(errors.ConnectionTimeout("connection timeout expired")), SLOW),
        (of_psycopg(psycopg.OperationalError("the database did not answer in time")), SLOW),
        (of_psycopg(psycopg.InterfaceError("the connection is closed"), db.InterfaceError), STOPPED),
        (of_psycopg(errors.UndefinedTable("no such table"), db.ProgrammingError), DAMAGED),
        (of_psycopg(errors.DataCorrupted("invalid page in block 7"), db.InternalError), DAMAGED),
        (of_psycopg(errors.IndexCorrupted("index is corrupted"), db.InternalError), DAMAGED),
        (of_psycopg(errors.UndefinedColumn("no such column"), db.ProgrammingError), None),
        (of_psycopg(psycopg.DataError("text with a zero byte"), db.DataError), None),
        (of_sqlite("SQLITE_CORRUPT_INDEX"), DAMAGED),
        (of_sqlite("SQLITE_NOTADB"), DAMAGED),
        (of_sqlite("SQLITE_IOERR_SHORT_READ"), DAMAGED),
    ],
)
def test_failures_of_the_machine_are_distinguished_from_errors_in_the_program(
    fail: Callable[[], None], meaning: Failure | None
) -> None:
    with pytest.raises(Exception) as caught:
        fail()
    assert failure_of(caught.value) is meaning


@contextmanager
def failing(fail: Callable[[], None], word: str) -> Iterator[None]:
    """Let statements that contain a word fail."""

    def execute(run: Callable[..., object], sql: str, *others: object) -> object:
        if word in sql:
            fail()
        return run(sql, *others)

    with connection.execute_wrapper(execute):
        yield


@pytest.fixture
def game(db: None) -> Game:
    section = section_of(4, event=EventFactory(), name="A", slug="a")
    paired(section)
    return Game.objects.select_related("round__section__event").get(round__section=section, board=1)


@pytest.fixture
def browser(game: Game) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(EventRoleFactory(event=game.round.section.event).user)
    return client


@pytest.fixture
def save(browser: Client, game: Game) -> Callable[..., object]:
    def save(**headers: str) -> object:
        url = address(game.round.section, f"game/{game.pk}/result/")
        sent = {"result": "1-0", "version": 0, "user": browser.session["_auth_user_id"]}
        return browser.post(url, sent, headers=headers)

    return save


@pytest.mark.parametrize("word", ["UPDATE", 'INSERT INTO "tournaments_actionlog"'])
def test_result_that_a_full_disk_refuses_is_not_half_written(
    save: Callable[..., object], game: Game, word: str
) -> None:
    before = ActionLog.objects.count()
    with failing(of_sqlite("SQLITE_FULL"), word):
        answer = save()
    html = answer.content.decode()
    assert (answer.status_code, answer["Retry-After"], answer["X-Failure"]) == (507, "5", "disk_full")
    assert "<h1>The disk is full</h1>" in html
    assert (
        "What you just sent was not saved, not even a part of it. Everything that was saved before is safe."
        in html
    )
    assert "must free space" in html
    game.refresh_from_db()
    assert (game.result, ActionLog.objects.count()) == ("", before)
    assert save().status_code in (200, 302)
    game.refresh_from_db()
    assert game.result == "1-0"


def test_queue_of_results_gets_the_reason_as_json(save: Callable[..., object]) -> None:
    with failing(of_sqlite("SQLITE_FULL"), "UPDATE"):
        answer = save(Accept="application/json")
    assert (answer.status_code, answer["X-Failure"]) == (507, "disk_full")
    assert {name: answer.json()[name] for name in ("code", "title")} == {
        "code": "disk_full",
        "title": "The disk is full",
    }


@pytest.mark.parametrize(
    ("path", "kind"), [("", "text/html"), ("cockpit/", "text/html"), ("/api/", "application/problem+json")]
)
def test_page_without_a_database_says_so_without_asking_it(
    browser: Client, game: Game, path: str, kind: str
) -> None:
    section = game.round.section
    path = f"/api/v1/public/sections/{section.pk}/standings/" if path == "/api/" else address(section, path)
    gone = db_error(psycopg.OperationalError("connection refused"))
    with mock.patch.object(connection, "cursor", side_effect=gone):
        answer = browser.get(path)
    assert (answer.status_code, answer["Content-Type"].split(";")[0]) == (503, kind)
    assert "its database cannot be reached" in answer.content.decode()
    assert (answer["X-Failure"], "no-store" in answer["Cache-Control"]) == ("database_stopped", True)


def db_error(cause: Exception) -> Exception:
    error = db.OperationalError(*cause.args)
    error.__cause__ = cause
    return error


def test_error_in_the_program_is_still_called_an_error(save: Callable[..., object]) -> None:
    with mock.patch("web.views.staff.results.record_result", side_effect=ValueError):
        answer = save()
    assert (answer.status_code, answer.has_header("X-Failure")) == (500, False)
    assert "Error in the program" in answer.content.decode()


def test_a_program_gets_a_problem_whatever_has_failed(game: Game) -> None:
    """No token is needed: nothing can be read from the database."""
    address = f"/api/v1/public/sections/{game.round.section_id}/standings/"
    gone = db_error(psycopg.OperationalError("connection refused"))
    for error, status, code in ((gone, 503, "database_stopped"), (ValueError(), 500, "server_error")):
        with mock.patch.object(connection, "cursor", side_effect=error):
            answer = Client(raise_request_exception=False).get(address)
        assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
        found = answer.json()
        assert (found["status"], found["code"], found["instance"]) == (status, code, address)
        assert found["detail"]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no lock on the whole database")
@pytest.mark.django_db(transaction=True)
def test_public_pages_do_not_wait_for_a_writer(game: Game, tmp_path: Path) -> None:
    """While another process holds the lock for writing, every public page is answered at once."""
    section: Section = game.round.section
    name = str(connection.settings_dict["NAME"])
    if "mode=memory" in name or ":memory:" in name:
        pytest.skip("a database in memory has no other lock")
    other = sqlite3.connect(name, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        visitor = Client()
        for path in ("pairings/", "standings/", "crosstable/", "players/", "aro/", ""):
            with CaptureQueriesContext(connection) as asked:
                assert visitor.get(address(section, path), follow=True).status_code == 200
            written = [
                query["sql"] for query in asked if not query["sql"].startswith(("SELECT", "BEGIN", "PRAGMA"))
            ]
            assert [sql for sql in written if sql != "COMMIT"] == []
            assert not any("IMMEDIATE" in query["sql"] for query in asked)
    finally:
        other.execute("ROLLBACK")
        other.close()
