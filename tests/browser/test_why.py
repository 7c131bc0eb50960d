""" "Why this pairing?" in a real browser: on a phone, in the dark, and without script."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SCHEMES, LogIn, PageMaker
from tests.browser.made import made_once
from tests.browser.people import section_of_people
from tests.factories import EventRoleFactory
from tests.web.staff.conftest import address, paired, played
from tournaments.models import Section

WIDER = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def in_round_2() -> Section:
    """Twenty-five people in their second round."""
    section = section_of_people(initial_colour="w", rounds=7)
    played(section)
    paired(section)
    return section


@pytest.fixture
def section(server: str) -> Section:
    return made_once(in_round_2)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_why_fits_the_screen_and_needs_no_script(
    section: Section, new_page: PageMaker, log_in: LogIn, scheme: str
) -> None:
    page = new_page(color_scheme=scheme, java_script_enabled=False)
    log_in(page, EventRoleFactory(event=section.event).user)
    for rest in ("round/2/why/", "round/2/why/8/?other=9"):
        page.goto(address(section, rest))
        expect(page.locator("h1")).to_have_text("Why this pairing?")
        for width in (360, 1366):
            page.set_viewport_size({"width": width, "height": 800})
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


def not_wider(page: Page, name: str) -> None:
    """The page fits a phone and a laptop; save screenshots if SHOTS names a folder."""
    for width in (360, 1366):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate(WIDER) is False
        for scheme in ("light", "dark") if os.environ.get("SHOTS") else ():
            page.emulate_media(color_scheme=scheme)
            page.screenshot(
                path=Path(os.environ["SHOTS"]) / f"public-{width}-{scheme}-{name}.png", full_page=True
            )


def test_reader_chooses_an_opponent_and_sees_whether_the_rules_agree(
    section: Section, new_page: PageMaker
) -> None:
    page = new_page()
    for at, rest in enumerate(("pairings/", "round/2/explained/", "round/2/explained/3/")):
        page.goto(address(section, rest))
        not_wider(page, str(at))
    page.goto(address(section, "round/2/explained/work/2/"))
    steps = page.locator("details[data-first]")
    first, second = (steps.nth(0).get_attribute(f"data-{name}-name") for name in ("first", "second"))
    page.locator(f"[data-choice][data-player='{steps.nth(0).get_attribute('data-second')}'] button").click()
    expect(page.locator("#verdict")).to_have_text(f"The rules agree: {first} meets {second}.")
    page.keyboard.press("ArrowRight")
    expect(page.locator("details[data-first][open]")).to_have_count(2)
    not_wider(page, "work")
