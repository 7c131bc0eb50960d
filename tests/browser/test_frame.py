"""The frame of every page in a real browser: it loads completely, obeys the security policy, and fits a phone."""

from __future__ import annotations

import os
import re
from datetime import timedelta
from itertools import product
from pathlib import Path
from urllib.request import Request, urlopen

from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.conftest import LogIn, PageMaker
from tests.factories import section_of
from tests.waiting import LONG
from tests.web.staff.conftest import address, enter, paired
from tournaments.models import LoginSession, Section, User


def test_home_loads_all_its_files(browser_page: Page) -> None:
    answers: list[tuple[int, str]] = []
    browser_page.on("response", lambda answer: answers.append((answer.status, answer.url)))
    browser_page.goto("/", wait_until="networkidle")
    assert [answer for answer in answers if answer[0] != 200] == []
    assert len(answers) > 1


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
    for width, rest in product((1366, 360), ("log/", "documents/", "cockpit/", "round/1/results/")):
        page.set_viewport_size({"width": width, "height": 740})
        page.goto(address(section, rest))
        expect(page.locator(".tabs [aria-current]")).to_be_in_viewport(ratio=0.9)
        assert page.evaluate("window.scrolledTo") == 0
        page.keyboard.press("Tab")
        expect(page.locator("a.skip")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#main")).to_be_focused()


def test_the_menu_of_sections_and_the_keys_between_them(
    section: Section, arbiter: User, new_page: PageMaker, log_in: LogIn
) -> None:
    """The menu says what each section waits for; keys keep the page; a group opens the page that was used last."""
    other = section_of(
        4, event=section.event, slug="b", name="Großmann-Gedenkturnier der Seniorinnen und Senioren 65+"
    )
    enter(section.played_rounds.get().games.get(board=1), "1-0")
    page = new_page()
    log_in(page, arbiter)
    page.goto(address(section, "log/"))
    page.locator(".menu.sec > summary").click()
    rows = page.locator(".secs ol a")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text(re.compile(r"round 1 of \d.*boards? open.*\d min", re.DOTALL))
    expect(rows.first).to_have_attribute("aria-current", "true")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".secs .over")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".menu.sec > summary")).to_be_focused()
    expect(rows.first).to_be_hidden()
    page.evaluate("document.activeElement.blur()")
    for keys, place in (
        (["]"], address(other, "log/")),
        (["["], address(section, "log/")),
        (["Shift+ArrowDown"], address(other, "log/")),
        (["Shift+ArrowUp"], address(section, "log/")),
        (["g", "2"], address(other, "log/")),
        (["g", "0"], f"/{section.event.slug}/"),
        (["g", "1"], address(section, "cockpit/")),
    ):
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_url(re.compile(rf":[0-9]+{place}$"))
    page.goto(address(section, "byes/"))
    page.goto(address(section, "standings/"))
    expect(page.locator("[data-group=players]")).to_have_attribute(
        "href", re.compile(rf"{address(section, 'byes/')}$")
    )


def test_the_round_stays_when_the_tab_changes(
    section: Section, arbiter: User, new_page: PageMaker, log_in: LogIn
) -> None:
    for game in section.played_rounds.get().games.all():
        enter(game, "1/2")
    paired(section)
    page = new_page()
    log_in(page, arbiter)
    page.goto(address(section, "round/2/pairings/"))
    page.keyboard.press(",")
    page.wait_for_url(f"**{address(section, 'round/1/pairings/')}")
    for tab, place in (("Results", "round/1/results/"), ("Corrections", "round/1/corrections/")):
        page.locator(".tabs").get_by_role("link", name=tab).click()
        page.wait_for_url(f"**{address(section, place)}")
    page.locator(".groups").get_by_role("link", name="Players").click()  # a page without a round keeps it
    page.wait_for_url(f"**{address(section, 'entries/')}")
    page.locator(".groups").get_by_role("link", name="Lists").click()
    page.wait_for_url(f"**{address(section, 'standings/1/')}")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(".")
    page.wait_for_url(f"**{address(section, 'standings/2/')}")


def test_nothing_in_the_frame_moves(
    section: Section, arbiter: User, new_page: PageMaker, log_in: LogIn
) -> None:
    """The places of the groups, and of the tabs of a group, are the same on each of its pages. The title line of a
    small laptop cuts no word, also of a long language.
    """
    page = new_page()
    log_in(page, arbiter)
    places = """(which) => [...document.querySelectorAll(which)].map((each) => {
        const { left, top, width } = each.getBoundingClientRect()
        return [each.textContent.trim(), left, top, width]
    })"""
    groups, tabs = set(), set()
    for rest in ("settings/", "prizes/", "tie-breaks/", "log/"):
        page.goto(address(section, rest))
        groups.add(str(page.evaluate(places, ".groups a")))
        tabs.add(str(page.evaluate(places, ".tabs a")))
    page.goto(f"/{section.event.slug}/")
    assert page.locator(".menu.sec").bounding_box()["y"] >= 0
    assert (len(groups), len(tabs)) == (1, 1)
    page.set_viewport_size({"width": 1024, "height": 768})
    page.set_extra_http_headers({"Accept-Language": "de"})
    for rest in ("cockpit/", "entries/", "pairings/", "round/1/results/", "copies/"):
        page.goto(address(section, rest))
        cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)"
        assert page.locator(".head :is(h1, p)").evaluate_all(cut) == [], rest
        assert page.locator("html").get_attribute("lang") == "de"


def test_a_phone_has_one_menu_and_shows_the_name_of_the_section(
    section: Section, arbiter: User, new_page: PageMaker, log_in: LogIn
) -> None:
    Section.objects.filter(pk=section.pk).update(
        fide_mode=False, fide_mode_left_in_round=1, name="B, rated below 1900"
    )
    page = new_page(viewport={"width": 360, "height": 740})
    log_in(page, arbiter)
    page.goto(address(section, "round/1/why/"))
    name = page.locator(".menu.sec .t")
    assert name.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    expect(page.locator(".menu.ev")).to_be_hidden()
    page.locator(".menu.who > summary").click()
    menu = page.locator(".menu.who .pop")
    for words in ("Cockpit", "Prizes", "Keys", "Help", "Account", "Language", "Large print", "Log out"):
        expect(menu.get_by_text(words).first).to_be_visible()
    box = menu.bounding_box()
    assert (box["x"], box["width"]) == (0, 360)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    menu.get_by_role("button", name="Keys").click()
    expect(page.locator("#keys-sheet")).to_be_visible()


def test_a_boosted_link_loads_the_styles_and_scripts_of_its_page(
    section: Section, arbiter: User, browser_page: Page, log_in: LogIn
) -> None:
    log_in(browser_page, arbiter)
    browser_page.goto(address(section, "settings/"))
    browser_page.evaluate(
        """(cockpit) => {
            const link = document.querySelector(`.go-to a[href="${cockpit}"]`)
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


def test_a_phone_shows_no_keys_and_cuts_no_words(
    section: Section, arbiter: User, new_page: PageMaker, log_in: LogIn
) -> None:
    """Also in a narrow window without touch, and when the page Results says that all results are in."""
    for game in section.played_rounds.get().games.order_by("board"):
        enter(game, "1/2")
    page = new_page(viewport={"width": 360, "height": 740})
    log_in(page, arbiter)
    pages = ("round/1/results/", "documents/", "screens/", "settings/", "entries/add/")
    for rest in (*pages, "round/1/board/1/incident/", "cockpit/", "players/1/"):
        page.goto(address(section, rest))
        assert page.evaluate("document.documentElement.scrollWidth") == 360, rest
        assert page.locator("main kbd:visible").count() == 0, rest
        if rest == "cockpit/":
            tops = page.locator(".head .btn:visible").evaluate_all(
                "(all) => all.map((one) => [one.getBoundingClientRect().top, one.classList.contains('go')])"
            )
            assert len(tops) > 1
            assert min(tops)[1], "the black button is the first one"
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
