"""Keys of result entry: three schemes of digits, unusual results, and ways to go to a board."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LogIn, PageMaker, press_at_once
from tests.browser.made import made_once
from tests.browser.results import Open, Wire, here, saved, stored
from tests.factories import EventFactory, EventRoleFactory, section_of
from tests.web.staff.conftest import address, enter, paired
from tournaments.models import Game, ResultKeys, Section, User

HALVES = ["1/2-0", "0-1/2", "0-0"]
UNRATED = ["W-L", "D-D", "L-W"]
FORFEITS = ["+:-", "-:+", "-:-"]


def player(section: Section, board: int, name: str) -> None:
    someone = Game.objects.select_related("white__player").get(round__section=section, board=board)
    someone.white.player.name = name
    someone.white.player.save()


def sixteen_boards() -> Section:
    section = section_of(32, event=EventFactory(slug="rijswijk"), slug="a")
    paired(section)
    return section


@pytest.mark.parametrize(
    ("keys", "typed", "results"),
    [
        ("evenboard", "150=ah1h0h-n1n5n0f1f0f-", ["1-0", "1/2", "0-1", "1/2", "adj"]),
        ("vega", "1053427h1h0h-n1n5n0f1f0f-", ["1-0", "0-1", "1/2", "+:-", "-:+", "-:-", "adj"]),
        ("swiss-manager", "1234567h1h3h-n1n2n3f1f3f-", ["1-0", "1/2", "0-1", "+:-", "-:+", "-:-", "adj"]),
    ],
)
def test_each_scheme_types_each_result(
    server: str, new_page: PageMaker, log_in: LogIn, keys: str, typed: str, results: list[str]
) -> None:
    section = made_once(sixteen_boards)
    page = new_page()
    log_in(page, EventRoleFactory(event=section.event, user__result_keys=keys).user)
    page.goto(address(section, "round/1/results/"))
    page.keyboard.type(typed)
    saved(page)
    every = [*results, *HALVES, *UNRATED, *FORFEITS]
    assert stored(section)[: len(every)] == every


def test_nine_clears_in_vega_and_enter_goes_to_the_first_board(
    opened: Open, section: Section, arbiter: User
) -> None:
    arbiter.result_keys = ResultKeys.VEGA
    arbiter.save()
    page = opened()
    page.keyboard.type("11")
    page.keyboard.press("Enter")
    assert here(page) == "1"
    page.keyboard.press("9")
    saved(page)
    assert stored(section)[:3] == ["", "1-0", ""]


def test_scheme_is_chosen_in_the_sheet_of_keys_and_stays_with_the_person(
    opened: Open, section: Section, arbiter: User
) -> None:
    page = opened()
    page.keyboard.press("?")
    page.locator("#scheme").select_option("swiss-manager")
    expect(page.locator("#scheme-outcome")).to_have_text("saved for your login")
    expect(page.locator("#help thead .chosen")).to_have_text("Swiss-M.")
    page.keyboard.press("Escape")
    expect(page.locator("[data-result='1/2'] kbd")).to_have_text("2")
    page.keyboard.type("2")
    saved(page)
    assert stored(section)[0] == "1/2"
    arbiter.refresh_from_db()
    assert arbiter.result_keys == "swiss-manager"
    # It is chosen in the account too.
    page.goto("/keys/")
    page.get_by_label("Vega").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Vega")).to_be_checked()
    arbiter.refresh_from_db()
    assert arbiter.result_keys == "vega"


def test_number_of_a_board_then_its_result(opened: Open, section: Section) -> None:
    page = opened()
    # A key that is held down types one result.
    for _ in range(4):
        page.keyboard.down("1")
    page.keyboard.up("1")
    saved(page)
    assert stored(section) == ["1-0", *[""] * 9]
    # Digits work without Shift on a keyboard that needs Shift for them.
    page.evaluate(
        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', "
        "{ key: '&', code: 'Digit1', bubbles: true, cancelable: true }))"
    )
    saved(page)
    assert stored(section)[:3] == ["1-0", "1-0", ""]
    for key, board in (("b", 7), ("#", 5), ("/", 3)):
        page.keyboard.type(f"{key}10")
        page.keyboard.press("Enter")
        expect(page.locator("#board-10")).to_have_class("here")
        page.keyboard.type(f"{key}{board}")
        page.keyboard.press("Enter")
        page.keyboard.type("1")
    page.keyboard.type("b10")
    page.keyboard.press("Enter")
    page.keyboard.type("0")
    saved(page)
    assert stored(section) == ["1-0", "1-0", "1-0", "", "1-0", "", "1-0", "", "", "0-1"]
    # Backspace after a number that needed no Enter changes the number.
    page.keyboard.type("b101b10")
    expect(page.locator("#board-10")).to_have_class("here")
    expect(page.locator("#find")).not_to_be_focused()
    page.keyboard.press("Backspace")
    expect(page.locator("#find")).to_have_value("1")
    page.keyboard.press("Enter")
    page.keyboard.type("5")
    saved(page)
    assert (stored(section)[0], stored(section)[9]) == ("1/2", "1-0")


@pytest.mark.parametrize("scheme", ["evenboard", "vega", "swiss-manager"])
def test_board_number_that_cannot_become_longer_needs_no_enter(
    opened: Open, section: Section, arbiter: User, scheme: str
) -> None:
    """An Enter after it does nothing, even in Vega's scheme, where Enter otherwise goes to the first board."""
    arbiter.result_keys = scheme
    arbiter.save()
    page = opened()
    page.keyboard.type("b7")
    expect(page.locator("#board-7")).to_have_class("here")
    expect(page.locator("#find")).not_to_be_focused()
    page.keyboard.type("1b4")
    expect(page.locator("#board-4")).to_have_class("here")
    page.keyboard.press("Enter")
    page.keyboard.type("1b1")
    expect(page.locator("#board-1")).to_have_class("here")
    expect(page.locator("#find")).to_be_focused()  # the 1 can still become 10
    page.keyboard.press("Enter")
    page.keyboard.type("1")
    saved(page)
    assert stored(section) == ["1-0", "", "", "1-0", "", "", "1-0", "", "", ""]


def test_slips_in_any_order_are_typed_as_number_and_result(opened: Open, section: Section) -> None:
    page = opened()
    field = page.locator("#find")
    page.keyboard.type("b ")
    expect(field).to_have_attribute("placeholder", "Board of the slip")
    expect(page.locator("#announcer")).to_have_text(
        "Slips in any order: a number, then its result. Escape ends it"
    )
    page.keyboard.type("71")
    expect(field).to_be_focused()
    page.keyboard.type("3f0")
    expect(field).to_be_focused()
    page.keyboard.type("105")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).not_to_be_focused()
    expect(field).to_have_attribute("placeholder", "Board or name")
    page.keyboard.type("b20")
    saved(page)
    assert stored(section) == ["", "0-1", "-:+", "", "", "", "1-0", "", "", "1/2"]
    expect(field).not_to_be_focused()
    # It ends with the last result too.
    page.keyboard.type("b ")
    for number in (9, 8, 6, 5, 4):
        page.keyboard.type(f"{number}1")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    page.keyboard.type("0")
    saved(page)
    expect(field).not_to_be_focused()
    expect(page.locator("#onward")).to_be_visible()
    assert stored(section) == ["0-1", "0-1", "-:+", "1-0", "1-0", "1-0", "1-0", "1-0", "1-0", "1/2"]


def test_keys_lead_from_a_menu_to_a_filter_a_name_and_another_tab(opened: Open, section: Section) -> None:
    player(section, 8, "Kõivumägi, Rünno")
    player(section, 6, "Žvirblytė, Ieva")
    enter(Game.objects.get(round__section=section, board=1), "1-0")
    page = opened()
    # Space opens the menu before a board has the focus.
    page.evaluate("HTMLSelectElement.prototype.showPicker = function () { window.shown = this.name }")
    name = page.locator("#board-2 select").get_attribute("name")
    page.keyboard.press("Space")
    expect(page.locator("#board-2 select")).to_be_focused()
    assert page.evaluate("window.shown") == name
    # Keys work after a click on a filter.
    page.locator("[data-show=missing]").click()
    expect(page.locator("tr[data-board]:visible")).to_have_count(9)
    page.keyboard.type("5")
    saved(page)
    assert stored(section)[1] == "1/2"
    # A capital letter begins a search.
    page.keyboard.type("Koiv")
    expect(page.locator("#find")).to_have_value("Koiv")
    page.keyboard.press("Enter")
    page.keyboard.type("5zp")  # keys of other pages do nothing here
    expect(page.locator("#find")).not_to_be_focused()
    page.keyboard.type("Zv")
    page.keyboard.press("Enter")
    page.keyboard.type("0")
    saved(page)
    assert (stored(section)[7], stored(section)[5]) == ("1/2", "0-1")
    # G and a letter go to a tab, and the digit is no result.
    before = stored(section)
    press_at_once(page, *"g5")  # the fifth section, which this event does not have
    saved(page)
    assert stored(section) == before
    expect(page.locator("select:focus")).to_have_count(1)
    press_at_once(page, "g", "c")  # C goes to the cockpit, not to the next clash
    page.wait_for_url("**/cockpit/")


def test_a_game_that_is_over_without_a_slip_is_marked_by_one_key(opened: Open, section: Section) -> None:
    page = opened()
    page.keyboard.press("o")
    expect(page.locator("#board-1 .st")).to_have_text("no slip")
    saved(page)
    game = Game.objects.get(round__section=section, board=1)
    assert (game.over_at is None, game.over_by.username) == (False, "ada")
    page.reload()
    expect(page.locator("#board-1 .pill.warn")).to_have_text("no slip")
    expect(page.locator("#history")).to_contain_text("over, no slip: ada")
    page.keyboard.press("o")
    page.keyboard.press("o")
    page.keyboard.press("1")
    saved(page)
    game.refresh_from_db()
    assert (game.result, game.over_at) == ("1-0", None)


def test_boards_of_later_parts_take_results_before_their_names_come(
    opened: Open, section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.views.staff.results.WHOLE", 3)
    for module in ("public.lists", "staff.results"):
        monkeypatch.setattr(f"web.views.{module}.PART", 2)
    page = opened()
    wire = Wire(page, "**/*rows=*")
    page.keyboard.type("b4")
    assert (here(page), page.locator("tr.here .p-w").text_content()) == ("4", "…")
    page.keyboard.type("1b30")
    saved(page)
    assert stored(section)[:5] == ["", "", "0-1", "1-0", ""]
    wire.mend()
    expect(page.locator("tr[data-unnamed]")).to_have_count(0)  # until then, Enter waits for the names
    page.keyboard.press("b")
    page.keyboard.type(Game.objects.get(round__section=section, board=4).white.player.name)
    page.keyboard.press("Enter")
    assert here(page) == "4"
    page.goto(f"{page.url}#board-9")
    page.reload()
    assert here(page) == "9"
