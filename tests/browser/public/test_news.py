"""Open pages follow the round, and ask for news without disturbing the server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from evenboard_engine import Result
from pairing.rounds import publish_round, unpublish_round
from tests.browser.conftest import PageMaker, stop_clock
from tests.browser.public.conftest import PHONE, address, enter, play_round
from tournaments.actions.ledger import Actor
from tournaments.models import Game, Section


def test_an_open_page_follows_the_round(new_page: PageMaker, section: Section) -> None:
    page = new_page()
    page.clock.install()
    page.goto(f"{address(section)}pairings/")
    page.get_by_role("searchbox").fill("1")
    expect(page.locator("#facts")).to_contain_text("2 of 12 results are in.")
    answers: list[int] = []
    page.on("response", lambda answer: answers.append(answer.status) if "seen=" in answer.url else None)
    with page.expect_response(re.compile("[?&]seen=")):
        page.clock.run_for(7_000)
    assert set(answers) == {204}
    game = Game.objects.get(round__number=2, board=3)
    enter(game, Result.DRAW)
    page.clock.run_for(7_000)
    expect(page.locator("#facts")).to_contain_text("3 of 12 results are in.")
    expect(page.locator("tr[data-find]:visible")).to_have_count(1)
    page.get_by_role("searchbox").fill("3")
    expect(page.locator("tr[data-find]:visible .res")).to_have_text("½–½")
    for game in Game.objects.filter(result=""):
        enter(game, Result.WHITE_WINS)
    play_round(section, 3)
    page.clock.run_for(7_000)
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 3")
    game = Game.objects.filter(round__number=3).select_related("round", "white").first()
    assert game is not None
    page.goto(f"{address(section)}round/3/pairings/")
    card, errors = new_page(viewport=PHONE), list[str]()
    for each in (page, card):
        each.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    card.clock.install()
    card.goto(f"{address(section)}players/{game.white.tpn}/")
    expect(card.get_by_role("region", name="The game of this round")).to_contain_text("Round 3")
    row = unpublish_round(actor=Actor.command(), round_id=game.round.pk, seen_version=game.round.version)
    page.clock.run_for(7_000)
    expect(page.get_by_role("heading", level=1)).to_have_text("Page not found")
    expect(page.get_by_role("link", name="Show the pairings")).to_be_visible()
    card.clock.run_for(7_000)
    expect(card.get_by_role("region", name="The game of this round")).to_have_count(0)
    publish_round(actor=Actor.command(), round_id=row.pk, seen_version=row.version)
    card.clock.run_for(7_000)
    expect(card.locator("#round-news")).to_have_text(
        re.compile(r"Round 3 is published\.\s+Show the pairings")
    )
    assert [error for error in errors if "status of 404" not in error] == [], "only that of the page itself"


def test_open_results_follow_the_round_in_their_order(new_page: PageMaker, section: Section) -> None:
    page = new_page(viewport=PHONE)
    page.clock.install()
    page.goto(f"{address(section)}results/")
    page.get_by_role("link", name="Newest first").click()
    first = page.locator("#boards tbody tr").first
    expect(first.locator(".bd")).to_have_text("2")
    enter(Game.objects.get(round__number=2, board=9), Result.DRAW)
    page.clock.run_for(7_000)
    expect(page.locator("#facts")).to_contain_text("3 of 12 results are in.")
    expect(first.locator(".bd")).to_have_text("9")
    expect(first.locator(".res")).to_have_text("½–½")
    page.get_by_role("link", name="By board").click()
    expect(page.get_by_role("region", name="Newest results").get_by_role("listitem").first).to_contain_text(
        "½–½"
    )


def questions(page: Page) -> list[str]:
    """Return the list to which each question of the page will be added."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "seen=" in request.url else None)
    return asked


@pytest.mark.parametrize(("chance", "seconds"), [(0, 3.75), (0.5, 5), (0.999, 6.25)])
def test_open_pages_ask_at_different_times(
    new_page: PageMaker, section: Section, chance: float, seconds: float
) -> None:
    page = new_page()
    stop_clock(page)
    page.add_init_script(f"Math.random = () => {chance}")
    page.goto(f"{address(section)}pairings/")
    asked = questions(page)
    page.clock.run_for(seconds * 1000 - 600)
    assert asked == []
    with page.expect_response(re.compile("[?&]seen=")):
        page.clock.run_for(1_200)
    assert len(asked) == 1


def test_a_hidden_page_asks_for_news_rarely_and_at_once_when_it_is_shown(
    new_page: PageMaker, section: Section
) -> None:
    page = new_page()
    stop_clock(page)
    page.add_init_script(
        """Math.random = () => 0.5;
        Object.defineProperty(document, "hidden", { get: () => window.unseen ?? false });
        window.see = (seen) => { window.unseen = !seen; document.dispatchEvent(new Event("visibilitychange")) }"""
    )
    page.goto(f"{address(section)}pairings/")
    asked = questions(page)
    page.evaluate("see(false)")
    page.clock.run_for(29_000)
    assert asked == []
    with page.expect_response(re.compile("[?&]seen=")):
        page.clock.run_for(2_000)
    page.clock.run_for(20_000)
    assert len(asked) == 1
    with page.expect_response(re.compile("[?&]seen=")):
        page.evaluate("see(true)")
    assert len(asked) == 2
    page.evaluate("see(false)")
    page.evaluate("see(true)")  # it has just asked
    assert len(asked) == 2


def test_a_busy_server_is_asked_again_at_the_time_that_it_names(
    new_page: PageMaker, section: Section
) -> None:
    page = new_page()
    stop_clock(page)
    page.add_init_script("Math.random = () => 0.5")
    page.goto(f"{address(section)}pairings/")
    busy = {"status": 503, "headers": {"Retry-After": "60"}, "body": "busy"}
    page.route(re.compile("[?&]seen="), lambda route: route.fulfill(**busy))
    asked = questions(page)
    with page.expect_response(re.compile("[?&]seen=")):
        page.clock.run_for(5_500)
    expect(page.get_by_text("No connection: this page may be out of date.")).to_be_visible()
    page.unroute_all()
    page.clock.run_for(88_000)
    assert len(asked) == 1
    with page.expect_response(re.compile("[?&]seen=")):
        page.clock.run_for(3_000)
    expect(page.get_by_text("No connection: this page may be out of date.")).to_be_hidden()
