"""Results typed in a real browser: keys, a server that does not answer, touch, and no scripts."""

from __future__ import annotations

from django.conf import settings
from playwright.sync_api import expect

from tests.browser.conftest import LogIn, PageMaker, before_script, follow
from tests.browser.results import PHONE, Open, Wire, here, look, saved, stored
from tests.factories import EventFactory, EventRoleFactory, section_of
from tests.web.staff.conftest import address, enter, paired
from tournaments.models import Game, Section, User


def test_results_are_typed_down_the_boards(opened: Open, section: Section) -> None:
    enter(Game.objects.get(round__section=section, board=2), "1-0")
    page = opened()
    # The menu of a row has every kind of result.
    page.locator("#board-10 select").select_option("0-1/2")
    saved(page)
    assert stored(section)[9] == "0-1/2"
    # Arrows go down and across.
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    assert here(page) == "2"
    page.keyboard.press("ArrowRight")
    assert here(page) == "7"
    page.keyboard.press("End")
    assert here(page) == "10"
    page.keyboard.press("Home")
    # Characters without a meaning enter nothing.
    page.keyboard.type("-–+x½")
    saved(page)
    assert stored(section) == ["", "1-0", *[""] * 7, "0-1/2"]
    # The next board is the next one without a result.
    page.keyboard.press("1")
    assert here(page) == "3"
    # A result is cleared and undone.
    page.keyboard.press("Home")
    page.keyboard.press("Delete")
    saved(page)
    assert stored(section)[0] == ""
    page.keyboard.press("u")
    saved(page)
    assert stored(section)[0] == "1-0"
    page.keyboard.press("u")
    saved(page)
    assert stored(section)[0] == ""
    # A key after Escape is not the second one of a forfeit.
    page.keyboard.press("Home")
    page.keyboard.press("f")
    page.keyboard.press("Escape")
    # One key enters a result.
    page.keyboard.type("150=")
    assert here(page) == "6"
    saved(page)
    assert stored(section) == ["1-0", "1-0", "1/2", "0-1", "1/2", *[""] * 4, "0-1/2"]
    expect(page.locator("[data-count=missing]")).to_have_text("4")
    # The filter of missing results hides the other boards.
    page.keyboard.press("m")
    expect(page.locator("tr[data-board]:visible")).to_have_count(4)
    page.keyboard.press("m")
    expect(page.locator("tr[data-board]:visible")).to_have_count(10)
    # Forfeits take two keys.
    assert here(page) == "6"
    for keys in ("f1", "f0", "f-", "a"):
        page.keyboard.type(keys)
    saved(page)
    assert stored(section)[5:9] == ["+:-", "-:+", "-:-", "adj"]


def test_what_is_chosen_before_the_script_comes_is_saved(opened: Open, section: Section) -> None:
    page = opened()
    with before_script(page, "results/page", address(section, "round/1/results/")):
        page.locator("#board-2 select").select_option("1/2")
        page.locator("#board-4 select").focus()
    page.keyboard.press("1")
    saved(page)
    assert stored(section) == ["", "1/2", "", "1-0", *[""] * 6]
    assert here(page) == "5"


def test_a_board_is_found_by_its_number_and_by_a_name(opened: Open, section: Section) -> None:
    player = Game.objects.select_related("white__player").get(round__section=section, board=7).white.player
    player.name = "Sørlie, Bjørn"
    player.save()
    page = opened()
    page.keyboard.press("/")
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    assert here(page) == "8"
    game = Game.objects.select_related("black__player").get(round__section=section, board=4)
    page.keyboard.press("/")
    page.keyboard.type(game.black.player.name.upper())
    page.keyboard.press("Enter")
    assert here(page) == "4"
    page.keyboard.press("0")
    saved(page)
    assert stored(section)[3] == "0-1"
    # A name is found without its accents.
    page.keyboard.press("/")
    page.keyboard.type("sorlie")
    page.keyboard.press("Enter")
    assert here(page) == "7"
    # A search that finds nothing says so, and the board stays.
    page.keyboard.press("/")
    page.keyboard.type("x10")
    expect(page.locator("#found")).to_have_text("No such board or name")
    page.keyboard.press("Enter")
    assert here(page) == "7"
    expect(page.locator("#find")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#found")).to_be_hidden()
    page.keyboard.press("1")
    saved(page)
    assert stored(section)[6] == "1-0"


def test_results_wait_for_a_server_that_does_not_answer(opened: Open, section: Section) -> None:
    page = opened()
    wire = Wire(page, status=503)
    page.keyboard.type("15")
    expect(page.locator("#queue")).to_have_text("2 kept only in this browser; the server does not answer")
    expect(page.locator("#board-1 .st")).to_have_text("not saved yet")
    wire.mend()
    saved(page)
    assert stored(section)[:2] == ["1-0", "1/2"]
    # The page says that the round was unpaired meanwhile.
    Wire(page, "**/results/?seen=*", status=404)
    look(page)
    expect(page.locator("#keys #warning")).to_contain_text("somebody has unpaired it")


def test_results_typed_after_the_session_has_ended_wait_for_the_log_in(
    opened: Open, section: Section, arbiter: User, log_in: LogIn
) -> None:
    arbiter.set_password("knights-on-the-rim")
    arbiter.save()
    page = opened()
    page.keyboard.press("1")
    saved(page)
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.keyboard.type("50")
    expect(page.locator("#keys #warning")).to_contain_text("Your session has ended")
    expect(page.locator("#keys #queue")).to_have_text("2 not saved")
    expect(page.locator("#announcer")).to_contain_text("ended")
    expect(page.locator("#board-2 select")).to_have_value("1/2")
    with page.context.expect_page() as opened:
        page.locator("#log-in").click()
    form = opened.value
    form.locator("[name=username]").fill(arbiter.username)
    form.locator("[name=password]").fill("knights-on-the-rim")
    form.locator("[name=password]").press("Enter")
    expect(form.locator("h1")).to_have_text("Results, round 1")
    saved(page)
    assert stored(section)[:4] == ["1-0", "1/2", "0-1", ""]
    expect(page.locator("#warning")).to_be_hidden()
    expect(page.locator("#log-in")).to_be_hidden()
    # A result of a person who was removed is refused.
    arbiter.event_roles.all().delete()
    page.keyboard.press("1")
    expect(page.locator("#keys #warning")).to_contain_text("not allowed")
    expect(page.locator("#board-4 select")).to_have_value("")


def test_a_key_after_the_last_result_changes_nothing_and_enter_goes_to_the_cockpit(
    opened: Open, section: Section
) -> None:
    page = opened()
    page.keyboard.press("Enter")
    expect(page.locator("#left")).to_have_text("10 missing")
    page.keyboard.type("1" * 10)
    expect(page.locator("#left")).to_have_text("All in")
    page.keyboard.type("0f1a")
    page.keyboard.press("Delete")
    expect(page.locator("#who")).to_have_text("All results are in: choose a board to change one")
    saved(page)
    page.keyboard.press("Enter")
    expect(page.locator(".head .btn.go")).to_contain_text("Pair round 2")
    # A page that opens when all are in takes no key before a board is chosen. Its button leads to the cockpit too.
    page.goto(address(section, "round/1/results/"))
    page.keyboard.press("0")
    saved(page)
    assert stored(section) == ["1-0"] * 10
    page.keyboard.press("End")
    page.keyboard.press("0")
    saved(page)
    assert stored(section) == [*["1-0"] * 9, "0-1"]
    page.locator("#onward").click()
    expect(page.locator(".head .btn.go")).to_contain_text("Pair round 2")


def test_overwritten_result_is_shown_with_the_key_that_undoes_it(opened: Open, section: Section) -> None:
    for game in Game.objects.filter(round__section=section):
        enter(game, "1-0")
    page = opened()
    page.keyboard.press("End")
    page.keyboard.press("5")
    expect(page.locator("#history")).to_have_text("Board 10: 1–0 → ½–½. U undoes it")
    page.keyboard.press("u")
    saved(page)
    expect(page.locator("#board-10 select")).to_have_value("1-0")
    # A result that is refused is replaced by the stored one, with the reason.
    paired(section)
    page.keyboard.press("Home")
    page.keyboard.press("5")
    expect(page.locator("#keys #warning")).to_contain_text("Round 1 is finished")
    expect(page.locator("#board-1 .st")).to_have_text("not saved: ½–½")
    expect(page.locator("#board-1 select")).to_have_value("1-0")


def test_keys_are_listed_and_can_be_switched_off(opened: Open, section: Section) -> None:
    """Board 10 has a result from the report file of an imported round."""
    games = Game.objects.filter(round__section=section)
    games.filter(board=10).update(result="1/2", entered_by=None, entered_at=None)
    page = opened()
    page.keyboard.press("End")
    expect(page.locator("#who")).to_have_text("Board 10")
    expect(page.locator("#history")).to_have_text("½–½ from the report file")
    page.keyboard.press("Home")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.locator("#letters-on").uncheck()
    page.locator("#help .btn").click()
    page.keyboard.press("5")
    saved(page)
    assert stored(section) == [*[""] * 9, "1/2"]
    page.reload()
    expect(page.locator("#letters-on")).not_to_be_checked()


def test_buttons_are_big_enough_for_a_finger(opened: Open, section: Section) -> None:
    page = opened(**PHONE)
    page.locator("#board-3 .p-w").tap()
    page.locator('[data-result="0-1"]').tap()
    saved(page)
    assert stored(section)[2] == "0-1"
    assert here(page) == "4"
    keys = page.locator("#keys button:visible")
    heights = [each.bounding_box()["height"] for each in keys.all()]
    assert len(heights) == 8
    assert all(height >= 44 for height in heights)
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_without_a_script_the_page_is_a_form(opened: Open, section: Section) -> None:
    page = opened(java_script_enabled=False)
    page.locator("#board-1 select").select_option("1-0")
    page.locator("#board-4 select").select_option("-:-")
    follow(page.locator("#save"))
    assert stored(section) == ["1-0", "", "", "-:-", *[""] * 6]
    expect(page.locator("#board-4 select")).to_have_value("-:-")


def test_thirty_boards_fit_a_laptop(server: str, new_page: PageMaker, log_in: LogIn) -> None:
    section = section_of(60, event=EventFactory(slug="sixty"), slug="a")
    paired(section)
    page = new_page(viewport={"width": 1366, "height": 650})
    log_in(page, EventRoleFactory(event=section.event).user)
    page.goto(address(section, "round/1/results/"))
    assert page.evaluate("document.documentElement.scrollHeight") <= 650
    expect(page.locator("#board-30")).to_be_in_viewport(ratio=1)
    page.keyboard.press("o")
    expect(page.locator("#history")).to_contain_text("over, no slip")
    assert page.evaluate("document.documentElement.scrollHeight") <= 650  # the bar still has only one line
