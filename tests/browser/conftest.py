"""A real browser against the real server: waitress, with static files collected, hashed and compressed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from threading import Condition, Event, Thread
from typing import Any
from unittest import mock

import pytest
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.test import override_settings
from playwright.sync_api import Browser, Locator, Page, Route, expect, sync_playwright
from whitenoise import WhiteNoise

from server.frames import with_room
from tests.browser.made import made_once
from tests.browser.profiles import OF_A_PAGE, Profile, Profiles
from tests.factories import EventFactory, EventRoleFactory, UserFactory, section_of
from tests.machine import find_chromium
from tests.waiting import LONG, until
from tests.web.staff.conftest import address, paired
from tournaments.models import EventRole, Section, User
from web.views.public import public_page

HERE = Path(__file__).resolve().parent
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-first-run",
    "--no-pings",
    "--js-flags=--no-opt --no-maglev",  # a page does not stay long enough for what V8 compiles twice
    "--renderer-process-limit=1",  # all pages of a profile share one process: see profiles.py
)
SCHEMES = ("light", "dark") if os.environ.get("SHOTS") else ("light",)
"""The colours of pages whose layout is tested: dark mode changes only colours, and axe compares those."""
LONGEST = 1_200  # seconds; every test takes less than 20 on an idle machine
PATIENCE = 120_000  # milliseconds; for a loaded machine, and a passing test does not wait so long
PageMaker = Callable[..., Page]
LogIn = Callable[[Page, AbstractBaseUser], None]
Seat = Callable[..., Page]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test in this directory as one that needs a browser."""
    here = {path for path in {item.path for item in items} if HERE in path.parents}
    for item in items:
        if item.path in here:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.timeout(LONGEST))


class Gate:
    """The application. It refuses requests between tests, while the database is emptied."""

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        self._application = application
        self._is_open = False
        self._inside = 0
        self._changed = Condition()

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Accept requests; at the end refuse new ones, and wait until the others are answered."""
        self._is_open = True
        yield
        with self._changed:
            self._is_open = False
            assert self._changed.wait_for(lambda: self._inside == 0, timeout=LONG)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        with self._changed:
            if not self._is_open:
                start_response("503 Service Unavailable", [])
                return []
            self._inside += 1
        try:
            answer = with_room(self._application, environ, start_response)
        except BaseException:
            self._leave()
            raise
        return _Answer(answer, self._leave)

    def _leave(self) -> None:
        with self._changed:
            self._inside -= 1
            self._changed.notify_all()


class _Answer:
    def __init__(self, answer: Iterable[bytes], leave: Callable[[], None]) -> None:
        self._answer, self._leave = answer, leave

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._answer)

    def close(self) -> None:
        try:
            if hasattr(self._answer, "close"):
                self._answer.close()
        finally:
            self._leave()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start the machine's Chromium, once for all tests."""
    with sync_playwright() as playwright:
        # Playwright leaves an event loop running in this thread, and Django refuses queries in such a thread.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=QUIET)
        expect.set_options(timeout=PATIENCE)
        yield browser
        browser.close()


@contextmanager
def _not_read_again(collected: Path) -> Iterator[None]:
    """Let the clients of later tests, each with a WhiteNoise of its own, leave out the files that the server sends."""
    read = WhiteNoise.add_files

    def add_files(files: WhiteNoise, root: Path, prefix: str | None = None) -> None:
        if root != collected:
            read(files, root, prefix)

    with mock.patch.object(WhiteNoise, "add_files", add_files):
        yield


@pytest.fixture(scope="session")
def waitress_server(
    settings_of_tests: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Gate]]:
    """Serve the application by waitress on a free port, on the test database. Use `server` in tests."""
    from django.core.wsgi import get_wsgi_application
    from waitress.server import create_server

    storages = {**settings.STORAGES}
    storages["staticfiles"] = {"BACKEND": "config.static_files.HashedFiles"}
    collected = tmp_path_factory.mktemp("collected")
    with override_settings(STATIC_ROOT=collected, STORAGES=storages):
        call_command("collectstatic", interactive=False, verbosity=0)
        gate = Gate(get_wsgi_application())
        server = create_server(gate, host="127.0.0.1", port=0, threads=4)
        thread = Thread(target=server.run, name="waitress", daemon=True)
        thread.start()
        with _not_read_again(collected):
            yield f"http://127.0.0.1:{server.effective_port}", gate
        server.close()
        server.task_dispatcher.shutdown()
        thread.join(timeout=LONG)


@pytest.fixture
def server(transactional_db: None, waitress_server: tuple[str, Gate]) -> Iterator[str]:
    """Return the address of the server, on an empty database that this test fills."""
    url, gate = waitress_server
    with gate.opened():
        yield url


_versions = count(1)


@pytest.fixture(autouse=True)
def new_version_for_browsers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test get a page that the browser has kept from another one: sections that were made once have the same
    keys and revisions.
    """
    version = next(_versions)
    monkeypatch.setattr(public_page, "program_version", lambda: version)


@pytest.fixture(scope="session")
def profiles(chromium: Browser, waitress_server: tuple[str, Gate]) -> Iterator[Profiles]:
    """Keep the profiles that tests use one after another."""
    kept = Profiles(chromium, waitress_server[0], PATIENCE)
    with kept.watched():
        yield kept
    kept.close()


@pytest.fixture
def new_page(profiles: Profiles, server: str) -> Iterator[PageMaker]:
    """Return a function that opens a page in an empty browser profile; a path such as "/" is a path on the server.

    Its arguments are Playwright's for a context: `viewport={"width": 360, "height": 740}`,
    `color_scheme="dark"`, `java_script_enabled=False` ... A script error, or anything that the
    Content-Security-Policy blocks, fails the test. The policy blocks `page.wait_for_function` too, because it
    evaluates a string in the page: wait with `expect(...)` instead.
    """
    taken: list[Profile] = []
    complaints: list[str] = []

    def make(**options: object) -> Page:
        of_page = {name: options.pop(name) for name in OF_A_PAGE if name in options}
        taken.append(profiles.take(**options))
        taken[-1].complaints = complaints
        return taken[-1].page(**of_page)

    yield make
    profiles.give_back(taken)
    assert complaints == []


def press_at_once(page: Page, *keys: str) -> None:
    """Press keys without any time between them: after `g`, the page waits 1.5 seconds for the letter."""
    page.wait_for_load_state("domcontentloaded", timeout=PATIENCE)
    page.evaluate(
        """(keys) => {
            for (const key of keys) (document.activeElement ?? document.body)
                .dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))
        }""",
        keys,
    )


def stop_clock(page: Page, at: datetime | None = None) -> None:
    """Stop the clock of a page before it opens: its timers run by `page.clock.run_for` alone, on a slow machine too."""
    now = at or datetime.now(UTC)
    page.clock.install(time=now - timedelta(hours=1))
    page.clock.pause_at(now)


@contextmanager
def before_script(page: Page, name: str, address: str) -> Iterator[None]:
    """Open a page whose script comes only after what is done inside, as on a slow line."""
    held: list[Route] = []
    here = Event()

    def hold(route: Route) -> None:
        if here.is_set():
            route.continue_()
        else:
            held.append(route)

    page.route(re.compile(rf"/js/{name}\."), hold)
    page.goto(address, wait_until="commit")
    expect(page.locator("main + *").first).to_be_attached()
    yield
    here.set()
    for route in held:
        route.continue_()
    page.wait_for_load_state()


def follow(control: Locator) -> None:
    """Click a control that leads to a new page, and wait for that page. For pages without scripts."""
    with control.page.expect_navigation():
        control.click()


def drawn(page: Page) -> None:
    """Wait until the page has done what it has to do now, and has drawn it twice. What it does not show then waits."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def ask_now(page: Page) -> None:
    """Make a live page ask the server at once, as it does when its window gets the focus."""
    page.evaluate("dispatchEvent(new Event('focus'))")


def kept_by_worker(page: Page, path: str) -> None:
    """Wait until the service worker keeps the page of this path, which it does after it has answered."""
    until(
        lambda: page.evaluate(
            """async (path) => {
                for (const name of await caches.keys()) {
                    for (const { url } of await (await caches.open(name)).keys()) {
                        if (new URL(url).pathname === path) return true
                    }
                }
                return false
            }""",
            path,
        ),
        path,
    )


@pytest.fixture
def browser_page(new_page: PageMaker) -> Page:
    """Return a page with the size of a laptop screen."""
    return new_page()


@pytest.fixture
def log_in(server: str) -> LogIn:
    """Return a function that logs a user in to the browser profile of a page, without the form."""

    def log_in(page: Page, user: AbstractBaseUser) -> None:
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.save()
        page.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": str(session.session_key), "url": server}]
        )

    return log_in


@pytest.fixture
def seat(new_page: PageMaker, log_in: LogIn) -> Seat:
    """Return a function that opens a page of a section for a new chief arbiter, in a browser profile of their own.

    `role` gives this person another role; all other arguments are those of `new_page`.
    """

    def seat(section: Section, rest: str, role: str = EventRole.Role.CHIEF, **options: object) -> Page:
        page = new_page(**options)
        log_in(page, EventRoleFactory(event=section.event, role=role).user)
        page.goto(address(section, rest))
        return page

    return seat


def ten_boards() -> Section:
    """Ten boards of a round that is being played."""
    section = section_of(20, event=EventFactory(slug="rijswijk"), slug="a")
    paired(section)
    return section


@pytest.fixture
def section(server: str) -> Section:
    return made_once(ten_boards)


@pytest.fixture
def arbiter(section: Section) -> User:
    return EventRoleFactory(event=section.event, user=UserFactory(username="ada")).user


@pytest.fixture
def opened(section: Section, arbiter: User, new_page: PageMaker, log_in: LogIn) -> Callable[..., Page]:
    """Return a function that opens the page Results in a new browser profile; `storage` says if it can store data."""

    def open_page(user: User = arbiter, storage: bool = True, **options: object) -> Page:
        page = new_page(**options)
        if not storage:
            page.add_init_script("delete Storage.prototype.setItem")
        log_in(page, user)
        page.goto(address(section, "round/1/results/"))
        return page

    return open_page
