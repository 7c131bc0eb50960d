"""The arbiter prepares the hall: the initial-colour, the countdown, the papers, the code on a slip."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PageMaker, Seat, ask_now, press_at_once
from tests.browser.results import PHONE, saved
from tests.factories import EventRoleFactory, UserFactory, section_of
from tests.web.staff.conftest import address, paired
from tournaments.models import Section


@pytest.fixture
def section(server: str) -> Section:
    """Eight players, nothing paired, the initial-colour not drawn."""
    return section_of(8, initial_colour="")


@pytest.fixture
def running(section: Section) -> Section:
    """Round 1 is being played."""
    Section.objects.filter(pk=section.pk).update(initial_colour="w")
    paired(section)
    return section


def test_initial_colour_is_drawn_by_one_key_or_set(section: Section, seat: Seat) -> None:
    page = seat(section, "cockpit/")
    go = page.locator(".head .btn.go")
    expect(go).to_contain_text("Draw the initial-colour by lot")
    page.keyboard.press("Enter")
    expect(go).to_contain_text("Pair round 1")
    section.refresh_from_db()
    assert section.initial_colour in ("w", "b")
    colour = {"w": "White", "b": "Black"}[section.initial_colour]
    expect(page.locator("#d-log")).to_contain_text(colour)
    # It was drawn in the hall.
    Section.objects.update(initial_colour="")
    page.reload()
    page.locator("#d-todo").get_by_role("button", name="Black").click()
    expect(go).to_contain_text("Pair round 1")
    section.refresh_from_db()
    assert section.initial_colour == "b"


def test_problem_that_blocks_the_pairing_links_to_its_page(server: str, seat: Seat) -> None:
    section = section_of(1)
    page = seat(section, "cockpit/")
    page.locator("#d-todo").get_by_role("link", name="Entries").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Entries")


def test_countdown_is_set_at_the_cockpit_and_runs_in_the_hall(
    running: Section, seat: Seat, new_page: PageMaker
) -> None:
    page = seat(running, "screens/")
    page.get_by_role("button", name="Start the countdown").click()
    expect(page.get_by_role("alert").filter(visible=True)).to_contain_text(
        "Type either the minutes or the time."
    )
    page.get_by_label("Minutes from now").fill("8")
    page.get_by_label("Minutes from now").press("Enter")
    expect(page.get_by_text("The screens count down to")).to_be_visible()
    page.get_by_label("Message at the bottom").fill("Phones off.")
    with page.expect_navigation():
        page.get_by_role("button", name="Show the message on the screens").click()

    screen = new_page(viewport={"width": 1280, "height": 720})
    screen.goto(address(running, "screen/"))
    expect(screen.locator("#clock")).to_have_text(re.compile(r"^[78]:\d\d$"))
    expect(screen.locator("body")).to_contain_text("Phones off.")
    page.goto(address(running, "screens/"))
    page.keyboard.press("x")
    expect(page.get_by_text("The screens show no countdown.")).to_be_visible()
    screen.reload()
    expect(screen.locator("#countdown")).to_be_hidden()


def test_code_on_a_slip_opens_the_board_on_a_phone_that_logs_in_first(
    running: Section, seat: Seat, new_page: PageMaker
) -> None:
    """The code has the same address as the link beside it."""
    EventRoleFactory(event=running.event, user=UserFactory(username="ada"))
    page = seat(running, "print/slips/")
    code = page.get_by_role("link", name="Board 3 for the arbiter’s phone").get_attribute("href")
    phone = new_page(**PHONE)
    phone.goto(code)
    phone.get_by_label("User name").fill("ada")
    phone.get_by_label("Password").fill("a long password")
    phone.get_by_role("button", name=re.compile("Log in")).tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Board 3, round 1")
    expect(phone.locator("#keys")).to_be_visible()
    phone.locator("[data-result='1/2']").tap()
    saved(phone)
    game = running.played_rounds.get().games.get(board=3)
    assert (game.result, game.entered_by.username) == ("1/2", "ada")


def test_every_document_in_the_list_exists(running: Section, seat: Seat) -> None:
    page = seat(running, "cockpit/")
    press_at_once(page, "g", "d")
    expect(page.get_by_role("heading", level=1)).to_have_text("Documents")
    papers = page.locator(".docs a[href$='#print']")
    paths = papers.evaluate_all("links => links.map(link => link.getAttribute('href').split('#')[0])")
    assert len(paths) >= 6
    for path in paths:
        answer = page.request.get(path)
        assert (answer.status, 'class="a4' in answer.text()) == (200, True), path


def test_cockpit_says_how_long_ago_the_last_result_was(running: Section, seat: Seat) -> None:
    page = seat(running, "cockpit/")
    expect(page.locator("#d-map")).to_contain_text("4 in play")
    other = seat(running, "round/1/results/")
    expect(other.locator("tr.here")).to_have_attribute("data-board", "1")
    other.keyboard.press("1")
    saved(other)
    ask_now(page)
    expect(page.locator("#d-map")).to_contain_text("1 in, 3 in play")
    expect(page.locator("#d-map [data-since]")).to_have_text("just now")
