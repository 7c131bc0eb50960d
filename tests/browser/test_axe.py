"""axe, the accessibility checker, finds no error on any page at 1366 and 360 px, and no faint text in dark mode. Every
page of those who are logged in has one left edge and one title line.

Each state of a section has its list of pages. A new address fails `test_every_page_is_visited` until it is in one of
these lists, or in NOT_PAGES with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from unittest import mock
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from django.utils import timezone
from playwright.sync_api import Page, Route

from evenboard_engine import Colour
from registrations.queries.mails import address_token_of, guardian_token_of, token_of
from registrations.states import RegistrationState
from tests.browser import pictures
from tests.browser.axe import errors
from tests.browser.conftest import LogIn, PageMaker, drawn
from tests.browser.made import made_once
from tests.browser.states import STATES, person, running
from tests.registrations.factories import joined_page
from tests.web.staff.conftest import address
from tests.web.test_access import BUTTONS
from tournaments.models import Game, Screen, Section
from tournaments.queries.player_results import player_link
from web.views.public import lists

NOT_PAGES = {
    **dict.fromkeys(BUTTONS, "takes what a button sends"),
    "manual-index": "JSON",
    "manual-whole": "the chapters on one page; axe looks at two of them",
    "login-code": "comes after a password; test_axe_finds_no_error_on_the_way_into_a_login opens it",
    "desk-people": "JSON",
    "healthz": "says ok in plain text",
    "readyz": "JSON",
    "metrics": "for monitors",
    "manifest": "a file",
    "worker": "a script",
    "spare-log": "a file",
    "spare-question": "sealed messages between two machines",
    "report": "a file",
    **dict.fromkeys(("feed", "calendar", "event-calendar", "boards-pgn", "transmission"), "a file"),
    "csv": "a file",
    "xlsx": "a file",
    "list-xlsx": "a file",
    "fairness-file": "a file",
    **dict.fromkeys(("round-file", "round-engine"), "a file"),
    "list-csv": "a file",
    **dict.fromkeys(("robots", "site-map", "site-map-part"), "plain text"),
    "personal-file": "a file",
    "incident": "the fields of board-incident, for one that was noted",
    "seat": "a row of a list, for a script",
    **dict.fromkeys(("sections", "overview"), "a part of a page"),
    "log-file": "a file",
    "copy-now": "a file",
    "kept-copy": "a file",
    "event-copy": "a file",
    "section": "leads to the pairings",
    "former-cockpit": "leads to the cockpit",
    "rehearsal": "leads to the event, except in a rehearsal, where test_rehearsals.py opens it",
    "rehearsal-report": "a file",
    **dict.fromkeys(
        (
            *("archive", "event-archive", "registrations-file", "registrations-workbook"),
            *("entry-list-file", "entry-list-workbook", "not-ready-file", "not-ready-workbook"),
        ),
        "a file",
    ),
    "open-registration": "leads to the own registration",
    **dict.fromkeys(("news", "event-news"), "has no content"),
    "import-check": "leads back as long as no file was sent",
    "invitation": "test_axe_finds_no_error_on_the_way_of_an_invitation opens it",
    **dict.fromkeys(
        ("rating-list-columns", "event-rating-list-columns"), "leads back as long as no file was sent"
    ),
    "load-copy-check": "leads back as long as no file was sent",
}

NOT_FOCUSED = {
    "enter-results": "digits are keys, and the first Tab reaches the link that skips",
    "board-result": "digits are keys",
    "board-incident": "digits and letters are keys",
    "registrations": "letters are keys, and act on the rows",
    "registration": "letters are keys",
}
"""Pages with a form whose first field has no focus when they are opened, and why."""
UNFOCUSED_FORM = """() => {
  const fields = "main form[method=post] :is(input:not([type=hidden]), select, textarea):enabled";
  const first = [...document.querySelectorAll(fields)].find((each) => each.checkVisibility());
  const onScreen = first && first.getBoundingClientRect().bottom <= innerHeight;  // the page is not scrolled for it
  return onScreen && !document.activeElement.closest("main *");
}"""

PUBLIC = [
    ("event", "/{event}/"),
    ("kept-of", "/{event}/-/kept/"),
    ("event", "/{event}/?q=a"),
    ("pairings", "pairings/"),
    ("pairings", "round/1/pairings/"),
    ("names", "names/"),
    ("results", "results/"),
    ("results", "results/1/?by=newest"),
    ("aro", "aro/?by=name"),
    ("standings", "standings/"),
    ("sums", "standings/1/1/"),
    ("aro", "aro/"),
    ("aro-edition", "aro/2/1/"),
    ("crosstable", "crosstable/"),
    ("fairness", "fairness/"),
    ("players", "players/"),
    ("rules", "rules/"),
    ("hall-map", "hall-map/"),
    ("player", "players/1/"),
    ("screen", "screen/"),
    ("screen", "screen/?show=results"),
    ("embed", "embed/pairings/?theme=dark"),
    ("embed", "embed/standings/"),
    ("embed", "embed/aro/"),
    ("print", "print/standings/"),
    ("print", "print/sums/"),
    ("print", "print/starting-list/"),
    ("print", "print/rules/"),
    ("print", "print/hall-map/"),
    ("print", "print/fairness/"),
    ("print", "print/aro-names/"),
    ("explained", "round/1/explained/"),
    ("explained-board", "round/1/explained/1/"),
    ("work-out", "round/1/explained/work/1/"),
    ("why", "round/1/why/"),
    ("why-player", "round/1/why/1/"),
    ("compare", "round/1/compare/"),
    ("compare", "round/2/compare/?show=different"),
    ("fairness-compare", "fairness/compare/"),
    ("fairness-sheet", "fairness/compare/print/"),
]
FOR_ARBITERS = ("why", "why-player", "compare", "fairness-compare", "fairness-sheet")
MORE_FOR_ARBITERS = (
    "event",
    "pairings",
    "names",
    "results",
    "player",
    "fairness",
    "aro",
    "standings",
    "crosstable",
    *FOR_ARBITERS,
)
"""Public pages on which arbiters see more than others. On all others only the frame differs, which these show too."""
SECTION = [
    ("cockpit", "cockpit/"),
    ("entries", "entries/"),
    ("byes", "byes/"),
    ("documents", "documents/"),
    ("checklist", "checklist/"),
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
        ("kept", "/site/kept/"),
        ("manual", "/site/manual/"),
        ("manual-chapter", "/site/manual/results/"),
        ("manual-chapter", "/site/manual/warnings/"),
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
        ("spare", "/site/spare/"),
        ("status", "/site/status/"),
        ("rating-lists", "/site/rating-lists/"),
        ("account", "/account/"),
        ("own-programs", "/account/programs/"),
        ("reference", "/api/v1/"),
        ("password", "/password/"),
        ("second-factor", "/account/second-factor/"),
        ("mail", "/account/mail/"),
        ("new-phone", "/account/new-phone/"),
        ("language", "/account/language/"),
        ("result-keys", "/keys/"),
    ],
    ("empty", "owner"): [
        *SECTION,
        ("event", "/{event}/"),
        ("pairings", "pairings/"),
        ("standings", "standings/"),
        ("edit-event", "/{event}/-/edit/"),
        ("event-life", "/{event}/-/life/"),
        ("delete-event", "/{event}/-/life/delete/"),
        ("next-year", "/{event}/-/life/next-year/"),
        ("deleted-events", "/deleted/"),
        ("rehearse", "/{event}/-/rehearse/"),
        ("people", "/{event}/-/people/"),
        ("programs", "/{event}/-/programs/"),
        ("event-rating-lists", "/{event}/-/rating-lists/"),
        ("webhooks", "/{event}/-/webhooks/"),
        ("new-section", "/{event}/-/new-section/"),
        ("new-section-step", "/{event}/-/new-section/dates/"),
        ("new-section-step", "/{event}/-/new-section/check/"),
        ("new-section-from-report", "/{event}/-/report/"),
        ("copy-section", "/{event}/-/copy-section/"),
        ("add-entry", "entries/add/"),
        ("import", "entries/import/"),
    ],
    ("check-in", "arbiter"): [
        ("cockpit", "cockpit/"),
        ("check-in", "check-in/"),
        ("absences", "absences/"),
        ("check-in", "check-in/?show=missing"),
        ("absences", "absences/?all=W"),
    ],
    ("running", "nobody"): [
        ("home", "/"),
        ("player-result", "board/{link}/"),
        *(page for page in PUBLIC if page[0] not in FOR_ARBITERS),
    ],
    ("running", "arbiter"): [
        *SECTION,
        *(page for page in PUBLIC if page[0] in MORE_FOR_ARBITERS),
        ("enter-results", "round/3/results/"),
        ("enter-results", "round/1/results/"),
        ("board-result", "round/3/board/1/"),
        ("absent", "game/{game}/absent/"),
        ("leave", "entries/{entry}/leave/"),
        *(("chosen-entries", f"entries/chosen/?player={{entry}}&do={do}") for do in ("withdraw", "bye")),
        ("edit-entry", "entries/{entry}/"),
        ("equal-ratings", "entries/equal/"),
        ("prizes", "prizes/"),
        ("print", "print/prizes/"),
        ("print", "print/receipts/"),
        ("rating-report", "documents/rating/"),
        ("older-format", "documents/trf/16/"),
        ("screens", "screens/"),
        ("other-sites", "other-sites/"),
        ("hall-screens", "/{event}/-/hall/"),
        ("hall-screen", "/{event}/-/hall/{screen}/"),
        ("named-screen", "/-/{code}/"),
        ("forbidden-pairs", "forbidden-pairs/"),
        ("forbidden-pair", "forbidden-pairs/{pair}/"),
        ("apart-rule", "forbidden-pairs/rules/1/"),
        ("undo", "log/{revision}/undo/"),
        ("copies", "copies/"),
        ("log-check", "log/check/"),
        ("print", "print/boards/"),
        ("print", "print/slips/"),
        ("print", "print/check-in/"),
        ("print", "print/wall/"),
        ("by-hand", "round/3/by-hand/"),
        ("incidents", "incidents/"),
        ("board-incident", "round/2/board/1/incident/"),
        ("print", "print/incidents/"),
        ("", "cockpit/nothing/"),
        ("round-paper", "round/3/paper/"),
    ],
    ("running", "chief"): [
        ("settings", "settings/"),
        ("decide-points", "entries/{entry}/points/"),
        ("tie-breaks", "tie-breaks/"),
        ("section-lists", "entries/lists/"),
        ("tie-values", "tie-breaks/values/"),
        ("ratings", "settings/ratings/"),
        ("period-ratings", "settings/ratings/periods/2/"),
        ("edit-prizes", "prizes/edit/"),
        ("fide-mode", "settings/fide-mode/"),
        ("correct", "round/2/corrections/1/"),
        ("restore", "restore/2/"),
        ("corrections", "round/2/corrections/"),
        ("player", "players/1/"),
        ("people", "/{event}/-/people/"),
    ],
    ("by hand", "arbiter"): [
        ("cockpit", "cockpit/"),
        ("by-hand", "round/2/by-hand/"),
        ("by-hand", "round/2/by-hand/?picked={entry}"),
        ("by-hand-end", "round/2/by-hand/end/"),
        ("pairings", "round/2/pairings/"),
    ],
    ("table", "arbiter"): [
        ("cockpit", "cockpit/"),
        ("lots", "lots/"),
        ("all-rounds", "rounds/"),
        ("standings", "standings/"),
        ("crosstable", "crosstable/"),
        ("leave", "entries/{entry}/leave/"),
        ("why", "round/9/why/"),
        ("print", "print/all-rounds/"),
        ("published", "published/"),
        ("published-edition", "published/1/1/"),
        ("print", "print/published/"),
    ],
    ("closed", "owner"): [
        ("cockpit", "cockpit/"),
        ("close", "close/"),
        ("statistics", "statistics/"),
        ("rating-changes", "documents/rating-changes/"),
        ("norms", "documents/norms/"),
        ("print", "print/final-report/"),
        ("settings", "settings/"),
        ("documents", "documents/"),
        ("standings", "standings/"),
        ("crosstable", "crosstable/"),
        ("screen", "screen/"),
        ("enter-results", "round/2/results/"),
        ("rating-report", "documents/rating/"),
        ("people", "/{event}/-/people/"),
        ("personal-data", "entries/{entry}/data/"),
        ("link-for-player", "entries/{entry}/across/"),
    ],
    ("registering", "nobody"): [
        ("event", "/{event}/"),
        ("register", "/{event}/-/register/"),
        ("register", "/{event}/-/register/?q=nobody"),
        ("registration-sent", "/{event}/-/register/sent/"),
        ("registration-again", "/{event}/-/register/again/"),
        ("entry-list", "/{event}/-/entry-list/"),
        ("own-registration", "/{event}/-/entry/"),
        ("own-registration", "/{event}/-/entry/{secret}/"),
        ("own-registration", "/{event}/-/entry/{corrects}/"),
        ("new-address", "/{event}/-/entry-address/{proof}/"),
        ("persons-page-choice", "/{event}/-/joined/{consent}/"),
        ("persons-page", "/person/{person}/"),
    ],
    ("registering", "owner"): [
        ("registrations", "/{event}/-/registration/"),
        ("registrations", "/{event}/-/registration/?pile=accepted"),
        ("registrations", "/{event}/-/registration/?pile=waiting"),
        ("registration", "/{event}/-/registration/{registration}/"),
        ("late-players", "/{event}/-/registration/late/{section}/"),
        ("pay-chosen", "/{event}/-/registration/paid/{section}/?player={owing}"),
        ("registration-settings", "/{event}/-/registration/settings/"),
        ("registration-mail", "/{event}/-/registration/mail/accepted/"),
        ("upload-registrations", "/{event}/-/registration/upload/"),
        ("registration-desk", "/{event}/-/registration/desk/"),
        ("registration-desk", "/{event}/-/registration/desk/?q=Hru"),
        ("not-ready", "/{event}/-/registration/missing/"),
    ],
    ("running", "stranger"): [("", "cockpit/")],
}


def values(section: Section) -> dict[str, Any]:
    """Return the values for the placeholders in the paths of a section."""
    entry = section.participants.filter(tpn=1).first()
    open_game = Game.objects.filter(round__section=section, result="").order_by("-board").first()
    pair = section.forbidden_pairs.first()
    last = section.log.order_by("-revision").first()
    registrations = section.event.registrations.order_by("pk")
    accepted = section.participants.filter(player__by_initials=False).first()
    first, corrects = registrations.first(), registrations.filter(state=RegistrationState.CORRECTION).first()
    screen, _new = Screen.objects.get_or_create(event=section.event, name="Left projector", show="results")
    return {
        "event": section.event.slug,
        "section": section.slug,
        "entry": entry.pk if entry else 0,
        "game": open_game.pk if open_game else 0,
        "pair": pair.pk if pair else 0,
        "revision": last.revision if last else 0,
        "screen": screen.pk,
        "code": screen.code,
        "registration": first.pk if first else 0,
        "owing": first.participant_id if first else 0,
        "secret": token_of(first) if first else "",
        "proof": address_token_of(first) if first else "",
        "consent": guardian_token_of(first) if first else "",
        "person": joined_page(accepted) if first and accepted else "",
        "corrects": token_of(corrects) if corrects else "",
        "link": player_link(open_game, Colour.WHITE) if open_game else "",
    }


AT_ONCE = 12  # pages in one test
PARTS = [
    pytest.param(state, who, pages[at : at + AT_ONCE], id=f"{state}-{who}-{at}")
    for (state, who), pages in VISITS.items()
    for at in range(0, len(pages), AT_ONCE)
]


@pytest.mark.parametrize(("state", "who", "pages"), PARTS)
@pytest.mark.slow
def test_axe_finds_no_error(
    server: str, new_page: PageMaker, log_in: LogIn, state: str, who: str, pages: list[tuple[str, str]]
) -> None:
    section = made_once(STATES[state]) if STATES[state] else None
    page = new_page(reduced_motion="reduce")
    if who != "nobody":
        log_in(page, person(who, section))
    found = []
    for name, path in pages:
        filled = path.format(**values(section)) if section else path
        page.goto(filled if path.startswith("/") else address(section, filled))
        if name and resolve(urlsplit(page.url).path).url_name != name:
            found.append(f"{path} leads to {page.url}")
        if name not in NOT_FOCUSED and page.evaluate(UNFOCUSED_FORM):
            drawn(page)  # the browser gives the focus to [autofocus] when it draws the page
            if page.evaluate(UNFOCUSED_FORM):
                found.append(f"{path}: the first field of the form has no focus")
        found += pictures.changed(page, pictures.OF.get((state, who, path)))
        found += errors(page, framed=True)
    assert found == []


def test_axe_finds_no_error_in_lists_that_come_in_parts(
    server: str, new_page: PageMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, rows in (("WHOLE", 3), ("PART", 2)):
        monkeypatch.setattr(lists, name, rows)
    section = made_once(running)
    page = new_page(reduced_motion="reduce")
    found = []
    for path in ("pairings/?part=2", "standings/?part=2&sort=name"):
        page.goto(address(section, path))
        assert page.locator("[data-part-after]").count() == 1
        found += errors(page)
    assert found == []


def test_other_public_pages_are_the_same_for_arbiters(db: None) -> None:
    section = running()
    arbiter, visitor = Client(), Client()
    arbiter.force_login(person("arbiter", section))
    same = [path.format(**values(section)) for name, path in PUBLIC if name not in MORE_FOR_ARBITERS]
    same.remove("print/aro-names/")  # arbiters print the running list
    paths = [path if path.startswith("/") else address(section, path) for path in same]
    with mock.patch.object(timezone, "now", return_value=timezone.now()):  # sheets say when they were made
        of_arbiter = {path: main_part(arbiter, path) for path in paths}
        assert of_arbiter == {path: main_part(visitor, path) for path in paths}


def main_part(client: Client, path: str) -> str:
    [found] = re.findall(
        '<main.*</main>|<body class="screen.*</body>', client.get(path).content.decode(), re.DOTALL
    )
    own = re.sub(r'<p id="page-age".*?</p>|<div id="waiting"[^>]*></div>', "", found, flags=re.DOTALL)
    own = re.sub(
        r"(?:<link [^>]*>\s*)*<script [^>]*/notices\.[^>]*></script>\s*<div [^>]*data-notices.*?</div>",
        "",
        own,
        flags=re.DOTALL,
    )
    return re.sub(r">\s+<", "><", own)


def names(patterns: list[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver) and pattern.app_name == "api":
            yield "reference"  # its other addresses are for programs
        elif isinstance(pattern, URLResolver):
            yield from names(pattern.url_patterns)
        else:
            yield pattern.name


def test_every_page_is_visited() -> None:
    visited = {name for pages in VISITS.values() for name, _path in pages if name}
    assert visited | NOT_PAGES.keys() == set(names(get_resolver().url_patterns))
    assert visited & NOT_PAGES.keys() == set()


FAINT = """<!doctype html><html lang="en"><title>Faint</title><meta name="viewport" content="width=device-width">
<style>body { background: #fff; color: #001; } .faint { color: #bbc; } .narrow { display: none; color: #ccb; }
.phone { display: none; } a { text-decoration: none; color: #06c; } .alike { color: #014; }
@media (prefers-color-scheme: dark) { body { background: #001; color: #fff; } .dark { color: #334; }
  .faint { color: #ffe; } a, .alike { color: #9cf; } }
@media (max-width: 400px) { .narrow, .phone { display: block; } .wide { display: none; } }</style>
<main><h1>Heading</h1>"""


def test_a_text_is_too_faint_at_one_width_or_in_dark_mode_alone(server: str, new_page: PageMaker) -> None:
    """Each kind of text is compared once: on the first page, where it is good, or on a later one. A link that is not
    underlined has another colour than its sentence.
    """
    rows = (
        "<p>good</p>",
        "<p>good</p><p class=faint>at once</p>",
        "<p class=narrow>on a phone</p>",
        "<p class=dark>at night</p>",
        "<p>Links in a sentence: <a href=/>seen</a>, <a class=alike href=/>not seen</a></p>",
    )
    assert found_in(new_page(reduced_motion="reduce"), rows) == [
        [],
        [("1366 px", 'p class="faint">at once')],
        [("360 px", 'p class="narrow">on a phone')],
        [("360 px, dark", 'p class="dark">at night')],
        [(width, 'a class="alike" href="/">not seen') for width in ("1366 px", "360 px")],
    ]


def test_an_error_is_found_that_a_phone_alone_shows(server: str, new_page: PageMaker) -> None:
    """All rules look once at each kind of element that only one width shows."""
    rows = (
        "<p>good</p>",
        "<p class=phone>good</p>",
        "<button class=phone></button>",
        "<p class=phone>again</p><a class=phone href=/></a>",
        "<a href=/><b class=wide>named at a desk</b></a>",
        "<h2 class=wide>Between</h2><h3>After it</h3>",
        "<h3 class=wide>Before</h3><h2>First</h2>",
    )
    assert found_in(new_page(reduced_motion="reduce"), rows) == [
        [],
        [],
        [("360 px", 'button class="phone">')],
        [("360 px", 'a class="phone" href="/">')],
        [("360 px", 'a href="/">')],
        [("360 px", "h3>After it")],
        [("1366 px", 'h3 class="wide">Before')],
    ]


def found_in(page: Page, rows: tuple[str, ...]) -> list[list[tuple[str, str]]]:
    """Return where each row has an error, and in which element."""

    def answer(route: Route) -> None:
        route.fulfill(body=FAINT + rows[int(route.request.url[-1])], content_type="text/html")

    page.route("**/faint/*", answer)
    found = []
    for at in range(len(rows)):
        page.goto(f"/faint/{at}")
        found.append(
            [(line.split(": ")[0].partition(f"/{at} ")[2], line.split("<")[1]) for line in errors(page)]
        )
    return found
