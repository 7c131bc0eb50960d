"""axe, the accessibility checker, finds no error on any page at 1366 and 360 px, and no faint text in dark mode.

Comparing colours takes it longer than all other rules. Colours do not depend on the width, so at 360 px it compares
only those of elements that are not visible at 1366 px; in dark mode, those of all elements at 360 px.

Each state of a section has its list of pages. A new address fails `test_every_page_is_visited` until it is in one of
these lists, or in NOT_PAGES with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib.resources import files
from time import time
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver
from playwright.sync_api import Page, Route, expect

from config.failures import FULL
from pairing.rounds.all_rounds import pair_all_rounds, publish_all_rounds
from pairing.rounds.by_hand import begin_manual_phase, change_by_hand
from pairing.rounds.seating import Move, Step
from tests.browser.conftest import LogIn, PageMaker
from tests.browser.people import section_of_people
from tests.factories import (
    ByeFactory,
    EventRoleFactory,
    ForbiddenPairFactory,
    GameFactory,
    RoundFactory,
    UserFactory,
)
from tests.web.staff.conftest import address, enter, paired, played
from tests.web.test_access import BUTTONS
from tournaments.actions.backups import take_copy
from tournaments.actions.byes import request_bye
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.lots import draw_lots
from tournaments.actions.presence import check_in, open_check_in
from tournaments.actions.results import confirm_result, mark_over
from tournaments.actions.second_factor import secret_of
from tournaments.actions.sections import close_section
from tournaments.models import Bye, EventRole, Game, SecondFactor, Section, SiteSettings, User
from tournaments.totp import hotp, step_at

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
LOOK = """async ({ unseen, options }) => {
  const visible = [...document.body.querySelectorAll("*")].filter((element) => element.checkVisibility());
  const part = unseen ? visible.filter((element) => !window.seen.has(element)) : [document];
  window.seen ??= new Set(visible);
  const found = part.length ? await axe.run(part, options) : { violations: [] };
  const lines = (each) => each.nodes.map((node) => `${each.id} (${each.impact}): ${node.html.slice(0, 160)}`);
  return found.violations.flatMap(lines);
}"""
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
ALL_BUT_COLOURS = {"rules": {"color-contrast": {"enabled": False}}}
WIDE, NARROW = 1366, 360
LIST = """Name;Rating;Federation;Title
Novák, Jan;2010;CZE;FM
Lindqvist, Åke;;SWE;
Berg, Bo;2l00;HOL;
Novák, Jan;2020;CZE;
"""
NOT_PAGES = {
    **dict.fromkeys(BUTTONS, "takes what a button sends"),
    "set_language": "leads back",
    "login-code": "comes after a password; test_axe_finds_no_error_on_the_way_into_a_login opens it",
    "healthz": "says ok in plain text",
    "readyz": "JSON",
    "api:round": "JSON",
    "api:standings": "JSON",
    "report": "a file",
    "csv": "a file",
    "list-csv": "a file",
    "log-file": "a file",
    "copy-now": "a file",
    "kept-copy": "a file",
    "event-copy": "a file",
    "section": "leads to the pairings",
    "import-check": "leads back as long as no file was sent",
    "invitation": "test_axe_finds_no_error_on_the_way_of_an_invitation opens it",
    "load-copy-check": "leads back as long as no file was sent",
}

PUBLIC = [
    ("event", "/{event}/"),
    ("pairings", "pairings/"),
    ("pairings", "round/1/pairings/"),
    ("names", "names/"),
    ("results", "results/"),
    ("results", "results/1/?by=newest"),
    ("aro", "aro/?by=name"),
    ("standings", "standings/"),
    ("aro", "aro/"),
    ("crosstable", "crosstable/"),
    ("players", "players/"),
    ("player", "players/1/"),
    ("screen", "screen/"),
    ("print", "print/standings/"),
    ("print", "print/starting-list/"),
    ("print", "print/aro-names/"),
    ("why", "round/1/why/"),
    ("why-player", "round/1/why/1/"),
    ("compare", "round/1/compare/"),
    ("compare", "round/2/compare/?show=different"),
]
FOR_ARBITERS = ("why", "why-player", "compare")
SECTION = [
    ("cockpit", "desk/"),
    ("entries", "entries/"),
    ("byes", "byes/"),
    ("documents", "documents/"),
    ("log", "log/"),
    ("settings", "settings/"),
    ("check-in", "check-in/"),
    ("absences", "absences/"),
]
# For each state of the section and each kind of visitor: the name of each address, and its path. A path that does
# not begin with a slash is inside the section.
VISITS: dict[tuple[str, str], list[tuple[str, str]]] = {
    ("nothing", "nobody"): [
        ("home", "/"),
        ("login", "/login/"),
        ("login", "/login/?next=%2F&ended=1"),
        ("sign-up", "/sign-up/"),
        ("forgotten", "/login/forgotten/"),
        ("new-password", "/login/new-password/wrong/"),
        ("allow-phone", f"/login/new-phone/{'x' * 43}/"),
        ("", "/nothing/at/all/"),
    ],
    ("nothing", "owner"): [
        ("home", "/"),
        ("new-event", "/new/"),
        ("load-copy", "/new/-/load/"),
        ("site", "/site/"),
        ("account", "/account/"),
        ("password", "/password/"),
        ("second-factor", "/account/second-factor/"),
        ("mail", "/account/mail/"),
        ("new-phone", "/account/new-phone/"),
        ("result-keys", "/keys/"),
    ],
    ("empty", "owner"): [
        *SECTION,
        ("event", "/{event}/"),
        ("pairings", "pairings/"),
        ("standings", "standings/"),
        ("edit-event", "/{event}/-/edit/"),
        ("people", "/{event}/-/people/"),
        ("new-section", "/{event}/-/new-section/"),
        ("new-section-from-report", "/{event}/-/report/"),
        ("add-entry", "entries/add/"),
        ("import", "entries/import/"),
    ],
    ("check-in", "arbiter"): [
        *SECTION,
        ("check-in", "check-in/?show=missing"),
        ("absences", "absences/?all=W"),
    ],
    ("running", "nobody"): [("home", "/"), *(page for page in PUBLIC if page[0] not in FOR_ARBITERS)],
    ("running", "arbiter"): [
        *SECTION,
        *PUBLIC,
        ("enter-results", "round/3/results/"),
        ("enter-results", "round/1/results/"),
        ("board-result", "round/3/board/1/"),
        ("absent", "game/{game}/absent/"),
        ("leave", "entries/{entry}/leave/"),
        ("edit-entry", "entries/{entry}/"),
        ("equal-ratings", "entries/equal/"),
        ("tie-breaks", "tie-breaks/"),
        ("tie-values", "tie-breaks/values/"),
        ("rating-report", "documents/rating/"),
        ("screens", "screens/"),
        ("fide-mode", "settings/fide-mode/"),
        ("corrections", "round/2/corrections/"),
        ("correct", "round/2/corrections/1/"),
        ("forbidden-pairs", "forbidden-pairs/"),
        ("forbidden-pair", "forbidden-pairs/{pair}/"),
        ("undo", "log/{revision}/undo/"),
        ("restore", "restore/2/"),
        ("copies", "copies/"),
        ("log-check", "log/check/"),
        ("print", "print/boards/"),
        ("print", "print/slips/"),
        ("print", "print/check-in/"),
        ("by-hand", "round/3/by-hand/"),
        ("", "desk/nothing/"),
    ],
    ("by hand", "arbiter"): [
        ("cockpit", "desk/"),
        ("by-hand", "round/2/by-hand/"),
        ("by-hand", "round/2/by-hand/?picked={entry}"),
        ("by-hand-end", "round/2/by-hand/end/"),
        ("pairings", "round/2/pairings/"),
    ],
    ("table", "arbiter"): [
        ("cockpit", "desk/"),
        ("lots", "lots/"),
        ("all-rounds", "rounds/"),
        ("standings", "standings/"),
        ("crosstable", "crosstable/"),
        ("leave", "entries/{entry}/leave/"),
        ("why", "round/9/why/"),
        ("print", "print/all-rounds/"),
    ],
    ("closed", "owner"): [
        ("cockpit", "desk/"),
        ("settings", "settings/"),
        ("documents", "documents/"),
        ("standings", "standings/"),
        ("crosstable", "crosstable/"),
        ("screen", "screen/"),
        ("enter-results", "round/2/results/"),
        ("rating-report", "documents/rating/"),
        ("people", "/{event}/-/people/"),
    ],
    ("running", "stranger"): [("", "desk/")],
}


ERROR_PAGES = ("400.html", "403_csrf.html", "413.html", "500.html", "failure.html")


def empty() -> Section:
    return section_of_people(0, initial_colour="")


def asked() -> Section:
    """Check-in of round 2 is open, and three people are here."""
    section = section_of_people(9, rounds=7)
    played(section)
    open_check_in(actor=Actor.command(), section_id=section.pk, after_round=1)
    for entry in section.participants.order_by("tpn")[:3]:
        check_in(actor=Actor.command(), participant_id=entry.pk, round_number=2)
    return section


def running() -> Section:
    """Round 3 with a bye, results, an adjourned game, a clash, a board without a slip, and boards in play."""
    section = section_of_people(25, rounds=7)
    played(section)
    played(section)
    entry = section.participants.get(tpn=20)
    request_bye(actor=Actor.command(), participant_id=entry.pk, round_number=3, kind="H")
    games = list(paired(section).games.order_by("board"))
    for game, result in zip(games, ("1-0", "1/2", "+:-", "adj", "0-1"), strict=False):
        enter(game, result)
    clash = games[0]
    clash.refresh_from_db()
    confirm_result(actor=Actor.command(), game_id=clash.pk, result="0-1", seen_version=clash.version)
    mark_over(actor=Actor.command(), game_id=games[6].pk, over=True, seen_version=games[6].version)
    people = section.participants
    ForbiddenPairFactory(section=section, first=people.get(tpn=5), second=people.get(tpn=6))
    take_copy(section, "asked")
    return section


def by_hand() -> Section:
    """Round 2 is a draft in which two players have changed places and two are not paired."""
    section = section_of_people(15, rounds=7)
    played(section)
    row = paired(section, published=False)
    row = begin_manual_phase(actor=Actor.command(), round_id=row.pk, seen_version=row.version)
    one, other, third = row.games.order_by("board")[:3]
    for step in (Step(Move.SWAP, one.white_id, other.white_id), Step(Move.UNPAIR, third.white_id)):
        row, _concerns = change_by_hand(
            actor=Actor.command(), round_id=row.pk, seen_version=row.version, step=step, confirmed=True
        )
    return section


def table() -> Section:
    """A double round robin of seven: all rounds are published, round 1 is played, and a player has left."""
    section = section_of_people(
        7, rounds=14, system="round-robin", options={"cycles": "2"}, initial_colour=""
    )
    draw_lots(actor=Actor.command(), section_id=section.pk, seed="club night")
    pair_all_rounds(actor=Actor.command(), section_id=section.pk, after_round=0)
    publish_all_rounds(actor=Actor.command(), section_id=section.pk)
    for game in Game.objects.filter(round__section=section, round__number=1):
        enter(game, "1/2")
    withdraw_participant(actor=Actor.command(), participant_id=section.participants.get(tpn=7).pk)
    return section


def stuck() -> Section:
    """Round 1 of the tenth example of the Dubov System of 1997, which cannot finish round 2."""
    section = section_of_people(5, rounds=3, system="dubov-1997", initial_colour="w")
    tpns = {entry.tpn: entry for entry in section.participants.all()}
    row = RoundFactory(section=section, number=1)
    for board, (white, black, result) in enumerate(((1, 3, "1/2"), (4, 2, "0-1")), start=1):
        GameFactory(round=row, board=board, white=tpns[white], black=tpns[black], result=result)
    ByeFactory(participant=tpns[5], round_number=1, kind="U", source=Bye.Source.ALLOCATED)
    return section


def closed() -> Section:
    section = section_of_people(9, rounds=2)
    played(section)
    played(section)
    close_section(actor=Actor.command(), section_id=section.pk)
    return section


STATES: dict[str, Callable[[], Section | None]] = {
    "nothing": lambda: None,
    "empty": empty,
    "check-in": asked,
    "running": running,
    "by hand": by_hand,
    "table": table,
    "closed": closed,
}


def errors(page: Page) -> list[str]:
    """Return what axe finds on the page at both widths, and the text that is too faint in dark mode."""
    page.evaluate(f"window.seen = undefined; {AXE}")
    wide = page.evaluate(LOOK, {"options": {}})
    page.set_viewport_size({"width": NARROW, "height": 768})
    narrow = page.evaluate(LOOK, {"options": ALL_BUT_COLOURS})
    narrow += page.evaluate(LOOK, {"unseen": True, "options": COLOURS})
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(LOOK, {"options": COLOURS})
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": WIDE, "height": 768})
    found = {f"{WIDE} px": wide, f"{NARROW} px": narrow, "dark": dark}
    return [f"{page.url} {where}: {line}" for where, lines in found.items() for line in lines]


def values(section: Section) -> dict[str, Any]:
    """Return the values for the placeholders in the paths of a section."""
    entry = section.participants.filter(tpn=1).first()
    open_game = Game.objects.filter(round__section=section, result="").order_by("-board").first()
    pair = section.forbidden_pairs.first()
    last = section.log.order_by("-revision").first()
    return {
        "event": section.event.slug,
        "entry": entry.pk if entry else 0,
        "game": open_game.pk if open_game else 0,
        "pair": pair.pk if pair else 0,
        "revision": last.revision if last else 0,
    }


def person(who: str, section: Section | None) -> User:
    if who == "stranger" or section is None:
        return UserFactory(is_superuser=who == "owner")
    role = EventRole.Role.OWNER if who == "owner" else EventRole.Role.ARBITER
    return EventRoleFactory(event=section.event, role=role).user


AT_ONCE = 12  # pages in one test
PARTS = [
    pytest.param(state, who, pages[at : at + AT_ONCE], id=f"{state}-{who}-{at}")
    for (state, who), pages in VISITS.items()
    for at in range(0, len(pages), AT_ONCE)
]


@pytest.mark.parametrize(("state", "who", "pages"), PARTS)
def test_axe_finds_no_error(
    server: str, new_page: PageMaker, log_in: LogIn, state: str, who: str, pages: list[tuple[str, str]]
) -> None:
    section = STATES[state]()
    page = new_page(reduced_motion="reduce")
    if who != "nobody":
        log_in(page, person(who, section))
    found = []
    for _name, path in pages:
        filled = path.format(**values(section)) if section else path
        page.goto(filled if path.startswith("/") else address(section, filled))
        found += errors(page)
    assert found == []


def test_axe_finds_no_error_on_the_way_of_an_invitation(
    server: str, new_page: PageMaker, log_in: LogIn
) -> None:
    event = EventRoleFactory(role=EventRole.Role.OWNER, user=UserFactory(username="olga")).event
    joost = UserFactory(username="joost")
    organiser, visitor, invited = (new_page(reduced_motion="reduce") for _ in range(3))
    log_in(organiser, User.objects.get(username="olga"))
    log_in(invited, joost)
    found = []
    organiser.goto(f"/{event.slug}/-/people/")
    organiser.get_by_label("User name").fill("joost")
    organiser.get_by_role("button", name="Invite", exact=True).click()
    expect(organiser.get_by_role("status")).to_contain_text("joost")
    found += errors(organiser)
    organiser.get_by_label("For whom").fill("Nia")
    organiser.get_by_role("button", name="Make the link").click()
    link = organiser.get_by_label("Link", exact=True).input_value()
    found += errors(organiser)
    invited.goto("/")
    found += errors(invited)
    invited.goto(link)
    found += errors(invited)
    visitor.goto(link)
    found += errors(visitor)
    visitor.locator("main form").evaluate("form => { form.noValidate = true; }")
    visitor.get_by_role("button", name="Make my login").click()
    expect(visitor.locator("main .wrong").first).to_be_visible()
    found += errors(visitor)
    visitor.goto(f"/invitation/{'x' * 43}/")
    found += errors(visitor)
    SiteSettings.objects.create(pk=SiteSettings.ONLY, open_registration=True)
    visitor.goto("/sign-up/")
    found += errors(visitor)
    assert found == []


def test_axe_finds_no_error_in_dialogs_questions_and_messages(
    server: str, new_page: PageMaker, log_in: LogIn
) -> None:
    section = running()
    page = new_page(reduced_motion="reduce")
    found = []
    page.goto("/login/")
    page.get_by_label("Username").fill("nobody")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    found += errors(page)
    log_in(page, person("arbiter", section))
    for rest in ("desk/", "round/3/results/"):
        page.goto(address(section, rest))
        page.keyboard.press("?")
        expect(page.locator("dialog[open]")).to_be_visible()
        found += errors(page)
    page.goto(address(section, "entries/add/"))
    page.locator("main form").first.evaluate("form => { form.noValidate = true; }")
    page.locator("main form button.go").first.click()
    expect(page.locator("main .wrong").first).to_be_visible()
    found += errors(page)
    page.goto(address(section, "entries/import/"))
    file = {"name": "entries.csv", "mimeType": "text/csv", "buffer": LIST.encode()}
    page.locator("input[type=file]").first.set_input_files(file)
    page.locator("main form button.go").first.click()
    page.wait_for_url("**/import/check/**")
    for compare in page.locator("details.rivals summary").all():
        compare.click()
    expect(page.locator("details.rivals[open] table").first).to_be_visible()
    found += errors(page)
    page.goto(address(section, "byes/"))
    page.get_by_label("Player").select_option(str(section.participants.get(tpn=20).pk))
    page.get_by_role("textbox", name="Rounds").fill("5")
    page.get_by_role("button", name="Give the bye").click()
    expect(page.locator("#question")).to_be_visible()
    found += errors(page)
    page.get_by_role("button", name="Give the bye anyway").click()
    expect(page.locator("[data-toast]")).to_be_visible()
    found += errors(page)
    assert found == []


def test_axe_finds_no_error_in_a_question_of_pairing_by_hand(
    server: str, new_page: PageMaker, log_in: LogIn
) -> None:
    section = by_hand()
    page = new_page(reduced_motion="reduce")
    log_in(page, person("arbiter", section))
    page.goto(address(section, "round/2/by-hand/"))
    had_the_bye = section.participants.get(byes__round_number=1)
    page.locator(f"#p-{had_the_bye.pk}").focus()
    page.keyboard.press("r")
    expect(page.locator("#ask")).to_be_visible()
    assert errors(page) == []


def test_axe_finds_no_error_on_the_way_into_a_login(server: str, new_page: PageMaker) -> None:
    """A link of an organiser, a new password, a second factor, and the code at the next login."""
    event = EventRoleFactory(user=UserFactory(username="olga"), role=EventRole.Role.OWNER).event
    ada = EventRoleFactory(event=event, user=UserFactory(username="ada", first_name="Ada")).user
    found = []
    page = new_page(reduced_motion="reduce")

    def log_in_as(name: str, password: str) -> None:
        page.goto("/login/")
        page.get_by_label("Username").fill(name)
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Log in").click()

    log_in_as("olga", "a long password")
    page.goto(f"/{event.slug}/-/people/")
    page.get_by_label("Person").select_option("ada")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#link code").inner_text()
    found += errors(page)
    page.get_by_role("button", name="Log out").click()
    page.goto(link)
    found += errors(page)
    page.get_by_label("New password", exact=True).fill("bishops-behind-pawns")
    page.get_by_label("New password confirmation").fill("bishops-behind-pawns")
    page.get_by_role("button", name="Save the new password").click()
    log_in_as("ada", "bishops-behind-pawns")
    page.goto("/account/second-factor/")
    secret = secret_of(SecondFactor.objects.get(user=ada))
    page.get_by_label("Code that the app shows").fill(hotp(secret, step_at(time())))
    page.get_by_label("Your password").fill("bishops-behind-pawns")
    page.get_by_role("button", name="Turn on the second factor").click()
    code = page.locator(".codes code").first.inner_text()
    found += errors(page)
    page.goto("/account/second-factor/")
    found += errors(page)
    page.goto("/account/new-phone/")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator("#link code").inner_text()
    found += errors(page)
    page.goto("/account/")
    found += errors(page)
    page.get_by_role("button", name="Log out").click()
    page.goto(link)
    found += errors(page)
    log_in_as("ada", "bishops-behind-pawns")
    expect(page.get_by_role("heading", name="Your code")).to_be_visible()
    page.keyboard.type("000000")
    page.keyboard.press("Enter")
    expect(page.locator(".err")).to_be_visible()
    found += errors(page)
    page.get_by_label("Code").fill(code)
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Account")).to_be_visible()
    assert found == []


def test_axe_finds_no_error_where_the_rules_cannot_finish(
    server: str, new_page: PageMaker, log_in: LogIn
) -> None:
    """The page of the offer. Enter, its key, takes the offer over."""
    section = stuck()
    page = new_page(reduced_motion="reduce")
    log_in(page, person("arbiter", section))
    page.goto(address(section, "desk/"))
    page.get_by_role("button", name="Pair round 2").click()
    expect(page.get_by_role("heading", name="The rules cannot finish round 2")).to_be_visible()
    assert errors(page) == []
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Publish round 2")).to_be_visible()
    boards = Game.objects.filter(round__section=section, round__number=2).order_by("board")
    assert [*boards.values_list("white__tpn", "black__tpn")] == [(2, 1), (3, 5)]


def answer(route: Route, *, html: str) -> None:
    route.fulfill(body=html, content_type="text/html")


def test_axe_finds_no_error_on_error_pages(server: str, new_page: PageMaker) -> None:
    """No address leads to these pages, so the browser gets their HTML directly."""
    page = new_page(reduced_motion="reduce")
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    found = []
    for template in ERROR_PAGES:
        html = render_to_string(
            template, {"reason": "", "limit": 10, "failure": FULL, "sent": True}, request=request
        )
        page.route(f"**/{template}", partial(answer, html=html))
        page.goto(f"/{template}")
        found += errors(page)
    assert found == []


def names(patterns: list[URLPattern | URLResolver], space: str = "") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from names(pattern.url_patterns, "api:" if pattern.app_name == "api" else "")
        else:
            yield f"{space}{pattern.name}"


def test_every_page_is_visited() -> None:
    visited = {name for pages in VISITS.values() for name, _path in pages if name}
    assert visited | NOT_PAGES.keys() == set(names(get_resolver().url_patterns))
    assert visited & NOT_PAGES.keys() == set()
