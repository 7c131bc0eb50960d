"""A person who must log in while the disk is full can still look at everything."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection
from django.test import Client

from tests.factories import EventRoleFactory
from tests.web.login.conftest import Clock, CodeOf
from tournaments import totp
from tournaments.actions import login_trials, second_factor
from tournaments.models import User

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "correct horse battery"


@pytest.fixture
def ada() -> User:
    user = EventRoleFactory(event__slug="hall").user
    user.set_password(PASSWORD)
    user.save()
    return user


@contextmanager
def full_disk() -> Iterator[None]:
    """Let the database refuse every statement that writes."""

    def execute(run: object, sql: str, *others: object) -> object:
        if sql.lstrip("( ").split()[0] in {"INSERT", "UPDATE", "DELETE"}:
            cause = sqlite3.OperationalError("database or disk is full")
            cause.sqlite_errorname = "SQLITE_FULL"
            raise OperationalError(*cause.args) from cause
        return run(sql, *others)  # type: ignore[operator]

    with connection.execute_wrapper(execute):
        yield


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
        assert Client(headers={"cookie": f"sessionid={with_key}"}).get("/account/").status_code == 302


def test_a_session_in_memory_goes_into_the_database_when_there_is_room_again(ada: User) -> None:
    client = Client()
    with full_disk():
        log_in(client, ada)
    session = client.session
    session["noted"] = "later"
    session.save()
    assert Session.objects.filter(session_key=session.session_key).exists()
    assert client.get("/account/").status_code == 200


def test_a_session_from_before_ends_at_logout_while_the_disk_is_full(ada: User) -> None:
    client = Client()
    log_in(client, ada)
    key = client.cookies["sessionid"].value
    with full_disk():
        assert client.post("/logout/").status_code == 302
        thief = Client(headers={"cookie": f"sessionid={key}"})
        assert thief.get("/account/").status_code == 302


def test_few_passwords_are_tried_while_none_can_be_counted(ada: User) -> None:
    with full_disk():
        tried = [log_in(Client(), ada, "wrong password") for _ in range(login_trials.MOST_UNWRITTEN + 2)]
        assert log_in(Client(), ada) == tried[-1]
    assert tried[0] != tried[-1]
    assert tried[-1] in (429, 503)
    login_trials._unwritten.clear()
    assert log_in(Client(), ada) == 302


ONE_PROCESS = pytest.mark.skipif(connection.vendor != "sqlite", reason="several processes share PostgreSQL")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    """Let the server start now."""
    monkeypatch.setattr(second_factor, "unwritten", second_factor.Unwritten())


def send_code(client: Client, user: User, code: str) -> int:
    assert log_in(client, user) == 302
    status = client.post("/login/code/", {"code": code}).status_code
    login_trials._unwritten.clear()
    return status


def is_in(client: Client) -> bool:
    return client.get("/hall/-/people/").status_code == 200


@ONE_PROCESS
def test_a_person_with_a_second_factor_logs_in_and_looks_while_the_disk_is_full(
    started: None, code_of_ada: tuple[CodeOf, list[str]], ada: User, clock: Clock
) -> None:
    code, _codes = code_of_ada
    client = Client()
    with full_disk():
        assert send_code(client, ada, "000000") == 422
        assert send_code(client, ada, code()) == 302
        assert is_in(client)


@ONE_PROCESS
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


@ONE_PROCESS
def test_a_code_that_the_process_before_a_restart_may_have_taken_must_wait_while_the_disk_is_full(
    code_of_ada: tuple[CodeOf, list[str]], ada: User, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _codes = code_of_ada
    with full_disk():
        monkeypatch.setattr(second_factor, "unwritten", second_factor.Unwritten())
        assert send_code(Client(), ada, code()) == 429
        clock.forward(seconds=totp.STEP * (totp.DRIFT + 1))
        assert send_code(Client(), ada, code()) == 302


def test_a_recovery_code_works_only_where_it_can_be_deleted(
    started: None, code_of_ada: tuple[CodeOf, list[str]], ada: User
) -> None:
    _code, codes = code_of_ada
    client = Client(raise_request_exception=False)
    with full_disk():
        assert send_code(client, ada, codes[0]) == 507
        assert not is_in(client)
    assert send_code(Client(), ada, codes[0]) == 302
