"""Helpers for the page Results: cut the connection, see what is stored, wait until all is sent."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tournaments.models import Game, Section

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
Open = Callable[..., Page]


def send_now(page: Page) -> None:
    """Make the page send what waits at once, as when the device finds a network, and not seconds later."""
    page.evaluate("dispatchEvent(new Event('online'))")


class Wire:
    """A connection to the server that is cut until `mend` is called: requests fail, or get only `status`.

    The page is reloaded, because a route added to an open page misses requests that are already under way. The
    route is never removed, because a request in a removed route never ends.
    """

    def __init__(self, page: Page, requests: str = "**/game/**", status: int | None = None) -> None:
        self._is_cut = True
        self._status = status
        self._page = page
        page.route(requests, self._pass)
        page.reload()

    def mend(self) -> None:
        self._is_cut = False
        send_now(self._page)

    def _pass(self, route: Route) -> None:
        if not self._is_cut:
            route.continue_()
        elif self._status:
            route.fulfill(status=self._status)
        else:
            route.abort("internetdisconnected")


class Cut:
    """As `Wire`, also for what a page sends when it is left: no route sees these requests. The page is reloaded."""

    def __init__(self, page: Page, addresses: str) -> None:
        self._page = page
        page.add_init_script(
            """{ const send = window.fetch; window.fetch = (to, more) =>
            localStorage.getItem("cut") && new RegExp(localStorage.getItem("cut")).test(to)
            ? Promise.reject(new TypeError("cut")) : send(to, more); }"""
        )
        page.evaluate("(cut) => localStorage.setItem('cut', cut)", addresses)
        page.reload()

    def mend(self) -> None:
        self._page.evaluate("localStorage.removeItem('cut')")
        send_now(self._page)


def stored(section: Section) -> list[str]:
    games = Game.objects.filter(round__section=section, round__number=1)
    return list(games.order_by("board").values_list("result", flat=True))


def second(section: Section) -> list[str]:
    """Return the second readings of the slips, by board."""
    games = Game.objects.filter(round__section=section, round__number=1)
    return list(games.order_by("board").values_list("second_result", flat=True))


def saved(page: Page) -> None:
    """Wait until nothing is queued."""
    expect(page.locator("#queue")).to_be_hidden()


def here(page: Page) -> str | None:
    return page.locator("tr.here").get_attribute("data-board")


def kept(page: Page) -> int:
    """Return how many changes wait in the local storage of the browser."""
    return int(page.evaluate("Object.keys(localStorage).filter((key) => key.includes(':typed:')).length"))


def look(page: Page) -> None:
    """Make the page ask for changes by others now, and not seconds later."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def fits(page: Page) -> bool:
    """Return whether the page is no wider than the window, on a laptop and on a phone."""
    size = page.viewport_size
    assert size is not None
    found = []
    for width in (1366, 360):
        page.set_viewport_size({**size, "width": width})
        found.append(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
    page.set_viewport_size(size)
    return found == [True, True]
