"""Results that wait in a browser are sent from every page; pages say what is not saved, and pairing asks about it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import LogIn, PageMaker, stop_clock
from tests.browser.results import Cut, Open, Wire, kept, stored
from tests.factories import EventRoleFactory, UserFactory
from tests.web.staff.conftest import address, enter
from tournaments.models import Game, Section


@pytest.fixture
def all_in(section: Section) -> Section:
    """Every result of round 1 is a draw."""
    for game in Game.objects.filter(round__section=section):
        enter(game, "1/2")
    return section


def correct_offline(page: Page) -> Cut:
    """Type eight other results while the server does not answer."""
    wire = Cut(page, "/game/")
    for board in range(1, 9):
        page.locator(f"#board-{board} select").select_option("1-0")
    expect(page.locator("#queue")).to_contain_text("8 kept only in this browser")
    return wire


def open_plate(page: Page) -> None:
    """Open the list of what waits on this device, which is in the frame."""
    page.locator(".plate > summary").click()


def test_what_waits_is_sent_from_the_cockpit_before_the_next_round_is_paired(
    opened: Open, all_in: Section
) -> None:
    page = opened()
    stop_clock(page)  # results that wait for seconds would lock the button
    correct_offline(page).mend()
    held: list[Route] = []

    def answer_late(route: Route) -> None:
        if not held:
            return held.append(route)
        page.clock.run_for(3000)
        return route.continue_()

    page.route("**/game/**", answer_late)
    with page.expect_request("**/game/**"):
        page.goto(address(all_in, "cockpit/"))
    page.keyboard.press("p")
    held[0].continue_()  # eight answers on a slow line: together they take 21 seconds
    expect(page.locator(".pill.draft")).to_be_visible()
    assert stored(all_in) == ["1-0"] * 8 + ["1/2"] * 2
    assert kept(page) == 0


def test_corrections_that_the_network_held_back_are_asked_about_and_end_as_corrections_of_the_finished_round(
    opened: Open, all_in: Section, new_page: PageMaker, log_in: LogIn
) -> None:
    page, other = opened(), new_page()
    log_in(other, EventRoleFactory(event=all_in.event, user=UserFactory(username="bo")).user)
    wire = correct_offline(page)
    box = page.locator("#waiting")
    page.goto(address(all_in, "cockpit/"))  # other addresses of the server answer
    expect(box).to_contain_text("8 results typed on this device are not saved. The server does not answer")
    expect(page.locator(".plate > summary")).to_contain_text("8 results not saved")
    expect(box.get_by_role("button", name="Send now")).to_have_count(0)  # the plate is closed
    row = page.locator(".todo [data-unsent]")  # no round is paired, and the black button sends
    expect(row).to_contain_text("Not saved 8 results typed on this device are not saved. The server does not")
    expect(page.locator("#d-map .push:visible")).to_have_text("2 saved, 8 only on this device")
    doubled = "cells => cells.filter(cell => getComputedStyle(cell).borderBottomStyle === 'double').length"
    assert page.locator(".map a").evaluate_all(doubled) == 8
    rows = "cells => new Set(cells.map(cell => cell.offsetTop)).size * (cells[0].offsetHeight + 3) - 3"
    height = page.locator(".map").evaluate("map => map.offsetHeight")
    assert page.locator(".map a").evaluate_all(rows) == height  # no row covers the lines of the row above
    expect(page.get_by_role("button", name="Pair round 2")).to_be_disabled()
    expect(page.locator("#d-head .btn.go:enabled")).to_have_text("Send now Enter")
    page.keyboard.press("Enter")
    expect(row.get_by_role("link")).to_have_attribute("href", address(all_in, "round/1/results/"))
    other.goto(address(all_in, "cockpit/"))
    elsewhere = other.get_by_text("results wait on a device of ada")
    expect(elsewhere).to_contain_text("Round 1: 8 results")
    other.keyboard.press("p")
    expect(other.locator("#question")).to_contain_text("8 results wait on a device of ada")
    assert all_in.played_rounds.count() == 1
    other.get_by_role("button", name="Pair anyway").click()
    expect(other.locator(".pill.draft")).to_be_visible()
    assert stored(all_in) == ["1/2"] * 10
    wire.mend()
    page.goto(address(all_in, "round/1/results/"))
    expect(page.locator("#board-3 + tr")).to_contain_text("Typed on this device, not saved: 1–0")
    expect(page.locator("tr[data-kept] a")).to_have_count(8)
    open_plate(page)
    expect(box.get_by_role("link", name="Correct")).to_have_count(8)
    expect(box).to_contain_text(
        "round 1, board 3: 1–0 was typed on this device and is not saved. Round 1 is finished"
    )
    assert stored(all_in) == ["1/2"] * 10
    for rest in ("round/1/results/", "round/1/corrections/", "cockpit/"):
        other.goto(address(all_in, rest))
        expect(elsewhere).to_contain_text("Round 1: 8 results wait on a device of ada")
    box.get_by_role("link", name="Correct").nth(2).click()
    expect(page.locator("h1")).to_have_text("Board 3")
    expect(page.get_by_label("Correct result")).to_have_value("1-0")
    page.get_by_label("Who reported the mistake").fill("White, at once")
    page.get_by_role("button", name="Show what it changes").click()
    page.get_by_role("button", name="Correct", exact=False).last.click()
    expect(page.locator("h1")).to_have_text("Results, round 1")  # where the arbiter came from
    open_plate(page)
    expect(box.get_by_role("link", name="Correct")).to_have_count(7)
    assert (stored(all_in)[2], kept(page)) == ("1-0", 7)
    expect(elsewhere).to_contain_text("Round 1: 7 results")  # the open cockpit
    with page.expect_response("**/account/waiting/"):  # each page reports again what waits
        page.goto(address(all_in, "cockpit/"))
    open_plate(page)
    expect(box.get_by_role("link", name="Correct")).to_have_count(7)
    expect(page.get_by_text("results wait on a device of ada")).to_be_hidden()
    other.get_by_role("button", name="This device will not come back").click()
    expect(elsewhere).to_have_count(0)


def test_a_page_that_is_left_at_once_loses_nothing(opened: Open, section: Section) -> None:
    page = opened()
    page.keyboard.type("1501501501")
    page.goto("about:blank")
    page.goto(address(section, "log/"))
    expect(page.locator("#waiting")).to_have_attribute("data-left", "0")
    assert stored(section) == ["1-0", "1/2", "0-1"] * 3 + ["1-0"]


def test_another_person_on_this_device_is_told_whose_results_wait(
    opened: Open, section: Section, log_in: LogIn
) -> None:
    page = opened()
    wire = Wire(page)
    page.keyboard.type("15")
    expect(page.locator("#queue")).to_contain_text("2 kept only")
    log_in(page, EventRoleFactory(event=section.event, user=UserFactory(username="bo")).user)
    wire.mend()
    page.goto(address(section, "cockpit/"))
    expect(page.locator("#waiting")).to_contain_text("2 results that ada typed on this device are not saved")
    assert (stored(section)[:2], kept(page)) == (["", ""], 2)
