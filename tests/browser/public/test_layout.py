"""Public pages on a phone and on a laptop: nothing is too wide, lists stay tables."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth import get_user_model
from django.db.models import F
from playwright.sync_api import Page, expect

from evenboard_engine import Result
from tests.browser.conftest import LogIn, PageMaker, follow
from tests.browser.people import section_of_people
from tests.browser.public.conftest import PHONE, address, enter, play_round
from tournaments.actions.hall import set_hall_message
from tournaments.actions.ledger import Actor
from tournaments.models import EventRole, Game, Round, Section

PAGES = (
    "",
    "pairings/",
    "round/1/pairings/",
    "round/2/names/",
    "standings/",
    "standings/1/",
    "results/",
    "results/1/?by=newest",
    "aro/",
    "aro/1/",
    "aro/?by=name",
    "crosstable/",
    "players/",
    "players/1/",
    "players/25/",
)

PAPER = ("boards", "names", "aro", "standings", "crosstable")

FRAMES = ".scroll, .scroll *"
PLAIN = """() => [document.documentElement.scrollWidth <= 1366,
  ...["h1", "[style]"].map((which) => document.querySelectorAll(which).length)]"""
"""Whether the page fits a laptop, its headings, and its inline styles."""


def wide_things(page: Page) -> list[str]:
    """Return what is wider than the page, except lists with a frame that scrolls, and what a name's cell cuts off."""
    return page.evaluate(
        """(frames) => [...document.querySelectorAll("main *, header *")]
            .filter((thing) => !thing.matches(frames) && !thing.closest(".tabs, .sr, svg"))
            .filter((thing) => !thing.parentElement.closest(".nm"))
            .filter((thing) => thing.getBoundingClientRect().right > innerWidth + 0.5)
            .map((thing) => thing.outerHTML.slice(0, 80))""",
        FRAMES,
    )


def test_every_page_fits_a_phone_and_a_laptop_at_400_percent(new_page: PageMaker, section: Section) -> None:
    """1280 pixels at 400 % are 320, at 200 % they are 640. Every page has one heading and no inline style."""
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    for path in (*PAGES, "../?q=a"):
        answer = page.goto(address(section) + path)
        assert answer is not None
        assert answer.status == 200, path
        for width in (360, 320, 640):
            page.set_viewport_size({"width": width, "height": PHONE["height"]})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
            assert wide_things(page) == [], (path, width)
        page.set_viewport_size({"width": 1366, "height": PHONE["height"]})
        assert page.evaluate(PLAIN) == [True, 1, 0], path
    for document in PAPER:
        page.goto(f"{address(section)}print/{document}/")
        assert page.evaluate(PLAIN) == [True, 1, 0], document


@pytest.mark.parametrize("language", ["pl", "ru"])
def test_the_long_words_of_other_languages_fit_a_phone(
    new_page: PageMaker, section: Section, language: str
) -> None:
    """The tabs of a section and its views take a second line, and a card cuts no name."""
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    for path in ("standings/", "aro/", "players/", "players/1/"):
        page.goto(f"/{language}{address(section)}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert wide_things(page) == [], path
        assert (
            page.evaluate(
                """[...document.querySelectorAll(".tabs, .list.card .nm")]
                .filter((thing) => thing.scrollWidth > thing.clientWidth)
                .map((thing) => thing.textContent)"""
            )
            == []
        ), path


@pytest.fixture
def endless(section: Section) -> Section:
    """Very long names without a space for the top player and the player with the bye; boards from 101."""
    for number in (1, 25):
        player = section.participants.get(tpn=number).player
        player.name = "Wolfeschlegelsteinhausenbergerdorff"[number % 5 :] * 3
        player.save()
    section.participants.update(club="Schachgesellschaft" * 4)
    Game.objects.update(board=F("board") + 100)
    section.event.name = "Rijswijk Club Championship 2026"
    section.event.save()
    return section


def test_very_long_names_push_no_cell_out_of_its_list(
    new_page: PageMaker, log_in: LogIn, endless: Section
) -> None:
    ada = get_user_model().objects.create_user("ada")
    EventRole.objects.create(event=endless.event, user=ada, role=EventRole.Role.OWNER)
    Round.objects.filter(number=2).update(state=Round.State.DRAFT)
    page = new_page(viewport=PHONE)
    log_in(page, ada)
    for path in (*PAGES, "cockpit/", "entries/", "byes/"):
        page.goto(address(endless) + path)
        for width in (360, 800, 1366):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            outside = page.evaluate(
                """(frames) => [...document.querySelectorAll(".sheet :is(th, td)")]
                    .filter((cell) => !cell.closest(`${frames}, thead`))
                    .filter((cell) => cell.getBoundingClientRect().right
                        > cell.closest(".sheet").getBoundingClientRect().right + 0.5)
                    .map((cell) => cell.outerHTML.slice(0, 80))""",
                FRAMES,
            )
            assert outside == [], (path, width)


def test_a_phone_keeps_names_and_numbers_apart_and_the_figures_of_a_card_on_one_line(
    new_page: PageMaker, endless: Section
) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{address(endless)}pairings/")
    where, side = (page.locator(f".top {part}").bounding_box() for part in (".where", ".side"))
    assert where["x"] + where["width"] <= side["x"]
    left, right, mark = page.locator("tr[data-find]:has(.bd)").last.evaluate(
        """(row) => {
            const number = document.createRange()
            number.selectNodeContents(row.querySelector(".bd"))
            const { left, right } = number.getBoundingClientRect()
            const mark = row.querySelector(".pc").getBoundingClientRect()
            return [left - row.getBoundingClientRect().left, right, mark.left]
        }"""
    )
    assert (left >= 4, right + 3 <= mark) == (True, True)
    # The headings of a card are above their columns, and its figures do not break into two lines.
    page.goto(f"{address(endless)}players/1/")
    heads, cells = (
        page.locator(f"table.card {row} tr:first-child > *:visible") for row in ("thead", "tbody")
    )
    lefts = "(all) => all.map((one) => Math.round(one.getBoundingClientRect().left))"
    assert heads.evaluate_all(lefts) == cells.evaluate_all(lefts)
    figures = page.locator(".figures dd:visible")
    figures.nth(1).evaluate("(place) => { place.firstChild.data = '113 ' }")
    figures.nth(1).locator("small").evaluate("(of) => { of.textContent = 'of 201' }")
    assert len({round(box["height"]) for box in (one.bounding_box() for one in figures.all())}) == 1
    places = figures.evaluate_all("(all) => all.map((one) => one.scrollWidth - one.clientWidth)")
    assert places == [0, 0, 0, 0]


def test_names_on_a_phone(new_page: PageMaker, section: Section) -> None:
    player = section.participants.get(tpn=1).player
    player.name = "בן־אברהם הירושלמי הגדול, שמואל יהודה משה"
    player.save()
    page = new_page(viewport=PHONE)
    page.goto(f"{address(section)}players/")
    # A long name from right to left is cut at its end: its beginning, the surname, is on the right.
    name, cell = (page.locator(place).first.bounding_box() for place in (".nm bdi", ".nm:has(bdi)"))
    assert name["x"] + name["width"] <= cell["x"] + cell["width"]
    # A bye takes no room from the names.
    page.goto(f"{address(section)}names/")
    cells = page.locator("#names tbody tr", has_not_text="בן").first.locator("td:visible")
    assert cells.last.bounding_box()["width"] < 100
    # The list of a phone keeps the roles of its table.
    page.goto(f"{address(section)}pairings/")
    table = page.get_by_role("table", name="Pairings of round 2 by board")
    expect(table.get_by_role("row")).to_have_count(13)
    expect(table.get_by_role("rowheader", name="1", exact=True)).to_be_visible()
    expect(table.get_by_role("columnheader", name="White")).to_be_attached()


def test_dark_mode_is_dark(new_page: PageMaker, section: Section) -> None:
    colours = []
    page = new_page()
    page.goto(f"{address(section)}aro/")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        colours.append(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
        white = page.locator("main .pc:not(.b)").first
        assert white.evaluate("(mark) => getComputedStyle(mark).backgroundColor") in (
            "rgb(255, 255, 255)",
            "rgb(241, 243, 243)",
        )
    assert colours == ["rgb(242, 244, 243)", "rgb(15, 18, 20)"]


def test_results_without_scripts(new_page: PageMaker, section: Section) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{address(section)}pairings/")
    follow(page.get_by_role("link", name="Results", exact=True))
    expect(page.get_by_role("heading", level=1)).to_have_text("Results, round 2")
    follow(page.get_by_role("link", name="Newest first"))
    expect(page.locator("#boards tbody .bd").first).to_have_text("2")
    page.get_by_role("searchbox").fill("hrub")
    follow(page.get_by_role("button", name="Find"))
    expect(page.locator("#boards tbody tr")).to_have_count(1)


def test_a_page_before_round_1_opens_the_first_round(new_page: PageMaker, server: str) -> None:
    section = section_of_people()
    page = new_page()
    page.clock.install()
    page.goto(f"{address(section)}pairings/")
    set_hall_message(actor=Actor.command(), section_id=section.pk, message="News that is not about a round")
    page.clock.run_for(26_000)
    expect(page.locator("#none")).to_have_attribute("hx-get", re.compile("seen=1$"))
    play_round(section, 1)
    page.clock.run_for(26_000)
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1")


def test_the_crosstable_scrolls_in_its_own_frame(new_page: PageMaker, section: Section) -> None:
    for number in range(3, 8):
        for game in Game.objects.filter(result=""):
            enter(game, Result.DRAW)
        play_round(section, number)
    page = new_page(viewport=PHONE)
    page.goto(f"{address(section)}crosstable/")
    frame = page.get_by_role("region", name="Crosstable")
    assert frame.evaluate("(frame) => frame.scrollWidth > frame.clientWidth") is True
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    frame.evaluate("(frame) => frame.scrollTo(10_000, 0)")
    name = page.get_by_role("rowheader").first
    assert name.bounding_box()["x"] < 30
