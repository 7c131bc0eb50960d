"""A visitor whose phone loses the network reads the last pages again."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import PageMaker
from tests.web.staff.conftest import address
from tournaments.models import Section

KEPT = re.compile(r"^No connection to the server\. This page is from \d\d:\d\d")


def test_pages_that_were_seen_are_shown_without_a_network_with_their_age(
    section: Section, new_page: PageMaker
):
    """The first page counts too, which came before there was a worker. With the network, the page is new again."""
    page = new_page(service_workers="allow")
    page.goto(f"/{section.event.slug}/")
    page.evaluate("navigator.serviceWorker.ready")
    page.goto(address(section, "players/"))
    expect(page.locator("#page-age")).to_be_hidden()
    page.context.set_offline(True)
    page.goto(f"/{section.event.slug}/")
    expect(page.locator("#page-age")).to_have_text(KEPT)
    page.get_by_role("link", name=section.name, exact=True).first.click()
    expect(page).to_have_url(re.compile("/players/$"))
    expect(page.locator("#page-age")).to_have_text(KEPT)
    page.context.set_offline(False)
    expect(page.locator("#page-age")).to_be_hidden()
