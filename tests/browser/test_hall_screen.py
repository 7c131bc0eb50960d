"""The hall screen on projectors, televisions and upright screens: its pages, updates, countdown and lost network."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import product

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from evenboard_engine import Result
from pairing.rounds import pair_next_round, publish_round
from tests.browser.conftest import PageMaker, stop_clock
from tests.browser.made import made_once
from tests.browser.people import section_of_people
from tests.browser.public.conftest import enter, play_round
from tournaments.actions.hall import set_countdown, set_hall_message
from tournaments.actions.ledger import Actor
from tournaments.models import Section

PROJECTOR = {"width": 1920, "height": 1080}
SMALL = {"width": 1280, "height": 720}
OLD = {"width": 1024, "height": 768}
UPRIGHT = {"width": 1080, "height": 1920}
SHOWS = ("boards", "names", "standings", "aro")


def twenty_five_boards() -> Section:
    made = section_of_people(50)
    play_round(made, 1)
    return made


@pytest.fixture
def section(server: str) -> Section:
    """Fifty people with hard names at twenty-five boards, round 1 running, a countdown and a message at the bottom."""
    made = made_once(twenty_five_boards)
    actor = Actor.command()
    set_countdown(actor=actor, section_id=made.pk, to=timezone.now() + timedelta(minutes=8))
    set_hall_message(actor=actor, section_id=made.pk, message="Be seated at 13:58. Phones off.")
    made.refresh_from_db()
    return made


def screen(section: Section, query: str = "") -> str:
    return f"/{section.event.slug}/{section.slug}/screen/{query}"


def shown(page: Page) -> list[str]:
    return page.locator("#pages > section:visible tbody .bd").all_inner_texts()


def test_everything_is_in_view_with_ten_rows_and_with_twelve(new_page: PageMaker, section: Section) -> None:
    for game in section.played_rounds.get(number=1).games.all():
        enter(game, Result.DRAW)
    play_round(section, 2)
    page = new_page(viewport=PROJECTOR)
    for show, rows in product(SHOWS, (10, 12)):
        page.goto(screen(section, f"?show={show}&rows={rows}"))
        for viewport in (PROJECTOR, SMALL, OLD, UPRIGHT):
            page.set_viewport_size(viewport)
            expect(page.locator("#clock")).to_have_text(re.compile(r"^\d:\d\d$"))
            outside = page.evaluate(
                """() => [...document.querySelectorAll("header *, main *, footer *")]
                    .filter((one) => one.checkVisibility() && !one.closest(".sr, thead, [hidden]"))
                    .filter((one) => {
                        const box = one.getBoundingClientRect(), own = one.closest("main")?.getBoundingClientRect()
                        return box.right > innerWidth + 1 || box.bottom > (own ? own.bottom : innerHeight) + 1
                    })
                    .filter((one) => !one.closest(".nm"))
                    .map((one) => one.outerHTML.slice(0, 120))"""
            )
            assert outside == [], (viewport, show, rows)
            over = page.evaluate(
                """() => [...document.querySelectorAll("tbody .bd, tbody .pts, tbody .num")]
                    .filter((one) => {
                        const words = document.createRange()
                        words.selectNodeContents(one)
                        const [text, cell] = [words.getBoundingClientRect(), one.getBoundingClientRect()]
                        return text.width && (text.left < cell.left - 1 || text.right > cell.right + 1)
                    })
                    .map((one) => one.outerHTML)"""
            )
            assert over == [], (viewport, show, rows)


def test_names_are_large_enough_and_nothing_moves(new_page: PageMaker, section: Section) -> None:
    page = new_page(viewport=PROJECTOR)
    page.goto(screen(section))
    size = "(one) => parseFloat(getComputedStyle(one).fontSize)"
    assert page.locator("tbody .nm").first.evaluate(size) >= 48
    assert page.locator("tbody .bd").first.evaluate(size) >= 60
    small = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll("header *, main *, footer *")]
            .filter((one) => one.checkVisibility() && one.textContent.trim() && !one.closest(".sr"))
            .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""
    )
    assert small >= 0.026 * 1080 - 0.1
    moving = page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((one) => {
            const style = getComputedStyle(one)
            return style.animationName !== "none" || parseFloat(style.transitionDuration) > 0
        }).length"""
    )
    assert moving == 0
    # Rows that have not changed are not replaced.
    page.evaluate(
        """() => {
            window.changes = 0
            new MutationObserver((all) => { window.changes += all.length })
                .observe(document.getElementById("pages"), { childList: true, subtree: true })
        }"""
    )
    set_hall_message(actor=Actor.command(), section_id=section.pk, message="Phones off.")
    page.evaluate("dispatchEvent(new Event('online'))")  # the screen asks at once
    expect(page.locator("#message")).to_have_text("Phones off.")
    assert page.evaluate("window.changes") == 0
    # Enter fills the screen.
    page.keyboard.press("Enter")
    expect(page.locator("html:fullscreen")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("html:fullscreen")).to_have_count(0)


def test_screen_turns_its_pages_and_keys_pause_and_turn_it(new_page: PageMaker, section: Section) -> None:
    page = new_page(viewport=SMALL)
    stop_clock(page)
    page.goto(screen(section))
    expect(page.locator("#where")).to_have_text("Boards 1 to 10")
    assert shown(page) == [str(board) for board in range(1, 11)]
    page.clock.run_for(12_500)
    expect(page.locator("#where")).to_have_text("Boards 11 to 20")
    expect(page.locator("#leaf b")).to_have_text("11–20")
    page.clock.run_for(12_500)
    assert shown(page) == ["21", "22", "23", "24", "25"]
    page.clock.run_for(12_500)
    expect(page.locator("#where")).to_have_text("Boards 1 to 10")
    # Pointer and controls are hidden when the mouse rests.
    page.mouse.move(100, 100)
    expect(page.locator("#controls")).to_be_visible()
    page.clock.run_for(3_300)
    expect(page.locator("#controls")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).cursor") == "none"
    page.mouse.move(120, 100)
    expect(page.locator("#controls")).to_be_visible()
    # Keys pause the screen, turn its pages, and change its theme.
    page.keyboard.press(" ")
    page.clock.run_for(30_000)
    expect(page.locator("#where")).to_have_text("Boards 1 to 10")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_have_text("Boards 11 to 20")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#where")).to_have_text("Boards 21 to 25")
    page.keyboard.press("d")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_controls_cover_no_row(new_page: PageMaker, section: Section) -> None:
    """On a laptop there is little room for the controls beside the last row of each column."""
    for game in section.played_rounds.get(number=1).games.all():
        enter(game, "1-0")  # the ARO list comes with the last result
    page = new_page(viewport={"width": 1366, "height": 768})
    for show in ("standings", "names", "aro", "boards"):
        page.goto(screen(section, f"?show={show}"))
        page.mouse.move(100, 300)
        page.mouse.move(120, 300)
        expect(page.locator("#controls")).to_be_visible()
        bar = page.locator("#controls").bounding_box()
        rows = [row.bounding_box() for row in page.locator("tbody tr:visible").all()]
        assert rows != []
        assert [
            row for row in rows if row["y"] < bar["y"] + bar["height"] and bar["y"] < row["y"] + row["height"]
        ] == []


def test_a_new_round_appears_without_a_reload(new_page: PageMaker, section: Section) -> None:
    page = new_page(viewport=SMALL)
    page.clock.install()
    page.goto(screen(section))
    page.evaluate("document.body.dataset.here = 'still'")
    for game in section.played_rounds.get(number=1).games.all():
        enter(game, "1-0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")  # pause: on a slow machine the pages would turn while the test waits
    actor = Actor.command()
    made = pair_next_round(actor=actor, section_id=section.pk, after_round=1)
    page.clock.run_for(12_500)
    expect(page.locator("#heading")).to_have_text("Round 1")
    publish_round(actor=actor, round_id=made.pk, seen_version=made.version)
    page.clock.run_for(12_500)
    expect(page.locator("#heading")).to_have_text("Round 2")
    expect(page.locator("#where")).to_have_text("Boards 1 to 10")
    assert page.evaluate("document.body.dataset.here") == "still"


def test_screen_without_a_network_turns_its_pages_and_says_since_when(
    new_page: PageMaker, section: Section
) -> None:
    page = new_page(viewport=SMALL)
    page.goto(screen(section, "?seconds=5"))
    expect(page.locator("#stale")).to_have_text("")
    page.context.set_offline(True)
    expect(page.locator("#stale")).to_have_text(re.compile(r"^not updated since \d\d:\d\d$"))
    where = page.locator("#where").inner_text()
    expect(page.locator("#where")).not_to_have_text(where)
    page.context.set_offline(False)
    expect(page.locator("#stale")).to_have_text("")


def test_the_countdown_uses_the_time_of_the_server(
    new_page: PageMaker, section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = [timezone.now()]
    monkeypatch.setattr(timezone, "now", lambda: server[0])
    set_countdown(
        actor=Actor.command(), section_id=section.pk, to=server[0] + timedelta(minutes=7, seconds=55)
    )
    page = new_page(viewport=SMALL)
    # The computer at the projector has the wrong time.
    page.clock.install(time=server[0] + timedelta(hours=5))
    page.goto(screen(section))
    expect(page.locator("#clock")).to_have_text(re.compile(r"^7:[2-5]\d$"))
    assert page.locator("#clock").get_attribute("aria-live") == "off"
    set_countdown(actor=Actor.command(), section_id=section.pk, to=server[0] + timedelta(seconds=9))
    page.clock.run_for(12_500)
    expect(page.locator("#clock")).to_have_text(re.compile(r"^0:0\d$"))
    server[0] += timedelta(seconds=10)
    page.clock.run_for(12_500)
    expect(page.locator("#countdown-words")).to_have_text("Play has begun")
    expect(page.locator("#clock")).to_be_hidden()
    set_countdown(actor=Actor.command(), section_id=section.pk, to=None)
    page.clock.run_for(12_500)
    expect(page.locator("#countdown")).to_be_hidden()


def test_a_screen_without_scripts_shows_its_first_page(new_page: PageMaker, section: Section) -> None:
    page = new_page(viewport=SMALL, java_script_enabled=False)
    page.goto(screen(section))
    assert shown(page) == [str(board) for board in range(1, 11)]
