"""The public pages in a real browser: they fit the screen, obey the security policy, find names, follow the round."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth import get_user_model
from django.db.models import F
from playwright.sync_api import Page, expect

from pairing.engine import Result
from pairing.rounds.actions import pair_next_round, publish_round
from tests.browser.conftest import LogIn, PageMaker, follow
from tests.browser.people import section_of_people
from tournaments.actions.hall import set_hall_message
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.models import Bye, EventRole, Game, Participant, Round, Section
from tournaments.queries.standings import standings_table
from tournaments.web.made_once import store
from tournaments.web.words.values import points_text

PHONE = {"width": 360, "height": 740}
RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)
SIGNS = {"1-0": "1–0", "1/2": "½–½", "0-1": "0–1"}
PAGES = (
    "",
    "pairings/",
    "round/1/pairings/",
    "round/2/names/",
    "standings/",
    "standings/1/",
    "results/",
    "results/1/?by=newest",
    "aro/",
    "aro/1/",
    "aro/?by=name",
    "crosstable/",
    "players/",
    "players/1/",
    "players/25/",
)
OF_ARBITERS = ("desk/", "entries/", "round/2/results/", "byes/", "documents/", "log/", "settings/")
PAPER = ("boards", "names", "aro", "standings", "crosstable")
FRAMES = ".scroll, .scroll *"


def play_round(section: Section, number: int) -> Round:
    """Pair and publish round `number`."""
    actor = Actor.command()
    made = pair_next_round(actor=actor, section_id=section.pk, after_round=number - 1)
    return publish_round(actor=actor, round_id=made.pk, seen_version=made.version)


def enter(game: Game, result: Result) -> None:
    record_result(actor=Actor.command(), game_id=game.pk, result=result, seen_version=game.version)


@pytest.fixture
def section(server: str) -> Section:
    """Twenty-five people, round 1 over, round 2 published with two results."""
    made = section_of_people()
    for number, results in ((1, None), (2, 2)):
        for game in play_round(made, number).games.order_by("board")[:results]:
            enter(game, RESULTS[game.board % 3])
    made.refresh_from_db()
    return made


def address(section: Section) -> str:
    return f"/{section.event.slug}/{section.slug}/"


def wide_things(page: Page) -> list[str]:
    """Return what is wider than the page, except lists that scroll in their own frame."""
    return page.evaluate(
        """(frames) => [...document.querySelectorAll("main *, header *")]
            .filter((thing) => !thing.matches(frames) && !thing.closest(".tabs, .sr, svg"))
            .filter((thing) => thing.getBoundingClientRect().right > innerWidth + 0.5)
            .map((thing) => thing.outerHTML.slice(0, 80))""",
        FRAMES,
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_a_phone(new_page: PageMaker, section: Section, scheme: str) -> None:
    page = new_page(viewport=PHONE, color_scheme=scheme, has_touch=True, is_mobile=True)
    for path in PAGES:
        answer = page.goto(address(section) + path)
        assert answer is not None
        assert answer.status == 200, path
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        assert wide_things(page) == [], path


def test_every_page_of_an_arbiter_fits_a_phone(new_page: PageMaker, log_in: LogIn, section: Section) -> None:
    ada = get_user_model().objects.create_user("ada")
    EventRole.objects.create(event=section.event, user=ada, role=EventRole.Role.OWNER)
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    log_in(page, ada)
    for path in OF_ARBITERS:
        answer = page.goto(address(section) + path)
        assert answer is not None
        assert answer.status == 200, path
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


@pytest.fixture
def endless(section: Section) -> Section:
    """Very long names without a space for the top player and the player with the bye; boards from 101."""
    for number in (1, 25):
        player = section.participants.get(tpn=number).player
        player.name = "Wolfeschlegelsteinhausenbergerdorff"[number % 5 :] * 3
        player.save()
    section.participants.update(club="Schachgesellschaft" * 4)
    Game.objects.update(board=F("board") + 100)
    section.event.name = "Rijswijk Club Championship 2026"
    section.event.save()
    return section


@pytest.mark.parametrize("viewport", [PHONE, {"width": 800, "height": 700}, {"width": 1366, "height": 768}])
def test_very_long_names_push_no_cell_out_of_its_list(
    new_page: PageMaker, log_in: LogIn, endless: Section, viewport: dict[str, int]
) -> None:
    ada = get_user_model().objects.create_user("ada")
    EventRole.objects.create(event=endless.event, user=ada, role=EventRole.Role.OWNER)
    Round.objects.filter(number=2).update(state=Round.State.DRAFT)
    page = new_page(viewport=viewport)
    log_in(page, ada)
    for path in (*PAGES, "desk/", "entries/", "byes/"):
        page.goto(address(endless) + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], path
        assert (
            page.evaluate(
                """(frames) => [...document.querySelectorAll(".sheet :is(th, td)")]
                    .filter((cell) => !cell.closest(`${frames}, thead`))
                    .filter((cell) => cell.getBoundingClientRect().right
                        > cell.closest(".sheet").getBoundingClientRect().right + 0.5)
                    .map((cell) => cell.outerHTML.slice(0, 80))""",
                FRAMES,
            )
            == []
        ), path


def test_a_phone_keeps_names_and_numbers_apart(new_page: PageMaker, endless: Section) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{address(endless)}pairings/")
    where, side = (page.locator(f".top {part}").bounding_box() for part in (".where", ".side"))
    assert where["x"] + where["width"] <= side["x"]
    left, right, mark = page.locator("tr[data-find]:has(.bd)").last.evaluate(
        """(row) => {
            const number = document.createRange()
            number.selectNodeContents(row.querySelector(".bd"))
            const { left, right } = number.getBoundingClientRect()
            const mark = row.querySelector(".pc").getBoundingClientRect()
            return [left - row.getBoundingClientRect().left, right, mark.left]
        }"""
    )
    assert (left >= 4, right + 3 <= mark) == (True, True)


def test_the_figures_of_a_card_do_not_break_into_two_lines(new_page: PageMaker, endless: Section) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{address(endless)}players/25/")
    figures = page.locator(".figures dd")
    figures.nth(1).evaluate("(place) => { place.firstChild.data = '113 ' }")
    figures.nth(1).locator("small").evaluate("(of) => { of.textContent = 'of 201' }")
    assert len({round(box["height"]) for box in (one.bounding_box() for one in figures.all())}) == 1
    places = figures.evaluate_all("(all) => all.map((one) => one.scrollWidth - one.clientWidth)")
    assert places == [0, 0, 0, 0]


def test_the_headings_of_a_card_are_aligned_with_their_columns(new_page: PageMaker, section: Section) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{address(section)}players/1/")
    heads, cells = (
        page.locator(f"table.card {row} tr:first-child > *:visible") for row in ("thead", "tbody")
    )
    lefts = "(all) => all.map((one) => Math.round(one.getBoundingClientRect().left))"
    assert heads.evaluate_all(lefts) == cells.evaluate_all(lefts)


def test_a_bye_takes_no_room_from_the_names(new_page: PageMaker, section: Section) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{address(section)}names/")
    cells = page.locator("#names tbody tr").first.locator("td:visible")
    assert cells.last.bounding_box()["width"] < 100


def test_every_page_has_one_heading_and_no_inline_style_on_a_laptop(
    new_page: PageMaker, section: Section
) -> None:
    page = new_page()
    for path in (*PAGES, *(f"print/{document}/" for document in PAPER)):
        answer = page.goto(address(section) + path)
        assert answer is not None
        assert answer.status == 200, path
        assert page.evaluate("document.documentElement.scrollWidth") <= 1366, path
        assert page.locator("h1").count() == 1, path
        assert page.locator("[style]").count() == 0, path


def test_dark_mode_is_dark(new_page: PageMaker, section: Section) -> None:
    colours = []
    for scheme in ("light", "dark"):
        page = new_page(color_scheme=scheme)
        page.goto(f"{address(section)}aro/")
        colours.append(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
        white = page.locator("main .pc:not(.b)").first
        assert white.evaluate("(mark) => getComputedStyle(mark).backgroundColor") in (
            "rgb(255, 255, 255)",
            "rgb(241, 243, 243)",
        )
    assert colours == ["rgb(242, 244, 243)", "rgb(15, 18, 20)"]


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


def test_an_open_page_follows_the_round(new_page: PageMaker, section: Section) -> None:
    page = new_page()
    page.clock.install()
    page.goto(f"{address(section)}pairings/")
    page.get_by_role("searchbox").fill("1")
    expect(page.locator("#facts")).to_contain_text("2 of 12 results are in.")
    answers: list[int] = []
    page.on("response", lambda answer: answers.append(answer.status) if "seen=" in answer.url else None)
    with page.expect_response(re.compile("[?&]seen=")):
        page.clock.run_for(26_000)
    assert answers == [204]
    game = Game.objects.get(round__number=2, board=3)
    enter(game, Result.DRAW)
    page.clock.run_for(26_000)
    expect(page.locator("#facts")).to_contain_text("3 of 12 results are in.")
    expect(page.locator("tr[data-find]:visible")).to_have_count(1)
    page.get_by_role("searchbox").fill("3")
    expect(page.locator("tr[data-find]:visible .res")).to_have_text("½–½")
    for game in Game.objects.filter(result=""):
        enter(game, Result.WHITE_WINS)
    play_round(section, 3)
    page.clock.run_for(26_000)
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 3")


def test_open_results_follow_the_round_in_their_order(new_page: PageMaker, section: Section) -> None:
    page = new_page(viewport=PHONE)
    page.clock.install()
    page.goto(f"{address(section)}results/")
    page.get_by_role("link", name="Newest first").click()
    first = page.locator("#boards tbody tr").first
    expect(first.locator(".bd")).to_have_text("2")
    enter(Game.objects.get(round__number=2, board=9), Result.DRAW)
    page.clock.run_for(26_000)
    expect(page.locator("#facts")).to_contain_text("3 of 12 results are in.")
    expect(first.locator(".bd")).to_have_text("9")
    expect(first.locator(".res")).to_have_text("½–½")
    page.get_by_role("link", name="By board").click()
    expect(page.get_by_role("region", name="Newest results").get_by_role("listitem").first).to_contain_text(
        "½–½"
    )


def test_results_without_scripts(new_page: PageMaker, section: Section) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{address(section)}pairings/")
    follow(page.get_by_role("link", name="Results", exact=True))
    expect(page.get_by_role("heading", level=1)).to_have_text("Results, round 2")
    follow(page.get_by_role("link", name="Newest first"))
    expect(page.locator("#boards tbody .bd").first).to_have_text("2")
    page.get_by_role("searchbox").fill("hrub")
    follow(page.get_by_role("button", name="Find"))
    expect(page.locator("#boards tbody tr")).to_have_count(1)


def test_player_who_presses_this_is_me_sees_their_own_game_first(
    new_page: PageMaker, section: Section
) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{address(section)}pairings/")
    page.get_by_role("link", name="Lindqvist, Åke").click()
    expect(page.get_by_role("button", name="This is not me")).to_be_hidden()
    page.get_by_role("button", name="This is me").click()
    plate = page.get_by_role("region", name="Your game")
    expect(plate).to_contain_text("Lindqvist, Åke")
    expect(page.locator("tr.here")).to_contain_text("Lindqvist, Åke")
    expect(page.locator("tr.here")).to_have_attribute("aria-current", "true")
    assert plate.bounding_box()["y"] < 400
    plate.get_by_role("link", name="My card").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Lindqvist, Åke")
    page.get_by_role("button", name="This is not me").click()
    expect(page.get_by_role("button", name="This is me")).to_be_visible()
    page.goto(f"{address(section)}pairings/")
    expect(plate).to_be_hidden()
    expect(page.locator("tr.here")).to_have_count(0)


@pytest.mark.parametrize("listed", ["standings/", "crosstable/", "aro/", "players/", "names/", "results/"])
def test_every_list_marks_the_row_of_the_visitor(new_page: PageMaker, section: Section, listed: str) -> None:
    page = new_page()
    be(page, section, "Lindqvist, Åke")
    page.goto(f"{address(section)}{listed}")
    expect(page.locator("tr.here")).to_have_count(1)
    expect(page.locator("tr.here")).to_contain_text("Lindqvist, Åke")


def test_the_plate_says_board_colour_opponent_and_result(new_page: PageMaker, section: Section) -> None:
    """White, Black, and after news; the visitor's page is the one that all visitors get."""
    game = Game.objects.select_related("white__player", "black__player").get(round__number=2, board=1)
    points = {player.pk: points_of(player) for player in (game.white, game.black)}
    for me, other, colour in ((game.white, game.black, "White"), (game.black, game.white, "Black")):
        page = new_page()
        be(page, section, me.player.name)
        for listed in ("pairings/", "results/"):
            page.goto(f"{address(section)}{listed}")
            plate = page.get_by_role("region", name="Your game")
            said = " ".join(plate.inner_text().split())
            rest = f"{other.player.title} {other.player.federation} {other.rating}, {points[other.pk]}"
            assert said == (
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
    be(page, section, "Lindqvist, Åke")
    page.goto(f"{address(section)}pairings/")
    expect(page.locator("tr.here")).to_have_count(0)
    expect(page.get_by_role("region", name="Your game")).to_be_hidden()
    page.goto(f"{address(section)}players/1/")
    expect(page.get_by_role("button", name="This is me")).to_be_hidden()


def be(page: Page, section: Section, name: str) -> None:
    """Let the browser remember which player the visitor is, as the button "This is me" does."""
    key = section.participants.get(player__name=name).pk
    server = page.context.new_page()
    server.goto("/")
    page.context.add_cookies([{"name": f"me-{section.pk}", "value": str(key), "url": server.url}])
    server.close()


def points_of(participant: Participant) -> str:
    """Return the points of a participant after round 1, in the words of the plate."""
    row = next(
        row for row in standings_table(participant.section, 1).rows if row.participant_id == participant.pk
    )
    return "1 point" if row.points == 10 else f"{points_text(row.points)} points"


# Questions of open pages ------------------------------------------------------------------------------------


def questions(page: Page) -> list[str]:
    """Return the list to which each question of the page will be added."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "seen=" in request.url else None)
    return asked


@pytest.mark.parametrize(("chance", "seconds"), [(0, 15), (0.5, 20), (0.999, 25)])
def test_open_pages_ask_at_different_times(
    new_page: PageMaker, section: Section, chance: float, seconds: int
) -> None:
    page = new_page()
    page.clock.install()
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
    page.clock.install()
    page.add_init_script(
        """Math.random = () => 0.5;
        Object.defineProperty(document, "hidden", { get: () => window.unseen ?? false });
        window.see = (seen) => { window.unseen = !seen; document.dispatchEvent(new Event("visibilitychange")) }"""
    )
    page.goto(f"{address(section)}pairings/")
    asked = questions(page)
    page.evaluate("see(false)")
    page.clock.run_for(119_000)
    assert asked == []
    with page.expect_response(re.compile("[?&]seen=")):
        page.clock.run_for(2_000)
    page.clock.run_for(60_000)
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
    page.clock.install()
    page.add_init_script("Math.random = () => 0.5")
    page.goto(f"{address(section)}pairings/")
    busy = {"status": 503, "headers": {"Retry-After": "60"}, "body": "busy"}
    page.route(re.compile("[?&]seen="), lambda route: route.fulfill(**busy))
    asked = questions(page)
    with page.expect_response(re.compile("[?&]seen=")):
        page.clock.run_for(20_500)
    expect(page.get_by_text("No connection: this list may be out of date.")).to_be_visible()
    page.unroute_all()
    page.clock.run_for(88_000)
    assert len(asked) == 1
    with page.expect_response(re.compile("[?&]seen=")):
        page.clock.run_for(3_000)
    expect(page.get_by_text("No connection: this list may be out of date.")).to_be_hidden()


def test_a_page_before_round_1_opens_the_first_round(new_page: PageMaker, server: str) -> None:
    section = section_of_people()
    page = new_page()
    page.clock.install()
    page.goto(f"{address(section)}pairings/")
    set_hall_message(actor=Actor.command(), section_id=section.pk, message="News that is not about a round")
    page.clock.run_for(26_000)
    expect(page.locator("#none")).to_have_attribute("hx-get", re.compile("seen=1$"))
    play_round(section, 1)
    page.clock.run_for(26_000)
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 1")


def test_the_crosstable_scrolls_in_its_own_frame(new_page: PageMaker, section: Section) -> None:
    for number in range(3, 8):
        for game in Game.objects.filter(result=""):
            enter(game, Result.DRAW)
        play_round(section, number)
    page = new_page(viewport=PHONE)
    page.goto(f"{address(section)}crosstable/")
    frame = page.get_by_role("region", name="Crosstable")
    assert frame.evaluate("(frame) => frame.scrollWidth > frame.clientWidth") is True
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    frame.evaluate("(frame) => frame.scrollTo(10_000, 0)")
    name = page.get_by_role("rowheader").first
    assert name.bounding_box()["x"] < 30


def test_a_phone_list_keeps_the_roles_of_its_table(new_page: PageMaker, section: Section) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{address(section)}pairings/")
    table = page.get_by_role("table", name="Pairings of round 2 by board")
    expect(table.get_by_role("row")).to_have_count(13)
    expect(table.get_by_role("rowheader", name="1", exact=True)).to_be_visible()
    expect(table.get_by_role("columnheader", name="White")).to_be_attached()
