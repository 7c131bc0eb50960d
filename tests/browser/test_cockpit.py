"""The cockpit in a real browser: keys, outdated pages, changes by others, and no scripts."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LogIn, PageMaker, ask_now, drawn, follow
from tests.browser.made import made_once
from tests.factories import EventFactory, EventRoleFactory, section_of
from tests.web.staff.conftest import address, paired, played
from tournaments.actions.byes import request_bye
from tournaments.actions.ledger import Actor
from tournaments.actions.results import confirm_result
from tournaments.models import Round, Section

EARLY = "This button was on the page for less than 2 seconds, so the key did nothing. To use it, press again."


def eight_players() -> Section:
    return section_of(8, event=EventFactory(slug="rijswijk"), slug="a")


@pytest.fixture
def section(server: str) -> Section:
    return made_once(eight_players)


@pytest.fixture
def cockpit(section: Section, new_page: PageMaker, log_in: LogIn) -> Page:
    """The cockpit of an arbiter."""
    page = new_page()
    log_in(page, EventRoleFactory(event=section.event).user)
    page.goto(address(section, "cockpit/"))
    return page


def states(section: Section) -> list[str]:
    return list(section.played_rounds.order_by("number").values_list("state", flat=True))


def asked(page: Page) -> None:
    """Make a page ask for news now, and not within four seconds, and wait for the answer."""
    with page.expect_request_finished(lambda request: "seen=" in request.url):
        ask_now(page)


def steady(page: Page) -> None:
    """Wait until the page accepts clicks and keys again after it has changed."""
    page.wait_for_function(
        "(since) => performance.now() > since + 500", arg=page.evaluate("performance.now()")
    )


def set_clock(page: Page, milliseconds: int) -> None:
    """Set the clock of the page and stop it, so that a slow machine does not change the result."""
    page.evaluate("(now) => { performance.now = () => now; }", milliseconds)


def test_enter_pairs_checks_and_publishes_one_press_each(cockpit: Page, section: Section) -> None:
    go = cockpit.locator(".head .btn.go")
    set_clock(cockpit, 10_000)
    cockpit.keyboard.down("Enter")
    cockpit.keyboard.down("Enter")  # the browser repeats a key that is held down
    expect(go).to_contain_text("Check round 1")
    cockpit.keyboard.up("Enter")
    assert states(section) == [Round.State.DRAFT]
    cockpit.keyboard.press("Enter")
    expect(go).to_contain_text("Publish round 1")
    expect(cockpit.locator("#t-todo")).to_contain_text("follows the rules")
    cockpit.keyboard.press("Enter")  # too soon: nobody has looked at the round yet
    assert cockpit.locator(".htmx-request").count() == 0
    assert states(section) == [Round.State.DRAFT]
    set_clock(cockpit, 11_500)
    cockpit.keyboard.press("Enter")
    expect(go).to_contain_text("Enter results")
    assert states(section) == [Round.State.PUBLISHED]
    cockpit.keyboard.press("Enter")
    expect(cockpit.locator("h1")).to_have_text("Results, round 1")


def test_round_is_paired_published_and_unpaired_without_scripts(
    section: Section, new_page: PageMaker, log_in: LogIn
) -> None:
    """At first the page is outdated, and says so: scripts would have updated it before the click."""
    page = new_page(java_script_enabled=False)
    log_in(page, EventRoleFactory(event=section.event).user)
    page.goto(address(section, "cockpit/"))
    paired(section, published=False)
    page.locator(".head .btn.go").click()
    expect(page.locator("#problem")).to_contain_text("Nothing was done.")
    expect(page.locator(".head .btn.go")).to_contain_text("Check round 1")
    assert states(section) == [Round.State.DRAFT]
    for button in ("Unpair round 1", "Pair round 1", "Publish round 1", "Unpublish", "Unpair round 1"):
        follow(page.get_by_role("button", name=button))
    assert states(section) == []
    expect(page.locator("h1")).to_have_text("Before round 1")


def test_two_seats_follow_each_other(
    cockpit: Page, section: Section, new_page: PageMaker, log_in: LogIn
) -> None:
    other = new_page()
    log_in(other, EventRoleFactory(event=section.event, user__username="olga").user)
    other.goto(address(section, "cockpit/"))
    paired(section)
    for seat in (cockpit, other):
        ask_now(seat)
        expect(seat.locator(".head .btn.go")).to_contain_text("Enter results")
    steady(other)
    other.locator("li.in-play", has_text="1").first.get_by_role("link", name="Absent").click()
    other.get_by_role("button", name="White is absent: – +").click()
    expect(other.locator(".map a").first).not_to_have_class("play")
    asked(other)  # the page that opened after the form asks for news, too
    asked(cockpit)
    expect(cockpit.locator(".map a.play")).to_have_count(3)
    expect(cockpit.locator("#live-news")).to_have_text("1 of 4 results in")
    expect(cockpit.locator("#d-log")).to_contain_text("olga")


def test_conflict_is_settled_on_one_seat_and_gone_on_the_other(
    cockpit: Page, section: Section, new_page: PageMaker, log_in: LogIn
) -> None:
    game = played(section).games.get(board=3)
    confirm_result(actor=Actor.command(), game_id=game.pk, result="1-0", seen_version=game.version)
    other = new_page()
    log_in(other, EventRoleFactory(event=section.event).user)
    other.goto(address(section, "cockpit/"))
    asked(cockpit)
    expect(cockpit.locator(".map .clash")).to_have_text(re.compile("^3"))
    other.get_by_role("button", name="Board 3: 1–0").click()
    expect(other.locator(".map .clash")).to_have_count(0)
    asked(cockpit)
    expect(cockpit.locator(".map .clash")).to_have_count(0)
    game.refresh_from_db()
    assert (game.result, game.is_verified) == ("1-0", True)


def test_news_keep_the_focus_and_wait_until_the_mouse_button_is_released(
    cockpit: Page, section: Section
) -> None:
    link = cockpit.get_by_role("link", name="Byes and absences")
    link.focus()
    entry = section.participants.get(tpn=2)
    request_bye(actor=Actor.command(), participant_id=entry.pk, round_number=1, kind="H")
    asked(cockpit)
    expect(cockpit.locator("#d-away")).to_contain_text("half-point bye")
    expect(link).to_be_focused()
    box = cockpit.locator("#d-todo").bounding_box()
    cockpit.mouse.move(box["x"] + 300, box["y"] + 20)
    cockpit.mouse.down()
    paired(section)
    asked(cockpit)
    drawn(cockpit)
    expect(cockpit.locator(".head .btn.go")).to_contain_text("Pair round 1")
    cockpit.mouse.up()
    expect(cockpit.locator(".head .btn.go")).to_contain_text("Enter results")


def test_lost_connection_is_reported_and_the_page_is_updated_when_it_returns(
    cockpit: Page, section: Section
) -> None:
    """The page has the times of the event, and the device may be in another zone."""
    began = datetime.now(UTC)
    section.event.time_zone = "Asia/Kathmandu"  # 45 minutes beside whole hours
    section.event.save()
    cockpit.reload()
    state = cockpit.locator("#live-state")
    expect(state).to_be_hidden()
    cockpit.context.set_offline(True)
    ask_now(cockpit)
    there = began.astimezone(ZoneInfo("Asia/Kathmandu"))
    times = "|".join(f"{there + timedelta(minutes=more):%H:%M}" for more in range(10))
    expect(state).to_contain_text(re.compile(rf"No connection since (?:{times}):\d\d\. "))
    paired(section)
    cockpit.context.set_offline(False)
    ask_now(cockpit)
    expect(cockpit.locator(".head .btn.go")).to_contain_text("Enter results")
    expect(state).to_be_hidden()


def test_ended_session_is_reported(cockpit: Page, section: Section) -> None:
    cockpit.context.clear_cookies()
    ask_now(
        cockpit
    )  # the script does not follow the redirection to the login page, so this request never finishes
    expect(cockpit.locator("#live-state")).to_contain_text("Your session has ended")
    expect(cockpit.locator("#live-state a")).to_have_attribute("href", re.compile("/login/"))


def test_p_pairs_and_publishes_but_an_accidental_second_press_does_nothing(
    cockpit: Page, section: Section
) -> None:
    """P is the only key for pairing while the black button does something else, so P always works."""
    go = cockpit.locator(".head .btn.go")
    cockpit.keyboard.press("?")
    rows = cockpit.locator("[data-keys-here] tr", has_text="Pair round 1")
    # Each key has its own row: two keys in one row mean a sequence.
    expect(rows.locator("th")).to_have_text(["Enter", "P"])
    cockpit.keyboard.press("Escape")
    set_clock(cockpit, 10_000)
    cockpit.keyboard.press("p")
    expect(go).to_contain_text("Check round 1")
    cockpit.keyboard.press("p")  # an accidental second press
    expect(cockpit.locator("#live-moved")).to_have_text(EARLY)
    assert cockpit.locator(".htmx-request").count() == 0
    assert states(section) == [Round.State.DRAFT]
    set_clock(cockpit, 11_500)
    cockpit.keyboard.press("p")
    expect(go).to_contain_text("Enter results")
    assert states(section) == [Round.State.PUBLISHED]


def test_key_that_came_too_soon_after_the_page_is_said_to_be_early(cockpit: Page, section: Section) -> None:
    """Nothing has changed on the page, so it does not say that something has."""
    paired(section, published=False)
    cockpit.reload()
    set_clock(cockpit, 0)
    cockpit.keyboard.press("p")
    expect(cockpit.locator("#live-moved")).to_have_text(EARLY)
    assert states(section) == [Round.State.DRAFT]


# Press a key at the moment when somebody else's action changes the black button.
PRESS_THEN = """(key) => {
  const before = document.querySelector(".head .btn.go").textContent;
  new MutationObserver((_, seen) => {
    if (document.querySelector(".head .btn.go").textContent === before) return;
    seen.disconnect();
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }).observe(document.body, { childList: true, subtree: true });
}"""


def test_key_that_is_ignored_because_the_page_just_changed_is_reported(
    cockpit: Page, section: Section
) -> None:
    expect(cockpit.locator(".head .btn.go")).to_contain_text("Pair round 1")
    cockpit.evaluate(PRESS_THEN, "Enter")
    paired(section, published=False)
    ask_now(cockpit)
    notice = cockpit.locator("#live-moved")
    expect(notice).to_contain_text("nothing was done. To do it, press again.")
    assert cockpit.locator(".htmx-request").count() == 0
    steady(cockpit)
    cockpit.keyboard.press("Enter")
    expect(cockpit.locator(".head .btn.go")).to_contain_text("Publish round 1")
    expect(notice).to_be_hidden()
