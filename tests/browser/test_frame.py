"""The frame of every page in a real browser: it loads completely, obeys the security policy, and fits a phone."""

from __future__ import annotations

import os
import re
from datetime import timedelta
from itertools import product
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.conftest import LogIn, PageMaker
from tests.waiting import LONG
from tests.web.staff.conftest import address, enter
from tournaments.models import Event, LoginSession, Section, User


def test_home_loads_all_its_files(browser_page: Page) -> None:
    answers: list[tuple[int, str]] = []
    browser_page.on("response", lambda answer: answers.append((answer.status, answer.url)))
    browser_page.goto("/", wait_until="networkidle")
    assert [answer for answer in answers if answer[0] != 200] == []
    assert len(answers) > 1


def test_home_fits_a_phone(new_page: PageMaker) -> None:
    page = new_page(viewport={"width": 360, "height": 740})
    page.goto("/")
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_home_is_shown_without_scripts(new_page: PageMaker) -> None:
    page = new_page(java_script_enabled=False)
    page.goto("/")
    assert page.locator("main").is_visible()


def test_static_files_are_compressed_and_immutable(server: str) -> None:
    with urlopen(server, timeout=LONG) as answer:  # noqa: S310
        sheets = re.findall(r'href="(/static/[^"]+\.css)"', answer.read().decode())
    assert sheets != []
    for sheet in sheets:
        request = Request(server + sheet, headers={"Accept-Encoding": "gzip"})  # noqa: S310
        with urlopen(request, timeout=LONG) as answer:  # noqa: S310
            assert "immutable" in answer.headers["Cache-Control"], sheet
            assert (
                answer.headers.get("Content-Encoding") == "gzip"
                or int(answer.headers["Content-Length"]) < 500
            )


def test_first_tab_reaches_the_skip_link(
    section: Section, arbiter: User, new_page: PageMaker, log_in: LogIn
) -> None:
    """After scrollIntoView() on an element, Chromium can start the next Tab there and not at the top of the page."""
    page = new_page()
    page.add_init_script(
        """window.scrolledTo = 0
        const scroll = Element.prototype.scrollIntoView
        Element.prototype.scrollIntoView = function (...options) {
            window.scrolledTo += 1
            scroll.apply(this, options)
        }"""
    )
    log_in(page, arbiter)
    for width, rest in product((1366, 360), ("settings/", "documents/", "cockpit/", "round/1/results/")):
        page.set_viewport_size({"width": width, "height": 740})
        page.goto(address(section, rest))
        expect(page.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=0.9)
        assert page.evaluate("window.scrolledTo") == 0
        page.keyboard.press("Tab")
        expect(page.locator("a.skip")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#main")).to_be_focused()


@pytest.mark.parametrize("width", [1366, 360])
def test_head_of_a_section_without_fide_mode_is_not_cut(
    section: Section, arbiter: User, new_page: PageMaker, log_in: LogIn, width: int
) -> None:
    """On a phone the name of the event is not shortened to "T…", and the list of rounds does not cover the tabs."""
    Section.objects.filter(pk=section.pk).update(fide_mode=False, fide_mode_left_in_round=1)
    Event.objects.filter(pk=section.event_id).update(name="Auckland Open")
    page = new_page(viewport={"width": width, "height": 740})
    log_in(page, arbiter)
    page.goto(address(section, "round/1/why/"))
    names = page.locator(".where > a")
    assert (
        names.evaluate_all("(all) => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length")
        == 0
    )
    chip, away = names.last.bounding_box(), page.locator(".top .side").bounding_box()
    assert chip["x"] + chip["width"] <= away["x"]
    tabs, rounds = page.locator(".tabs").bounding_box(), page.locator(".rounds").bounding_box()
    beside = tabs["x"] + tabs["width"] <= rounds["x"] and page.locator(".tabs").evaluate(
        "(tabs) => tabs.scrollWidth <= tabs.clientWidth"
    )
    assert beside or tabs["y"] + tabs["height"] <= rounds["y"] + 1
    if width > 360:
        middles = [
            each["y"] + each["height"] / 2
            for each in (page.locator(".brand").bounding_box(), *(one.bounding_box() for one in names.all()))
        ]
        assert max(middles) - min(middles) < 1


def test_only_the_name_of_the_event_is_shortened_on_a_phone(
    section: Section, arbiter: User, new_page: PageMaker, log_in: LogIn
) -> None:
    """A name that was narrowed by a part of a pixel read "Op…" instead of "Open"."""
    Event.objects.filter(pk=section.event_id).update(name="Harvenmouth Open")
    Section.objects.filter(pk=section.pk).update(name="Open")
    page = new_page(viewport={"width": 360, "height": 740})
    log_in(page, arbiter)
    page.goto(address(section, "cockpit/"))
    asked, given = page.locator(".where > a").last.evaluate(
        """(name) => {
            const width = () => name.getBoundingClientRect().width
            const given = width()
            name.style.flexShrink = 0
            return [width(), given]
        }"""
    )
    assert given == asked


def test_a_boosted_link_loads_the_styles_and_scripts_of_its_page(
    section: Section, arbiter: User, browser_page: Page, log_in: LogIn
) -> None:
    log_in(browser_page, arbiter)
    browser_page.goto(address(section, "settings/"))
    browser_page.evaluate(
        """(cockpit) => {
            const link = document.querySelector(`.tabs a[href="${cockpit}"]`)
            link.setAttribute("hx-boost", "true")
            htmx.process(link)
            document.body.dataset.here = "still"
            link.click()
        }""",
        address(section, "cockpit/"),
    )
    expect(browser_page.locator("[data-live]")).to_be_visible()
    expect(browser_page.locator("body")).to_have_attribute("data-here", "still")
    expect(browser_page.locator(".map-key i").first).to_have_css("display", "inline-block")
    with browser_page.expect_request(re.compile(r"/cockpit/\?seen=")):  # live.js runs
        browser_page.evaluate("setInterval(() => dispatchEvent(new Event('focus')), 50)")
    names = browser_page.locator("head link[rel=stylesheet]").evaluate_all(
        "(all) => all.map((one) => one.href)"
    )
    assert len(set(names)) == len(names)
    assert "print" in names[-1]


def test_form_of_a_new_entry_is_centred(
    section: Section, arbiter: User, browser_page: Page, log_in: LogIn
) -> None:
    log_in(browser_page, arbiter)
    browser_page.set_viewport_size({"width": 1366, "height": 768})
    browser_page.goto(address(section, "entries/add/"))
    box = browser_page.locator("main form.sheet").bounding_box()
    assert box["x"] + box["width"] / 2 == pytest.approx(1366 / 2, abs=10)  # a scroll bar takes a few pixels


def test_a_phone_shows_no_keys_and_cuts_no_words(
    section: Section, arbiter: User, new_page: PageMaker, log_in: LogIn
) -> None:
    """Also in a narrow window without touch, and when the page Results says that all results are in."""
    for game in section.played_rounds.get().games.order_by("board"):
        enter(game, "1/2")
    page = new_page(viewport={"width": 360, "height": 740})
    log_in(page, arbiter)
    for rest in ("round/1/results/", "documents/", "screens/", "settings/", "entries/add/", "players/1/"):
        page.goto(address(section, rest))
        assert page.evaluate("document.documentElement.scrollWidth") == 360, rest
        assert page.locator("main kbd:visible").count() == 0, rest
    half, sheet = (page.locator(which).bounding_box() for which in (".card .pts i", ".sheet:has(.card)"))
    assert half["x"] + half["width"] <= sheet["x"] + sheet["width"] - 8


def test_sessions_fit_a_phone(server: str, arbiter: User, new_page: PageMaker, log_in: LogIn) -> None:
    """Each session in the list that can be ended has a button beside its times."""
    agent = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36"
    phone = new_page(user_agent=agent)
    page = new_page(viewport={"width": 360, "height": 740})
    for each in (phone, page):
        log_in(each, arbiter)
        each.goto("/account/")
    LoginSession.objects.filter(agent=agent).update(seen_at=timezone.now() - timedelta(hours=20))
    page.reload()
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=Path(folder) / "account-360.png", full_page=True)
    expect(page.get_by_role("button", name="End session")).to_have_count(1)
    assert page.locator("section:has(table)").evaluate("frame => frame.scrollWidth - frame.clientWidth") <= 0
