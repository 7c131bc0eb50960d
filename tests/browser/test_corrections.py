"""A wrong result is found a round later (GHR 4.3); a section goes back to before a round."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Seat
from tests.browser.made import made_once
from tests.browser.results import fits, saved
from tests.factories import section_of
from tests.web.staff.conftest import address, enter, paired, played
from tournaments.models import Section

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def in_round_2() -> Section:
    """Round 1 drawn on all boards, round 2 being played."""
    section = section_of(8, slug="a")
    played(section)
    paired(section)
    return section


@pytest.fixture
def section(server: str) -> Section:
    return made_once(in_round_2)


def test_wrong_result_of_the_round_before_is_corrected_after_a_preview(
    section: Section, opened: Callable[..., Page], server: str
) -> None:
    page = opened(viewport={"width": 360, "height": 740})
    page.goto(f"{server}{address(section, 'round/1/corrections/2/')}")
    page.get_by_label("Correct result").select_option("0-1")
    page.get_by_label("Who reported the mistake").fill("both players")
    page.get_by_role("button", name="Show what it changes").click()
    expect(page.get_by_text("Nothing is changed yet.")).to_be_visible()
    assert fits(page)
    game = section.played_rounds.get(number=1).games.get(board=2)
    assert game.result == "1/2"
    page.get_by_role("button", name="Correct the result").click()
    expect(page.get_by_text("Nothing is changed yet.")).to_have_count(0)
    game.refresh_from_db()
    assert game.result == "0-1"


def test_result_reported_too_late_counts_for_rating_only(section: Section, seat: Seat) -> None:
    """Round 3 is paired, so round 1 can no longer change pairings and standings."""
    for game in section.played_rounds.get(number=2).games.all():
        enter(game, "1/2")
    paired(section)
    page = seat(section, "round/1/corrections/", viewport={"width": 360, "height": 740})
    standings, crosstable = (text(page, section, rest) for rest in ("standings/", "crosstable/"))
    page.goto(address(section, "round/1/corrections/"))
    expect(page.get_by_text("It is too late to change pairings and standings")).to_be_visible()
    page.get_by_role("link", name=re.compile("^Correct ?, board 2$")).press("Enter")
    expect(page.get_by_text("Too late: it counts for rating only")).to_be_visible()
    expect(page.get_by_role("radio")).to_have_count(0)
    page.get_by_label("Correct result").select_option("0-1")
    page.get_by_label("Who reported the mistake").fill("Black, on Sunday")
    page.get_by_label("Who reported the mistake").press("Enter")
    expect(page.get_by_text("Points, standings and pairings do not change.")).to_be_visible()
    assert fits(page)
    page.get_by_role("button", name="Correct the result").click()
    row = page.locator("#list tbody tr").nth(1)
    expect(row).to_contain_text("½")
    expect(row.get_by_text("for rating 0–1")).to_be_visible()
    assert fits(page)
    game = section.played_rounds.get(number=1).games.get(board=2)
    assert (game.result, game.rating_result) == ("1/2", "0-1")
    assert text(page, section, "standings/") == standings
    assert text(page, section, "crosstable/") == crosstable
    for other in section.played_rounds.get(number=3).games.all():
        enter(other, "1/2")
    for rating, signs in (("", "=="), ("?for=rating&unfinished=yes", "01")):
        report = page.request.get(address(section, f"report.trf{rating}")).text()
        assert f"### Rating correction @ Round 1: {game.white.tpn}-{game.black.tpn}: 1/2 => 0-1" in report
        assert "".join(first_result(report, side.tpn) for side in (game.white, game.black)) == signs
    page.goto(address(section, "log/"))
    expect(page.get_by_text("Reason: Black, on Sunday").first).to_be_visible()


def first_result(report: str, tpn: int) -> str:
    """Return the result code of round 1 in a player's line of a report file (TRF, column 99)."""
    return next(line[98] for line in report.splitlines() if line.startswith(f"001 {tpn:4}"))


def text(page: Page, section: Section, rest: str) -> str:
    """Return the text of a page without what every action changes: the line about its revision and the undo."""
    page.goto(address(section, rest))
    page.evaluate("document.querySelectorAll('#as-of, .toast').forEach((line) => line.remove())")
    return page.locator("main").inner_text()


def test_section_goes_back_to_before_a_round(
    section: Section, opened: Callable[..., Page], server: str
) -> None:
    page = opened()
    page.goto(f"{server}{address(section, 'restore/2/')}")
    page.get_by_label("Reason").fill("paired too early")
    page.get_by_role("button", name="Go back to before round 2").click()
    expect(page.locator(".head .btn.go")).to_contain_text("Pair round 2")
    assert section.played_rounds.count() == 1


def test_error_reported_in_time_is_corrected_before_the_next_round(server: str, seat: Seat) -> None:
    """Round 2 is still a draft: it is unpaired, the result is changed on the page Results, and it is paired again."""
    section = section_of(8)
    played(section)
    paired(section, published=False)
    page = seat(section, "round/1/corrections/")
    page.get_by_role("button", name="Unpair round 2").click()
    expect(page.locator(".head .btn.go")).to_contain_text("Pair round 2")
    page.goto(address(section, "round/1/results/#board-2"))
    expect(page.locator("tr.here")).to_have_attribute("data-board", "2")
    page.keyboard.press("0")
    saved(page)
    winner = section.played_rounds.get().games.get(board=2).black
    page.goto(address(section, "cockpit/"))
    page.get_by_role("button", name="Pair round 2").click()
    row = page.locator(".boards-in tbody tr", has_text=winner.player.name)
    expect(row.locator("th")).to_have_text("1")  # nobody else has as many points


def test_wrong_colours_are_exchanged(section: Section, seat: Seat) -> None:
    game = section.played_rounds.get(number=2).games.get(board=1)
    enter(game, "1-0")
    page = seat(section, "round/2/corrections/1/")
    page.get_by_label("The colours in the program are wrong").check()
    page.get_by_label("Correct result").select_option("0-1")
    page.get_by_label("Who reported the mistake").fill("White, at the desk")
    page.get_by_role("button", name="Show what it changes").click()
    expect(page.get_by_text("No points and no places change.")).to_be_visible()
    page.get_by_role("button", name="Correct the result").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Corrections, round 2")
    turned = section.played_rounds.get(number=2).games.get(board=1)
    assert (turned.white_id, turned.black_id, turned.result) == (game.black_id, game.white_id, "0-1")
