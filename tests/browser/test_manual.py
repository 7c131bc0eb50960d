"""The manual in a browser: opened by keys at the place of a page, searched, and read without a network."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import LogIn, PageMaker
from tests.factories import EventRoleFactory, section_of
from tests.web.staff.conftest import address


def test_an_arbiter_opens_the_manual_by_keys_and_keeps_it_for_a_hall_without_a_network(
    new_page: PageMaker, log_in: LogIn
) -> None:
    section = section_of(4)
    page = new_page(service_workers="allow")
    log_in(page, EventRoleFactory(event=section.event).user)
    page.goto(address(section, "byes/"))
    page.keyboard.press("Escape")  # leaves the first field of the form
    page.keyboard.press("?")
    expect(page.locator("dialog#keys-sheet")).to_be_visible()
    with page.context.expect_page() as opened:
        page.keyboard.press("?")
    manual = opened.value
    expect(manual).to_have_url(re.compile("/site/manual/byes-and-withdrawals/#byes$"))
    manual.get_by_role("button", name="Keep the manual for a hall without a network").click()
    expect(manual.get_by_text("This device has the manual.")).to_be_visible()

    page.context.set_offline(True)
    manual.goto("/site/manual/results/")
    expect(manual.get_by_role("heading", level=1)).to_have_text("Results")
    assert manual.locator("article img").first.evaluate(
        "image => image.decode().then(() => image.naturalWidth)"
    )
    manual.keyboard.press("/")
    manual.keyboard.type("undo depend")
    expect(manual.locator(".hits a").first).to_have_text("Undo an action")
    page.context.set_offline(False)
