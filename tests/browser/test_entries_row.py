"""Players typed into the row of Entries, by keys alone, while the server works."""

from __future__ import annotations

import re
from pathlib import Path

from django.test import override_settings
from playwright.sync_api import Page, expect

from ratings import storage
from tests.browser.conftest import Seat
from tests.factories import section_of
from tests.rating_lists.made import combined_line, imported, text
from tournaments.models import EventRole


def typed(page: Page, *keys: str) -> None:
    for key in keys:
        if key in {"Tab", "Enter", "Escape", "ArrowDown", "ArrowUp"}:
            page.keyboard.press(key)
        else:
            page.keyboard.type(key)


def test_players_are_typed_by_keys_alone(seat: Seat) -> None:
    section = section_of(2)
    page = seat(section, "entries/", role=EventRole.Role.OWNER)
    name, listed = page.get_by_label("Name, or FIDE ID"), page.locator("#list")
    expect(name).to_be_focused()
    typed(page, "Haddad, Yakub", "Tab", "Tab", "1462", "Enter")
    expect(name).to_have_value("")
    typed(page, "Nowak, Ola", "Tab", "Tab", "Tab", "1333", "Tab", "HOL", "Enter")
    expect(
        page.locator("#id_federation")
    ).to_be_focused()  # the error is in the row, and the focus at its field
    expect(page.locator("#add-status")).to_contain_text("“HOL” is not a FIDE code.")
    expect(listed.get_by_role("link", name="Haddad, Yakub", exact=True)).to_be_visible()
    typed(page, "NED", "Enter")
    expect(listed.get_by_role("row").filter(has_text="Nowak, Ola")).to_contain_text("added")
    expect(name).to_be_focused()
    assert section.participants.get(player__name="Nowak, Ola").player.federation == "NED"

    typed(page, "/")  # from the empty row to the filter, and back
    expect(page.get_by_label("Search the entries")).to_be_focused()
    typed(page, "haddad")
    expect(listed.get_by_role("link", name="Nowak, Ola", exact=True)).to_have_count(0)
    typed(page, "Escape")
    expect(listed.get_by_role("link", name="Nowak, Ola", exact=True)).to_be_visible()
    expect(name).to_be_focused()
    typed(page, "Escape", "+")
    expect(name).to_be_focused()
    assert re.fullmatch(r".*/entries/(\?[^#]*)?(#id_name)?", page.url)

    typed(page, "Escape", "u")  # undoes the last entry, and the next player can be typed
    expect(listed.get_by_role("link", name="Nowak, Ola", exact=True)).to_have_count(0)
    expect(name).to_be_focused()
    expect(page).to_have_url(re.compile(r"/entries/$"))


def test_refused_player_comes_back_after_the_player_who_is_typed(seat: Seat) -> None:
    section = section_of(2)
    page = seat(section, "entries/", role=EventRole.Role.OWNER)
    page.route("**/entries/add/", lambda _route: None)  # the answer comes while the next player is typed
    expect(page.get_by_label("Name, or FIDE ID")).to_be_focused()
    typed(page, "Otto Meier", "Tab", "Tab", "1500", "Enter", "Next, One")
    page.unroute("**/entries/add/")
    expect(page.locator("#add-status")).to_contain_text("Otto Meier is not entered yet.")
    expect(page.get_by_label("Name, or FIDE ID")).to_have_value("Next, One")
    typed(page, "Tab", "Tab", "1400", "Enter")
    expect(page.locator("#question")).to_contain_text("Which part is the surname?")
    expect(page.locator("#add-status")).to_contain_text("Next, One is entered.")
    typed(page, "ArrowDown", "Enter")
    expect(page.locator("#list").get_by_role("link", name="Meier, Otto", exact=True)).to_be_visible()
    assert section.participants.count() == 4


def test_player_of_the_rating_list_is_taken_by_an_arrow(seat: Seat, tmp_path: Path) -> None:
    with override_settings(VAR_DIR=tmp_path):
        imported(text(combined_line(990061840, "de Vries, Anna", 1431, 0, 0, fed="NED")), period="2026-01")
        section = section_of(2)
        page = seat(section, "entries/", role=EventRole.Role.OWNER)
        name = page.get_by_label("Name, or FIDE ID")
        expect(name).to_be_focused()
        typed(page, "anna vries")
        expect(page.get_by_role("option")).to_have_count(1)
        expect(name).to_have_attribute("aria-expanded", "true")
        typed(page, "ArrowDown")
        expect(name).to_have_value("de Vries, Anna")
        expect(page.get_by_label("FIDE rating")).to_have_value("1431")
        expect(name).to_have_attribute("aria-activedescendant", "add-hit-1")
        typed(page, "ArrowUp")
        expect(name).to_have_value("anna vries")
        expect(page.get_by_label("FIDE rating")).to_have_value("")
        typed(page, "ArrowDown", "Enter")
        expect(page.locator("#list").get_by_role("link", name="de Vries, Anna", exact=True)).to_be_visible()
        assert section.participants.latest("pk").rating_source == "standard"
        for table in storage.tables():
            storage.delete(table)
