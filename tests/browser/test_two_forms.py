"""Two arbiters edit the same entry: changes of different fields are all kept, and a clash asks which value to keep."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Seat
from tests.browser.results import fits
from tests.factories import section_of
from tests.web.staff.conftest import address
from tournaments.models import Section

pytestmark = pytest.mark.both_databases


@pytest.fixture
def section(server: str) -> Section:
    return section_of(8)


def test_clash_is_decided_by_a_button(section: Section, seat: Seat) -> None:
    """Two arbiters have opened the same entry, and the second one has just saved another club and a note."""
    page, theirs = (seat(section, "entries/", viewport={"width": 360, "height": 740}) for _ in range(2))
    for tpn, button, club in ((3, "Keep their values", "Caïssa"), (5, "Save my values", "En Passant")):
        for each in (page, theirs):
            each.goto(address(section, f"entries/{section.participants.get(tpn=tpn).pk}/"))
        theirs.get_by_label("Club").fill("Caïssa")
        theirs.get_by_label("Note").fill("paid")
        theirs.get_by_role("button", name="Save", exact=True).click()
        expect(theirs.get_by_role("heading", level=1)).to_have_text("Entries")
        page.get_by_label("Club").fill("En Passant")
        page.get_by_label("Federation").fill("BEL")
        page.get_by_role("button", name="Save", exact=True).click()
        contested = page.locator("#contested")
        expect(contested).to_contain_text("Nothing is saved yet")
        expect(contested.get_by_role("cell")).to_have_text(["", "Caïssa", "En Passant"])
        assert fits(page)
        page.get_by_role("button", name=button).press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text("Entries")
        entry = section.participants.select_related("player").get(tpn=tpn)
        assert (entry.club, entry.note, entry.player.federation) == (club, "paid", "BEL")
