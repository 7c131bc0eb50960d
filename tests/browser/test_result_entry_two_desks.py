"""Results typed at two desks: each sees those of the other, and two results for a board are a clash."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.results import Open, here, kept, look, saved, stored
from tests.browser.test_result_entry_keys import player
from tests.factories import EventRoleFactory, UserFactory
from tests.web.staff.conftest import enter
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.models import Game, Section


def two_desks(opened: Open, section: Section) -> tuple[Page, Page]:
    """Return the page Results of two arbiters; the second one is bo."""
    return opened(), opened(EventRoleFactory(event=section.event, user=UserFactory(username="bo")).user)


def test_two_desks_see_each_others_results(opened: Open, section: Section) -> None:
    page = opened()
    enter(Game.objects.get(round__section=section, board=9), "1/2")
    look(page)
    expect(page.locator("#board-9 select")).to_have_value("1/2")
    expect(page.locator("[data-count=missing]")).to_have_text("9")


def test_search_keys_and_filter_go_on_after_a_result_of_another_browser(
    opened: Open, section: Section
) -> None:
    player(section, 8, "Kõivumägi, Rünno")
    page = opened()
    enter(Game.objects.get(round__section=section, board=1), "1/2")
    look(page)
    expect(page.locator("#board-1 select")).to_have_value("1/2")
    page.keyboard.type("Koiv")
    expect(page.locator("#board-8")).to_have_class("here")
    page.keyboard.press("Enter")
    page.keyboard.type("1b30")  # board 8, then board 3
    saved(page)
    page.locator("[data-show=missing]").click()
    enter(Game.objects.get(round__section=section, board=5), "0-1")
    look(page)
    expect(page.locator("[data-count=missing]")).to_have_text("6")
    expect(page.locator("#board-1")).to_be_hidden()
    page.keyboard.type("b9")
    page.keyboard.press("Enter")
    page.keyboard.type("1")
    saved(page)
    assert stored(section) == ["1/2", "", "0-1", "", "0-1", "", "", "1-0", "1-0", ""]


@pytest.mark.parametrize(("button", "result", "version"), [("keep", "1/2", 3), ("take", "1-0", 3)])
def test_two_results_for_a_board_are_shown_with_a_button_each(
    opened: Open, section: Section, button: str, result: str, version: int
) -> None:
    page, other = two_desks(opened, section)
    other.keyboard.press("1")
    saved(other)
    page.keyboard.press("5")
    expect(page.locator("tr.clash")).to_contain_text("You: ½–½. bo at")
    expect(page.locator("tr.clash [data-keep]")).to_have_text("Keep ½–½ K")
    expect(page.locator("tr.clash [data-take]")).to_have_text("Take 1–0 T")
    look(other)
    # Every open page shows the clash.
    expect(other.locator("tr.clash")).to_contain_text("bo typed 1–0 at")
    expect(other.locator("#onward")).to_be_hidden()
    page.locator(f"tr.clash [data-{button}]").click()
    saved(page)
    expect(page.locator("tr.clash")).to_have_count(0)
    game = Game.objects.get(round__section=section, board=1)
    assert (game.result, game.second_result, game.version) == (result, result, version)
    look(other)
    expect(other.locator("tr.clash")).to_have_count(0)


@pytest.mark.parametrize(("key", "result"), [("k", "1-0"), ("t", "1/2")])
def test_two_results_for_a_board_are_decided_at_either_desk(
    opened: Open, section: Section, key: str, result: str
) -> None:
    page, other = two_desks(opened, section)
    other.keyboard.press("1")
    saved(other)
    page.keyboard.press("5")
    expect(page.locator("tr.clash")).to_have_count(1)
    look(other)
    expect(other.locator("tr.clash")).to_have_count(1)
    other.keyboard.press("c")
    other.keyboard.press(key)
    saved(other)
    expect(other.locator("tr.clash")).to_have_count(0)
    look(page)
    expect(page.locator("tr.clash")).to_have_count(0)
    expect(page.locator("#board-1 select")).to_have_value(result)
    assert (stored(section)[0], kept(page)) == (result, 0)


def test_undo_of_a_result_that_clashed_ends_the_clash(opened: Open, section: Section) -> None:
    page, other = two_desks(opened, section)
    other.keyboard.press("1")
    saved(other)
    page.keyboard.press("5")
    expect(page.locator("tr.clash")).to_have_count(1)
    page.keyboard.press("u")
    saved(page)
    expect(page.locator("tr.clash")).to_have_count(0)
    game = Game.objects.get(round__section=section, board=1)
    assert (game.result, game.second_result, kept(page)) == ("1-0", "", 0)
    look(other)
    expect(other.locator("tr.clash")).to_have_count(0)


def on_board_2_when_bo_types_its_result(opened: Open, section: Section) -> Page:
    """Return a page whose cursor waits on board 2 while the result 1-0 arrives there from another desk."""
    page = opened()
    page.keyboard.press("ArrowDown")
    bo = EventRoleFactory(event=section.event, user=UserFactory(username="bo")).user
    record_result(
        actor=Actor(user=bo), game_id=game_2(section).pk, result="1-0", seen_version=game_2(section).version
    )
    look(page)
    expect(page.locator("#board-2 select")).to_have_value("1-0")
    expect(page.locator("#history")).to_contain_text("1–0 by bo")
    assert here(page) == "2"
    return page


def game_2(section: Section) -> Game:
    return Game.objects.get(round__section=section, round__number=1, board=2)


def test_other_result_for_a_board_that_was_filled_under_the_cursor_is_a_clash(
    opened: Open, section: Section
) -> None:
    page = on_board_2_when_bo_types_its_result(opened, section)
    page.keyboard.press("0")
    expect(page.locator("tr.clash")).to_contain_text("You: 0–1. bo at")
    expect(page.locator("#history")).to_be_empty()
    assert (game_2(section).result, game_2(section).second_result) == ("1-0", "0-1")
    page.keyboard.press("c")
    page.keyboard.press("k")
    saved(page)
    expect(page.locator("tr.clash")).to_have_count(0)
    assert (game_2(section).result, game_2(section).second_result) == ("0-1", "0-1")


def test_same_result_for_a_board_that_was_filled_under_the_cursor_is_no_clash(
    opened: Open, section: Section
) -> None:
    page = on_board_2_when_bo_types_its_result(opened, section)
    page.keyboard.press("1")
    saved(page)
    assert here(page) == "3"
    assert page.locator("tr.clash").count() == 0
    assert (game_2(section).result, game_2(section).version) == ("1-0", 1)


def test_result_is_changed_without_a_clash_after_the_cursor_came_to_it_again(
    opened: Open, section: Section
) -> None:
    page = on_board_2_when_bo_types_its_result(opened, section)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("0")
    expect(page.locator("#history")).to_have_text("Board 2: 1–0 → 0–1. U undoes it")
    saved(page)
    assert page.locator("tr.clash").count() == 0
    assert (game_2(section).result, game_2(section).second_result) == ("0-1", "")
