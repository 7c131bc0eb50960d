"""A list of entries in a real browser: pasted, its refused rows corrected on the page, then imported."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SCHEMES, Seat
from tests.browser.people import section_of_people
from tests.browser.pictures import changed
from tests.web.staff.conftest import address, played

ROWS = "\n".join(
    "\t".join(row)
    for row in (
        ("Name", "Rating", "Federation", "FIDE ID", "Birth date", "Club", "Bye"),
        ("Kõivumägi, Rünno", "2383", "EST", "", "", "Tallinna Maleklubi", ""),
        ("Haddad, Yaʿqūb", "1983", "JOR", "990012748", "12-05-1988", "", ""),
        ("Nystrøm, Pål", "1752", "NRO", "", "", "", ""),
        ("Farrugia, Ġorġ", "2l78", "HOL", "", "2999/01/01", "", ""),
        ("Oyelaran, Adébáyọ̀", "2366", "XYZ", "990028925", "", "", ""),
        ("De Coninck, Zoë", "", "BEL", "990033547", "", "", ""),
        ("Meilutė, Rūta", "2600", "LTU", "", "", "", "3,4"),
    )
)


def look(page: Page, name: str, scheme: str) -> None:
    """Check that nothing is wider than a phone or a laptop; save screenshots if SHOTS names a folder."""
    for width in (360, 1366):
        page.set_viewport_size({"width": width, "height": 768})
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=Path(folder) / f"{name}-{width}-{scheme}.png", full_page=True)
        assert page.locator("main").evaluate("main => main.scrollWidth > window.innerWidth") is False


@pytest.mark.parametrize("scheme", SCHEMES)
def test_refused_rows_are_corrected_on_the_page(seat: Seat, scheme: str) -> None:
    section = section_of_people(initial_colour="w", rounds=7)
    played(section)
    page = seat(section, "entries/import/", color_scheme=scheme)
    look(page, "list-paste", scheme)
    page.get_by_label("Or paste rows").fill(ROWS)
    page.get_by_role("button", name="Preview the rows").click()
    expect(page.locator("#two-ways")).to_contain_text("1 birth date can be read in two ways: 12-05-1988.")
    look(page, "list-check", scheme)
    assert changed(page, "import" if scheme == "light" else None) == []
    take = page.get_by_role("button", name=re.compile("^Import"))
    expect(take).to_have_text("Import 2 rows, leave out 5 Enter")

    page.get_by_role("button", name="Use NOR").click()
    expect(take).to_have_text("Import 3 rows, leave out 4 Enter")
    page.locator("#cell-6-FEDERATION").fill("NGR")
    page.locator("#cell-6-FEDERATION").press("Enter")
    expect(take).to_have_text("Import 4 rows, leave out 3 Enter")
    page.locator("#cell-7-RATING").fill("1829")
    page.get_by_role("button", name="Correct row 7").click()
    expect(take).to_have_text("Import 5 rows, leave out 2 Enter")
    page.locator("#cell-5-RATING").fill("2178")
    page.get_by_label("Birth dates such as 05/06/1990").select_option("day")
    page.get_by_role("button", name="Read the rows again").click()
    expect(take).to_have_text("Import 6 rows, leave out 1 Enter")
    expect(page.locator("#cell-5-RATING")).to_have_count(0)
    look(page, "list-corrected", scheme)
    assert section.participants.count() == 25

    take.click()
    expect(page.locator("#question")).to_contain_text("More than one half-point bye: Meilutė, Rūta.")
    look(page, "list-byes", scheme)
    page.get_by_role("button", name="Import with these byes").click()
    expect(page.locator("#question")).to_contain_text("pairing numbers of")
    look(page, "list-numbers", scheme)
    page.get_by_role("button", name="Import with new numbers").click()
    expect(page.get_by_role("heading", name="Entries")).to_be_visible()
    expect(page.get_by_text("6 rows imported. 1 row left out.")).to_be_visible()
    assert section.participants.count() == 30
    page.goto(address(section, "entries/add/"))
    look(page, "entry-new", scheme)


TWICE = "\n".join(
    "\t".join(row)
    for row in (
        ("Name", "Rating", "Federation", "FIDE ID", "Club"),
        ("Haddad, Yaʿqūb", "1983", "JOR", "990012748", ""),
        ("Kõivumägi, Rünno", "2382", "EST", "990010437", "Tallinna Maleklubi"),
        ("Haddad, Y.", "1990", "JOR", "990012748", "Amman"),
        ("Conti, Luca", "1500", "ITA", "", ""),
        ("Conti, Luca", "1650", "ITA", "", "Scacchi Roma"),
    )
)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_duplicates_are_compared_and_settled_on_the_page(seat: Seat, scheme: str) -> None:
    section = section_of_people(initial_colour="w", rounds=7)
    rain = section.participants.get(tpn=3)
    rain.player.name, rain.player.fide_id = "Ozoliņa, Dženifera", 990010437
    rain.player.save()
    page = seat(section, "entries/import/", color_scheme=scheme)
    page.get_by_label("Or paste rows").fill(TWICE)
    page.get_by_role("button", name="Preview the rows").click()
    take = page.get_by_role("button", name=re.compile("^Import"))
    expect(take).to_have_text("Import 2 rows, leave out 3 Enter")
    page.locator("summary", has_text="row 3").click()
    page.locator("summary", has_text="row 6").click()
    expect(page.locator("mark").first).to_be_visible()
    look(page, "list-compare", scheme)
    page.get_by_role("button", name="The same player").click()
    expect(take).to_have_text("Import 3 rows, leave out 2 Enter")
    page.get_by_role("button", name=re.compile("Keep this one.*row 4")).click()
    expect(page.get_by_role("button", name=re.compile("Keep this one.*row 2"))).to_be_visible()
    page.get_by_role("button", name=re.compile("They are two players.*row 6")).click()
    expect(take).to_have_text("Import 4 rows, leave out 1 Enter")
    look(page, "list-chosen", scheme)
    take.click()
    expect(page.get_by_text("4 rows imported. 1 row left out.")).to_be_visible()
    rain.player.refresh_from_db()
    assert rain.player.name == "Kõivumägi, Rünno"
