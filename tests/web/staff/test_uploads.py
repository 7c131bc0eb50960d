"""Uploaded files that wait for a confirmation."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.utils import timezone

from tournaments.actions.personal_data import forget_what_is_over
from tournaments.models import KeptUpload
from web import files


@pytest.fixture
def request_(db: None) -> HttpRequest:
    """A request with a session."""
    request = HttpRequest()
    request.session = SessionStore()
    return request


def test_file_is_kept_only_for_its_page(request_: HttpRequest) -> None:
    files.keep_upload(request_, "section 1", "a.csv", b"x")
    file = files.kept_upload(request_, "section 1")
    assert file is not None
    assert (file.name, file.data) == ("a.csv", b"x")
    assert files.kept_upload(request_, "section 2") is None


def test_corrections_are_kept_with_the_file_under_a_new_token(
    request_: HttpRequest, monkeypatch: pytest.MonkeyPatch
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
    assert KeptUpload.objects.get().token == second.token


def test_second_file_replaces_the_first_and_a_forgotten_one_is_deleted(request_: HttpRequest) -> None:
    files.keep_upload(request_, "section 1", "a.csv", b"x")
    first = files.kept_upload(request_, "section 1")
    files.keep_upload(request_, "section 1", "b.csv", b"y")
    second = files.kept_upload(request_, "section 1")
    assert first is not None
    assert second is not None
    assert (second.name, second.data) == ("b.csv", b"y")
    assert first.token != second.token
    assert KeptUpload.objects.count() == 1
    files.forget_upload(request_)
    assert files.kept_upload(request_, "section 1") is None
    assert not KeptUpload.objects.exists()


def test_file_that_was_deleted_meanwhile_is_none(request_: HttpRequest) -> None:
    files.keep_upload(request_, "section 1", "a.csv", b"x")
    KeptUpload.objects.all().delete()
    assert files.kept_upload(request_, "section 1") is None


@pytest.mark.parametrize("token", ["", None, "0" * 31, 7])
def test_no_other_file_is_read(request_: HttpRequest, token: object) -> None:
    KeptUpload.objects.create(token="1" * 32, data=b"of somebody else")
    request_.session[files.KEY] = {"token": token, "place": "section 1", "name": "a.csv"}
    assert files.kept_upload(request_, "section 1") is None
    files.forget_upload(request_)
    assert KeptUpload.objects.count() == 1


def test_files_that_nobody_confirmed_are_deleted_and_there_are_never_too_many(
    request_: HttpRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_FILES", 2)
    now = timezone.now()
    for minutes in (119, 61, 60):
        KeptUpload.objects.create(token=minutes, data=b"x", at=now - timedelta(minutes=minutes))
    files.keep_upload(request_, "section 1", "a.csv", b"x")
    assert set(KeptUpload.objects.values_list("token", flat=True)) > {"60", "61"}
    assert KeptUpload.objects.count() == 3
    KeptUpload.objects.filter(token=request_.session[files.KEY]["token"]).update(
        at=now - timedelta(minutes=121)
    )
    assert files.kept_upload(request_, "section 1") is None
    forget_what_is_over(now)
    assert KeptUpload.objects.count() == 2
