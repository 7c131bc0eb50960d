"""The result of an adjourned game, typed after a later round was paired with it as a draw (VCL4THP.13 Q163)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LogIn, PageMaker
from tests.browser.made import made_once
from tests.browser.results import PHONE, here, saved, stored
from tests.factories import EventFactory, EventRoleFactory, UserFactory, section_of
from tests.web.staff.conftest import address, enter, paired, played
from tournaments.models import Section


def with_an_adjourned_game() -> Section:
    """Four boards. The game on board 3 of round 1 is adjourned, and round 2 is being played."""
    section = section_of(8, event=EventFactory(slug="rijswijk"), slug="a")
    enter(played(section).games.get(board=3), "adj")
    paired(section)
    return section


@pytest.fixture
def section(server: str) -> Section:
    return made_once(with_an_adjourned_game)


@pytest.fixture
def round_1(section: Section, new_page: PageMaker, log_in: LogIn) -> Callable[..., Page]:
    def opened(**options: object) -> Page:
        page = new_page(**options)
        log_in(page, EventRoleFactory(event=section.event, user=UserFactory(username="ada")).user)
        page.goto(address(section, "round/1/results/#board-3"))
        expect(page.locator("#keys")).to_be_visible()
        return page

    return opened


def test_result_is_asked_about_and_entered_by_a_key(round_1: Callable[..., Page], section: Section) -> None:
    page = round_1()
    page.keyboard.press("1")
    asked = page.locator("tr.clash")
    expect(asked).to_contain_text("Board 3 was adjourned in round 1 and has counted as a draw")
    expect(page.locator("#announcer")).to_contain_text("has counted as a draw")
    expect(page.locator("#board-3 .st")).to_have_text("confirm?")
    expect(asked.get_by_role("button")).to_have_text(["Enter 1–0 K", "Leave it adjourned T"])
    expect(page.locator("#onward")).to_be_hidden()
    # Nothing has changed yet, so the page names no change.
    expect(page.locator("#history")).not_to_contain_text("→")
    expect(page.locator("#left")).to_have_text("1 to decide")
    expect(page.locator("[data-count=clashes]")).to_have_text("0")
    assert stored(section)[2] == "adj"
    page.reload()  # the question is still there after a reload
    expect(asked).to_be_visible()
    page.keyboard.press("k")
    expect(asked).to_have_count(0)
    saved(page)
    expect(page.locator("#board-3 select")).to_have_value("1-0")
    expect(page.locator("#left")).to_have_text("All in")
    assert stored(section)[2] == "1-0"


def test_game_is_left_adjourned_on_a_phone(round_1: Callable[..., Page], section: Section) -> None:
    page = round_1(**PHONE)
    page.get_by_role("button", name="Black wins").tap()
    leave = page.get_by_role("button", name="Leave it adjourned")
    expect(leave).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    leave.tap()
    expect(page.locator("tr.clash")).to_have_count(0)
    expect(page.locator("#board-3 select")).to_have_value("adj")
    page.reload()
    expect(page.locator("#board-3 select")).to_have_value("adj")
    expect(page.locator("tr.clash")).to_have_count(0)
    assert stored(section)[2] == "adj"


def test_draw_is_entered_without_a_question(round_1: Callable[..., Page], section: Section) -> None:
    page = round_1()
    page.keyboard.press("5")
    expect(page.locator("#board-3 select")).to_have_value("1/2")
    saved(page)
    expect(page.locator("tr.clash")).to_have_count(0)
    assert stored(section)[2] == "1/2"


def test_keys_type_the_result_of_an_adjourned_game_until_it_has_one(
    round_1: Callable[..., Page], section: Section
) -> None:
    page = round_1()
    page.goto(
        address(section, "round/1/results/")
    )  # not from the cockpit, so no board is named in the address
    assert here(page) == "3"
    note = page.locator("main .note:visible").first
    expect(note).to_contain_text("Only adjourned games still need a result.")
    expect(page.locator("#left")).to_have_text("3 of 4 in, 1 adjourned")
    page.keyboard.press("0")
    expect(page.locator("tr.clash")).to_contain_text("has counted as a draw")
    page.keyboard.press("k")
    saved(page)
    expect(page.locator("#left")).to_have_text("All in")
    expect(note).to_have_text("The round is finished.", use_inner_text=True)
    expect(page.locator("#board-3 select")).to_be_disabled()
    expect(page.locator("#who")).to_have_text("All results are in. Only a correction can change them")
    expect(page.locator("#history")).to_be_empty()
    for key in ("1", "Delete", "u"):
        page.keyboard.press(key)
    expect(page.locator("#announcer")).to_have_text("All results are in. Only a correction can change them")
    saved(page)
    assert stored(section)[2] == "0-1"
    assert page.locator("#warning").is_hidden()


def test_adjourned_game_is_not_counted_as_a_result(
    section: Section, new_page: PageMaker, log_in: LogIn
) -> None:
    for game in section.played_rounds.get(number=2).games.all():
        enter(game, "adj" if game.board == 2 else "1-0")
    page = new_page()
    log_in(page, EventRoleFactory(event=section.event, user=UserFactory(username="ada")).user)
    page.goto(address(section, "round/2/results/"))
    expect(page.locator("#left")).to_have_text("3 of 4 in, 1 adjourned")
    expect(page.locator("#who")).to_have_text("Choose a board to change its result")
    expect(page.locator("#onward")).to_have_text("To the cockpit Enter")
