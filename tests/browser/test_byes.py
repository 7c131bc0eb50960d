"""Requested byes, within the limits of the section and above them; absent players, with one choice for each."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Seat, ask_now, drawn
from tests.browser.made import made_once
from tests.browser.results import PHONE, fits
from tests.factories import section_of
from tests.web.staff.conftest import address, enter, paired, played
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import check_in, open_check_in
from tournaments.models import Bye, EventRole, Participant, Section, User


def eight_players() -> Section:
    """Eight players, nothing paired."""
    return section_of(8)


@pytest.fixture
def section(server: str) -> Section:
    return made_once(eight_players)


def label(section: Section, tpn: int) -> str:
    return section.participants.select_related("player").get(tpn=tpn).player.name


def ask(page: Page, section: Section, tpn: int, rounds: str) -> None:
    """Fill in a half-point bye and press Enter."""
    page.get_by_label("Player").select_option(str(section.participants.get(tpn=tpn).pk))
    field = page.get_by_role("textbox", name="Rounds")
    field.fill(rounds)
    field.press("Enter")


def given(section: Section, tpn: int) -> list[tuple[int, str]]:
    byes = Bye.objects.filter(participant=section.participants.get(tpn=tpn))
    return list(byes.order_by("round_number").values_list("round_number", "kind"))


def test_bye_above_the_limits_needs_a_confirmation(section: Section, seat: Seat) -> None:
    phone = {"width": 360, "height": 740}
    page = seat(section, "settings/?change=byes", role=EventRole.Role.OWNER, viewport=phone)
    page.get_by_label(re.compile("[Hh]alf-point byes")).fill("1")
    page.get_by_label(re.compile("[Ll]ast round")).fill("5")
    with page.expect_navigation():
        page.get_by_role("button", name="Save", exact=True).first.click()
    page.goto(address(section, "byes/"))
    expect(page.get_by_text("The section gives a player 1 half-point bye.")).to_be_visible()
    expect(page.get_by_text("Byes with points are possible up to round 5.")).to_be_visible()
    ask(page, section, 3, "2")
    expect(page.locator("#b-list")).to_contain_text(label(section, 3))
    ask(page, section, 3, "4")
    expect(page.locator("#question")).to_contain_text("A player may have 1 half-point bye in this section.")
    expect(page.locator("#question")).to_contain_text("Nothing is saved yet.")
    assert fits(page)
    page.get_by_role("link", name="Cancel").click()
    expect(page.locator("#question")).to_have_count(0)
    assert given(section, 3) == [(2, "H")]
    ask(page, section, 4, "6")
    expect(page.locator("#question")).to_contain_text(
        "a bye is worth points up to round 5, and this is round 6"
    )
    page.get_by_role("button", name="Give the bye anyway").press("Enter")
    expect(page.locator("#b-list")).to_contain_text("Round 6")
    assert given(section, 4) == [(6, "H")]


def test_player_without_the_right_to_half_point_byes_gets_none(section: Section, seat: Seat) -> None:
    page = seat(section, f"entries/{section.participants.get(tpn=3).pk}/")
    page.get_by_role("button", name="No half-point byes for this player").click()
    expect(page.get_by_text("This player may not request half-point byes.")).to_be_visible()
    page.get_by_role("link", name="Give a bye").click()
    expect(page.get_by_label("Player")).to_have_value(str(section.participants.get(tpn=3).pk))
    ask(page, section, 3, "2")
    expect(page.get_by_text(f"{label(section, 3)} may not ask for half-point byes.")).to_be_visible()
    assert given(section, 3) == []


def test_bye_keeps_a_player_out_of_one_round_unless_it_is_cancelled(section: Section, seat: Seat) -> None:
    page = seat(section, "byes/")
    ask(page, section, 3, "1")
    expect(page.locator("#b-list")).to_contain_text("Round 1")
    ask(page, section, 4, "2")
    expect(page.locator("#b-list")).to_contain_text("Round 2")
    played(section)
    page.goto(address(section, "byes/"))
    page.get_by_role("button", name=re.compile(f"^Cancel the bye ?, {label(section, 4)}")).press("Enter")
    expect(page.locator("#b-list")).not_to_contain_text("Round 2")
    page.goto(address(section, "cockpit/"))
    page.get_by_role("button", name="Pair round 2").click()
    for tpn in (3, 4):
        expect(page.locator(".boards-in")).to_contain_text(label(section, tpn))
    page.goto(address(section, "players/3/"))
    expect(page.locator("main")).to_contain_text("half-point bye")


@pytest.fixture
def checked_in(section: Section) -> Section:
    """Check-in for round 1 is open, nobody is here."""
    open_check_in(actor=Actor.command(), section_id=section.pk, after_round=0)
    return section


def test_one_tap_decides_about_each_absence(checked_in: Section, seat: Seat) -> None:
    page = seat(checked_in, "check-in/", **PHONE)
    expect(page.locator(".count")).to_have_text("8 not here yet")
    expect(page.get_by_role("searchbox")).not_to_be_focused()  # no keyboard before a tap
    questions = re.compile("[?&]seen=")  # an answer would move the next row away from under the tap
    page.route(questions, lambda route: route.fulfill(status=204))
    for tpn in (1, 3, 5, 7):
        page.get_by_role("button", name=label(checked_in, tpn)).tap()
        expect(page.locator("#toast")).to_contain_text(f"{label(checked_in, tpn)} is here.")
    page.unroute(questions)
    ask_now(page)
    expect(page.get_by_role("link", name="Decide about 4 absences")).to_be_visible()
    page.goto(address(checked_in, "absences/"))
    assert fits(page)
    left = 4
    for tpn, choice in ((2, "Bye ½"), (4, "Bye 0"), (6, "Withdraw"), (8, "Is here")):
        page.get_by_role("button", name=re.compile(f"^{choice} ?, {label(checked_in, tpn)}")).tap()
        left -= 1
        if left:
            expect(page.locator("li.absent")).to_have_count(left)
    expect(page.locator(".head .btn.go")).to_contain_text("Pair round 1")
    assert (given(checked_in, 2), given(checked_in, 4)) == ([(1, "H")], [(1, "Z")])
    assert checked_in.participants.get(tpn=6).status == Participant.Status.WITHDRAWN
    assert checked_in.participants.get(tpn=8).status == Participant.Status.ACTIVE


def test_enter_after_a_click_opens_absences_and_undoes_nothing(checked_in: Section, seat: Seat) -> None:
    for entry in checked_in.participants.filter(tpn__gt=3):
        check_in(actor=Actor.command(), participant_id=entry.pk, round_number=1)
    page = seat(checked_in, "check-in/")
    page.get_by_role("button", name=label(checked_in, 1)).click()
    with page.expect_response(re.compile("[?&]seen=")):
        expect(page.locator("#toast")).to_contain_text(f"{label(checked_in, 1)} is here.")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Absent from round 1")
    expect(page.locator("li.absent")).to_have_count(2)


def test_all_are_marked_as_here_and_then_one_as_not_here(checked_in: Section, seat: Seat) -> None:
    page = seat(checked_in, "check-in/", **PHONE)
    page.get_by_role("button", name="All others are here").tap()
    expect(page.locator(".count")).to_have_text("All 8 are here")
    page.get_by_role("button", name=label(checked_in, 8)).tap()
    expect(page.locator("#toast")).to_contain_text(f"{label(checked_in, 8)} is not here.")
    ask_now(page)
    expect(page.locator(".count")).to_have_text("1 not here yet")


def test_news_wait_until_the_last_tap_is_answered(checked_in: Section, seat: Seat) -> None:
    """The answer brings the news too. A page that moved twice would ignore the next tap."""
    page = seat(checked_in, "check-in/", **PHONE)
    held: list[Route] = []
    page.route("**/check-in/all/", lambda route: held.append(route))
    page.reload()
    page.get_by_role("button", name="All others are here").tap()
    entry = checked_in.participants.get(tpn=8)
    check_in(actor=Actor.command(), participant_id=entry.pk, round_number=1)
    with page.expect_request_finished(lambda request: "seen=" in request.url):
        ask_now(page)
    drawn(page)
    assert page.locator(".seat[aria-pressed=true]").count() == 0
    held[0].continue_()
    expect(page.locator(".count")).to_have_text("All 8 are here")


def test_tap_that_is_ignored_because_the_page_just_moved_is_reported(checked_in: Section, seat: Seat) -> None:
    """Somebody else marks the first absent player as here, and the second one moves under the arbiter's finger."""
    page = seat(checked_in, "absences/", **PHONE)
    first, second = checked_in.participants.filter(tpn__in=(1, 2)).order_by("tpn")
    aimed_at = page.get_by_role("button", name=re.compile(f"^Withdraw ?, {label(checked_in, 1)}"))
    aimed_at.scroll_into_view_if_needed()
    spot = aimed_at.bounding_box()
    assert spot is not None
    check_in(actor=Actor.command(), participant_id=first.pk, round_number=1)
    page.evaluate("performance.now = () => 0")  # a stopped clock: the page has always just moved
    ask_now(page)
    expect(page.locator("li.absent")).to_have_count(7)
    page.touchscreen.tap(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
    expect(page.locator("#live-moved")).to_contain_text("so nothing was done")
    assert fits(page)
    second.refresh_from_db()
    assert second.status == Participant.Status.ACTIVE


def test_check_in_is_opened_by_enter_and_closed(checked_in: Section, seat: Seat) -> None:
    page = seat(checked_in, "cockpit/")
    # Enter leads to an open check-in, not to Absences, which lists everybody who has not arrived yet.
    expect(page.locator(".head .btn.go")).to_have_text(re.compile("^Check-in"))
    expect(page.get_by_role("link", name="Decide about 8 absences")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/check-in/")
    # Typing into the search field runs no shortcut: M filters the list elsewhere.
    page.keyboard.type("m")
    expect(page.get_by_role("searchbox")).to_have_value("m")
    expect(page.locator("#only-missing")).not_to_have_attribute("aria-current", "true")
    page.get_by_role("searchbox").fill("")
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    expect(page.locator("#only-missing")).to_have_attribute("aria-current", "true")
    # Closing check-in pairs the unmarked players too.
    expect(
        page.get_by_text("If you close check-in, the 8 unmarked players are paired too (GHR 4.1).")
    ).to_be_visible()
    page.get_by_role("button", name="Close check-in").click()
    expect(page.locator(".head .btn.go")).to_contain_text("Pair round 1")
    expect(page.get_by_text("8 players will be paired.")).to_be_visible()


def test_keys_of_results_enter_a_forfeit_and_the_toast_undoes_it(section: Section, seat: Seat) -> None:
    """The digits alone are those of Vega."""
    game = paired(section).games.get(board=2)
    page = seat(section, "cockpit/")
    keys = (("f0", "-:+"), ("f1", "+:-"), ("f-", "-:-"), ("4", "-:+"), ("3", "+:-"), ("2", "-:-"))
    for key, result in keys:
        if len(key) == 1:
            User.objects.update(result_keys="vega")
        page.goto(address(section, f"game/{game.pk}/absent/"))
        page.keyboard.type("15nwb")  # played results and keys of other pages do nothing here
        page.keyboard.type(key)
        expect(page.get_by_role("heading", level=1)).to_have_text("Round 1")
        game.refresh_from_db()
        assert game.result == result
        if key != "f0":
            enter(game, "")
            continue
        page.locator("[data-toast]").get_by_role("button", name="Undo").click()
        expect(page.locator("[data-toast]")).to_contain_text("Undone")
        game.refresh_from_db()
        assert game.result == ""
    # No key withdraws, but a click, or Tab and Enter: the player is out of all later rounds.
    page.goto(address(section, f"game/{game.pk}/absent/"))
    expect(page.locator(".btn.bad")).to_have_count(3)
    expect(page.locator(".btn.bad[data-key]")).to_have_count(0)
    page.get_by_role("button", name="Forfeit and withdraw both").click()
    expect(page.locator("[data-toast]")).to_contain_text("Withdrawn")
    page.locator("[data-toast]").get_by_role("button", name="Undo").click()
    expect(page.locator("[data-toast]")).to_contain_text("Undone")
    game.refresh_from_db()
    assert game.result == ""
    assert set(section.participants.values_list("status", flat=True)) == {"active"}


def test_enter_does_not_withdraw_everybody(section: Section, seat: Seat) -> None:
    open_check_in(actor=Actor.command(), section_id=section.pk, after_round=0)
    *rest, first_here, second_here = section.participants.order_by("pk")
    for entry in (first_here, second_here):
        check_in(actor=Actor.command(), participant_id=entry.pk, round_number=1)
    page = seat(section, "absences/")
    page.get_by_role("link", name="Withdraw all").click()
    button = page.get_by_role("button", name=f"Withdraw {len(rest)} players")
    expect(button).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("w")
    page.keyboard.press("Enter")
    drawn(page)
    assert set(section.participants.values_list("status", flat=True)) == {"active"}
    button.click()
    expect(page.locator("[data-toast]")).to_be_visible()
    assert section.participants.filter(status="withdrawn").count() == len(rest)


def test_board_of_somebody_who_has_left_is_forfeited_from_the_cockpit(section: Section, seat: Seat) -> None:
    game = paired(section).games.get(board=1)
    page = seat(section, f"entries/{game.white_id}/leave/")
    page.get_by_label("The game is being played").check()
    page.get_by_role("button", name="Withdraw", exact=True).click()
    expect(page.locator("#d-todo")).to_contain_text("has left the section.")
    page.get_by_role("button", name=re.compile("^Forfeit – ?[+]")).click()
    expect(page.locator("#d-todo")).not_to_contain_text("has left the section.")
    game.refresh_from_db()
    assert game.result == "-:+"
