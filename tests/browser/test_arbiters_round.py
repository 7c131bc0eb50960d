"""A round as an arbiter runs it on the real server, from the list of entries to printed standings."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.browser.conftest import LogIn, PageMaker, follow
from tests.browser.people import PEOPLE, entries_csv, section_of_people
from tests.browser.pictures import changed
from tournaments.models import EventRole, Game, Round, Section, User

pytestmark = pytest.mark.both_databases

PASSWORD = "a word that nobody guesses"


@pytest.fixture
def ada(server: str) -> User:
    return get_user_model().objects.create_user("ada", password=PASSWORD, first_name="Ada", makes_events=True)


def press(page: Page, name: str | re.Pattern[str]) -> None:
    page.get_by_role("button", name=name).click()


def headed(page: Page, words: str) -> None:
    """Wait for the page with that heading: text typed too early goes into fields of the previous page."""
    expect(page.get_by_role("heading", level=1)).to_have_text(words)


def test_a_round_from_import_to_print(new_page: PageMaker, ada: User, tmp_path: Path) -> None:
    page = new_page()
    page.goto("/login/?next=/new/")
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")

    headed(page, "New event")
    page.get_by_label("Name", exact=True).fill("Herfsttoernooi")
    page.get_by_label("First day").fill("2026-11-14")
    page.get_by_label("Last day").fill("2026-11-22")
    press(page, "Create event")
    headed(page, "New section")
    page.get_by_label("Name", exact=True).fill("Open")
    page.get_by_label("Rounds", exact=True).fill("5")
    press(page, "Create section")
    headed(page, "Entries")
    section = Section.objects.get()
    page.goto(f"/{section.event.slug}/{section.slug}/entries/import/")
    page.locator("input[type=file]").set_input_files(entries_csv(tmp_path))
    press(page, "Preview the rows")
    page.locator("#orders select").select_option("Nguyễn Phương Thảo")  # the only name without a comma
    with page.expect_navigation():  # the page before it has the same button
        press(page, "Use these names")
    press(page, f"Import {len(PEOPLE)} rows")
    expect(page.get_by_role("rowheader", name="Żmijewski")).to_be_visible()

    page.goto(f"/{section.event.slug}/{section.slug}/cockpit/")
    press(page, "Draw the initial-colour by lot")
    press(page, "Pair round 1")
    expect(page.get_by_role("button", name="Publish round 1")).to_be_visible()
    assert changed(page, "draft") == []
    press(page, "Publish round 1")
    page.get_by_role("link", name=re.compile("^Enter results")).first.click()
    enter_results_by_keyboard(page)
    expect(page.locator("#onward")).to_be_visible()
    games = Game.objects.order_by("board")
    assert [game.result for game in games] == [("1-0", "1/2", "0-1")[n % 3] for n in range(len(games))]

    page.goto(f"/{section.event.slug}/{section.slug}/aro/")
    headed(page, "ARO list before round 2")
    expect(page.get_by_role("img", name=re.compile("ARO of every player"))).to_be_visible()
    page.get_by_role("navigation", name="Section").get_by_role("link", name="Standings").click()
    headed(page, "Standings after round 1")
    page.get_by_role("link", name="Print").click()
    page.wait_for_url("**/print/**")
    text = "".join(sheet.extract_text() for sheet in PdfReader(io.BytesIO(page.pdf())).pages)
    assert [name for name, *_rest in PEOPLE if name not in text] == []


def enter_results_by_keyboard(page: Page) -> None:
    """Type 1, 5, 0, 1, 5, 0 ... down the boards; each key also goes to the next board."""
    page.wait_for_url("**/round/1/results/")  # and for its scripts: without them a key does nothing
    boards = page.locator("select[data-game]").count()
    for number in range(boards):
        page.keyboard.press("150"[number % 3])
    expect(page.locator("[data-count=missing]").first).to_have_text("0")
    expect(page.locator("#queue")).to_be_hidden()


def reach(page: Page, name: str) -> None:
    """Press Tab until the button or link of that name has the focus, and check that the focus is visible."""
    expect(page.locator("main").get_by_text(name).first).to_be_visible()
    for _ in range(80):
        focused = page.locator(":focus")
        if focused.count() and name in (focused.text_content() or ""):
            assert focused.evaluate("(thing) => getComputedStyle(thing).outlineStyle") == "solid"
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab never reaches {name}")


@pytest.fixture
def section(ada: User) -> Section:
    """A section of the people: the initial-colour is drawn, nothing is paired, and Ada owns the event."""
    made = section_of_people()
    EventRole.objects.create(event=made.event, user=ada, role=EventRole.Role.OWNER)
    return made


def test_a_round_by_keyboard_alone(new_page: PageMaker, ada: User, log_in: LogIn, section: Section) -> None:
    page = new_page()
    log_in(page, ada)
    page.goto(f"/{section.event.slug}/{section.slug}/cockpit/")
    reach(page, "Pair round 1")
    page.keyboard.press("Enter")
    reach(page, "Publish round 1")
    page.keyboard.press("Enter")
    reach(page, "Enter results")
    page.keyboard.press("Enter")
    enter_results_by_keyboard(page)
    reach(page, "To the cockpit")
    page.keyboard.press("Enter")
    reach(page, "Pair round 2")
    page.keyboard.press("Enter")
    reach(page, "Publish round 2")
    assert [row.state for row in Round.objects.order_by("number")] == ["finished", "draft"]


def test_a_round_without_scripts(new_page: PageMaker, ada: User, log_in: LogIn, section: Section) -> None:
    page = new_page(java_script_enabled=False)
    log_in(page, ada)
    page.goto(f"/{section.event.slug}/{section.slug}/cockpit/")
    press(page, re.compile("Pair round 1"))
    press(page, re.compile("Publish round 1"))
    follow(page.get_by_role("link", name=re.compile("^Enter results")).first)
    for menu in page.locator("select[data-game]").all():
        menu.select_option("1/2")
    follow(page.get_by_role("button", name="Save results"))
    assert set(Game.objects.values_list("result", flat=True)) == {"1/2"}
    page.get_by_role("navigation", name="Section").get_by_role("link", name="Pairings").click()
    expect(page.locator("#facts")).to_contain_text("All results are in.")
    page.get_by_role("searchbox").fill("zmij")
    page.get_by_role("button", name="Find").click()
    expect(page.locator("tr[data-find]")).to_have_count(1)
