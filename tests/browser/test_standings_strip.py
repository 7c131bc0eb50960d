"""The strip of rounds in the standings of a large section."""

from __future__ import annotations

from evenboard_engine import Result
from tests.browser.conftest import PageMaker
from tests.web.public.conftest import new_section

OVER_THE_NEXT_BOX = """
boxes => boxes.filter(box => {
  const place = box.querySelector("small"), next = box.nextElementSibling;
  return place && next && place.getBoundingClientRect().right >= next.getBoundingClientRect().left;
}).length
"""
COLOURS = """
box => (({ borderTopStyle, borderTopColor, backgroundColor }) => [borderTopStyle, borderTopColor, backgroundColor])(
  getComputedStyle(box)
)
"""


def test_places_of_three_digits_fit_and_an_adjourned_game_is_marked_for_both_colours(
    server: str, new_page: PageMaker
) -> None:
    section = new_section(rounds=3)
    for tpn in range(1, 121):
        section.enter(tpn, f"Player {tpn}", 2500 - tpn)
    for number in (1, 2, 3):
        result = Result.ADJOURNED if number == 3 else Result.WHITE_WINS
        section.play(number, "finished", *((tpn, tpn + 60, result) for tpn in range(1, 61)))
    page = new_page(viewport={"width": 1366, "height": 768})
    page.goto(f"{section.url}standings/")
    assert page.locator("td.rds small").first.is_visible()
    assert page.locator("td.rds i").evaluate_all(OVER_THE_NEXT_BOX) == 0
    assert page.locator(".strip-key").is_visible()
    for kind in (".w.o", ".b.o"):
        style, line, ground = page.locator(f"td.rds {kind} b").first.evaluate(COLOURS)
        assert (style, line == ground) == ("dashed", False), kind
    assert page.locator("thead th").first.bounding_box()["width"] < 60
