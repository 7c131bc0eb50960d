"""Results typed without a server stay in the browser after a reload, a closed tab or the login of another person."""

from __future__ import annotations

import errno

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LogIn
from tests.browser.results import Open, Wire, here, kept, saved, stored
from tests.factories import EventRoleFactory, UserFactory
from tests.web.staff.conftest import address, enter, paired
from tournaments.actions.ledger import Actor
from tournaments.actions.results import confirm_result
from tournaments.actions.undo import undo
from tournaments.models import ActionLog, EventRole, Game, Section, User
from web.views.staff import results


def type_offline(page: Page, keys: str) -> None:
    """Type, and wait until the page says that the server does not answer."""
    page.keyboard.type(keys)
    expect(page.locator("#queue")).to_contain_text("the server does not answer")


def type_against_another(opened: Open, section: Section, keys: str) -> Page:
    """Type offline, while somebody else enters 0–1 at board 1. Return the page, which is connected again."""
    page = opened()
    wire = Wire(page)
    type_offline(page, keys)
    enter(Game.objects.get(round__section=section, board=1), "0-1")
    wire.mend()
    return page


def test_results_typed_offline_survive_a_reload(opened: Open, section: Section) -> None:
    page = opened()
    wire = Wire(page)
    type_offline(page, "150")
    expect(page.locator("#queue")).to_have_text("3 kept only in this browser; the server does not answer")
    assert kept(page) == 3
    page.reload()
    expect(page.locator("#board-2 select")).to_have_value("1/2")
    expect(page.locator("#board-2 .st")).to_have_text("not saved yet")
    page.keyboard.type("1")
    wire.mend()
    saved(page)
    assert stored(section)[:4] == ["1-0", "1/2", "0-1", "1-0"]
    assert kept(page) == 0


def test_results_typed_offline_survive_a_closed_tab(opened: Open, section: Section) -> None:
    page = opened()
    Wire(page)
    type_offline(page, "10")
    again = page.context.new_page()
    page.close()
    again.goto(address(section, "round/1/results/"))
    saved(again)
    assert stored(section)[:2] == ["1-0", "0-1"]
    assert ActionLog.objects.filter(action="record_result").count() == 2


def test_result_changed_by_others_meanwhile_is_a_clash(opened: Open, section: Section) -> None:
    page = type_against_another(opened, section, "15")
    expect(page.locator("tr.clash")).to_contain_text("You: 1–0.")
    saved(page)
    assert stored(section)[:2] == ["0-1", "1/2"]
    page.reload()  # the clash is still there after a reload
    expect(page.locator("tr.clash")).to_contain_text("0–1.")
    page.set_viewport_size({"width": 360, "height": 740})  # of a window, with a mouse
    cut = "(cell) => cell.scrollHeight > cell.clientHeight + 1"
    assert page.locator("tr.clash td").evaluate_all(f"(cells) => cells.filter({cut}).length") == 0
    page.set_viewport_size({"width": 1366, "height": 768})
    page.keyboard.press("Home")
    page.keyboard.press("k")
    expect(page.locator("tr.clash")).to_have_count(0)
    saved(page)
    assert stored(section)[0] == "1-0"
    assert kept(page) == 0


@pytest.mark.parametrize("way", ["undone", "decided"])
def test_clash_that_ended_meanwhile_does_not_begin_again(opened: Open, section: Section, way: str) -> None:
    page = type_against_another(opened, section, "1")
    expect(page.locator("tr.clash")).to_have_count(1)
    page.goto(address(section, "log/"))
    game = Game.objects.get(round__section=section, board=1)
    section.refresh_from_db()
    arbiter = Actor(user=UserFactory(username="bo"))
    if way == "undone":
        undo(actor=arbiter, section_id=section.pk, revision=section.revision)
    else:
        confirm_result(actor=arbiter, game_id=game.pk, result="0-1", seen_version=game.version)
    page.goto(address(section, "round/1/results/"))
    expect(page.locator("#board-1 select")).to_have_value("0-1")
    page.keyboard.press("End")
    page.keyboard.press("5")
    saved(page)
    assert kept(page) == 0
    expect(page.locator("tr.clash")).to_have_count(0)
    game.refresh_from_db()
    assert (game.result, game.second_result) == ("0-1", "" if way == "undone" else "0-1")


def test_clash_is_decided_for_the_other_result_by_a_key(opened: Open, section: Section) -> None:
    page = type_against_another(opened, section, "1")
    expect(page.locator("tr.clash [data-take]")).to_have_text("Take 0–1 T")
    expect(page.locator("[data-count=clashes]")).to_have_text("1")
    page.keyboard.press("c")
    page.keyboard.press("t")
    expect(page.locator("tr.clash")).to_have_count(0)
    expect(page.locator("#board-1 select")).to_have_value("0-1")
    saved(page)
    assert (stored(section)[0], kept(page)) == ("0-1", 0)


def test_only_clash_in_view_is_decided_from_another_board(opened: Open, section: Section) -> None:
    """The buttons show K and T, so the keys work without going to the board first."""
    page = type_against_another(opened, section, "1")
    expect(page.locator("tr.clash [data-take]")).to_have_text("Take 0–1 T")
    assert here(page) == "2"
    page.keyboard.press("t")
    expect(page.locator("tr.clash")).to_have_count(0)
    saved(page)
    assert (stored(section)[0], here(page)) == ("0-1", "2")


def test_results_of_boards_that_are_no_longer_own_ones_are_named_until_the_page_is_left(
    opened: Open, section: Section
) -> None:
    """The page does not show these boards any more, and the results of the others are saved after them."""
    role = EventRoleFactory(event=section.event, role="clerk", first_board=1, last_board=4)
    page = opened(role.user)
    wire = Wire(page)
    type_offline(page, "150")
    EventRole.objects.filter(pk=role.pk).update(first_board=3)
    page.reload()
    wire.mend()
    saved(page)
    assert stored(section)[:3] == ["", "", "0-1"]
    warning = page.locator("#warning")
    expect(warning).to_contain_text("Board 1: 1–0 not saved. Board 1 is not one of your boards (3–4)")
    expect(warning).to_contain_text("Board 2: ½–½ not saved. Board 2 is not one of your boards")


def test_results_typed_by_another_person_are_not_sent(opened: Open, section: Section, log_in: LogIn) -> None:
    page = opened()
    wire = Wire(page)
    type_offline(page, "1")
    other = EventRoleFactory(event=section.event, user=UserFactory(username="bo")).user
    log_in(page, other)
    wire.mend()
    expect(page.locator("#warning")).to_contain_text("Somebody else has logged in here")
    page.reload()
    expect(page.locator("#board-1 select")).to_have_value("")
    page.keyboard.type("5")
    saved(page)
    game = Game.objects.get(round__section=section, board=1)
    assert (game.result, game.entered_by) == ("1/2", other)
    assert kept(page) == 1


def test_results_are_sent_when_the_person_who_typed_them_logs_in_again(
    opened: Open, section: Section, arbiter: User, log_in: LogIn
) -> None:
    page = opened()
    wire = Wire(page)
    type_offline(page, "1")
    log_in(page, EventRoleFactory(event=section.event, user=UserFactory(username="bo")).user)
    wire.mend()
    page.reload()
    expect(page.locator("#board-1 select")).to_have_value("")
    log_in(page, arbiter)
    page.reload()
    saved(page)
    game = Game.objects.get(round__section=section, board=1)
    assert (game.result, game.entered_by) == ("1-0", arbiter)


def test_unsaved_results_of_another_round_are_shown_and_can_be_forgotten(
    opened: Open, section: Section
) -> None:
    page = opened()
    Wire(page)
    type_offline(page, "1")
    for game in Game.objects.filter(round__section=section):
        enter(game, "1/2")
    paired(section)
    page.goto(address(section, "round/2/results/"))
    box = page.locator("#waiting")
    expect(box).to_contain_text("1 result typed on this device is not saved. The server does not answer.")
    expect(box).to_contain_text("round 1: board 1: 1–0.")
    page.locator(".plate > summary").click()
    box.get_by_role("button", name="Delete them").click()
    box.get_by_role("button", name="Delete 1 result for good").click()
    expect(box).to_be_hidden()
    assert kept(page) == 0


def test_queue_stays_in_the_page_if_storage_is_switched_off(opened: Open, section: Section) -> None:
    page = opened(storage=False)
    wire = Wire(page)
    type_offline(page, "1")
    expect(page.locator("#queue")).to_have_text(
        "1 not saved yet; the server does not answer. Leave the page open"
    )
    wire.mend()
    saved(page)
    assert stored(section)[0] == "1-0"


def test_results_that_a_full_disk_refuses_stay_and_are_sent_again(
    opened: Open, section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened()

    def refuse(**_named: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(results, "record_result", refuse)
        page.keyboard.type("1")
        expect(page.locator("#queue")).to_have_text(
            "1 kept only in this browser; the server says: The disk is full"
        )
        assert (kept(page), stored(section)[:1]) == (1, [""])
    saved(page)
    assert (kept(page), stored(section)[:1]) == (0, ["1-0"])
