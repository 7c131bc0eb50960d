"""Pairing numbers that change or stay (C.04.2, 2.2 to 2.5): corrections, late entries, withdrawals, returns."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Seat
from tests.browser.made import made_once
from tests.browser.results import fits
from tests.factories import section_of
from tests.web.staff.conftest import address, paired, played
from tournaments.models import Section


def one_round_drawn() -> Section:
    """Eight players, 1 (2490) to 8 (2420), round 1 drawn on all boards."""
    made = section_of(8, name="Open")
    played(made)
    return made


@pytest.fixture
def section(server: str) -> Section:
    return made_once(one_round_drawn)


@pytest.fixture
def fourth_round(section: Section) -> Section:
    """Round 4 is being played: numbers are fixed."""
    for _number in (2, 3):
        played(section)
    paired(section)
    return section


def entry(section: Section, tpn: int) -> str:
    return f"entries/{section.participants.get(tpn=tpn).pk}/"


def name(section: Section, tpn: int) -> str:
    return section.participants.select_related("player").get(tpn=tpn).player.name


def number(page: Page, name: str) -> Locator:
    """Return the cell of the number before the name, in the entries and in the public list."""
    return page.locator("tbody tr", has_text=name).locator("td.num").first


def numbers(section: Section) -> list[int]:
    """Return the pairing numbers in the order in which the players were entered."""
    return list(section.participants.order_by("pk").values_list("tpn", flat=True))


def test_corrected_name_and_rating_before_round_4(section: Section, seat: Seat) -> None:
    """A new name changes no number. A new rating changes numbers after a question, which can be cancelled."""
    page = seat(section, entry(section, 3))
    page.get_by_label("Name", exact=True).fill("Aagaard, Åse")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(number(page, "Aagaard, Åse")).to_have_text("3")
    for list_of in ("pairings/", "standings/", "crosstable/"):
        page.goto(address(section, list_of))
        expect(page.locator("main")).to_contain_text("Aagaard, Åse")
    assert numbers(section) == [1, 2, 3, 4, 5, 6, 7, 8]
    # The question is cancelled.
    last = name(section, 8)
    page.goto(address(section, entry(section, 8)))
    page.locator("#id_rating").fill("2495")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#question")).to_contain_text("8 pairing numbers of Open change")
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Entries")
    expect(number(page, last)).to_have_text("8")
    # It is answered.
    page.goto(address(section, entry(section, 8)))
    page.locator("#id_rating").fill("2465")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#question")).to_contain_text(
        "5 pairing numbers of Open change (4 → 5, 5 → 6, 6 → 7, 7 → 8 and 1 more)."
    )
    expect(page.locator("#question")).to_contain_text("Nothing is saved yet.")
    assert fits(page)
    assert numbers(section) == [1, 2, 3, 4, 5, 6, 7, 8]
    page.get_by_role("button", name="Give the new numbers").press("Enter")
    expect(number(page, last)).to_have_text("4 (was 8)")
    assert numbers(section) == [1, 2, 3, 5, 6, 7, 8, 4]
    page.goto(address(section, "players/"))
    expect(page.locator("main")).to_contain_text("Aagaard, Åse")
    expect(number(page, last)).to_contain_text("4")
    expect(number(page, last)).to_contain_text("(was 8)")
    page.goto(address(section, "pairings/"))
    expect(page.locator("main")).to_contain_text(last)


def test_late_entry_in_round_4_changes_the_numbers_below_it_and_a_corrected_rating_none(
    fourth_round: Section, seat: Seat
) -> None:
    section, last = fourth_round, name(fourth_round, 8)
    page = seat(section, "entries/add/")
    expect(page.get_by_text("The order is fixed:")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Laat, Anke")
    page.locator("#id_rating").fill("2445")
    page.get_by_role("button", name="Add player").click()
    expect(page.locator("#question")).to_contain_text(
        "3 pairing numbers of Open change (6 → 7, 7 → 8, 8 → 9)."
    )
    assert section.participants.count() == 8
    page.get_by_role("button", name="Give the new numbers").click()
    expect(page.get_by_text("3 other players have new numbers now")).to_be_visible()
    expect(number(page, "Laat, Anke")).to_have_text("6")
    assert numbers(section) == [1, 2, 3, 4, 5, 7, 8, 9, 6]
    page.goto(address(section, "players/"))
    expect(page.locator("tbody tr", has_text="Laat, Anke")).to_contain_text("from round 5")
    # The rating of the last player is corrected.
    page.goto(address(section, entry(section, 9)))
    page.locator("#id_rating").fill("2495")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("tbody tr", has_text=last)).to_contain_text("2495")
    expect(number(page, last)).to_contain_text("9")
    expect(page.get_by_text("Round 4 is paired, so the order of the numbers is fixed")).to_be_visible()
    page.goto(address(section, "players/"))
    expect(page.locator("tbody tr", has_text=last)).to_contain_text("2495")
    expect(number(page, last)).to_contain_text("9")
    assert numbers(section) == [1, 2, 3, 4, 5, 7, 8, 9, 6]


def test_late_entry_that_does_not_come_is_removed_when_the_numbers_are_confirmed(
    section: Section, seat: Seat
) -> None:
    page = seat(section, "entries/add/")
    page.get_by_label("Name", exact=True).fill("Laat, Anke")
    page.locator("#id_rating").fill("2445")
    page.get_by_role("button", name="Add player").click()
    page.get_by_role("button", name="Give the new numbers").click()
    page.get_by_role("link", name="Laat, Anke", exact=True).click()
    page.get_by_role("button", name="Remove entry").click()
    expect(page.locator("#question")).to_contain_text("(7 → 6, 8 → 7, 9 → 8)")
    page.get_by_role("button", name="Remove and give the new numbers").click()
    expect(page.get_by_text("The entry of Laat, Anke is removed.")).to_be_visible()
    assert numbers(section) == [1, 2, 3, 4, 5, 6, 7, 8]


def test_player_withdraws_and_comes_back(section: Section, seat: Seat) -> None:
    """The player is not paired while away."""
    away = name(section, 5)
    page = seat(section, entry(section, 5))
    page.get_by_role("link", name="Withdraw…").press("Enter")
    page.get_by_label("Reason").fill("a wedding")
    page.get_by_label("Reason").press("Enter")
    expect(page.get_by_text(f"{away} is withdrawn.")).to_be_visible()
    played(section)
    assert not section.played_rounds.get(number=2).games.filter(white__tpn=5).exists()
    assert not section.played_rounds.get(number=2).games.filter(black__tpn=5).exists()
    page.goto(address(section, "standings/"))
    expect(page.locator("tr", has_text=away)).to_contain_text("withdrawn")
    page.goto(address(section, entry(section, 5)))
    expect(page.get_by_text("The player left after round 1.")).to_be_visible()
    page.get_by_role("button", name="Re-admit").press("Enter")
    expect(page.get_by_text(f"{away} plays again and is paired from the next round on.")).to_be_visible()
    page.goto(address(section, "cockpit/"))
    expect(page.get_by_text("8 players will be paired.")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".head .btn.go")).to_contain_text("Check round 3")
    expect(page.locator(".boards-in")).to_contain_text(away)
    page.goto(address(section, "standings/"))
    expect(page.locator("tr", has_text=away)).not_to_contain_text("withdrawn")


def test_round_is_paired_again_without_somebody_who_leaves_before_it_begins(
    section: Section, seat: Seat
) -> None:
    paired(section)
    away = name(section, 5)
    page = seat(section, f"{entry(section, 5)}leave/")
    page.get_by_label("Unpair round 2 and pair it again without the player").check()
    page.get_by_role("button", name="Withdraw", exact=True).click()
    expect(page.locator(".head .btn.go")).to_contain_text("Check round 2")
    expect(page.locator(".boards-in tbody tr")).to_have_count(3)
    expect(page.locator(".boards-in")).not_to_contain_text(away)
    expect(page.locator("#d-away")).to_contain_text("withdrew after round 1")


def test_expelled_player_comes_back_after_an_appeal(section: Section, seat: Seat) -> None:
    away = name(section, 5)
    page = seat(section, entry(section, 5))
    page.get_by_role("link", name="Expel…").click()
    expect(page.get_by_text("Expulsion, number 5")).to_be_visible()
    page.get_by_role("button", name="Expel", exact=True).click()  # the browser asks for a reason
    expect(page.get_by_label("Reason")).to_be_focused()
    page.get_by_label("Reason").fill("two phones")
    page.get_by_role("button", name="Expel", exact=True).click()
    expect(page.get_by_text(f"{away} is expelled.")).to_be_visible()
    assert section.participants.get(tpn=5).status == "expelled"
    page.goto(address(section, "standings/"))
    expect(page.locator("main tbody tr")).to_have_count(7)
    expect(page.locator("main tbody tr", has_text=away)).to_have_count(0)
    page.goto(address(section, entry(section, 5)))
    page.get_by_role("button", name="Re-admit").click()
    expect(page.get_by_text(f"{away} plays again and is paired from the next round on.")).to_be_visible()
    page.goto(address(section, "standings/"))
    expect(page.locator("main tbody tr", has_text=away)).to_have_count(1)
