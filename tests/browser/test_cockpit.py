"""The cockpit in a real browser: keys, stale pages, what others do, and no script at all."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LogIn, PageMaker
from tests.factories import EventFactory, EventRoleFactory, section_of
from tests.web.staff.conftest import address, paired
from tournaments.models import Round, Tournament


@pytest.fixture
def section(server: str) -> Tournament:
    return section_of(8, event=EventFactory(slug="rijswijk"), slug="a")


@pytest.fixture
def cockpit(section: Tournament, new_page: PageMaker, log_in: LogIn) -> Page:
    """The cockpit of an arbiter."""
    page = new_page()
    log_in(page, EventRoleFactory(event=section.event).user)
    page.goto(address(section, "desk/"))
    return page


def states(section: Tournament) -> list[str]:
    return list(section.played_rounds.order_by("number").values_list("state", flat=True))


def test_enter_pairs_the_round_and_goes_no_further(cockpit: Page, section: Tournament) -> None:
    cockpit.keyboard.down("Enter")
    cockpit.keyboard.down("Enter")  # held: the browser repeats it
    expect(cockpit.locator(".head .btn.go")).to_have_text("Publish round 1")
    cockpit.keyboard.press("Enter")
    cockpit.keyboard.up("Enter")
    assert states(section) == [Round.State.DRAFT]
    cockpit.locator(".head .btn.go").click()
    expect(cockpit.locator(".head .btn.go")).to_contain_text("Enter results")
    assert states(section) == [Round.State.PUBLISHED]


def test_page_that_is_too_old_says_so_and_shows_what_is_there(cockpit: Page, section: Tournament) -> None:
    paired(section, published=False)
    cockpit.locator(".head .btn.go").click()
    expect(cockpit.locator("#problem")).to_contain_text("Nothing was done.")
    expect(cockpit.locator(".head .btn.go")).to_have_text("Publish round 1")
    assert states(section) == [Round.State.DRAFT]


def test_cockpit_follows_what_others_do(cockpit: Page, section: Tournament) -> None:
    paired(section)
    expect(cockpit.locator(".head .btn.go")).to_contain_text("Enter results", timeout=9_000)


def test_round_is_paired_published_and_taken_back_without_a_script(
    section: Tournament, new_page: PageMaker, log_in: LogIn
) -> None:
    page = new_page(java_script_enabled=False)
    log_in(page, EventRoleFactory(event=section.event).user)
    page.goto(address(section, "desk/"))
    for button in ("Pair round 1", "Publish round 1", "Unpublish", "Unpair round 1"):
        page.get_by_role("button", name=button).click()
    assert states(section) == []
    expect(page.locator("h1")).to_have_text("Before round 1")


def test_cockpit_fits_a_phone(section: Tournament, new_page: PageMaker, log_in: LogIn) -> None:
    paired(section)
    page = new_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    log_in(page, EventRoleFactory(event=section.event).user)
    for rest in (
        "desk/",
        "entries/",
        "entries/add/",
        "byes/",
        "log/",
        "settings/",
        "documents/",
        "entries/import/",
    ):
        page.goto(address(section, rest))
        assert page.evaluate("document.documentElement.scrollWidth") == 360, rest
