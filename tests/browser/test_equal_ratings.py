"""The arbiter chooses the order of players with the same rating, by keys alone and on a phone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LogIn, PageMaker
from tests.factories import EventRoleFactory, section_of
from tests.web.staff.conftest import address
from tournaments.models import Section


@pytest.fixture
def section(server: str) -> Section:
    """Numbers 2 to 5 are rated 2475."""
    section = section_of(8)
    section.participants.filter(tpn__in=(2, 3, 4, 5)).update(rating=2475)
    return section


def test_last_of_equal_ratings_becomes_the_first(
    section: Section, new_page: PageMaker, log_in: LogIn
) -> None:
    page = new_page()
    log_in(page, EventRoleFactory(event=section.event).user)
    last = section.participants.select_related("player").get(tpn=5)
    page.goto(address(section, "entries/"))
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Order of equal ratings").click()
    place = page.get_by_label(f"Place of {last.player.name}")
    place.fill("1")
    place.press("Enter")
    question = page.locator("#question")
    expect(question).to_contain_text("Round 1 will be paired with the new numbers. Nothing is saved yet.")
    expect(question.locator("tbody tr").first).to_contain_text(last.player.name)
    for width, scheme in ((360, "dark"), (1366, "light")):
        page.set_viewport_size({"width": width, "height": 740})
        page.emulate_media(color_scheme=scheme)
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=Path(folder) / f"equal-ratings-{width}-asked.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("Escape")
    expect(question).to_have_count(0)
    expect(place).to_have_value("4")
    place.fill("1")
    place.press("Enter")
    page.get_by_role("button", name="Give the new numbers").press("Enter")
    expect(page.get_by_text("The players rated 2475 have new numbers.")).to_be_visible()
    last.refresh_from_db()
    assert last.tpn == 2
    expect(place).to_have_value("1")
