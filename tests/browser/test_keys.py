"""Keys on every page after the login, the sheet that lists them, and the progress line of slow forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from threading import Event
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import LogIn, PageMaker, ask_now, before_script, drawn, press_at_once
from tests.browser.made import made_once
from tests.factories import EventFactory, EventRoleFactory, section_of
from tests.waiting import LONG
from tests.web.staff.conftest import address, enter, paired
from tournaments.actions.hall import set_hall_message
from tournaments.actions.ledger import Actor
from tournaments.actions.rounds import set_round_starts
from tournaments.models import EventRole, Section
from web.views.staff import sections

PAGES = (
    "/",
    "/new/",
    "/rijswijk/",
    *(f"/rijswijk/a/{rest}" for rest in ("cockpit/", "entries/", "settings/")),
)
"""One of each kind. tests/web/test_keys_sheet.py finds the sheet on every page of arbiters."""


def eight_players() -> Section:
    made = section_of(8, event=EventFactory(slug="rijswijk"), slug="a")
    paired(made)
    return made


@pytest.fixture
def section(server: str) -> Section:
    return made_once(eight_players)


@pytest.fixture
def page(section: Section, new_page: PageMaker, log_in: LogIn) -> Page:
    """A page on which the owner of the event is logged in, who is site owner too."""
    made = new_page()
    owner = EventRoleFactory(event=section.event, role=EventRole.Role.OWNER, user__site_owner=True).user
    log_in(made, owner)
    return made


def rows(page: Page) -> list[str]:
    return [" ".join(text.split()) for text in page.locator("#keys-sheet tr").all_inner_texts()]


def test_the_sheet_opens_and_closes_on_pages_of_the_site_the_event_and_the_section(page: Page) -> None:
    for path in PAGES:
        page.goto(path)
        page.evaluate("document.activeElement.blur()")  # some pages begin with the focus in a field
        page.keyboard.press("?")
        expect(page.locator("#keys-sheet")).to_be_visible()
        assert "? This list of keys" in rows(page), path
        page.keyboard.press("Escape")
        expect(page.locator("#keys-sheet")).to_be_hidden()


def test_the_sheet_lists_the_keys_of_the_page_and_keeps_the_focus(page: Page, section: Section) -> None:
    page.goto(address(section, "cockpit/"))
    link = page.get_by_role("link", name="Whole log")
    link.focus()
    page.keyboard.press("?")
    assert rows(page)[0] == "Enter Enter results"
    assert "G C Cockpit" in rows(page)
    assert "G A ARO list" in rows(page)
    assert "G H All events" in rows(page)
    # The focus stays in the sheet and returns.
    expect(page.get_by_role("heading", name="Keys", exact=True)).to_be_focused()  # the sheet opens at its top
    in_sheet = "!document.activeElement.closest('main, header')"
    for _press in range(6):
        page.keyboard.press("Tab")
        assert page.evaluate(in_sheet)
    page.keyboard.press("Escape")
    expect(link).to_be_focused()
    # It returns to a link that was replaced meanwhile too.
    page.keyboard.press("?")
    hidden = page.get_by_role("link", name="Whole log", include_hidden=True)
    hidden.evaluate("(link) => { link.dataset.old = 'yes' }")
    set_hall_message(actor=Actor.command(), section_id=section.pk, message="Phones off")
    ask_now(page)  # the log has a new line, so the page replaces the link
    expect(hidden).not_to_have_attribute("data-old", "yes")
    expect(page.locator("#keys-sheet")).to_be_visible()
    page.keyboard.press("Escape")
    expect(link).to_be_focused()


def test_g_and_a_letter_go_to_a_tab(page: Page, section: Section) -> None:
    page.goto(address(section, "cockpit/"))
    for letter, place in (
        ("p", "pairings/"),
        ("s", "standings/"),
        ("e", "entries/"),
        ("c", "cockpit/"),
        ("h", None),
    ):
        page.keyboard.press("Escape")  # out of the row of Entries
        press_at_once(page, "g", letter)
        page.wait_for_url(re.compile(f":[0-9]+{address(section, place) if place else '/'}$"))
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_letters_can_be_switched_off_and_on_again(page: Page, section: Section) -> None:
    # Keys do nothing in a field.
    page.goto(address(section, "entries/"))
    page.get_by_label("Search the entries").press_sequentially("g?c")
    expect(page.locator("#keys-sheet")).to_be_hidden()
    expect(page.get_by_label("Search the entries")).to_have_value("g?c")
    page.goto(address(section, "cockpit/"))
    page.keyboard.press("?")
    page.get_by_label("Single letters work as keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#keys-sheet")).to_be_hidden()
    page.goto(address(section, "log/"))
    page.keyboard.press("?")
    expect(page.locator("#keys-sheet")).to_be_hidden()
    page.locator(".menu.who > summary").click()
    page.get_by_role("button", name="Keys").click()
    page.get_by_label("Single letters work as keys").check()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.locator("#keys-sheet")).to_be_visible()
    # There are no keys without a login.
    page.context.clear_cookies()
    page.goto(address(section, "pairings/"))
    expect(page.locator("#keys-sheet")).to_have_count(0)


def test_enter_undoes_an_action_and_escape_cancels(page: Page, section: Section) -> None:
    result = enter(section.played_rounds.get().games.get(board=1), "1-0")
    action = section.log.latest("pk").revision
    for key, left in (("Escape", "1-0"), ("Enter", "")):
        page.goto(address(section, f"log/{action}/undo/"))
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press(key)
        page.wait_for_url(f"**{address(section, 'log/')}*")
        result.refresh_from_db()
        assert result.result == left


def test_enter_goes_from_the_cockpit_to_the_adjourned_game_of_the_last_round(
    page: Page, section: Section
) -> None:
    Section.objects.update(rounds=1)
    for game in section.played_rounds.get().games.order_by("board"):
        enter(game, "adj" if game.board == 2 else "1-0")
    page.goto(address(section, "cockpit/"))
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{address(section, 'round/1/results/')}#board-2")


def test_the_sheet_fits_a_phone(section: Section, new_page: PageMaker, log_in: LogIn) -> None:
    page = new_page(viewport={"width": 360, "height": 740}, color_scheme="dark")
    log_in(page, EventRoleFactory(event=section.event).user)
    page.goto(address(section, "cockpit/"))
    page.keyboard.press("?")
    box = page.locator("#keys-sheet").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 360
    assert page.locator("#keys-sheet").evaluate("(one) => one.scrollWidth <= one.clientWidth")


@pytest.fixture
def slow_dates(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Event, list[int]]]:
    """Saving the dates of the rounds waits until the event is set; the list gets one item for each attempt."""
    go_on, asked = Event(), []

    def save(*, section_id: int, **arguments: object) -> object:
        asked.append(section_id)
        assert go_on.wait(LONG)
        return set_round_starts(section_id=section_id, **arguments)

    monkeypatch.setattr(sections, "set_round_starts", save)
    yield go_on, asked
    go_on.set()


@pytest.mark.parametrize("boosted", [True, False])
def test_a_slow_form_says_how_long_it_takes_and_is_sent_once(
    page: Page, section: Section, slow_dates: tuple[Event, list[int]], boosted: bool
) -> None:
    """Playwright cannot read a page that is being left, so the page itself sends what it shows."""
    go_on, asked = slow_dates
    page.goto(address(section, "settings/?change=rounds"))
    with page.expect_request("**/healthz?*") as reported:
        page.locator("#rounds").evaluate(
            """(form, boosted) => {
                form.dataset.progress = "Saving the dates…"
                if (boosted) { form.setAttribute("hx-boost", "true"); htmx.process(form) }
                const button = form.querySelector("button")
                const watch = setInterval(() => {
                    const line = form.querySelector(".progress-line")
                    if (!/ seconds?$/.test(line?.textContent)) return
                    clearInterval(watch)
                    form.requestSubmit()
                    setTimeout(() => fetch("/healthz?" + new URLSearchParams(
                        { line: line.textContent, disabled: button.disabled, visible: button.checkVisibility() })), 100)
                }, 20)
                form.requestSubmit(button)
            }""",
            boosted,
        )
    state = dict(parse_qsl(urlsplit(reported.value.url).query))
    assert re.fullmatch(
        r"Saving the dates… \d+ seconds?", state.pop("line")
    )  # on a slow machine not the first one
    assert state == {"disabled": "true", "visible": "false"}
    go_on.set()
    expect(page.locator("main")).to_contain_text("The dates of the rounds are saved.")
    expect(page.locator(".progress-line")).to_have_count(0)
    assert asked == [section.pk]


def test_first_field_has_the_focus_though_a_script_comes_late(page: Page, section: Section) -> None:
    """The browser scrolls to the place in the address after the last script, and then no element has the focus."""
    page.goto(address(section, "settings/"))
    late: list[Route] = []
    page.route(re.compile(r"/js/toast\."), lambda route: late.append(route))
    page.locator("#rounds-group").get_by_role("link", name="Change").click(no_wait_after=True)
    expect(page.locator("#id_day-1")).to_be_visible()
    drawn(page)
    late[0].continue_()
    page.wait_for_load_state()
    drawn(page)
    drawn(page)
    expect(page.locator("#id_day-1")).to_be_focused()


def test_what_a_person_does_before_the_scripts_come_counts(page: Page, section: Section) -> None:
    change = address(section, "settings/?change=rounds")
    menu = page.locator("[data-sections] > summary")
    with before_script(page, "(page|frame)", change):
        menu.click()
    expect(page.locator("[data-sections-here] [data-digit]").first).to_be_visible()
    expect(menu).to_be_focused()
    with before_script(page, "page", change):
        page.locator("#id_time-1").fill("16:30")
    page.evaluate("addEventListener('click', () => document.body.dataset.clicked = '')")
    page.keyboard.press("Escape")
    expect(page.locator("#id_time-1")).not_to_be_focused()
    expect(page.locator("body")).not_to_have_attribute("data-clicked", "")


def test_a_quick_form_shows_no_progress(page: Page, section: Section) -> None:
    page.goto(address(section, "settings/"))
    page.locator("#rounds-group").get_by_role("link", name="Change").click()
    expect(page.locator("#id_day-1")).to_be_focused()
    expect(page.locator("#id_day-1")).to_be_in_viewport()
    page.locator("#rounds").evaluate(
        """(form) => {
            form.dataset.progress = "Saving"
            window.lines = 0
            new MutationObserver(() => { window.lines += document.querySelectorAll(".progress-line").length })
                .observe(form, { childList: true })
        }"""
    )
    page.locator("#rounds button").click()
    expect(page.locator("main")).to_contain_text("The dates of the rounds are saved.")
    expect(page.locator(".progress-line")).to_have_count(0)
