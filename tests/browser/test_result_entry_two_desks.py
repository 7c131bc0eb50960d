"""Results typed at two desks: each sees those of the other, and two results for a board are a clash."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.results import Open, here, kept, look, saved, stored
from tests.browser.test_result_entry_keys import player
from tests.factories import EventRoleFactory, UserFactory
from tests.web.staff.conftest import enter
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.models import Game, Section, User


def two_desks(opened: Open, section: Section) -> tuple[Page, Page]:
    """Return the page Results of two arbiters; the second one is bo."""
    return opened(), opened(EventRoleFactory(event=section.event, user=UserFactory(username="bo")).user)


def test_search_keys_and_filter_go_on_after_a_result_of_another_browser(
    opened: Open, section: Section
) -> None:
    player(section, 8, "Kõivumägi, Rünno")
    page = opened()
    enter(Game.objects.get(round__section=section, board=1), "1/2")
    look(page)
    expect(page.locator("#board-1 select")).to_have_value("1/2")
    expect(page.locator("[data-count=missing]")).to_have_text("9")
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


def type_on(page: Page, board: int, key: str) -> None:
    page.locator(f"#board-{board} select").focus()
    page.keyboard.press(key)


def clash_on(section: Section, board: int, page: Page, other: Page) -> Game:
    """Let the second desk type 1–0 where the cursor of the first one waits, and then the first one a draw."""
    page.locator(f"#board-{board} select").focus()  # the 1–0 may arrive before the draw is typed
    type_on(other, board, "1")
    saved(other)
    page.keyboard.press("5")
    expect(page.locator("tr.clash")).to_contain_text("You: ½–½. bo at")
    look(other)  # every open page shows the clash
    expect(other.locator("tr.clash")).to_contain_text("bo typed 1–0 at")
    return Game.objects.get(round__section=section, board=board)


def test_two_results_for_a_board_are_decided_at_either_desk(opened: Open, section: Section) -> None:
    """By a button, by a key at the other desk, or by an undo."""
    page, other = two_desks(opened, section)
    clashes = page.locator("tr.clash"), other.locator("tr.clash")
    for board, (button, result) in enumerate((("keep", "1/2"), ("take", "1-0")), start=1):
        game = clash_on(section, board, page, other)
        expect(page.locator("tr.clash [data-keep]")).to_have_text("Keep ½–½ K")
        expect(page.locator("tr.clash [data-take]")).to_have_text("Take 1–0 T")
        expect(other.locator("#onward")).to_be_hidden()
        page.locator(f"tr.clash [data-{button}]").click()
        saved(page)
        expect(clashes[0]).to_have_count(0)
        game.refresh_from_db()
        assert (game.result, game.second_result, game.version) == (result, result, 3)
        look(other)
        expect(clashes[1]).to_have_count(0)
    for board, (key, result) in enumerate((("k", "1-0"), ("t", "1/2")), start=3):
        clash_on(section, board, page, other)
        other.keyboard.press("c")
        other.keyboard.press(key)
        saved(other)
        expect(clashes[1]).to_have_count(0)
        look(page)
        expect(clashes[0]).to_have_count(0)
        expect(page.locator(f"#board-{board} select")).to_have_value(result)
        assert (stored(section)[board - 1], kept(page)) == (result, 0)
    game = clash_on(section, 5, page, other)
    page.keyboard.press("u")
    saved(page)
    expect(clashes[0]).to_have_count(0)
    game.refresh_from_db()
    assert (game.result, game.second_result, kept(page)) == ("1-0", "", 0)
    look(other)
    expect(clashes[1]).to_have_count(0)


def filled_by_bo(page: Page, bo: User, game: Game) -> None:
    """Let the result 1-0 arrive from another desk at the board on which the cursor of the page waits."""
    page.locator(f"#board-{game.board} select").focus()
    record_result(actor=Actor(user=bo), game_id=game.pk, result="1-0", seen_version=game.version)
    look(page)
    expect(page.locator(f"#board-{game.board} select")).to_have_value("1-0")
    expect(page.locator("#history")).to_contain_text("1–0 by bo")
    assert here(page) == str(game.board)


def test_result_for_a_board_that_was_filled_under_the_cursor(opened: Open, section: Section) -> None:
    """Another result is a clash, the same one is not, nor a change after the cursor came to it again."""
    page = opened()
    bo = EventRoleFactory(event=section.event, user=UserFactory(username="bo")).user
    other, same, changed = Game.objects.filter(round__section=section, board__in=(2, 3, 4)).order_by("board")
    filled_by_bo(page, bo, other)
    page.keyboard.press("0")
    expect(page.locator("tr.clash")).to_contain_text("You: 0–1. bo at")
    expect(page.locator("#history")).to_be_empty()
    other.refresh_from_db()
    assert (other.result, other.second_result) == ("1-0", "0-1")
    page.keyboard.press("c")
    page.keyboard.press("k")
    saved(page)
    expect(page.locator("tr.clash")).to_have_count(0)
    other.refresh_from_db()
    assert (other.result, other.second_result) == ("0-1", "0-1")

    filled_by_bo(page, bo, same)
    page.keyboard.press("1")
    saved(page)
    assert here(page) == "4"
    assert page.locator("tr.clash").count() == 0
    same.refresh_from_db()
    assert (same.result, same.version) == ("1-0", 1)

    filled_by_bo(page, bo, changed)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("0")
    expect(page.locator("#history")).to_have_text("Board 4: 1–0 → 0–1. U undoes it")
    saved(page)
    assert page.locator("tr.clash").count() == 0
    changed.refresh_from_db()
    assert (changed.result, changed.second_result) == ("0-1", "")
