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
from tournaments.actions import login_trials
from tournaments.models import User
from tournaments.web import sessions

pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "correct horse battery"


@pytest.fixture
def ada(monkeypatch: pytest.MonkeyPatch) -> User:
    monkeypatch.setattr(sessions, "kept", sessions.Kept())
    login_trials._unwritten.clear()
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
