"""Fixtures for every test: the database, PostgreSQL, and which tests are skipped if a program is missing.

The suite runs on the database of DATABASE_URL. A run on SQLite also runs the tests marked `concurrency` on PostgreSQL,
if PostgreSQL is on the machine: see house/test_postgres.py.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from time import monotonic
from typing import Any
from unittest import mock

import pytest
from _pytest.runner import runtestprotocol
from django.conf import settings as site
from django.db import connection, connections
from django.template import Context, Template
from django.test import Client, TransactionTestCase, override_settings
from django.test.signals import template_rendered
from django.utils.safestring import SafeString
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker

import api.v1  # noqa: F401 the program, before pytest takes tests/api for it
import registrations  # noqa: F401
import web  # noqa: F401
from server.catalogues import compile_catalogues
from server.frames import with_room
from tests.costs import MOST, Ends, Progress, few_reports, slow_first, slowest_files
from tests.emptying import empty
from tests.machine import find_chromium, find_postgres, private_postgres
from tests.migrated import migrated_copy
from tests.once import columns_written_once, found_at_once
from tests.shared_rows import NUMBERED, Clock, SharedRows, keep_nothing, number_from
from tests.statements import leave_out_repeated, recorder_of_this_run
from tournaments.models.spare import guard
from web.sessions import SessionStore

guard.known = True  # the first change in a process would read the term, and tests count queries

_SLOW = pytest.StashKey[int]()
_PROGRESS = pytest.StashKey[Progress]()
REAL_TIME = {"browser", "house"}  # directories of tests
RECORDER = recorder_of_this_run()
CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}
gc.set_threshold(50_000, 20, 100)  # garbage is collected when there is more than a page leaves behind

# A busy machine is no failure: Hypothesis limits neither the time of an example nor that of making one.
settings.register_profile("untimed", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


@pytest.hookimpl(wrapper=True, tryfirst=True)  # before pytest leaves out what `-m` does not name
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None]:
    """Mark each test without a database as one that needs a run on one kind of database only. Leave out what a run is
    asked to leave out. When the order is drawn, put slow tests first.
    """
    for item in items:
        if not (_uses_database(item) or item.get_closest_marker("postgres")):
            item.add_marker(pytest.mark.one_database)
    yield
    leave_out_repeated(config, items)
    slow_first(items)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Count the tests for the progress of the run. Keep tests and modules out of the garbage collector: none of them
    goes, and it looks at all of them again and again, at the end of a process five times.
    """
    session.config.stash[_SLOW] = sum(item.get_closest_marker("slow") is not None for item in session.items)
    if session.items:
        session.config.stash[_PROGRESS] = Progress(len(session.items), monotonic())
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node: Any, ids: list[str]) -> None:
    """Note how many tests there are, in the process that only hands them out."""
    node.config.stash.setdefault(_PROGRESS, Progress(len(ids), monotonic()))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell the process that prints how many tests are slow: it may not have collected them."""
    report = yield
    report.slow_tests = item.config.stash[_SLOW]  # type: ignore[attr-defined]
    return report


def pytest_unconfigure() -> None:
    """Collect garbage, as pytest does five times after this, so that it reports what an object raises as it goes. The
    rest, which stays, is looked at only here.
    """
    for _ in range(5):
        if not gc.collect():
            break
    gc.freeze()


def _uses_database(item: pytest.Item) -> bool:
    """Return whether pytest-django opens the database for this test; without this, each query is an error."""
    fixtures = {"db", "transactional_db"} & set(getattr(item, "fixturenames", ()))
    return bool(fixtures) or item.get_closest_marker("django_db") is not None


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the translations that have changed, once for all processes."""
    if not hasattr(session.config, "workerinput"):
        compile_catalogues()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip tests that this machine cannot run; with CI=true, fail instead."""
    if item.get_closest_marker("browser") and find_chromium() is None:
        _missing("a Chromium (on the PATH, or named by CHROMIUM)")
    if item.get_closest_marker("postgres") and connection.vendor != "postgresql" and find_postgres() is None:
        _missing("PostgreSQL (DATABASE_URL, or its programs initdb and pg_ctl)")


def pytest_report_teststatus(report: pytest.TestReport, config: pytest.Config) -> tuple[str, str, str] | None:
    """Print no dots in a long run: 10,000 of them would hide the failures, and they do not say when it ends."""
    progress = config.stash.get(_PROGRESS, None)
    is_hidden = progress is not None and progress.is_long and report.when == "call" and report.passed
    return ("passed", "", "") if is_hidden else None


class _PrintsProgress:
    """Prints how far a long run is, and how evenly it ended, in the process that prints."""

    def __init__(self, config: pytest.Config) -> None:
        self._config, self._ends = config, Ends()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._ends.note(getattr(report, "node", None), monotonic())
        progress = self._config.stash.get(_PROGRESS, None)
        line = progress.line_after(report, monotonic()) if progress else ""
        if line:
            terminal = self._config.pluginmanager.getplugin("terminalreporter")
            terminal.ensure_newline()
            terminal.write_line(line)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if line := self._ends.line():
            terminalreporter.write_line(line)


class _RunsTests:
    """Runs each test as pytest does, also those of the engine."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Run it with room for the frames of its calls, as the server's threads have it: pytest, Django's client and
        templates are deep inside each other. One process of several sends one report of a test that passes, where
        pytest sends five messages.
        """
        is_alone = not hasattr(item.config, "workerinput")
        if is_alone:
            item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        if RECORDER:
            RECORDER.begin()
        reports = with_room(runtestprotocol, item, is_alone, nextitem)
        if RECORDER:
            RECORDER.end(item.nodeid)
        for report in [] if is_alone else few_reports(reports):
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_RunsTests())
    if RECORDER:
        RECORDER.watch()
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(_PrintsProgress(config))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the files that took longest, so that growth is noticed."""
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    longest = slowest_files([report for report in reports if isinstance(report, pytest.TestReport)])
    if len(longest) == MOST:
        terminalreporter.section("files that took longest")
        for seconds, tests, file in longest:
            terminalreporter.write_line(f"{seconds:6.1f} s {tests:4} tests  {file}")


def _missing(what: str) -> None:
    if CI:
        pytest.fail(f"CI=true requires {what}", pytrace=False)
    pytest.skip(f"needs {what}")


@pytest.fixture(scope="session", autouse=True)
def settings_of_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Set what every test needs: temporary directories, uncollected static files, a fast password hash, UTC, and all
    languages, finished or not.
    """
    with override_settings(
        LANGUAGES=site.KNOWN_LANGUAGES,
        TIME_ZONE="UTC",
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        VAR_DIR=tmp_path_factory.mktemp("var"),
        STATIC_ROOT=tmp_path_factory.mktemp("staticfiles"),
        STORAGES={
            "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        },
    ):
        yield


@pytest.fixture(scope="module")
def shared_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> SharedRows:
    """Return a context that makes rows once for all tests of a module: see shared_rows.py."""
    return SharedRows(django_db_blocker)


def _shared(request: pytest.FixtureRequest) -> SharedRows | None:
    return request.getfixturevalue("shared_rows") if "shared_rows" in request.fixturenames else None


@pytest.fixture(autouse=True)
def names_from_zero(request: pytest.FixtureRequest) -> None:
    """Number the names of players, sections, events and users from 0 in each test, in any order of tests, or from the
    number after those of the module's shared rows.

    Names as long as `Surname0007` keep their order and their length below 10,000 players.
    """
    shared = _shared(request)
    number_from(shared.numbers if shared else [0] * len(NUMBERED))


@pytest.fixture(autouse=True)
def time_stands_still(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let Django's clock stand still, however long a test takes: no minute and no day ends between two pages.

    It moves on by a microsecond each time somebody looks, so that of two moments one is later. The browser, and servers
    in processes of their own, have real clocks: their tests see the real time.
    """
    if REAL_TIME.intersection(request.path.parts):
        yield
        return
    shared = _shared(request)
    with (shared.clock if shared else Clock()).stopped():
        yield


@pytest.fixture(autouse=True)
def nothing_kept_from_other_tests() -> None:
    keep_nothing()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Put SQLite's test database into a file of this process, which threads can share, and keep no connection open."""
    for database in connections.all():
        settings = database.settings_dict
        settings["CONN_MAX_AGE"] = 0
        if database.vendor == "sqlite":
            file = tmp_path_factory.mktemp("database") / "test.sqlite3"
            migrated_copy(file, tmp_path_factory)
            settings["TEST"]["NAME"] = str(file)
            settings["OPTIONS"]["init_command"] += "; PRAGMA synchronous=OFF"


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Let Django take SQLite's file as it is, with its migrations."""
    return connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """End the sessions of PostgreSQL that threads of the tests still hold: the test database is dropped after this."""
    yield
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )


@pytest.fixture(scope="session", autouse=True)
def _emptied_quickly() -> Iterator[None]:
    """Empty the tables that a test has filled, where Django would empty all and fill some of them again."""

    def empty_all(test: TransactionTestCase) -> None:
        for database in test._databases_names(include_mirrors=False):
            empty(database)

    with mock.patch.object(TransactionTestCase, "_fixture_teardown", empty_all):
        yield


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """Return the DATABASE_URL of a PostgreSQL server: the one of this run, or a private one."""
    if connection.vendor == "postgresql":
        yield os.environ["DATABASE_URL"]
        return
    programs = find_postgres()
    if programs is None:
        _missing("PostgreSQL's programs initdb and pg_ctl")
    with private_postgres(programs) as url:
        yield url


@pytest.fixture(scope="session", autouse=True)
def _outer_templates_noted(django_test_environment: None) -> Iterator[None]:
    """Let clients of tests note the template of a page with its values, and none of the dozen that it includes or
    extends: for each of these, Django copies all values.
    """

    def noted(template: Template, context: Context) -> SafeString:
        if context.template is template:
            template_rendered.send(sender=template, template=template, context=context)
        return template.nodelist.render(context)

    with mock.patch.object(Template, "_render", noted):
        yield


@pytest.fixture(scope="session", autouse=True)
def _worked_out_once(settings_of_tests: None) -> Iterator[None]:
    with found_at_once(), columns_written_once():
        yield


@pytest.fixture(scope="session", autouse=True)
def _logged_in_by_one_session(django_test_environment: None) -> Iterator[None]:
    """Log clients of tests in as a browser without a cookie is: Django's client saves an empty session before that, and
    deletes it again.
    """

    def session(client: Client) -> SessionStore:
        cookie = client.cookies.get(site.SESSION_COOKIE_NAME)
        return SessionStore(cookie.value if cookie else None)

    with mock.patch.object(Client, "session", property(session)):
        yield


@pytest.fixture
def root() -> Path:
    """Return the directory of the project."""
    return Path(__file__).resolve().parent.parent
