"""A copy of the section is downloaded, checked and loaded; a wrong result is undone in the log."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.results import fits
from tests.factories import EventRoleFactory, UserFactory
from tests.web.staff.conftest import address, enter
from tournaments.models import EventRole, Section

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_copy_is_downloaded_and_loaded_as_a_section(
    section: Section, opened: Callable[..., Page], server: str, tmp_path: Path
) -> None:
    enter(section.played_rounds.get().games.get(board=1), "1-0")
    owner = EventRoleFactory(
        event=section.event, role=EventRole.Role.OWNER, user=UserFactory(username="olga")
    ).user
    page = opened(owner)
    page.goto(f"{server}{address(section, 'copies/')}")
    with page.expect_download() as started:
        page.get_by_role("link", name="Download a copy now").click()
    file = tmp_path / started.value.suggested_filename
    started.value.save_as(file)
    page.get_by_role("link", name="Load a copy from a file").click()
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Look at the file").click()
    expect(page.get_by_role("heading", name="Load a section")).to_be_visible()
    page.get_by_label("Name of the section").fill("From the stick")
    page.get_by_role("button", name="Load the section").click()
    expect(page).to_have_url(re.compile("/from-the-stick/cockpit/$"))
    loaded = Section.objects.get(name="From the stick")
    assert [game.result for game in loaded.played_rounds.get().games.order_by("board")[:2]] == ["1-0", ""]


def test_wrong_result_is_undone_in_the_log_by_keyboard(
    section: Section, opened: Callable[..., Page], server: str
) -> None:
    game = enter(section.played_rounds.get().games.get(board=1), "1-0")
    page = opened(viewport={"width": 360, "height": 740})
    page.goto(f"{server}{address(section, 'log/')}")
    assert fits(page)
    page.get_by_role("link", name=re.compile("^Undo ?: Round 1, board 1")).press("Enter")
    page.get_by_label("Reason").fill("the slip of another board")
    page.get_by_label("Reason").press("Enter")
    expect(page.get_by_text("Reason: the slip of another board").first).to_be_visible()
    game.refresh_from_db()
    assert game.result == ""
