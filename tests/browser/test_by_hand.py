"""Pairing by hand in a real browser: with the mouse, with keys, on a phone, without script."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pairing.rounds.by_hand import begin_manual_phase
from tests.browser.conftest import LogIn, PageMaker, follow
from tests.browser.people import section_of_people
from tests.browser.results import fits
from tests.factories import EventRoleFactory, section_of
from tests.web.staff.conftest import address, paired, played
from tournaments.actions.ledger import Actor
from tournaments.models import Bye, Player, Round, Section

Open = Callable[..., Page]
HINT_FITS = """field => {
  const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(field);
  pen.font = style.font;
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pen.measureText(field.placeholder).width <= room;
}"""


def shot(page: Page, name: str) -> None:
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True, caret="initial")


def boards(row: Round) -> list[tuple[int, int]]:
    return list(row.games.order_by("board").values_list("white__tpn", "black__tpn"))


@pytest.fixture
def draft(server: str) -> Round:
    """Round 2 of twenty-five people, a draft that is open for changes."""
    section: Section = section_of_people(initial_colour="w", rounds=7)
    played(section)
    row = paired(section, published=False)
    return begin_manual_phase(actor=Actor.command(), round_id=row.pk, seen_version=row.version)


@pytest.fixture
def opened(draft: Round, new_page: PageMaker, log_in: LogIn) -> Open:
    """Return a function that opens the page of the draft; its options are those of `new_page`."""

    def opened(**options: object) -> Page:
        page = new_page(**options)
        log_in(page, EventRoleFactory(event=draft.section.event).user)
        page.goto(address(draft.section, "round/2/by-hand/"))
        return page

    return opened


def player(page: Page, tpn: int, row: Round) -> object:
    return page.locator(f"#p-{row.section.participants.get(tpn=tpn).pk}")


def test_two_clicks_change_places_without_loading_the_page(opened: Open, draft: Round) -> None:
    page = opened()
    (one, _black), (other, _other_black) = boards(draft)[:2]
    page.evaluate("document.body.dataset.same = 'yes'")
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


def test_selected_player_is_marked_like_a_picked_one(opened: Open, draft: Round) -> None:
    """After a change by mouse the pointer is on another player, and the buttons are about the one who has the focus."""
    page = opened()
    (one, _black), (other, _other_black), (third, _third_black) = boards(draft)[:3]
    strong = player(page, third, draft)
    strong.click()
    expect(strong).to_have_attribute("aria-pressed", "true")
    look = strong.evaluate(
        "each => [getComputedStyle(each).backgroundColor, getComputedStyle(each).borderTopWidth]"
    )
    strong.click()
    player(page, one, draft).click()
    player(page, other, draft).click()
    expect(page.locator("tr[data-board='1'] .pick").first).to_contain_text(str(other))
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


@pytest.fixture
def started(server: str, new_page: PageMaker, log_in: LogIn) -> tuple[Page, Round]:
    """Return the page of a round on which an arbiter has just started pairing by hand."""
    section = section_of_people(8, initial_colour="w", rounds=7)
    row = paired(section, published=False)
    page = new_page()
    log_in(page, EventRoleFactory(event=section.event).user)
    page.goto(address(section, "round/1/by-hand/"))
    page.get_by_role("button", name="Start pairing by hand").click()
    return page, row


def test_players_can_be_picked_as_soon_as_pairing_by_hand_begins(started: tuple[Page, Round]) -> None:
    page, row = started
    first = player(page, boards(row)[0][0], row)
    first.click()
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(first).to_have_css("display", "flex")


def test_second_click_or_escape_unpicks_a_player(opened: Open, draft: Round) -> None:
    page = opened()
    one = boards(draft)[0][0]
    player(page, one, draft).click()
    player(page, one, draft).click()
    expect(player(page, one, draft)).to_have_attribute("aria-pressed", "false")
    player(page, one, draft).click()
    page.keyboard.press("Escape")
    expect(player(page, one, draft)).to_have_attribute("aria-pressed", "false")
    assert draft.version == Round.objects.get(pk=draft.pk).version


def test_toast_of_the_start_disappears_with_the_first_change(started: tuple[Page, Round]) -> None:
    """The Undo of that toast would undo the start of pairing by hand, and not the last change."""
    page, row = started
    expect(page.locator("[data-toast]")).to_contain_text("pairing by hand started")
    page.locator("[data-toast]").hover()  # a toast under the pointer does not disappear by itself
    (one, _black), (other, _other_black) = boards(row)[:2]
    player(page, one, row).focus()
    page.keyboard.press("Enter")
    player(page, other, row).focus()
    page.keyboard.press("Enter")
    expect(page.locator("tr[data-board='1'] .pick").first).to_contain_text(str(other))
    expect(page.locator("[data-toast]")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_have_text(re.compile("Undo the last change"))


def test_tap_low_on_a_phone_picks_the_player(opened: Open, draft: Round) -> None:
    """The buttons of the picked player do not cover the player before the tap ends."""
    page = opened(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page.evaluate("scrollTo(0, 150)")
    bar = page.locator("#keys").bounding_box()["y"]
    boxes = [each.bounding_box() for each in page.locator(".hand .pick").all()]
    low = max(y for y in (box["y"] + box["height"] / 2 for box in boxes) if y < bar - 4)
    assert bar - low < 60  # the buttons, once they are shown, reach higher
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


def test_second_half_point_bye_asks_for_confirmation(opened: Open, draft: Round) -> None:
    white = boards(draft)[0][0]
    entry = draft.section.participants.get(tpn=white)
    Bye.objects.create(participant=entry, round_number=3, kind="H", source=Bye.Source.REQUESTED)
    page = opened()
    player(page, white, draft).focus()
    page.keyboard.press("h")
    expect(page.locator("#ask")).to_contain_text("already has a half-point bye")
    shot(page, "by-hand-second-half-point-bye")
    expect(page.locator("#cancel")).to_be_focused()
    page.keyboard.press("y")
    expect(page.locator("#ask")).to_have_count(0)
    expect(page.locator(".rests")).to_contain_text("half-point bye")
    page.locator(".rests .pick").focus()
    acts = page.locator("#acts")
    for name in ("Exchange colours", "Give the bye", "Half-point bye", "Zero-point bye"):
        expect(acts.get_by_role("button", name=name)).to_be_disabled()
    expect(page.locator("#impossible")).to_have_text("To change anything else, cancel the bye first.")
    for width in (1366, 360):
        page.set_viewport_size({"width": width, "height": 768})
        shot(page, f"by-hand-bye-{width}")
    page.set_viewport_size({"width": 1366, "height": 768})
    version = Round.objects.get(pk=draft.pk).version
    page.keyboard.press("Enter")
    page.locator("tr[data-board='2'] .pick").first.click()  # picks this player, and no change is sent
    expect(page.locator("#picked-words")).to_contain_text("is picked. Pick the other player, or:")
    expect(page.locator("#impossible")).to_be_empty()
    page.keyboard.press("Escape")
    assert Round.objects.get(pk=draft.pk).version == version
    page.locator(".rests .pick").focus()
    expect(acts.get_by_role("button", name="Cancel the bye")).to_be_enabled()
    page.keyboard.press("x")
    expect(page.locator(".rests")).to_have_count(0)
    page.locator(f"#p-{entry.pk}").focus()
    expect(page.locator("#impossible")).to_have_text("Not on a board yet.")
    expect(acts.get_by_role("button", name="Unpair")).to_be_disabled()
    expect(acts.get_by_role("button", name="Zero-point bye")).to_be_enabled()


def test_everything_by_keys(opened: Open, draft: Round) -> None:
    page = opened()
    (white, black), (_second, second_black) = boards(draft)[:2]
    page.keyboard.press("ArrowDown")
    expect(player(page, white, draft)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(player(page, black, draft)).to_be_focused()
    page.keyboard.press("w")
    expect(page.locator("tr[data-board='1'] .pick").first).to_contain_text(str(black))
    expect(page.locator("#new-concerns")).to_contain_text("but both get the opposite")
    page.keyboard.press("u")
    expect(page.locator("tr[data-board='1'] .pick").first).to_contain_text(str(white))
    expect(page.locator("#new-concerns")).to_have_count(0)
    expect(player(page, black, draft)).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    expect(player(page, second_black, draft)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("tr[data-board='2'] .pick").nth(1)).to_contain_text(str(black))
    assert boards(draft)[:2][1][1] == black
    page.keyboard.press("x")
    expect(page.locator(".pool .pick")).to_have_count(3)
    assert draft.games.count() == 11


def test_search_finds_boards_numbers_and_names(opened: Open, draft: Round) -> None:
    page = opened()
    page.keyboard.press("7")  # a result in Results, and nothing here
    expect(page.locator("#find")).not_to_be_focused()
    page.keyboard.press("b")
    expect(page.locator("#find")).to_be_focused()
    page.keyboard.press("7")
    page.keyboard.press("Enter")
    expect(page.locator("tr[data-board='7'] .pick").first).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.type("zmij")
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_contain_text("Żmijewski")
    page.keyboard.press("/")
    page.keyboard.type("nobody at all")
    expect(page.locator("#found")).to_be_visible()


def test_bye_goes_to_another_player_and_a_player_gets_a_zero_point_bye(opened: Open, draft: Round) -> None:
    """Number 25 had the bye in round 1, number 24 has it now."""
    page = opened()
    (first, second), *_others = boards(draft)
    other = first if second == 25 else second
    player(page, 25, draft).focus()
    page.keyboard.press("r")
    expect(page.locator("#ask")).to_contain_text("25 Fernández Núñez, Ángel had the bye in round 1")
    expect(page.locator("#ask")).to_contain_text("C2 3.1.2")
    question, answer = (page.locator(which).bounding_box() for which in ("#ask-what", "#cancel"))
    assert answer["y"] - question["y"] - question["height"] >= 8  # the ring of the focus is outside the text
    shot(page, "by-hand-asked")
    expect(page.locator("#cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#ask")).to_have_count(0)
    player(page, 25, draft).focus()
    page.keyboard.press("r")
    expect(page.locator("#ask")).to_be_visible()
    page.keyboard.press("y")
    expect(page.locator("#ask")).to_have_count(0)
    assert Bye.objects.get(kind="U", round_number=2).participant.tpn == 25
    player(page, 24, draft).focus()
    page.keyboard.press("x")
    expect(page.locator(".pool .pick")).to_have_count(3)
    player(page, other, draft).focus()
    page.keyboard.press("z")
    expect(page.get_by_text("zero-point bye", exact=True)).to_be_visible()


MARGIN = """items => items.map((item) => {
    const words = document.createTreeWalker(item, NodeFilter.SHOW_TEXT)
    const rights = []
    while (words.nextNode()) {
        if (!words.currentNode.data.trim() || words.currentNode.parentElement.closest(".art, .sr")) continue
        const range = document.createRange()
        range.selectNodeContents(words.currentNode)
        rights.push(...[...range.getClientRects()].map((box) => box.right))
    }
    const articles = [...item.querySelectorAll(".art")].map((each) => each.getBoundingClientRect())
    const end = item.getBoundingClientRect().right
    return articles.length > 0 && articles.every((box) => box.left >= Math.max(...rights) && box.right <= end + 1)
})"""


@pytest.mark.parametrize("width", [1366, 360])
def test_articles_of_the_comparison_stay_in_their_margin(opened: Open, draft: Round, width: int) -> None:
    page = opened(viewport={"width": width, "height": 768})
    (one, _black), (other, _other_black) = boards(draft)[:2]
    player(page, one, draft).click()
    player(page, other, draft).click()
    expect(page.locator("tr[data-board='1'] .pick").first).to_contain_text(str(other))
    page.locator("#leave").click()
    steps = page.locator("ol.prose > li")
    expect(steps.first).to_be_visible()
    assert set(steps.evaluate_all(MARGIN)) == {True}


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
    page.wait_for_url("**/desk/")
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1366])
def test_pages_fit_the_screen(opened: Open, draft: Round, width: int, scheme: str) -> None:
    page = opened(viewport={"width": width, "height": 740}, color_scheme=scheme, has_touch=width == 360)
    (one, black), (other, _other_black) = boards(draft)[:2]
    player(page, one, draft).click()
    shot(page, f"by-hand-{width}-{scheme}-picked")
    player(page, other, draft).click()
    expect(page.locator("tr[data-board='1'] .pick").first).to_contain_text(str(other))
    player(page, black, draft).click()
    page.get_by_role("button", name="Unpair").click()
    expect(page.locator(".pool .pick")).to_have_count(3)
    shot(page, f"by-hand-{width}-{scheme}")
    assert page.locator("main").evaluate("main => main.scrollWidth > window.innerWidth") is False
    assert page.locator("#find").evaluate(HINT_FITS)
    sizes = page.locator(".pick").evaluate_all("all => Math.min(...all.map(each => each.offsetHeight))")
    assert sizes >= (24 if width > 360 else 28)
    for rest in (
        "round/2/by-hand/end/",
        "round/1/by-hand/",
        "forbidden-pairs/",
        "round/1/corrections/",
        "round/1/corrections/1/",
    ):
        page.goto(address(draft.section, rest))
        shot(page, f"by-hand-{width}-{scheme}-{rest.strip('/').replace('/', '-')}")
        assert page.locator("main").evaluate("main => main.scrollWidth > window.innerWidth") is False


def test_long_names_are_complete_on_a_phone(opened: Open, draft: Round) -> None:
    Player.objects.update(name="Constantinopolitanski-Vandenbroucke, Maximiliano Alexander")
    page = opened(viewport={"width": 360, "height": 740})
    shot(page, "by-hand-360-long-names")
    cut = page.locator(".seat .nm").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    )
    assert (page.locator(".seat .nm").count(), cut) == (25, 0)


def test_page_of_a_round_that_the_rules_cannot_pair_fits_a_phone(
    server: str, new_page: PageMaker, log_in: LogIn
) -> None:
    section = section_of(2, rounds=3)
    played(section)
    page = new_page(viewport={"width": 360, "height": 740})
    log_in(page, EventRoleFactory(event=section.event).user)
    page.goto(address(section, "desk/"))
    page.get_by_role("button", name="Pair round 2").first.click()
    expect(page.get_by_role("button", name="Start with the proposal")).to_be_visible()
    assert fits(page)
