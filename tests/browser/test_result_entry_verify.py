"""The second pass over the slips: readings that agree, differences, who entered and who confirmed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import follow
from tests.browser.results import Open, here, look, saved, second, stored
from tests.factories import EventRoleFactory, UserFactory
from tests.web.staff.conftest import enter
from tournaments.models import Game, Section, User


@pytest.fixture
def bo(section: Section) -> User:
    return EventRoleFactory(event=section.event, user=UserFactory(username="bo")).user


@pytest.fixture
def entered(opened: Open, section: Section) -> Page:
    """Return the page of the person who entered "White wins" on every board, by keys."""
    page = opened()
    page.keyboard.type("1" * 10)
    saved(page)
    return page


def board(section: Section, number: int) -> Game:
    return Game.objects.get(round__section=section, round__number=1, board=number)


def test_second_pass_types_the_slips_again(opened: Open, entered: Page, section: Section, bo: User) -> None:
    page = opened(bo)
    page.keyboard.press("v")
    expect(page.locator("#verify")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#left")).to_have_text("10 to verify")
    expect(page.locator("#history")).to_be_empty()
    page.keyboard.type("1115")
    expect(page.locator("#board-4")).to_have_class("differs")
    expect(page.locator("#board-4 .pill.bad")).to_have_text("two results")
    expect(page.locator("tr.clash")).to_contain_text("ada typed 1–0 at")
    expect(page.locator("tr.clash")).to_contain_text("bo typed ½–½ at")
    assert here(page) == "5"
    expect(page.locator("#clash-at")).to_have_text("Two results: board 4")
    expect(page.locator("#left")).not_to_have_text("All in")
    page.keyboard.type("1" * 6)
    saved(page)
    assert stored(section) == ["1-0"] * 10
    assert second(section) == [*["1-0"] * 3, "1/2", *["1-0"] * 6]
    expect(page.locator("#board-1 .st")).to_have_attribute("title", "verified: ada, bo")
    expect(page.locator("#left")).to_have_text("1 to decide")
    expect(page.locator("#onward")).to_be_hidden()
    expect(page.locator("#clash-at")).to_have_text("Two results: board 4")
    expect(page.locator("#who")).not_to_contain_text("All results are in")
    page.keyboard.press("1")  # no board waits for a key now
    expect(page.locator("#announcer")).to_contain_text("you must decide about some boards")
    page.locator("#clash-at").click()
    assert here(page) == "4"
    expect(page.locator("#clash-at")).to_be_hidden()
    page.keyboard.press("t")
    saved(page)
    expect(page.locator("tr.clash")).to_have_count(0)
    expect(page.locator("#left")).to_have_text("All verified")
    expect(page.locator("#onward")).to_be_visible()
    assert (stored(section)[3], second(section)[3]) == ("1/2", "1/2")


def test_first_result_is_nowhere_in_the_page_while_a_slip_is_read_again(
    opened: Open, section: Section, bo: User
) -> None:
    """The result is neither visible nor readable for a screen reader. This includes an adjourned game."""
    page = opened()
    page.keyboard.type("101a")
    saved(page)
    expect(page.locator("#announcer")).to_have_text("Board 4, adj.")
    page.keyboard.press("v")
    expect(page.locator("#left")).to_have_text("4 to verify, 6 missing")
    expect(page.locator("[data-show=missing]")).to_contain_text("To verify 4")
    for number in range(1, 5):
        line = page.locator(f"#board-{number}")
        expect(line.locator("select")).to_have_value("")
        expect(line.locator("select")).to_have_attribute("aria-description", "To verify")
        expect(line.locator(".won, .lost")).to_have_count(0)
        expect(line.locator(".st")).to_have_text("")
        expect(line.locator(".st")).to_have_attribute("title", "")
    picked = [
        line.strip() for line in page.locator("#boards").aria_snapshot().splitlines() if "[selected]" in line
    ]
    assert picked == ['- option "·" [selected]'] * 10
    expect(page.locator("#announcer")).to_be_empty()
    expect(page.locator("#history")).to_be_empty()
    page.keyboard.press("v")
    expect(page.locator("#board-1 select")).to_have_value("1-0")
    expect(page.locator("#board-4 .st")).to_have_text("adjourned")
    expect(page.locator("#board-1 select")).not_to_have_attribute("aria-description", "To verify")
    assert stored(section)[:4] == ["1-0", "0-1", "1-0", "adj"]


def test_second_readings_are_chosen_kept_undone_and_outdated(entered: Page, section: Section) -> None:
    page = entered
    page.keyboard.press("v")
    expect(page.locator("#left")).to_have_text("10 to verify")
    # A second reading is chosen from the menu.
    page.locator("#board-2 select").select_option("1-0")
    saved(page)
    expect(page.locator("#left")).to_have_text("9 to verify")
    expect(page.locator("#board-2 select")).to_have_value("1-0")
    assert second(section)[:3] == ["", "1-0", ""]
    # The first result can be kept.
    page.locator("#board-1 select").focus()
    page.keyboard.press("0")
    saved(page)
    assert board(section, 1).is_in_conflict
    page.locator("tr.clash [data-keep]").click()
    saved(page)
    assert (board(section, 1).result, board(section, 1).is_verified) == ("1-0", True)
    # A second reading is undone.
    page.locator("#board-3 select").focus()
    page.keyboard.press("0")
    saved(page)
    page.keyboard.press("u")
    saved(page)
    expect(page.locator("tr.clash")).to_have_count(0)
    assert (stored(section)[2], second(section)[2]) == ("1-0", "")
    # A result that is changed at another desk is no longer verified.
    expect(page.locator("#left")).to_have_text("8 to verify")
    enter(board(section, 2), "0-1")
    look(page)
    expect(page.locator("#left")).to_have_text("9 to verify")
    expect(page.locator("#board-2 select")).to_have_value("")
    page.keyboard.press("v")
    expect(page.locator("#board-2 select")).to_have_value("0-1")
    assert second(section)[1] == ""


def test_who_entered_and_who_confirmed_is_shown(opened: Open, entered: Page, bo: User) -> None:
    entered.keyboard.press("v")
    entered.keyboard.press("1")
    saved(entered)
    entered.keyboard.press("Home")
    expect(entered.locator("#history")).to_contain_text("1–0 by ada")
    expect(entered.locator("#history")).to_contain_text("typed again by the same person")
    page = opened(bo)
    page.goto(page.url + "#verify")
    page.reload()
    page.keyboard.press("Home")
    page.keyboard.press("1")
    saved(page)
    page.keyboard.press("Home")
    expect(page.locator("#history")).to_contain_text("verified by bo")


def test_board_without_a_result_gets_its_first_in_the_second_pass(opened: Open, section: Section) -> None:
    page = opened()
    page.keyboard.press("v")
    expect(page.locator("#left")).to_have_text("10 missing")
    expect(page.locator("[data-show=missing]")).to_contain_text("To verify 0")
    page.keyboard.press("0")
    saved(page)
    assert (stored(section)[0], second(section)[0]) == ("0-1", "")


def test_difference_is_in_the_page_from_the_start(opened: Open, entered: Page, section: Section) -> None:
    """It is settled by a button, without a script too."""
    entered.keyboard.press("v")
    entered.keyboard.type("05")
    saved(entered)
    page = opened()
    expect(page.locator("tr.clash").first).to_contain_text("ada typed 1–0 at")
    expect(page.locator("[data-count=clashes]")).to_have_text("2")
    page.goto(page.url + "?show=clashes")
    expect(page.locator("tr[data-board]")).to_have_count(2)
    plain = opened(java_script_enabled=False)
    follow(plain.get_by_role("button", name="Take 0–1"))
    follow(plain.get_by_role("button", name="Keep 1–0"))
    assert plain.locator("tr.clash").count() == 0
    assert (stored(section)[:2], second(section)[:2]) == (["0-1", "1-0"], ["0-1", "1-0"])


def test_different_presses_of_both_players_are_two_results(opened: Open, section: Section) -> None:
    Game.objects.filter(pk=board(section, 7).pk).update(white_pressed="1-0", black_pressed="0-1")
    page = opened()
    expect(page.locator("[data-count=clashes]")).to_have_text("1")
    expect(page.locator("#clash-at")).to_have_text("Two results: board 7")
    page.keyboard.press("c")
    assert here(page) == "7"
    page.locator("[data-show=clashes]").click()
    expect(page.locator("tr[data-board]:visible")).to_have_count(1)
    page.keyboard.press("1")
    saved(page)
    expect(page.locator("[data-count=clashes]")).to_have_text("0")


def test_two_different_second_readings_of_a_slip_are_a_clash(
    opened: Open, entered: Page, section: Section, bo: User
) -> None:
    page = opened(bo)
    for each, key in ((entered, "5"), (page, "0")):
        each.keyboard.press("v")
        each.keyboard.press("Home")
        each.keyboard.press(key)
        saved(each)
    expect(page.locator("tr.clash")).to_contain_text("You: 0–1. ada at")
    page.locator("tr.clash [data-keep]").click()
    saved(page)
    assert (second(section)[0], board(section, 1).second_by) == ("0-1", bo)
