"""The computer is lost, but its copies are not: an automatic copy is loaded, and the section continues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import override_settings
from playwright.sync_api import Page, expect

from tests.browser.conftest import LogIn, PageMaker, Seat
from tests.browser.results import saved
from tests.factories import EventFactory, UserFactory, section_of
from tests.web.staff.conftest import address, played
from tournaments.models import EventRole, Section


@pytest.fixture
def backups(tmp_path: Path) -> Iterator[Path]:
    with override_settings(BACKUP_DIR=str(tmp_path / "backups")):
        yield tmp_path / "backups"


@pytest.fixture
def section(server: str, backups: Path) -> Section:
    """Eight players, round 1 drawn on all boards."""
    made = section_of(8, event=EventFactory(slug="rijswijk", name="Rijswijk Open"), slug="a", name="Open")
    played(made)
    return made


def publish(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"Pair round {number}").click()
    page.get_by_role("button", name=f"Publish round {number}").click()
    expect(page.locator(".head .btn.go")).to_contain_text("Enter results")


def kept(backups: Path, number: int) -> list[Path]:
    return sorted(backups.glob(f"*/*/*-round{number}-publish.json.gz"))


def test_section_continues_from_the_copy_of_the_last_publication(
    section: Section, backups: Path, seat: Seat, new_page: PageMaker, log_in: LogIn
) -> None:
    page = seat(section, "cockpit/")
    publish(page, 2)
    page.close()
    (copy,) = kept(backups, 2)
    pairs = list(section.played_rounds.get(number=2).games.order_by("board").values_list("white__tpn"))
    call_command("flush", interactive=False, verbosity=0)

    page = new_page()
    log_in(page, UserFactory(username="olga", makes_events=True))
    page.goto("/")
    expect(page.get_by_text("No events yet.")).to_be_visible()
    page.get_by_role("link", name="Load a copy").click()
    page.get_by_label("File").set_input_files(copy)
    page.get_by_role("button", name="Look at the file").click()
    expect(page.get_by_text("complete, the checksum is right")).to_be_visible()
    page.get_by_role("button", name="Load the section").click()
    expect(page).to_have_url(re.compile("/cockpit/$"))

    section = Section.objects.get()
    again = section.played_rounds.get(number=2).games.order_by("board")
    assert list(again.values_list("white__tpn")) == pairs
    assert set(section.played_rounds.get(number=1).games.values_list("result", flat=True)) == {"1/2"}
    expect(page.locator(".head .btn.go")).to_contain_text("Enter results")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Results, round 2")
    for board in range(1, 5):
        expect(page.locator("tr.here")).to_have_attribute("data-board", str(board))
        page.keyboard.press("1")
    saved(page)
    assert set(again.values_list("result", flat=True)) == {"1-0"}
    page.goto(address(section, "cockpit/"))
    publish(page, 3)
    assert section.played_rounds.get(number=3).is_published
    assert len(kept(backups, 3)) == 1


def test_copy_on_the_same_machine_is_listed_and_loaded_as_a_new_section(
    section: Section, backups: Path, seat: Seat
) -> None:
    """Nothing was lost, but the arbiter wants to see an earlier state."""
    page = seat(section, "log/", role=EventRole.Role.OWNER)
    page.get_by_role("link", name="Copies").click()
    row = page.locator("table.copies tbody tr")
    expect(row).to_contain_text("round 1")
    row.get_by_role("button", name="Load this copy …").click()
    expect(page.get_by_role("heading", name="Load a section")).to_be_visible()
    page.get_by_role("button", name="Load the section").click()
    expect(page).to_have_url(re.compile("/rijswijk/open-2/cockpit/$"))
    loaded = Section.objects.get(slug="open-2").played_rounds.get()
    # The copy was made when the round was published.
    assert set(loaded.games.values_list("result", flat=True)) == {""}


def test_incomplete_file_is_refused_with_the_reason(
    section: Section, backups: Path, seat: Seat, tmp_path: Path
) -> None:
    (copy,) = kept(backups, 1)
    broken = tmp_path / "broken.json.gz"
    broken.write_bytes(copy.read_bytes()[:-40])
    page = seat(section, "copies/", role=EventRole.Role.OWNER)
    page.get_by_role("link", name="Load a copy from a file").click()
    page.get_by_label("File").set_input_files(broken)
    page.get_by_role("button", name="Look at the file").click()
    expect(page.get_by_role("alert").filter(visible=True)).to_contain_text(
        re.compile("cut off|not whole|damaged|not a copy")
    )
    assert Section.objects.count() == 1
