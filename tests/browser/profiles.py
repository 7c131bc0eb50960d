"""Browser profiles that tests use one after another.

A new profile needs a new process of the browser, which reads all scripts and styles again: this takes it longer than
most tests. So a profile that a test gives back is emptied and given to the next one: its pages are closed, and its
cookies and its local storage are deleted. Scripts of the site store nothing elsewhere, and the browser asks the server
about each page that it has kept. A profile whose test has changed it in another way (a clock, a connection that is
cut) is closed.

The browser ends the process of a profile with its last page, so each profile keeps a page open that no test sees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import Any
from unittest import mock

from playwright.sync_api import Browser, BrowserContext, Page
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


class Profile:
    """A context of the browser, and its page that no test sees."""

    def __init__(self, context: BrowserContext, kind: str) -> None:
        self.context, self.kind = context, kind
        self.unseen = context.new_page()
        self.unseen.goto("/healthz")

    def page(self, **options: Any) -> Page:
        """Open a page. options: the viewport and the media that it shows itself in."""
        page = self.context.new_page()
        viewport = options.pop("viewport", LAPTOP)
        if viewport != LAPTOP:
            page.set_viewport_size(viewport)
        if options:
            page.emulate_media(**options)
        return page

    def empty(self) -> None:
        for page in self.context.pages:
            if page is not self.unseen:
                page.unroute_all(behavior="ignoreErrors")
                page.close()
        self.context.clear_cookies()
        self.unseen.evaluate("localStorage.clear()")


class Profiles:
    """The profiles of one browser. Those with the same options for scripts and touch serve one test after another."""

    def __init__(self, browser: Browser, server: str, patience: float) -> None:
        self._browser, self._server, self._patience = browser, server, patience
        self._unused: dict[str, list[Profile]] = defaultdict(list)
        self._changed = False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Notice what changes a profile for as long as it exists."""
        with ExitStack() as patches:
            for holder, name in LASTING:
                patches.enter_context(mock.patch.object(holder, name, self._noted(getattr(holder, name))))
            yield

    def _noted(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*arguments: Any, **named: Any) -> Any:
            self._changed = True
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
            profile.empty()
            if self._changed or sum(map(len, self._unused.values())) >= MOST:
                profile.context.close()
            else:
                self._unused[profile.kind].append(profile)
        self._changed = False

    def close(self) -> None:
        """Close the profiles, and with them the connections for whose end the server would wait."""
        for profile in chain.from_iterable(self._unused.values()):
            profile.context.close()
        self._unused.clear()
