"""The console has the lines that the person at the server needs. Strangers cannot fill it."""

from __future__ import annotations

import io
import logging
import sqlite3
import sys
from collections.abc import Callable, Iterator

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django import Settings

from server import console
from server.console import REQUEST_ID, RefusalsOnceAnHour


def test_letters_that_a_console_does_not_have_end_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of Windows has the letters of one code page."""
    file = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(file, encoding="cp850", write_through=True))
    with pytest.raises(UnicodeEncodeError):
        print("Яна")
    console.write_every_letter()
    print("Zoë, Яна")
    assert file.getvalue().splitlines() == [b"Zo\x89, \\u042f\\u043d\\u0430"]


@pytest.fixture
def written() -> Iterator[Callable[[], list[str]]]:
    """Return a function that returns the lines that the console got, without their times."""
    handler = next(each for each in logging.getLogger().handlers if each.get_name() == "console")
    assert isinstance(handler, logging.StreamHandler)
    for each in handler.filters:
        if isinstance(each, RefusalsOnceAnHour):
            each.last.clear()
    caught = io.StringIO()
    before = handler.setStream(caught)
    REQUEST_ID.set("")  # of a request that another test has sent from this thread
    yield lambda: [line.split(" ", 2)[2] for line in caught.getvalue().splitlines() if line[:2] == "20"]
    assert before is not None
    handler.setStream(before)


@pytest.mark.parametrize("token", [None, "", "x" * 64, "x"], ids=["none", "empty", "wrong", "short"])
def test_form_without_its_token_writes_nothing(
    db: None, written: Callable[[], list[str]], token: str | None
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "y" * 32
    sent = {} if token is None else {"csrfmiddlewaretoken": token}
    assert client.post("/login/", sent).status_code == 403
    assert written() == []


def test_form_without_any_cookie_writes_nothing(db: None, written: Callable[[], list[str]]) -> None:
    assert Client(enforce_csrf_checks=True).post("/login/").status_code == 403
    assert written() == []


def test_wrong_origin_is_reported_once_an_hour_because_a_setting_may_be_missing(
    db: None, written: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1e6]
    monkeypatch.setattr(console, "monotonic", lambda: now[0])
    line = (
        "WARNING django.security.csrf: Forbidden (Origin checking failed - https://{} does not match any trusted "
        "origins.): /login/"
    )
    for host in ("chess.example", "other.example"):
        answer = Client(enforce_csrf_checks=True).post("/login/", headers={"origin": f"https://{host}"})
        assert answer.status_code == 403
    assert written() == [line.format("chess.example")]
    now[0] += 3601
    Client(enforce_csrf_checks=True).post("/login/", headers={"origin": "https://other.example"})
    assert written() == [line.format("chess.example"), line.format("other.example")]


def test_form_with_too_many_fields_is_reported_once(
    db: None, written: Callable[[], list[str]], settings: Settings
) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 2
    sent = {"a": "1", "b": "1", "c": "1"}
    assert [Client().post("/login/", sent).status_code for _ in range(3)] == [400] * 3
    assert len(written()) == 1


def test_other_errors_are_all_written(written: Callable[[], list[str]]) -> None:
    for _ in range(2):
        logging.getLogger("tournaments").error("The disk is full.")
    assert written() == ["ERROR tournaments: The disk is full."] * 2


def test_an_outage_writes_one_line_a_minute_with_its_cause(
    written: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr(console, "monotonic", lambda: clock[0])
    handler = next(each for each in logging.getLogger().handlers if each.get_name() == "console")
    next(each for each in handler.filters if isinstance(each, console.OutagesInOneLine)).last.clear()

    def fail() -> None:
        cause = sqlite3.OperationalError("database or disk is full")
        cause.sqlite_errorname = "SQLITE_FULL"
        try:
            raise OperationalError(*cause.args) from cause
        except OperationalError:
            logging.getLogger("django.request").exception("Internal Server Error: /login/")

    for _ in range(653):
        fail()
    assert written() == ["ERROR django.request: disk_full: OperationalError: database or disk is full"]
    clock[0] = 61
    fail()
    assert written()[1:] == [
        "ERROR django.request: disk_full: OperationalError: database or disk is full (652 more since the last line)"
    ]
    try:
        raise ValueError("a mistake of the program")
    except ValueError:
        logging.getLogger("django.request").exception("Internal Server Error: /")
    assert written()[2:] == ["ERROR django.request: Internal Server Error: /"]
