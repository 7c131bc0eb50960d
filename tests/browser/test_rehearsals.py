"""A rehearsal from its form to its end: slips on the table, a dead network, paper that is marked on each sheet."""

from __future__ import annotations

import io
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import expect
from pypdf import PdfReader

from tests.browser.axe import errors
from tests.browser.conftest import LogIn, PageMaker
from tests.browser.results import saved, send_now
from tests.factories import EventRoleFactory
from tests.web.staff.conftest import address, paired
from tournaments.actions.rehearsal_clock import tick
from tournaments.models import EventRole, RehearsalClock, Section


def test_rehearsal_is_made_played_through_a_dead_network_and_ended(
    section: Section, new_page: PageMaker, log_in: LogIn
) -> None:
    page = new_page()
    log_in(page, EventRoleFactory(event=section.event, role=EventRole.Role.OWNER).user)
    page.goto("/rijswijk/")
    page.get_by_role("link", name="Rehearse").click()
    page.get_by_label("Slips that the clock types").fill("0")
    page.get_by_label("Speed of the clock").fill("100")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="The clock runs: x100")).to_be_visible()
    clock = RehearsalClock.objects.get()
    here = clock.event.sections.get()
    Section.objects.filter(pk=here.pk).update(initial_colour="w")
    game = paired(here).games.get(board=1)
    tick(clock.since)
    tick(clock.since + timedelta(minutes=0.8))  # minute 80: the network is dead
    at = page.url
    RehearsalClock.objects.update(passed=4 * 3_600)
    page.goto(at)
    slip = page.locator("#r-table tr").filter(has_text="Slip: ").get_by_role("link").first
    expect(slip).to_be_visible()
    expect(page.locator(".rehearsal")).to_contain_text("REHEARSAL The players and results are invented.")
    assert errors(page, framed=True) == []
    page.goto(at)
    slip.click()
    expect(page.locator(".rehearsal b")).to_be_visible()
    page.keyboard.type("1")
    expect(page.locator("#queue")).to_contain_text("kept only in this browser")
    game.refresh_from_db()
    assert game.result == ""
    RehearsalClock.objects.update(cut_until=timezone.now())
    send_now(page)
    saved(page)
    game.refresh_from_db()
    assert game.result == "1-0"
    page.goto(address(here, "print/boards/"))
    sheets = PdfReader(io.BytesIO(page.pdf())).pages
    assert all("REHEARSAL" in sheet.extract_text().replace(" ", "") for sheet in sheets)
    visitor = new_page(viewport={"width": 360, "height": 740})
    visitor.goto(address(here, "pairings/"))
    expect(visitor.locator(".rehearsal")).to_be_visible()
    visitor.goto(address(here, "screen/"))
    expect(visitor.locator(".rehearsal")).to_have_text("REHEARSAL", use_inner_text=True)
    page.goto(at)
    page.get_by_role("button", name="End the rehearsal and delete it").click()
    expect(page.locator("#question")).to_contain_text(
        "Its sections, players, results, incidents and its log are deleted"
    )
    page.get_by_role("button", name="End the rehearsal and delete it").click()
    page.wait_for_url(lambda url: "rehearsal" not in url)
    assert not RehearsalClock.objects.exists()
    assert Section.objects.get() == section
