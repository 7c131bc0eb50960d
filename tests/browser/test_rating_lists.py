"""A rating list in a real browser: sent in parts, watched while it is imported, and searched by typing."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from django.test import override_settings
from playwright.sync_api import expect

from ratings import storage
from ratings.actions.importing import import_waiting
from tests.browser.conftest import Seat
from tests.factories import section_of
from tests.rating_lists.made import combined_line, field, text
from tests.web.staff.conftest import address
from tournaments.models import EventRole, User


def test_list_is_sent_imported_and_searched(seat: Seat, tmp_path: Path) -> None:
    file = tmp_path / "players_list_foa.txt"
    file.write_bytes(text(*field(), combined_line(10, "Ådahl, Bo", 2400, 2350, 0, fed="SWE")))
    section = section_of(
        4, event__start=date(2099, 1, 1), event__end=date(2099, 1, 2)
    )  # this month's list counts
    with override_settings(VAR_DIR=tmp_path):
        page = seat(section, "entries/", role=EventRole.Role.OWNER)
        User.objects.update(
            keeps_lists=True
        )  # a right of the site, which the owner of an event does not have
        page.goto("/site/rating-lists/")
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.url.rpartition("/site/rating-lists/")[2]))
        page.locator("#list-file").evaluate("form => form.dataset.most = 20000")
        page.get_by_label("File", exact=True).set_input_files(file)
        page.get_by_role("button", name="Import the list").click()
        expect(page.locator("#lists progress")).to_be_visible()
        assert sent.count("part/") == -(-file.stat().st_size // 20_000)
        import_waiting()
        expect(page.locator("#lists")).to_contain_text("301")  # the page asks by itself
        expect(page.locator("#lists progress")).to_have_count(0)
        page.goto(address(section, "entries/add/"))
        page.get_by_label("FIDE ID or name in the rating lists").press_sequentially("adahl")
        page.locator("#hits").get_by_role("link", name="Ådahl, Bo").click()
        expect(page.locator("[name=rating]")).to_have_value("2400")
        expect(page.locator("[name=fide_id]")).to_have_value("10")
        for table in storage.tables():
            storage.delete(table)
