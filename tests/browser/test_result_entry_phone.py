"""Results typed on a phone in the hall: in the list and on the page of one board, to which the code on a slip leads."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import follow
from tests.browser.results import PHONE, Open, Wire, here, look, saved, stored
from tests.factories import UserFactory
from tests.web.staff.conftest import address, enter
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.models import Game, Section


@pytest.fixture
def phone(opened: Open) -> Page:
    return opened(**PHONE)


def test_board_is_found_by_number_and_entered_in_two_taps(phone: Page, section: Section) -> None:
    # The row of the next board is not under the buttons.
    phone.locator("#board-4 .p-w").tap()
    phone.locator("[data-result='1-0']").tap()
    row, bar = phone.locator("#board-5").bounding_box(), phone.locator("#keys").bounding_box()
    assert row["y"] + row["height"] <= bar["y"] + 1
    saved(phone)
    expect(phone.locator("#find")).to_have_attribute("inputmode", "numeric")
    phone.locator("[data-press=b]").tap()
    phone.keyboard.type("9")
    phone.keyboard.press("Enter")
    assert here(phone) == "9"
    expect(phone.locator("#board-9 select")).to_be_in_viewport()
    phone.locator("[data-result='1/2']").tap()
    saved(phone)
    assert stored(section)[8] == "1/2"
    phone.locator("[data-press=u]").tap()
    saved(phone)
    assert stored(section) == [*[""] * 3, "1-0", *[""] * 6]
    # Names do not move when a result comes from a desk.
    name = phone.locator("#board-9 .p-w")
    room = name.bounding_box()
    game = Game.objects.get(round__section=section, board=9)
    desk = Actor(user=UserFactory(username="organiser"))
    record_result(actor=desk, game_id=game.pk, result="1/2", seen_version=game.version)
    look(phone)
    # The name of the arbiter is visible only on a wider screen, for ten seconds.
    expect(phone.locator("#board-9 .st")).to_have_text("organiser")
    assert not phone.locator("#board-9 .st span").is_visible()
    assert name.bounding_box() == room
    # A name is searched by letters.
    phone.locator("#letters").tap()
    expect(phone.locator("#find")).to_have_attribute("inputmode", "text")
    expect(phone.locator("#letters")).to_have_attribute("aria-pressed", "true")


def test_page_of_a_board_takes_one_tap(opened: Open, section: Section, new_page: object) -> None:
    page = opened(**PHONE)
    page.goto(address(section, "round/1/board/7/"))
    page.locator("[data-result='0-1']").tap()
    saved(page)
    assert stored(section)[6] == "0-1"
    expect(page.locator("#history")).to_contain_text("0–1 by ada")
    sizes = [
        each.bounding_box()["height"]
        for each in page.locator("main .btn:visible, #keys button:visible").all()
    ]
    assert min(sizes) >= 44
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator("[data-press=u]").tap()
    saved(page)
    assert stored(section)[6] == ""
    # A game that is over without a slip is marked.
    page.locator("[data-press=o]").tap()
    saved(page)
    expect(page.locator("#board-7 .st")).to_have_text("no slip")
    assert Game.objects.get(round__section=section, board=7).over_at is not None
    # The page leads to other boards.
    page.locator("#board").fill("10")
    page.get_by_role("button", name="Open").tap()
    expect(page.locator("h1")).to_have_text("Board 10, round 1")
    page.get_by_role("link", name="Board 9").tap()
    expect(page.locator("h1")).to_have_text("Board 9, round 1")
    page.get_by_role("link", name="All boards").tap()
    expect(page.locator("tr.here")).to_have_attribute("data-board", "9")


def test_page_of_a_board_without_a_script_is_a_form(opened: Open, section: Section) -> None:
    page = opened(**PHONE, java_script_enabled=False)
    page.goto(address(section, "round/1/board/3/"))
    page.locator("select.res").select_option("1-0")
    follow(page.get_by_role("button", name="Save result"))
    assert stored(section)[2] == "1-0"


def test_page_of_a_board_shows_a_result_from_a_desk_as_a_clash(opened: Open, section: Section) -> None:
    page = opened(**PHONE)
    page.goto(address(section, "round/1/board/3/"))
    enter(Game.objects.get(round__section=section, board=3), "1-0")
    page.locator("[data-result='1/2']").tap()
    expect(page.locator("tr.clash")).to_contain_text("You: ½–½.")
    page.locator("tr.clash [data-take]").tap()
    expect(page.locator("#board-3 select")).to_have_value("1-0")
    assert page.locator("tr.clash").count() == 0


def test_message_about_queued_results_fits_a_phone(phone: Page, section: Section) -> None:
    Wire(phone)
    phone.locator("#board-4 .p-w").tap()
    phone.locator("[data-result='1-0']").tap()
    expect(phone.locator("#queue")).to_contain_text("kept only in this browser")
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
    pill = phone.locator("#queue").bounding_box()
    assert pill["x"] + pill["width"] <= 360
    phone.locator("[data-result='0-1']").tap()
    expect(phone.locator("#board-5 select")).to_have_value("0-1")
