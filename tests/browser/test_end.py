"""The end of a section: the last result, closing, the final lists; then it is reopened, corrected and closed again."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PageMaker, Seat
from tests.browser.results import saved
from tests.factories import section_of
from tests.web.staff.conftest import address, enter, paired, played
from tournaments.actions.ledger import Actor
from tournaments.actions.sections import close_section
from tournaments.models import Section


@pytest.fixture
def section(server: str) -> Section:
    """Six players, two rounds; the last board of the last round is being played."""
    made = section_of(6, rounds=2)
    played(made)
    for game in paired(made).games.filter(board__lt=3):
        enter(game, "1-0")
    return made


def close(page: Page) -> None:
    page.locator("#step-close").get_by_role("link", name="Close").click()
    page.get_by_role("button", name="Close the section").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The section is closed")
    expect(page.locator("#step-close")).to_contain_text("Nothing in the section can change.")


def enter_last(page: Page, section: Section, key: str) -> None:
    """Type the result of board 3 and go to the cockpit."""
    page.goto(address(section, "round/2/results/#board-3"))
    expect(page.locator("tr.here")).to_have_attribute("data-board", "3")
    page.keyboard.press(key)
    saved(page)
    page.goto(address(section, "cockpit/"))


def test_last_result_lets_the_section_be_closed(section: Section, seat: Seat, new_page: PageMaker) -> None:
    page = seat(section, "cockpit/", role="chief")
    expect(page.locator("#step-close")).to_have_count(0)
    enter_last(page, section, "1")
    close(page)
    page.goto(address(section, "round/2/results/"))
    expect(page.get_by_text("The section is closed. Its results no longer change.")).to_be_visible()
    visitor = new_page()
    visitor.goto(address(section, "standings/"))
    expect(visitor.locator(".pill", has_text="Final")).to_be_visible()


def test_closed_section_is_reopened_to_correct_an_error(section: Section, seat: Seat) -> None:
    game = enter(section.played_rounds.get(number=2).games.get(board=3), "1-0")
    close_section(actor=Actor.command(), section_id=section.pk)
    page = seat(section, "settings/", role="chief")
    page.get_by_label("Reason").fill("board 3 was a draw")
    page.get_by_role("button", name="Reopen").press("Enter")
    expect(page.locator("main")).not_to_contain_text("Reopen")
    enter_last(page, section, "5")
    close(page)
    game.refresh_from_db()
    assert game.result == "1/2"


def test_closing_early_asks_for_a_reason(server: str, seat: Seat) -> None:
    section = section_of(6, rounds=5)
    played(section)
    page = seat(section, "close/", role="chief")
    expect(
        page.get_by_text("4 rounds are left. If you close the section now, they are not paired.")
    ).to_be_visible()
    page.get_by_label("Reason").fill("a storm")
    page.get_by_role("button", name="Close the section").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("The section is closed")
    section.refresh_from_db()
    assert section.is_closed
