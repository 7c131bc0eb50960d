"""Pairing by hand in a real browser: players are picked with the mouse, by a tap, and without scripts."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.by_hand.conftest import Open, boards, player, shot
from tests.browser.conftest import LogIn, PageMaker, follow
from tests.browser.people import section_of_people
from tests.factories import EventRoleFactory
from tests.web.staff.conftest import address, paired
from tournaments.models import Round


def test_two_clicks_change_places_without_loading_the_page(opened: Open, draft: Round) -> None:
    page = opened()
    (one, _black), (other, _other_black), (third, _third_black) = boards(draft)[:3]
    page.evaluate("document.body.dataset.same = 'yes'")
    # A second click or Escape unpicks a player.
    player(page, one, draft).click()
    player(page, one, draft).click()
    expect(player(page, one, draft)).to_have_attribute("aria-pressed", "false")
    player(page, one, draft).click()
    page.keyboard.press("Escape")
    expect(player(page, one, draft)).to_have_attribute("aria-pressed", "false")
    assert draft.version == Round.objects.get(pk=draft.pk).version
    strong = player(page, third, draft)
    strong.click()
    expect(strong).to_have_attribute("aria-pressed", "true")
    look = strong.evaluate(
        "each => [getComputedStyle(each).backgroundColor, getComputedStyle(each).borderTopWidth]"
    )
    strong.click()
    player(page, one, draft).click()
    expect(player(page, one, draft)).to_have_attribute("aria-pressed", "true")
    expect(page.locator("#picked-words")).to_contain_text("is picked. Pick the other player")
    shot(page, "by-hand-picked")
    player(page, other, draft).click()
    expect(page.locator("tr[data-board='1'] .pick").first).to_have_id(
        f"p-{draft.section.participants.get(tpn=other).pk}"
    )
    assert boards(draft)[0][0] == other
    assert page.evaluate("document.body.dataset.same") == "yes"
    # Now the pointer is on another player than the buttons are about: that one has the focus, and looks like picked.
    expect(page.locator("#picked-words")).to_contain_text("is selected")
    marked = page.locator(".pick.on")
    expect(marked).to_have_count(1)
    assert marked.get_attribute("data-name") == page.locator("#picked-words b").inner_text()
    assert (
        marked.evaluate(
            "each => [getComputedStyle(each).backgroundColor, getComputedStyle(each).borderTopWidth]"
        )
        == look
    )


def test_players_can_be_picked_as_soon_as_pairing_by_hand_begins(
    server: str, new_page: PageMaker, log_in: LogIn
) -> None:
    section = section_of_people(8, initial_colour="w", rounds=7)
    row = paired(section, published=False)
    page = new_page()
    log_in(page, EventRoleFactory(event=section.event).user)
    page.goto(address(section, "round/1/by-hand/"))
    page.get_by_role("button", name="Start pairing by hand").click()
    (one, _black), (other, _other_black) = boards(row)[:2]
    # The toast of the start goes: on a phone it would cover the player, and its Undo would undo the start.
    expect(page.locator("[data-toast]")).to_contain_text("pairing by hand started")
    page.locator("[data-toast]").hover()
    first = player(page, one, row)
    first.focus()
    page.keyboard.press("Enter")
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(first).to_have_css("display", "flex")
    expect(page.locator("[data-toast]")).to_have_count(0)
    player(page, other, row).focus()
    page.keyboard.press("Enter")
    expect(page.locator("tr[data-board='1'] .pick").first).to_contain_text(str(other))
    expect(page.get_by_role("button", name="Undo")).to_have_text(re.compile("Undo the last change"))


def test_tap_low_on_a_phone_picks_the_player(opened: Open, draft: Round) -> None:
    """The buttons of the picked player do not cover the player before the tap ends."""
    page = opened(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    bar = page.locator("#keys").bounding_box()["y"]
    last = page.locator(".hand .pick").last
    last.evaluate("(each, bottom) => scrollBy(0, each.getBoundingClientRect().bottom - bottom)", bar - 4)
    box = last.bounding_box()
    low = box["y"] + box["height"] / 2
    assert bar - 60 < low < bar  # the buttons, once they are shown, reach higher
    page.touchscreen.tap(100, low)
    chosen = page.locator(".pick[aria-pressed=true]")
    expect(chosen).to_have_count(1)
    expect(page.locator("#picked-words")).to_contain_text("is picked")


def test_change_copies_no_inline_style(opened: Open, draft: Round) -> None:
    """The Content-Security-Policy blocks inline styles. Screenshots and some browser extensions leave one on a
    field, and htmx would copy the style to the new field with the same id.
    """
    page = opened()
    page.screenshot()
    expect(page.locator("#find")).to_have_attribute("style", "")
    player(page, boards(draft)[0][0], draft).focus()
    page.keyboard.press("w")
    expect(page.locator("#new-concerns")).to_be_visible()
    page.locator("#find").evaluate("field => { field.style.width = '200px'; }")
    page.keyboard.press("u")
    expect(page.locator("#new-concerns")).to_have_count(0)
    expect(page.locator("#by-hand [style]")).to_have_count(0)


def test_pairs_made_by_hand_are_kept_after_two_confirmations(opened: Open, draft: Round) -> None:
    page = opened()
    (one, _black), (other, _other_black) = boards(draft)[:2]
    player(page, one, draft).click()
    player(page, other, draft).click()
    expect(page.locator("tr[data-board='1'] .pick").first).to_contain_text(str(other))
    page.locator("body").click(position={"x": 5, "y": 300})
    page.keyboard.press("e")
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 2, by hand and by the rules")
    shot(page, "by-hand-end")
    page.get_by_label("Why did you change the pairing?").fill("Brothers")
    page.get_by_role("button", name="Keep the pairs made by hand").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Keep round 2")
    expect(page.locator("code.line-of")).to_contain_text(re.compile(r"### MPA @ Round 2: .+ => .+"))
    shot(page, "by-hand-confirm")
    page.get_by_role("button", name="Record round 2 as paired by hand").click()
    page.wait_for_url("**/cockpit/")
    draft.refresh_from_db()
    assert (draft.manual, draft.manual_reason, draft.manual_phase) == (True, "Brothers", False)
    expect(page.locator("main")).to_contain_text("Paired by hand.")
    page.get_by_role("button", name="Publish round 2").click()
    expect(page.locator(".head .btn.go")).to_contain_text("Enter results")
    assert "### MPA @ Round 2: " in page.request.get(address(draft.section, "report.trf")).text()
    page.goto(address(draft.section, "log/"))
    expect(page.locator(".log-list .pill.warn").first).to_be_visible()
    expect(page.get_by_text("Reason: Brothers").first).to_be_visible()


def test_round_is_paired_by_hand_without_scripts(opened: Open, draft: Round) -> None:
    page = opened(java_script_enabled=False)
    (one, _black), (other, _other_black) = boards(draft)[:2]
    player(page, one, draft).click()
    expect(page.locator("#picked-words")).to_contain_text("is picked")
    follow(player(page, other, draft))
    assert boards(draft)[0][0] == other
    follow(player(page, other, draft))
    follow(page.get_by_role("button", name="Unpair"))
    assert draft.games.count() == 11
    follow(page.get_by_role("button", name="As the rules pair it"))
    follow(page.get_by_role("link", name="Compare and end"))
    follow(page.get_by_role("button", name="End pairing by hand"))
    draft.refresh_from_db()
    assert (draft.manual, draft.manual_phase) == (False, False)
