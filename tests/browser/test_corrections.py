"""A wrong result found a round later (GHR 4.3), and the way back to before a round."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.factories import section_of
from tests.web.staff.conftest import address, paired, played
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def section(server: str) -> Tournament:
    """Round 1 drawn on all boards, round 2 being played."""
    tournament = section_of(8, slug="a")
    played(tournament)
    paired(tournament)
    return tournament


@pytest.mark.parametrize("width", [1366, 360])
def test_wrong_result_of_the_round_before_is_corrected_after_a_preview(
    section: Tournament, opened: Callable[..., Page], server: str, width: int
) -> None:
    page = opened(viewport={"width": width, "height": 740})
    page.goto(f"{server}{address(section, 'round/1/corrections/2/')}")
    page.get_by_label("The right result").select_option("0-1")
    page.get_by_label("Who reported it").fill("both players")
    page.get_by_role("button", name="Look at what it changes").click()
    expect(page.get_by_text("Nothing is changed yet.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    game = section.played_rounds.get(number=1).games.get(board=2)
    assert game.result == "1/2"
    page.get_by_role("button", name="Correct the result").click()
    expect(page.get_by_text("Nothing is changed yet.")).to_have_count(0)
    game.refresh_from_db()
    assert game.result == "0-1"


def test_section_goes_back_to_before_a_round(
    section: Tournament, opened: Callable[..., Page], server: str
) -> None:
    page = opened()
    page.goto(f"{server}{address(section, 'restore/2/')}")
    page.get_by_label("Reason").fill("paired too early")
    page.get_by_role("button", name="Go back to before round 2").click()
    expect(page.locator(".head .btn.go")).to_contain_text("Pair round 2")
    assert section.played_rounds.count() == 1
