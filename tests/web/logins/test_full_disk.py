"""A person who must log in while the disk is full can still look at everything."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from unittest import mock

import pytest
from django.contrib.sessions.models import Session
from django.core import signing
from django.db import DatabaseError, OperationalError, connection
from django.test import Client
from psycopg.errors import DiskFull
from pytest_django import Settings

from base.cache import clear_caches
from tests.factories import EventRoleFactory
from tests.web.logins.conftest import Clock, CodeOf
from tournaments.actions.logins import attempts as login_attempts
from tournaments.actions.logins import second_factor, totp
from tournaments.models import User
from web.sessions import signed_data

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "correct horse battery"


@pytest.fixture
def ada() -> User:
    user = EventRoleFactory(event__slug="hall").user
    user.set_password(PASSWORD)
    user.save()
    return user


@contextmanager
def full_disk(of: str = "") -> Iterator[None]:
    """Let the database refuse to write: SQLite every statement that writes and has this word, PostgreSQL by itself."""
    if connection.vendor == "postgresql" and not of:
        with connection.cursor() as cursor:
            cursor.execute("SET default_transaction_read_only = on")
            try:
                yield
            finally:
                cursor.execute("SET default_transaction_read_only = off")
        return

    def execute(run: Callable[..., object], sql: str, *others: object) -> object:
        if sql.lstrip("( ").split()[0] in {"INSERT", "UPDATE", "DELETE"} and of in sql:
            if connection.vendor == "postgresql":
                raise OperationalError from DiskFull("no space left on device")
            cause = sqlite3.OperationalError("database or disk is full")
            cause.sqlite_errorname = "SQLITE_FULL"
            raise OperationalError(*cause.args) from cause
        return run(sql, *others)

    with connection.execute_wrapper(execute):
        yield


def another_process() -> None:
    """Let the next request be that of another process of the server, which has nothing of this one in its memory."""
    clear_caches()


def is_in(client: Client) -> bool:
    return client.get("/hall/-/people/").status_code == 200


def log_in(client: Client, user: User, password: str = PASSWORD) -> int:
    return client.post("/login/", {"username": user.username, "password": password}).status_code


def test_a_person_logs_in_looks_and_logs_out_while_the_disk_is_full(ada: User) -> None:
    client = Client()
    with full_disk():
        assert log_in(client, ada) == 302
        page = client.get("/hall/-/people/")
        assert page.status_code == 200
        assert page.context["user"] == ada
        assert Session.objects.count() == 0
        with_key = client.cookies["sessionid"].value
        assert client.post("/logout/").status_code == 302
        stolen = Client(headers={"cookie": f"sessionid={with_key}"})
        assert stolen.get("/account/").status_code == 302
        another_process()
        assert stolen.get("/account/").status_code == 302


def test_every_process_knows_a_person_who_logged_in_while_the_disk_is_full(ada: User) -> None:
    client = Client()
    with full_disk():
        log_in(client, ada)
        another_process()
        assert "Log out" in client.get("/hall/").content.decode()
        another_process()
        assert is_in(client)
        assert client.get("/account/").status_code == 200
    assert not Session.objects.exists()


def test_the_cookie_of_such_a_session_is_kept_from_scripts_and_lasts_half_an_hour(
    ada: User, settings: Settings
) -> None:
    settings.SESSION_COOKIE_SECURE = True
    client = Client()
    with full_disk():
        log_in(client, ada)
        cookie = client.cookies["sessionid"]
        assert (cookie["httponly"], cookie["secure"], cookie["samesite"]) == (True, True, "Lax")
        assert cookie["max-age"] == 30 * 60
        with mock.patch("django.core.signing.time.time", return_value=time.time() + 30 * 60 - 5):
            assert is_in(client)
        with mock.patch("django.core.signing.time.time", return_value=time.time() + 30 * 60 + 5):
            assert not is_in(client)


def test_such_a_session_ends_when_there_is_room_again(ada: User) -> None:
    client, other = Client(), Client()
    with full_disk():
        log_in(client, ada)
        log_in(other, ada)
    assert not is_in(client)
    assert other.post("/account/language/", {"language": "fr"}).status_code == 403
    assert User.objects.get(pk=ada.pk).language == ada.language
    assert log_in(client, ada) == 302
    assert is_in(client)


def test_such_a_session_changes_nothing_although_something_else_could_be_written(ada: User) -> None:
    client = Client(raise_request_exception=False)
    with full_disk("django_session"):
        log_in(client, ada)
        assert is_in(client)
        answer = client.post("/account/language/", {"language": "fr"})
    assert answer.status_code == 507
    assert "The disk is full" in answer.content.decode()
    assert User.objects.get(pk=ada.pk).language == ada.language


def test_such_a_session_ends_with_a_new_password(ada: User) -> None:
    client = Client()
    with full_disk():
        log_in(client, ada)
        assert is_in(client)
    ada.set_password("another horse battery")
    ada.save()
    with full_disk():
        assert not is_in(client)


def test_nobody_makes_such_a_session_without_the_key_of_the_server(ada: User, settings: Settings) -> None:
    client = Client()
    with full_disk():
        log_in(client, ada)
        key = client.cookies["sessionid"].value
        changed = [key[:-1] + ("A" if key[-1] != "A" else "B"), signing.dumps(signed_data(key), salt="other")]
        assert not any(is_in(Client(headers={"cookie": f"sessionid={each}"})) for each in changed)
        settings.SECRET_KEY = "another key of another server"
        assert not is_in(client)


def test_a_session_from_before_stays_when_there_is_room_again(ada: User) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(ada)
    session = client.session
    session["shown once"] = True
    session.save()
    with full_disk():
        assert is_in(client)
        session = client.session
        del session["shown once"]
        session.save()
        session["kept"] = True
        with pytest.raises(DatabaseError):
            session.save()
    assert is_in(client)


def test_a_session_from_before_ends_at_logout_while_the_disk_is_full(ada: User) -> None:
    client = Client()
    log_in(client, ada)
    key = client.cookies["sessionid"].value
    thief = Client(headers={"cookie": f"sessionid={key}"})
    with full_disk():
        assert client.post("/logout/").status_code == 302
        assert thief.get("/account/").status_code == 302
    assert log_in(client, ada) == 302
    another_process()
    assert thief.get("/account/").status_code == 302
    assert not Session.objects.filter(session_key=key).exists()


def test_few_passwords_are_tried_while_none_can_be_counted(ada: User) -> None:
    with full_disk():
        tried = [log_in(Client(), ada, "wrong password") for _ in range(login_attempts.MOST_UNWRITTEN + 2)]
        assert log_in(Client(), ada) == tried[-1]
    assert tried[0] != tried[-1]
    assert tried[-1] in (429, 503)
    login_attempts._unwritten.clear()
    assert log_in(Client(), ada) == 302


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    """Let the server start now."""
    monkeypatch.setattr(second_factor, "unwritten", second_factor.Unwritten())


def send_code(client: Client, user: User, code: str) -> int:
    assert log_in(client, user) == 302
    status = client.post("/login/code/", {"code": code}).status_code
    login_attempts._unwritten.clear()
    return status


def test_a_person_with_a_second_factor_logs_in_and_looks_while_the_disk_is_full(
    started: None, code_of_ada: tuple[CodeOf, list[str]], ada: User, clock: Clock
) -> None:
    code, _codes = code_of_ada
    client = Client()
    with full_disk():
        assert send_code(client, ada, "000000") == 422
        assert send_code(client, ada, code()) == 302
        assert is_in(client)


def test_no_code_works_twice_while_the_disk_is_full_nor_after_it(
    started: None, code_of_ada: tuple[CodeOf, list[str]], ada: User, clock: Clock
) -> None:
    code, _codes = code_of_ada
    clock.forward(minutes=1)
    with full_disk():
        used = code()
        assert send_code(Client(), ada, used) == 302
        assert send_code(Client(), ada, used) == 422
        clock.forward(seconds=totp.STEP)
        assert send_code(Client(), ada, used) == 422
        clock.forward(seconds=-totp.STEP)
    assert send_code(Client(), ada, used) == 422
    clock.forward(seconds=totp.STEP)
    assert send_code(Client(), ada, code()) == 302


def test_a_code_that_the_process_before_a_restart_may_have_taken_must_wait_while_the_disk_is_full(
    code_of_ada: tuple[CodeOf, list[str]], ada: User, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _codes = code_of_ada
    with full_disk():
        monkeypatch.setattr(second_factor, "unwritten", second_factor.Unwritten())
        assert send_code(Client(), ada, code()) == 429
        clock.forward(seconds=totp.STEP * (totp.DRIFT + 1))
        assert send_code(Client(), ada, code()) == 302


def test_both_steps_of_a_log_in_may_reach_different_processes_while_the_disk_is_full(
    started: None, code_of_ada: tuple[CodeOf, list[str]], ada: User, clock: Clock
) -> None:
    code, _codes = code_of_ada
    client = Client()
    with full_disk():
        log_in(client, ada)
        another_process()
        assert not is_in(client)
        assert client.post("/login/code/", {"code": code()}).status_code == 302
        another_process()
        assert is_in(client)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="one process serves SQLite")
def test_no_code_works_in_a_second_process_while_the_database_is_read_only_nor_after_it(
    started: None,
    code_of_ada: tuple[CodeOf, list[str]],
    ada: User,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code, _codes = code_of_ada
    other_process = second_factor.Unwritten()
    clock.forward(minutes=1)
    used = code()

    def send_elsewhere(disk: AbstractContextManager[None]) -> int:
        try:
            with monkeypatch.context() as there, disk:
                there.setattr(second_factor, "unwritten", other_process)
                return send_code(Client(), ada, used)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as thread:  # a thread has a connection of its own, as a process has
        with full_disk():
            assert send_code(Client(), ada, used) == 302
            assert thread.submit(send_elsewhere, full_disk()).result() == 422
        assert thread.submit(send_elsewhere, nullcontext()).result() == 422


def test_a_recovery_code_waits_for_room_and_the_page_says_what_works(
    started: None, code_of_ada: tuple[CodeOf, list[str]], ada: User
) -> None:
    code, codes = code_of_ada
    client = Client()
    with full_disk():
        log_in(client, ada)
        page = client.post("/login/code/", {"code": codes[0]})
        assert page.status_code == 422
        assert (
            "cannot mark a recovery code as used. Type the newest code of your app." in page.content.decode()
        )
        assert not is_in(client)
        login_attempts._unwritten.clear()
        assert client.post("/login/code/", {"code": code()}).status_code == 302
        assert is_in(client)
    login_attempts._unwritten.clear()
    assert send_code(Client(), ada, codes[0]) == 302
