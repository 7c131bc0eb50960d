""" "Why this pairing?" in a real browser: on a phone, in the dark, and without script."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SCHEMES, LogIn, PageMaker
from tests.browser.people import section_of_people
from tests.factories import EventRoleFactory
from tests.web.staff.conftest import address, paired, played
from tournaments.models import Section

WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture
def section(server: str) -> Section:
    """Twenty-five people in their second round."""
    section = section_of_people(initial_colour="w", rounds=7)
    played(section)
    paired(section)
    return section


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [360, 1366])
def test_why_fits_the_screen_and_needs_no_script(
    section: Section, new_page: PageMaker, log_in: LogIn, width: int, scheme: str
) -> None:
    page = new_page(viewport={"width": width, "height": 800}, color_scheme=scheme, java_script_enabled=False)
    log_in(page, EventRoleFactory(event=section.event).user)
    for rest in ("round/2/why/", "round/2/why/8/?other=9"):
        page.goto(address(section, rest))
        expect(page.locator("h1")).to_have_text("Why this pairing?")
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=Path(folder) / f"why-{width}-{scheme}-{len(rest)}.png", full_page=True)
        assert page.locator("main").evaluate("main => main.scrollWidth > window.innerWidth") is False


def test_lines_meet_the_rows(section: Section, new_page: PageMaker, log_in: LogIn) -> None:
    """Each list is as high as the picture between the lists, so that its lines begin and end at rows."""
    page = new_page()
    log_in(page, EventRoleFactory(event=section.event).user)
    page.goto(address(section, "round/2/why/8/"))
    assert page.evaluate(WIDER) is False
    boxes = [page.locator(f".match > :nth-child({n})").bounding_box() for n in (1, 2, 3)]
    lists = [page.locator(".match ol").nth(n).bounding_box() for n in (0, 1)]
    picture = boxes[1]
    assert picture is not None
    for listed in lists:
        assert listed is not None
        assert abs(listed["y"] - picture["y"]) < 1
        assert abs(listed["height"] - picture["height"]) < 1
