"""A running round of ten boards, and ways to type into it and to see what is stored."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tournaments.models import Game, Tournament

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
Open = Callable[..., Page]


class Wire:
    """The connection of a page to the server, cut until `mend`: no answer, or only a status.

    The page is loaded again, because a route added to an open page misses requests that are under way. The route
    stays, because a request in a removed route never ends.
    """

    def __init__(self, page: Page, requests: str = "**/game/**", status: int | None = None) -> None:
        self._is_cut = True
        self._status = status
        page.route(requests, self._pass)
        page.reload()

    def mend(self) -> None:
        self._is_cut = False

    def _pass(self, route: Route) -> None:
        if not self._is_cut:
            route.continue_()
        elif self._status:
            route.fulfill(status=self._status)
        else:
            route.abort("internetdisconnected")


def stored(section: Tournament) -> list[str]:
    games = Game.objects.filter(round__tournament=section, round__number=1)
    return list(games.order_by("board").values_list("result", flat=True))


def second(section: Tournament) -> list[str]:
    """Return the second readings of the slips, by board."""
    games = Game.objects.filter(round__tournament=section, round__number=1)
    return list(games.order_by("board").values_list("second_result", flat=True))


def saved(page: Page) -> None:
    """Wait until nothing is queued."""
    expect(page.locator("#queue")).to_be_hidden()


def here(page: Page) -> str | None:
    return page.locator("tr.here").get_attribute("data-board")


def kept(page: Page) -> int:
    """Return how many moves wait in the storage of the browser."""
    return int(page.evaluate("Object.keys(localStorage).filter((key) => key.includes(':typed:')).length"))


def look(page: Page) -> None:
    """Let the page ask now what others have done, and not within five seconds."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def fits(page: Page) -> bool:
    """Whether nothing sticks out sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
