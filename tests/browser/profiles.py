"""Browser profiles that tests use one after another.

A new profile needs a new process of the browser, which reads all scripts and styles again: this takes it longer than
most tests. So a profile that a test gives back is emptied and given to the next one: its cookies and its local storage
are deleted. Scripts of the site store nothing elsewhere, and the browser asks the server about each page that it has
kept. A profile whose test has changed it in another way (a clock, a connection that is cut) is closed.

The first page of a profile is emptied too, because a new page costs as much as loading a page of the site twice. A page
that a test has changed for longer (a route, a listener, a key that is held down) is closed, like all others.

The browser ends the process of a profile with its last page, so each profile keeps a page open that no test sees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import Any
from unittest import mock

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Keyboard, Mouse, Page
from playwright.sync_api._generated import Clock

MOST = 6  # unused profiles of one browser: each of them is a process
OF_A_PAGE = ("color_scheme", "reduced_motion", "viewport")
LAPTOP = {"width": 1366, "height": 768}
LASTING = (
    *((Clock, name) for name in ("install", "pause_at", "set_fixed_time", "set_system_time")),
    *(
        (BrowserContext, name)
        for name in (
            "add_init_script",
            "expose_binding",
            "expose_function",
            "grant_permissions",
            "on",
            "once",
            "route",
            "route_from_har",
            "route_web_socket",
            "set_default_navigation_timeout",
            "set_extra_http_headers",
            "set_geolocation",
            "set_offline",
        )
    ),
)
"""What changes a profile for as long as it exists."""
WEARING = (
    (BrowserContext, "new_cdp_session"),
    (Keyboard, "down"),
    (Mouse, "down"),
    *(
        (Page, name)
        for name in (
            "add_init_script",
            "add_locator_handler",
            "emulate_media",
            "expose_binding",
            "expose_function",
            "on",
            "once",
            "route",
            "set_extra_http_headers",
        )
    ),
)
"""What changes a page for as long as it exists."""
LISTEN = Page.on
EMPTY = """() => {
  stop();
  sessionStorage.clear();
  history.replaceState(null, "", "/healthz");  // the same address again would be a reload, which restores fields
  for (let id = setTimeout(() => {}); id > 0; id -= 1) clearTimeout(id);
  const nothing = () => 0;
  for (const name of ["fetch", "queueMicrotask", "requestAnimationFrame", "setInterval", "setTimeout"]) {
    window[name] = nothing;
  }
  Storage.prototype.setItem = XMLHttpRequest.prototype.send = nothing;
  document.open();  // removes the listeners too
  document.close();
  for (const name of ["error", "unhandledrejection"]) addEventListener(name, (event) => event.preventDefault());
}"""
"""Nothing of the page goes on: what it has asked for, its timers, its listeners."""
MEANT = (
    "the server responded with a status of",
    "Response Status Error Code 503",  # what htmx says of it
    "net::ERR_INTERNET_DISCONNECTED",
)


class Profile:
    """A context of the browser, and its page that no test sees. complaints: the errors of its other pages."""

    def __init__(self, context: BrowserContext, kind: str) -> None:
        self.context, self.kind = context, kind
        self.complaints: list[str] = []
        self._first: Page | None = None
        self._is_spare = False
        self.unseen = context.new_page()
        self.unseen.goto("/healthz")

    def page(self, **options: Any) -> Page:
        """Open a page. options: the viewport and the media that it shows itself in."""
        page = self._first if self._first and self._is_spare else self._new_page()
        self._is_spare = False
        viewport = options.pop("viewport", LAPTOP)
        if page.viewport_size != viewport:
            page.set_viewport_size(viewport)
        if options:
            page.emulate_media(**options)
        return page

    def _new_page(self) -> Page:
        page = self.context.new_page()
        LISTEN(page, "console", self._hear)
        LISTEN(page, "pageerror", lambda error: self.complaints.append(str(error)))
        _after_scripts(page)
        if self._first is None or self._first.is_closed():
            self._first = page
        return page

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not any(words in message.text for words in MEANT):
            self.complaints.append(message.text)

    def empty(self, *, worn: bool) -> None:
        """Delete what a test has left. worn: no page of it is good for another test."""
        self.context.clear_cookies()
        self._is_spare = not worn and self._emptied()
        for page in self.context.pages:
            if page is not self.unseen and not (self._is_spare and page is self._first):
                page.unroute_all(behavior="ignoreErrors")
                page.close()
        self.unseen.evaluate("localStorage.clear()")

    def _emptied(self) -> bool:
        """Empty the first page. Return whether that was possible."""
        if self._first is None or self._first.is_closed():
            return False
        self.complaints = []  # the test is over: what is cut off now is no error of it
        try:
            self._first.evaluate(EMPTY)
        except Error:  # it is not a page of the site
            return False
        self._first.mouse.move(-10, -10)
        return True


def _after_scripts(page: Page) -> None:
    """Let keys wait until the scripts of the page have run. Its text can be seen before, and then a key is lost."""

    def later(send: Callable[..., None]) -> Callable[..., None]:
        def wait_and_send(keys: str, **options: float) -> None:
            page.wait_for_load_state("domcontentloaded")
            send(keys, **options)

        return wait_and_send

    for name in ("down", "press", "type"):
        vars(page.keyboard)[name] = later(getattr(page.keyboard, name))


class Profiles:
    """The profiles of one browser. Those with the same options for scripts and touch serve one test after another."""

    def __init__(self, browser: Browser, server: str, patience: float) -> None:
        self._browser, self._server, self._patience = browser, server, patience
        self._unused: dict[str, list[Profile]] = defaultdict(list)
        self._changed = self._worn = False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Notice what changes a profile or a page for as long as it exists."""
        with ExitStack() as patches:
            for methods, what in ((LASTING, "_changed"), (WEARING, "_worn")):
                for holder, name in methods:
                    noted = self._noted(getattr(holder, name), what)
                    patches.enter_context(mock.patch.object(holder, name, noted))
            yield

    def _noted(self, method: Callable[..., Any], what: str) -> Callable[..., Any]:
        def noted(*arguments: Any, **named: Any) -> Any:
            setattr(self, what, True)
            return method(*arguments, **named)

        return noted

    def take(self, **options: Any) -> Profile:
        """Return an empty profile. options: those of a context."""
        kind = repr(sorted(options.items()))
        if self._unused[kind]:
            return self._unused[kind].pop()
        # A service worker would answer for pages and files behind the back of most tests.
        workers = {"service_workers": "block", **options}
        context = self._browser.new_context(base_url=self._server, viewport=LAPTOP, **workers)
        context.set_default_timeout(self._patience)
        try:
            return Profile(context, kind)
        except BaseException:
            context.close()  # the server would wait ten minutes for the end of its connection
            raise

    def give_back(self, profiles: list[Profile]) -> None:
        """Take back the profiles of a test that is over."""
        for profile in profiles:
            profile.empty(worn=self._worn or self._changed)
            if self._changed or sum(map(len, self._unused.values())) >= MOST:
                profile.context.close()
            else:
                self._unused[profile.kind].append(profile)
        self._changed = self._worn = False

    def close(self) -> None:
        """Close the profiles, and with them the connections for whose end the server would wait."""
        for profile in chain.from_iterable(self._unused.values()):
            profile.context.close()
        self._unused.clear()
