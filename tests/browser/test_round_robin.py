"""A club plays a double round robin: lots, all rounds at once, a result, and the sheet with all rounds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LogIn, PageMaker, follow
from tests.factories import EventRoleFactory, section_of
from tests.web.staff.conftest import address
from tournaments.models import Game, Section


@pytest.fixture
def section(server: str) -> Section:
    return section_of(7, system="round-robin", options={"cycles": "2"}, initial_colour="", rounds=5)


def shot(page: Page, name: str) -> None:
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=Path(folder) / f"rr-{name}.png", full_page=True)


def test_arbiter_draws_lots_and_publishes_all_rounds(
    section: Section, new_page: PageMaker, log_in: LogIn
) -> None:
    page = new_page(viewport={"width": 1366, "height": 768})
    log_in(page, EventRoleFactory(event=section.event).user)
    page.goto(address(section, "cockpit/"))
    shot(page, "1-cockpit")
    page.keyboard.press("Enter")
    expect(page.get_by_role("table", name="Players by number").get_by_role("row")).to_have_count(7)
    shot(page, "2-lots")
    expect(page.locator(".head .btn.go")).to_contain_text("Pair all rounds, 1 to 14")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Publish all 14 drafts")).to_be_visible()
    shot(page, "3-drafts")
    page.get_by_role("button", name="Publish all 14 drafts").click()
    follow(page.get_by_role("link", name="Enter results").first)
    expect(page.get_by_role("heading", name="Round 1").first).to_be_visible()
    Game.objects.filter(round__section=section, round__number__lte=3).update(result="1-0")
    page.goto(address(section, "print/all-rounds/"))
    expect(page.get_by_role("heading", name="Round 14")).to_be_visible()
    shot(page, "paper")
    if folder := os.environ.get("SHOTS"):
        page.pdf(path=Path(folder) / "rr-paper.pdf", prefer_css_page_size=True)
    pages = (
        "rounds/",
        "crosstable/",
        "standings/",
        "cockpit/",
        "lots/",
        "round/9/why/",
        "pairings/",
        "players/3/",
    )
    for rest in pages:
        page.goto(address(section, rest))
        for width, scheme in ((1366, "light"), (360, "dark")):
            page.set_viewport_size({"width": width, "height": 768})
            page.emulate_media(color_scheme=scheme)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, rest
            shot(page, f"{width}-{rest.strip('/').replace('/', '-')}")
    page.goto(address(section, "round/9/why/"))
    reason = page.get_by_role("cell", name="has White, because").first.bounding_box()
    assert reason
    assert reason["width"] >= 240
