"""Forbidden pairs with their rounds: added, seen in the pairing, removed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Seat
from tests.browser.results import fits
from tests.factories import section_of
from tests.web.staff.conftest import address, paired, played
from tournaments.models import Round, Section


@pytest.fixture
def section(server: str) -> Section:
    """Eight players, nothing paired: by the rules 1 meets 5 in round 1."""
    return section_of(8)


def form_of(page: Page) -> Locator:
    """Return the form of a pair: the form of a rule has the same labels."""
    return page.locator("form", has=page.get_by_role("button", name="Forbid this pair"))


def meetings(section: Section) -> list[set[int]]:
    """Return the pairs of the last round, as sets of pairing numbers."""
    row: Round = section.played_rounds.latest("number")
    return [set(pair) for pair in row.games.values_list("white__tpn", "black__tpn")]


def pair_by_enter(page: Page, section: Section, number: int) -> None:
    page.goto(address(section, "cockpit/"))
    expect(page.locator(".head .btn.go")).to_contain_text(f"Pair round {number}")
    page.keyboard.press("Enter")
    expect(page.locator(".head .btn.go")).to_contain_text(f"Check round {number}")


def unpair(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"Unpair round {number}").click()
    expect(page.locator(".head .btn.go")).to_contain_text(f"Pair round {number}")


def take_back(page: Page, section: Section) -> None:
    page.goto(address(section, "forbidden-pairs/"))
    page.get_by_role("button", name="Remove").press("Enter")
    expect(page.get_by_text("Nobody is kept apart.")).to_be_visible()


def test_pair_is_kept_apart_and_allowed_again_by_keyboard(section: Section, seat: Seat) -> None:
    page = seat(section, "forbidden-pairs/", viewport={"width": 360, "height": 740})
    page.get_by_label("Player", exact=True).focus()
    for field, text in (
        ("Player", "1"),
        ("Other player", section.participants.get(tpn=5).player.name),
        ("From round", ""),
        ("To round", "2"),
        ("Reason", "Sisters"),
    ):
        expect(form_of(page).get_by_label(field, exact=field == "Player")).to_be_focused()
        if text:
            page.keyboard.insert_text(text)
        if field != "Reason":
            page.keyboard.press("Tab")
    expect(form_of(page).get_by_label("Reason")).to_have_value("Sisters")
    page.keyboard.press("Enter")
    expect(page.get_by_role("cell", name="1–2")).to_be_visible()
    assert fits(page)
    pair_by_enter(page, section, 1)
    assert {1, 5} not in meetings(section)
    unpair(page, 1)
    take_back(page, section)
    assert fits(page)
    pair_by_enter(page, section, 1)
    assert {1, 5} in meetings(section)


def test_rounds_of_a_pair_are_changed_until_its_first_round_is_paired(section: Section, seat: Seat) -> None:
    page = seat(section, "forbidden-pairs/")
    for field, text in (("Other player", "5"), ("From round", "2"), ("Reason", "Sisters")):
        form_of(page).get_by_label(field).fill(text)
    page.get_by_label("Player", exact=True).fill("1")
    page.get_by_role("button", name="Forbid this pair").click()
    expect(page.get_by_role("cell", name="2–7")).to_be_visible()
    page.get_by_role("link", name="Change").click()
    expect(page.get_by_role("button", name="Save")).to_be_visible()
    page.get_by_label("From round").fill("1")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("cell", name="1–7")).to_be_visible()
    pair_by_enter(page, section, 1)
    assert {1, 5} not in meetings(section)
    page.goto(address(section, "forbidden-pairs/"))
    expect(page.get_by_text("Round 1 is paired, so these pairs are fixed.")).to_be_visible()
    expect(page.get_by_role("link", name="Change")).to_have_count(0)
    assert page.request.get(address(section, "report.trf")).text().count("\n260 ") == 1


def test_pair_is_added_after_round_1_only_outside_fide_mode(section: Section, seat: Seat) -> None:
    played(section)
    row = paired(section, published=False)
    white, black = row.games.values_list("white__tpn", "black__tpn")[0]
    page = seat(section, "cockpit/")
    unpair(page, 2)
    page.goto(address(section, "forbidden-pairs/"))
    page.get_by_role("link", name="FIDE mode").click()
    page.get_by_role("button", name="Leave FIDE mode").click()
    expect(page.get_by_text("This cannot be undone")).to_be_visible()
    page.get_by_label("Reason").fill("a late wish of the federation")
    page.get_by_role("button", name="Leave FIDE mode permanently").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    page.goto(address(section, "forbidden-pairs/"))
    page.get_by_label("Player", exact=True).fill(str(white))
    page.get_by_label("Other player").fill(str(black))
    form_of(page).get_by_label("Reason").fill("Sisters")
    page.get_by_role("button", name="Forbid this pair").click()
    expect(page.get_by_role("cell", name="2–7")).to_be_visible()
    pair_by_enter(page, section, 2)
    assert {white, black} not in meetings(section)
    unpair(page, 2)
    take_back(page, section)
    pair_by_enter(page, section, 2)
    assert {white, black} in meetings(section)
