"""The preview of a report file in a real browser: on a phone, in the dark, without script."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SCHEMES, LogIn, PageMaker
from tests.browser.people import section_of_people
from tests.factories import EventRoleFactory, section_of
from tests.web.staff.conftest import address, played
from tournaments.files.report_writing import tournament_report


@pytest.mark.parametrize("scheme", SCHEMES)
def test_problems_of_a_report_fit_the_screen(
    server: str, new_page: PageMaker, log_in: LogIn, tmp_path: Path, scheme: str
) -> None:
    """The report has all colours exchanged, a wrong number of players, and no number of rounds."""
    section = section_of_people(initial_colour="w", rounds=7)
    for _ in range(2):
        played(section)
    lines = []
    for line in tournament_report(section).decode().splitlines():
        if line.startswith("001"):
            for at in (96, 106):
                line = f"{line[:at]}{line[at : at + 1].translate(str.maketrans('bw', 'wb'))}{line[at + 1 :]}"
        lines.append("062 9" if line.startswith("062") else line)
    path = tmp_path / "spring.trf"
    path.write_text("\r\n".join(line for line in lines if not line.startswith(("142", "XXR"))), "utf-8")
    empty = section_of(0, event=section.event, name="Empty", slug="empty")
    page = new_page(color_scheme=scheme, java_script_enabled=False)
    log_in(page, EventRoleFactory(event=section.event).user)
    page.goto(address(empty, "entries/import/"))
    page.set_input_files("#id_file", path)
    page.get_by_role("button", name="Preview the rows").click()
    expect(page.locator("#departures b")).to_have_text("2 rounds do not follow the rules.")
    expect(page.locator("#doubts li")).to_have_count(1)
    for width in (360, 1366):
        page.set_viewport_size({"width": width, "height": 800})
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=Path(folder) / f"import-{width}-{scheme}.png", full_page=True)
        assert page.locator("main").evaluate("main => main.scrollWidth > window.innerWidth") is False
    page.get_by_role("button", name="Import into this section").click()
    expect(page.locator(".note.warn").first).to_contain_text("Rounds 1 and 2 do not follow the rules")
