"""A start makes the demo event only in a new database, and collects static files only if needed."""

from __future__ import annotations

import os
import time
from pathlib import Path
from threading import Event, Thread, current_thread
from typing import Any

import pytest
from django.conf import settings as site
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection, connections
from pytest_django.fixtures import Settings

from server import prepare
from tests.waiting import LONG
from tournaments.models import Screen


@pytest.fixture
def demos(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list with one entry for each demo that was made; static files are not collected."""
    made: list[str] = []
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(prepare, "make_demo", lambda: made.append("demo"))
    monkeypatch.setattr(prepare, "collect_static", lambda: False)
    return made


@pytest.mark.django_db
def test_a_new_database_gets_a_demo(demos: list[str]) -> None:
    prepare.everything(demo=True)
    assert demos == ["demo"]


@pytest.mark.django_db
def test_a_new_database_gets_no_demo_if_none_is_wanted_and_a_hint_about_logins(
    demos: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    prepare.everything(demo=False)
    assert demos == []
    assert "manage.py createsuperuser" in capsys.readouterr().out


@pytest.mark.django_db
def test_a_database_that_lacks_a_column_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """A migration that was changed in place counts as applied."""
    prepare.refuse_other_columns()
    monkeypatch.setattr(Screen._meta.get_field("theme"), "column", "theme_of_tomorrow")
    with pytest.raises(SystemExit, match=r"has no theme_of_tomorrow.*start with a new database"):
        prepare.refuse_other_columns()


@pytest.mark.django_db
def test_a_database_with_a_user_gets_no_demo(demos: list[str]) -> None:
    get_user_model().objects.create_user(username="arbiter")
    prepare.everything(demo=True)
    assert demos == []


def test_static_files_are_collected_again_only_when_one_changed(settings: Settings, tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    sources.mkdir()
    (sources / "page.css").write_text("body { margin: 0 }")
    settings.VAR_DIR, settings.STATIC_ROOT = tmp_path, tmp_path / "static"
    settings.STATICFILES_DIRS = [sources]
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
    }
    assert [prepare.collect_static() for _ in range(2)] == [True, False]
    (sources / "page.css").write_text("body { margin: 1px }")
    assert [prepare.collect_static() for _ in range(2)] == [True, False]


@pytest.mark.skipif(os.name == "nt", reason="Windows has another lock")
def test_a_second_start_waits_until_the_first_has_prepared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    order: list[str] = []
    asks, lock = Event(), fcntl.flock

    def noted(*arguments: Any) -> None:
        if current_thread() is thread:
            with pytest.raises(BlockingIOError):
                lock(arguments[0], fcntl.LOCK_EX | fcntl.LOCK_NB)
            asks.set()
        lock(*arguments)

    def second() -> None:
        with prepare.only_one(tmp_path / "lock"):
            order.append("second")

    thread = Thread(target=second)
    monkeypatch.setattr(fcntl, "flock", noted)
    with prepare.only_one(tmp_path / "lock"):
        thread.start()
        assert asks.wait(LONG)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


@pytest.fixture
def unprepared(settings: Settings, tmp_path: Path) -> Settings:
    """Return the settings of an installation in which no step was done, except that its database is up to date."""
    settings.VAR_DIR, settings.STATIC_ROOT = tmp_path, tmp_path / "static"
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    storages: dict[str, object] = settings.STORAGES
    settings.STORAGES = {**storages, "staticfiles": {"BACKEND": "config.static_files.HashedFiles"}}
    return settings


@pytest.mark.django_db
def test_a_server_that_only_serves_compiles_the_translations_and_names_the_steps_left_out(
    unprepared: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit, match=r"Run first: manage\.py collectstatic --noinput"):
        prepare.check()
    for code, _name in site.KNOWN_LANGUAGES:
        assert code == "en" or (unprepared.VAR_DIR / f"locale/{code}/LC_MESSAGES/django.mo").is_file()
    monkeypatch.setattr(prepare, "missing_migrations", lambda: ["tournaments.0002_later"])
    with pytest.raises(SystemExit, match=r"manage\.py migrate, then manage\.py collectstatic"):
        prepare.check()


@pytest.mark.django_db
def test_a_server_that_only_serves_starts_when_static_files_are_collected(
    unprepared: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = unprepared.VAR_DIR / "sources"
    sources.mkdir()
    (sources / "page.css").write_text("body { margin: 0 }")
    unprepared.STATICFILES_DIRS = [sources]
    monkeypatch.setattr(prepare, "compile_texts", lambda: False)
    with pytest.raises(SystemExit):
        prepare.check()
    call_command("collectstatic", interactive=False, verbosity=0)
    unprepared.STATIC_ROOT = Path(unprepared.STATIC_ROOT)  # lets Django read the list of files again
    prepare.check()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="one host serves SQLite")
@pytest.mark.django_db(transaction=True)
def test_hosts_that_start_at_once_migrate_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    waits, done, rest = Event(), Event(), time.sleep

    def noted(seconds: float) -> None:
        waits.set()
        rest(seconds)

    monkeypatch.setattr(time, "sleep", noted)

    def start() -> None:
        call_command("migrate", verbosity=0)
        connections.close_all()
        done.set()

    with prepare.only_one_host():
        Thread(target=start).start()
        assert waits.wait(LONG)
        assert not done.is_set()
    assert done.wait(LONG)
