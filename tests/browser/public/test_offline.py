"""A visitor whose phone loses the network reads the last pages again."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import PageMaker, kept_by_worker
from tests.browser.public.conftest import address
from tests.browser.public.test_visitors import be
from tournaments.models import Section

KEPT = re.compile(r"^No connection to the server\. This page is from \d\d:\d\d")


def test_pages_that_were_seen_are_shown_without_a_network_with_their_age(
    section: Section, new_page: PageMaker
) -> None:
    """The first page counts too, which came before there was a worker. The page of the event has the board of the
    visitor. With the network, the page is new again.
    """
    page = new_page(service_workers="allow")
    name = section.participants.select_related("player").get(tpn=3).player.name
    be(page, section, name)
    kept_by_worker(page, f"{address(section)}players/")
    page.goto(f"/{section.event.slug}/")
    board = page.get_by_role("region", name="Your game")
    expect(board).to_contain_text(name)
    expect(page.locator("#page-age")).to_be_hidden()
    kept_by_worker(page, f"/{section.event.slug}/")
    page.context.set_offline(True)
    page.goto(f"/{section.event.slug}/")
    expect(page.locator("#page-age")).to_have_text(KEPT)
    expect(board).to_contain_text(name)
    page.get_by_role("link", name=section.name, exact=True).first.click()
    expect(page).to_have_url(re.compile("/players/$"))
    expect(page.locator("#page-age")).to_have_text(KEPT)
    page.get_by_role("link", name="Standings").click()
    expect(page.locator("#page-age")).to_have_text(
        "No connection to the server. That page is not on this device."
    )
    expect(page).to_have_url(re.compile("/players/$"))
    page.context.set_offline(False)
    expect(page.locator("#page-age")).to_be_hidden()
