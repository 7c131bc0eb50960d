"""The choice of the pairing system in a program that has several."""

from __future__ import annotations

from playwright.sync_api import expect

from evenboard_engine.tests.systems.toy import ladder_known
from tests.browser.conftest import Seat
from tournaments.models import EventRole, Section


def test_only_the_options_of_the_chosen_system_are_shown(seat: Seat, section: Section) -> None:
    with ladder_known():
        page = seat(section, "../-/new-section/", role=EventRole.Role.OWNER)
        page.get_by_text("Colours and options").click()
        edition, start = page.locator("#id_dubov_edition"), page.get_by_label("Start of the ladder")
        expect(edition).to_be_visible()
        expect(start).to_be_hidden()
        expect(page.get_by_label("Acceleration")).to_be_visible()
        page.get_by_label("Ladder System").check()
        expect(page.get_by_label("Acceleration")).to_be_hidden()
        expect(edition).to_be_hidden()
        expect(start).to_be_visible()
