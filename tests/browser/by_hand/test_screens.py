"""The pages of pairing by hand fit screens of all sizes."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.by_hand.conftest import Open, boards, player, shot
from tests.browser.conftest import SCHEMES, LogIn, PageMaker
from tests.browser.results import fits
from tests.factories import EventRoleFactory, section_of
from tests.web.staff.conftest import address, played
from tournaments.models import Player, Round

HINT_FITS = """field => {
  const pen = document.createElement("canvas").getContext("2d"), style = getComputedStyle(field);
  pen.font = style.font;
  const room = field.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pen.measureText(field.placeholder).width <= room;
}"""


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


def test_articles_of_the_comparison_stay_in_their_margin(opened: Open, draft: Round) -> None:
    page = opened()
    (one, _black), (other, _other_black) = boards(draft)[:2]
    player(page, one, draft).click()
    player(page, other, draft).click()
    expect(page.locator("tr[data-board='1'] .pick").first).to_contain_text(str(other))
    page.locator("#leave").click()
    steps = page.locator("ol.prose > li")
    expect(steps.first).to_be_visible()
    for width in (1366, 360):
        page.set_viewport_size({"width": width, "height": 768})
        assert set(steps.evaluate_all(MARGIN)) == {True}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_pages_fit_the_screen(opened: Open, draft: Round, scheme: str) -> None:
    """On a phone, and on a laptop with a touch screen."""
    page = opened(color_scheme=scheme, has_touch=True)
    (one, black), (other, _other_black) = boards(draft)[:2]
    player(page, one, draft).click()
    player(page, other, draft).click()
    expect(page.locator("tr[data-board='1'] .pick").first).to_contain_text(str(other))
    player(page, black, draft).click()
    page.get_by_role("button", name="Unpair").click()
    expect(page.locator(".pool .pick")).to_have_count(3)
    for width in (1366, 360):
        page.set_viewport_size({"width": width, "height": 740})
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
        for width in (1366, 360):
            page.set_viewport_size({"width": width, "height": 740})
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
    page.goto(address(section, "cockpit/"))
    page.get_by_role("button", name="Pair round 2").first.click()
    expect(page.get_by_role("button", name="Start with the proposal")).to_be_visible()
    assert fits(page)
