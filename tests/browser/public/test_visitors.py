"""A visitor finds a name and their own game."""

from __future__ import annotations

import json

from playwright.sync_api import Page, expect

from evenboard_engine import Result
from tests.browser.conftest import PageMaker
from tests.browser.public.conftest import PHONE, address, enter
from tournaments.models import Bye, Game, Participant, Section
from tournaments.queries.standings import standings_table
from web.page_cache import store
from web.words.values import points_text

SIGNS = {"1-0": "1–0", "1/2": "½–½", "0-1": "0–1"}


def test_finding_a_name_filters_during_typing(new_page: PageMaker, section: Section) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{address(section)}aro/")
    rows = page.locator("tr[data-find]:visible")
    expect(rows).to_have_count(25)
    page.get_by_role("searchbox").press_sequentially("hrub")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("Hrubeš, Vojtěch")
    expect(page.locator("tr.band:visible")).to_have_count(1)
    page.get_by_role("searchbox").fill("ÆGIR THOR")
    expect(rows).to_have_count(1)
    page.get_by_role("searchbox").fill("nobody")
    expect(rows).to_have_count(0)
    expect(page.get_by_text("Nothing found.")).to_be_visible()
    page.get_by_role("searchbox").fill("")
    expect(rows).to_have_count(25)


def test_player_who_presses_this_is_me_sees_their_own_game_first(
    new_page: PageMaker, section: Section
) -> None:
    """The device remembers the player. No form is sent, no page is loaded again, and there is no cookie."""
    page = new_page(viewport=PHONE)
    page.goto(f"{address(section)}pairings/")
    page.get_by_role("link", name="Lindqvist, Åke").click()
    page.get_by_role("button", name="This is me").click()
    expect(page.get_by_role("button", name="This is not me")).to_be_focused()
    expect(page.get_by_role("button", name="This is me")).to_be_hidden()
    page.goto(f"{address(section)}players/2/")
    page.get_by_role("button", name="Follow").click()
    expect(page.get_by_role("button", name="Stop following")).to_be_focused()
    page.goto(f"{address(section)}pairings/")
    plate = page.get_by_role("region", name="Your game")
    expect(plate).to_contain_text("Lindqvist, Åke")
    expect(page.locator(".followed")).to_contain_text("Szűcs-Baranyai, Örs")
    expect(page.locator("tr.here")).to_contain_text("Lindqvist, Åke")
    expect(page.locator("tr.here")).to_have_attribute("aria-current", "true")
    expect(page.locator("tr.mine")).to_contain_text("Szűcs-Baranyai, Örs")
    assert plate.bounding_box()["y"] < 400
    for elsewhere in (f"/{section.event.slug}/", f"{address(section)}names/"):
        page.goto(elsewhere)
        expect(plate).to_contain_text("Lindqvist, Åke")
        expect(page.locator(".followed")).to_contain_text("Szűcs-Baranyai, Örs")
    plate.get_by_role("link", name="My card").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Lindqvist, Åke")
    page.get_by_role("button", name="This is not me").click()
    expect(page.get_by_role("button", name="This is me")).to_be_visible()
    page.goto(f"{address(section)}pairings/")
    expect(plate).to_be_hidden()
    expect(page.locator("tr.here")).to_have_count(0)
    assert page.context.cookies() == []


def test_every_list_marks_the_row_of_the_visitor(new_page: PageMaker, section: Section) -> None:
    page = new_page()
    be(page, section, "Lindqvist, Åke")
    for listed in ("standings/", "crosstable/", "aro/", "players/", "names/", "results/"):
        page.goto(f"{address(section)}{listed}")
        expect(page.locator("tr.here")).to_have_count(1)
        expect(page.locator("tr.here")).to_contain_text("Lindqvist, Åke")


def test_the_plate_says_board_colour_opponent_and_result(new_page: PageMaker, section: Section) -> None:
    """White, Black, and after news; the visitor's page is the one that all visitors get."""
    game = Game.objects.select_related("white__player", "black__player").get(round__number=2, board=1)
    points = {player.pk: points_of(player) for player in (game.white, game.black)}
    page = new_page()
    for me, other, colour in ((game.white, game.black, "White"), (game.black, game.white, "Black")):
        be(page, section, me.player.name)
        for listed in ("pairings/", "results/"):
            page.goto(f"{address(section)}{listed}")
            plate = page.get_by_role("region", name="Your game")
            text = " ".join(plate.inner_text().split())
            rest = f"{other.player.title} {other.player.federation} {other.rating}, {points[other.pk]}"
            assert text == (
                f"{me.player.name} Not you? Board 1 You have {colour} "
                f"against {other.player.name} {rest} My card {SIGNS[game.result]}"
            )


def test_the_plate_follows_the_round(new_page: PageMaker, section: Section) -> None:
    game = Game.objects.select_related("white__player").get(round__number=2, board=5)
    page = new_page()
    page.clock.install()
    be(page, section, game.white.player.name)
    page.goto(f"{address(section)}pairings/")
    plate = page.get_by_role("region", name="Your game")
    expect(plate.locator("b").last).to_have_text("")
    enter(game, Result.DRAW)
    page.clock.run_for(26_000)
    expect(plate.locator("b").last).to_have_text("½–½")
    expect(page.locator("tr.here")).to_contain_text(game.white.player.name)


def test_the_plate_names_a_bye_and_an_absence(new_page: PageMaker, section: Section) -> None:
    free = Bye.objects.select_related("participant__player").get(round_number=2)
    page = new_page()
    be(page, section, free.participant.player.name)
    page.goto(f"{address(section)}pairings/")
    plate = page.get_by_role("region", name="Your game")
    expect(plate).to_contain_text("No game in this round: pairing-allocated bye")
    free.delete()
    store.clear()
    page.reload()
    expect(plate).to_contain_text("You are not paired in this round")


def test_page_without_scripts_marks_no_visitor(new_page: PageMaker, section: Section) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{address(section)}pairings/")
    expect(page.locator("tr.here")).to_have_count(0)
    expect(page.get_by_role("region", name="Your game")).to_be_hidden()
    page.goto(f"{address(section)}players/1/")
    expect(page.get_by_role("button", name="This is me")).to_be_hidden()


def be(page: Page, section: Section, name: str) -> None:
    """Let the browser remember which player the visitor is, as the button "This is me" does."""
    key = section.participants.get(player__name=name).pk
    page.goto(f"{address(section)}players/")
    kept = [{"key": str(key), "name": name, "me": True}]
    page.evaluate(
        "([place, kept]) => localStorage.setItem(place, kept)", [f"players-{section.pk}", json.dumps(kept)]
    )


def points_of(participant: Participant) -> str:
    """Return the points of a participant after round 1, in the words of the plate."""
    row = next(
        row for row in standings_table(participant.section, 1).rows if row.participant_id == participant.pk
    )
    return "1 point" if row.points == 10 else f"{points_text(row.points)} points"
