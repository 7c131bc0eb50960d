"""Parts of a page that stay in view: the tools of long lists, the beginning of a list, and the current row."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PageMaker, Seat
from tests.browser.made import made_once
from tests.factories import EventFactory, section_of
from tests.web.staff.conftest import address, enter, paired, played
from tournaments.models import Game, Section

BOARDS = 57
LAPTOP = {"width": 1366, "height": 768}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def fifty_seven_boards() -> Section:
    """Fifty-seven boards, the first round over, the second running."""
    made = section_of(2 * BOARDS, event=EventFactory(slug="rijswijk"), slug="a")
    played(made)
    paired(made)
    return made


@pytest.fixture
def section(server: str) -> Section:
    return made_once(fifty_seven_boards)


def box(page: Page, selector: str) -> dict[str, float]:
    found = page.locator(selector).first.bounding_box()
    assert found is not None, selector
    return found


EDGES = """(above) => {
  const [bar, row, keys] = [above, "tr.here", "#keys"].map((each) =>
    document.querySelector(each).getBoundingClientRect());
  return [bar.bottom, row.top, row.bottom, keys.top];
}"""
"""The end of the bar above the list, the edges of the current row, and the beginning of the keys below the list."""


def bottom(page: Page, selector: str) -> float:
    found = box(page, selector)
    return found["y"] + found["height"]


def test_tools_and_heads_of_results_stay_in_view(seat: Seat, section: Section) -> None:
    page = seat(section, "round/2/results/", viewport=LAPTOP)
    page.keyboard.press("b")
    page.keyboard.type("57")
    expect(page.locator("tr.here")).to_have_attribute("data-board", "57")
    assert page.evaluate("scrollY") > 0
    for tool in ("#find", "[data-show=missing]", "#verify", ".entry thead .c-res"):
        expect(page.locator(tool).first).to_be_in_viewport(ratio=1)
    assert bottom(page, ".entry-page .head") <= box(page, ".entry thead th")["y"] + 1
    expect(page.locator("#board-57")).to_be_in_viewport(ratio=1)
    assert bottom(page, "#board-57") <= box(page, "#keys")["y"] + 1
    page.set_viewport_size({"width": 740, "height": 360})  # a low window leaves its room to the list
    page.locator("#board-40 select").focus()
    expect(page.locator(".entry-page .head")).not_to_be_in_viewport()
    assert bottom(page, "#board-40") <= box(page, "#keys")["y"] + 1


@pytest.mark.parametrize("options", [{"viewport": LAPTOP}, PHONE], ids=["laptop", "phone"])
def test_current_row_of_results_is_never_under_a_bar(
    seat: Seat, section: Section, options: dict[str, object]
) -> None:
    """A link leads to a board. The arrow keys go down the list to the last board, and up again to the first."""
    page = seat(section, "round/2/results/#board-40", **options)
    above = ".entry-page .find-in" if options == PHONE else ".entry thead th"
    expect(page.locator("tr.here")).to_have_attribute("data-board", "40")
    assert bottom(page, above) <= box(page, "tr.here")["y"] + 1
    page.locator("#board-1 .p-w").click()
    for key in ("ArrowDown", "ArrowUp"):
        for _ in range(BOARDS - 1):
            page.keyboard.press(key)
            end_of_bar, top, end, keys = page.evaluate(EDGES, above)
            assert end_of_bar <= top + 1
            assert end <= keys + 1
        assert key == "ArrowUp" or page.locator("tr.here").get_attribute("data-board") == "57"
        expect(page.locator(above).first).to_be_in_viewport(ratio=1)
    assert page.locator("tr.here").get_attribute("data-board") == "1"


def test_the_aro_list_begins_beside_its_picture(new_page: PageMaker, section: Section) -> None:
    page = new_page(viewport=LAPTOP)
    page.goto(address(section, "aro/2/"))
    assert page.locator("tr[data-find]:not([hidden])").nth(12).bounding_box()["y"] < LAPTOP["height"]
    list_, picture = box(page, "#aro"), box(page, ".spread")
    assert list_["x"] + list_["width"] <= picture["x"]
    expect(page.locator(".spread-fig")).to_be_in_viewport(ratio=1)


def test_the_aro_list_of_a_phone_begins_before_its_picture(new_page: PageMaker, section: Section) -> None:
    page = new_page(**PHONE)
    page.goto(address(section, "aro/2/"))
    expect(page.locator("tr[data-find]").nth(4)).to_be_in_viewport()
    page.get_by_role("link", name="Spread of ARO").click()
    expect(page.locator(".spread")).to_be_in_viewport()


def test_controls_of_the_hall_screen_do_not_cover_the_page_numbers(
    new_page: PageMaker, section: Section
) -> None:
    page = new_page()
    for width, height in ((1366, 768), (1920, 1080), (768, 1366)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address(section, "screen/"))
        page.mouse.move(5, 5)
        page.mouse.move(6, 6)
        expect(page.locator("#controls")).to_be_visible()
        controls, leaf = box(page, "#controls"), box(page, "#leaf")
        assert controls["y"] + controls["height"] <= leaf["y"]


def test_the_board_map_and_the_link_back_to_it(seat: Seat, section: Section) -> None:
    games = Game.objects.filter(round__number=2)
    page = seat(section, f"game/{games.get(board=1).pk}/absent/")
    # The link back to the cockpit begins where the heading begins.
    words = page.get_by_role("link", name="Back to the cockpit").evaluate(
        """(link) => {
            const text = document.createRange()
            text.selectNodeContents(link)
            return text.getBoundingClientRect().left
        }"""
    )
    assert abs(words - box(page, "main h1")["x"]) < 1
    # The map tells an adjourned game from one without a slip.
    enter(games.get(board=3), "adj")
    games.filter(board=4).update(over_at="2026-10-18T16:00:00Z")
    page.goto(address(section, "cockpit/"))
    cells = {board: page.locator(".map a").nth(board - 1) for board in (3, 4)}
    assert [cell.locator(".sr").inner_text() for cell in cells.values()] == ["Adjourned", "no slip"]
    drawn = "(cell) => [getComputedStyle(cell).backgroundImage, getComputedStyle(cell).borderStyle].join()"
    assert cells[3].evaluate(drawn) != cells[4].evaluate(drawn)
    for board, words in ((3, "adjourned"), (4, "no slip")):
        key = page.locator(".map-key span", has_text=words).locator("i")
        assert key.evaluate(drawn) == cells[board].evaluate(drawn)


@pytest.mark.parametrize(("options", "widths"), [(PHONE, [360]), ({}, [640, 760, 1366])])
def test_all_tabs_of_the_public_pages_are_in_view(
    new_page: PageMaker, section: Section, options: dict[str, object], widths: list[int]
) -> None:
    page = new_page(**options)
    for rest in ("pairings/", "results/", "aro/", "players/"):
        page.goto(address(section, rest))
        for width in widths:
            page.set_viewport_size({"width": width, "height": 740})
            for tab in page.locator(".tabs a").all():
                expect(tab).to_be_in_viewport(ratio=1)
