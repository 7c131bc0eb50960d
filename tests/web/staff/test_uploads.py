"""Uploaded files that wait for a confirmation."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from pytest_django import Settings

from web import files


@pytest.fixture(autouse=True)
def directory(settings: Settings, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path / "uploads"


@pytest.fixture
def request_(db: None) -> HttpRequest:
    """A request with a session."""
    request = HttpRequest()
    request.session = SessionStore()
    return request


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_file_is_kept_only_for_its_page(request_: HttpRequest) -> None:
    files.keep_upload(request_, "section 1", "a.csv", b"x")
    file = files.kept_upload(request_, "section 1")
    assert file is not None
    assert (file.name, file.data) == ("a.csv", b"x")
    assert files.kept_upload(request_, "section 2") is None


def test_only_its_owner_can_read_a_file(request_: HttpRequest, directory: Path) -> None:
    files.keep_upload(request_, "section 1", "a.csv", b"x")
    (path,) = directory.iterdir()
    assert path.stat().st_mode & 0o077 == 0


def test_corrections_are_kept_with_the_file_under_a_new_token(
    request_: HttpRequest, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_CORRECTIONS", 2)
    files.keep_upload(request_, "section 1", "a.csv", b"x")
    first = files.kept_upload(request_, "section 1")
    assert first is not None
    cells = {"2": {"NAME": "Ek, Ada", "RATING": "1900"}, "3": {"RATING": "1800"}}
    assert files.correct_upload(request_, first, cells, {"kept": [3]}) == 1
    second = files.kept_upload(request_, "section 1")
    assert second is not None
    assert (second.data, second.token != first.token) == (b"x", True)
    assert second.corrections == {"2": {"NAME": "Ek, Ada", "RATING": "1900"}}
    assert names(directory) == [second.token]


def test_second_file_replaces_the_first(request_: HttpRequest, directory: Path) -> None:
    files.keep_upload(request_, "section 1", "a.csv", b"x")
    first = files.kept_upload(request_, "section 1")
    files.keep_upload(request_, "section 1", "b.csv", b"y")
    second = files.kept_upload(request_, "section 1")
    assert first is not None
    assert second is not None
    assert (second.name, second.data) == ("b.csv", b"y")
    assert first.token != second.token
    assert len(names(directory)) == 1


def test_forgotten_file_is_deleted(request_: HttpRequest, directory: Path) -> None:
    files.keep_upload(request_, "section 1", "a.csv", b"x")
    files.forget_upload(request_)
    assert files.kept_upload(request_, "section 1") is None
    assert names(directory) == []


def test_file_that_was_removed_meanwhile_is_none(request_: HttpRequest, directory: Path) -> None:
    files.keep_upload(request_, "section 1", "a.csv", b"x")
    for path in directory.iterdir():
        path.unlink()
    assert files.kept_upload(request_, "section 1") is None


@pytest.mark.parametrize("token", ["../secret-key", "", None, "0" * 31, 7])
def test_no_other_file_is_read(request_: HttpRequest, directory: Path, token: object) -> None:
    directory.mkdir()
    (directory.parent / "secret-key").write_text("secret")
    request_.session[files.KEY] = {"token": token, "place": "section 1", "name": "a.csv"}
    assert files.kept_upload(request_, "section 1") is None
    files.forget_upload(request_)
    assert (directory.parent / "secret-key").exists()


def test_files_that_nobody_confirmed_are_removed(request_: HttpRequest, directory: Path) -> None:
    directory.mkdir()
    old, young = directory / ("a" * 32), directory / ("b" * 32)
    for path, age in ((old, files.LIFE + 60), (young, 60)):
        path.write_bytes(b"x")
        os.utime(path, (time.time() - age,) * 2)
    files.keep_upload(request_, "section 1", "a.csv", b"x")
    assert (old.exists(), young.exists()) == (False, True)


def test_there_are_never_too_many_files(
    request_: HttpRequest, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_FILES", 3)
    directory.mkdir()
    for number in range(6):
        path = directory / f"{number:032}"
        path.write_bytes(b"x")
        os.utime(path, (time.time() - 100 + number,) * 2)
    files.keep_upload(request_, "section 1", "a.csv", b"x")
    assert names(directory)[:3] == [f"{number:032}" for number in (3, 4, 5)]
