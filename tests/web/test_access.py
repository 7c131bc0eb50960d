"""Every address of the program, opened and sent a form by everybody: from a visitor to a superuser.

An address that is not in the table below fails the test. A new address needs a line that says who may use it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cache
from unittest import mock

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.template import Template
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from django.utils.safestring import SafeString

from evenboard_engine import Colour
from ratings.models import RatingList
from tests.factories import (
    EACH_CLUB_APART,
    EventFactory,
    EventRoleFactory,
    ForbiddenPairFactory,
    ParticipantFactory,
    UserFactory,
    section_of,
)
from tests.registrations.factories import joined_page, registration_parts
from tests.shared_rows import SharedRows
from tests.web.staff.conftest import enter, paired
from tournaments.actions.ledger import Actor
from tournaments.actions.pairing_numbers import draw_lots
from tournaments.actions.people import invite_by_link, invite_by_name
from tournaments.actions.stored_copies import take_copy
from tournaments.models import (
    ActionLog,
    Bye,
    Event,
    EventRole,
    Incident,
    PublishedList,
    Screen,
    Section,
    User,
)
from tournaments.queries.player_results import player_link
from web.middleware import page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

# The persons of the matrix. The login is plain, and invited to the event. The maker may make events and owns another
# event. The owner may also make logins.
PERSONS = ("visitor", "login", "maker", "chief", "owner", "site owner", "superuser")
# tests/web/test_access_of_roles.py has the others; the last one is chief arbiter of another section only.
ROLES = ("organiser", "arbiter", "clerk", "check-in", "viewer", "elsewhere")
SEES = {"organiser", "chief", "arbiter", "viewer", "owner", "superuser"}
ENTERS = {"organiser", "chief", "arbiter", "owner", "superuser"}
# Who may do what: the permissions of tournaments/rules.py. Superusers may do everything that others may do.
MAY: dict[str, set[str]] = {
    "all": set(PERSONS),
    "visitors": {"visitor"},
    "logins": set(PERSONS) - {"visitor"},
    "sees": set(PERSONS),  # view_section; of a private event: those who run it
    "works": {"chief", "owner", "superuser", *ROLES},
    "staff": SEES,  # see_section
    "runs": {"chief", "arbiter", "owner", "superuser"},  # run_section
    "results": {"chief", "arbiter", "clerk", "owner", "superuser"},  # enter_results
    "sees results": SEES | {"clerk"},
    "presence": ENTERS | {"check-in"},  # note_presence
    "sees presence": SEES | {"check-in"},
    "enters": ENTERS,  # enter_players, keep_copies
    "directs": {"chief", "owner", "superuser"},  # direct_section, and set_up_section after round 1
    "sees queue": ENTERS,  # see_registrations
    "queue": {"organiser", "chief", "owner", "superuser"},  # decide_registrations, save_archive
    "desk": ENTERS | {"check-in"},  # use_desk
    "sees people": ENTERS | {"elsewhere"},
    "names": {"organiser", "chief", "elsewhere", "owner", "superuser"},  # name_people
    "owns": {"organiser", "owner", "superuser"},  # manage_event; to make a login, create_login too
    "makes": {"maker", "site owner", "superuser"},  # create_event
    "deletes": {"owner", "superuser"},  # own_event
    "next year": {"superuser"},  # manage_event with create_event, which nobody else here has
    "lists": {"site owner", "superuser"},  # manage_lists
    "loads": {"maker", "owner", "site owner", "superuser"},  # load_copy
    "site": {"site owner", "superuser"},  # manage_site
    "monitors": set(),  # programs on this machine, or with a token: tests/house/test_metrics.py
    "signs up": set(PERSONS) - {"visitor"},  # sign_up: registration is closed, and logins need none
    "invited": {"login"},  # answer_invitation
    "public": set(PERSONS),  # notices on phones: only public events, for everybody
}
OF_EVENT = {
    *(
        "sees",
        "works",
        "staff",
        "runs",
        "results",
        "sees results",
        "presence",
        "sees presence",
        "enters",
        "directs",
    ),
    *("sees queue", "queue", "desk", "sees people", "names", "owns", "deletes", "next year", "public"),
}
WORKS = MAY["works"]
SECRET = "zwölf Minuten telefoniert"
"""The note of an incident: nothing that visitors open may have it."""
DRAWN_FOR = {"visitor", "owner"}
"""The others see no page that is not drawn for one of these, or for a role in tests/web/test_access_of_roles.py."""
NOT_THERE = {"invitation-login", "answer-invitation", "metrics"}  # for others, these addresses do not exist

# For each address: who may open it, and who may send a form to it; "" if it takes no such request.
TABLE: dict[str, tuple[str, str]] = {
    **dict.fromkeys((
        "healthz", "readyz", "home", "robots", "worker", "kept", "manual", "manual-chapter", "manual-whole",
        "manual-index", "site-map", "site-map-part",
    ), ("all", "")),
    **dict.fromkeys(("login", "login-code", "forgotten", "new-password", "allow-phone"), ("all", "all")),
    "metrics": ("monitors", ""),
    "notices": ("", "public"),
    # the link is enough, also at a private event
    **dict.fromkeys(("player-result", "persons-page-choice"), ("all", "all")), "persons-page": ("all", ""),
    **dict.fromkeys(("password", "second-factor", "mail", "new-phone", "language"), ("logins", "logins")),
    "result-keys": ("logins", "logins"), "account": ("logins", ""), "own-programs": ("makes", "makes"),
    "end-session": ("", "logins"), "report-waiting": ("", "logins"), "logout": ("", "all"), "site": ("site", "site"),
    "spare": ("site", "site"), "spare-log": ("site", ""), "status": ("site", ""),
    "spare-question": ("", "all"),  # sealed with the key of the spare: nobody who sends a form gets an answer
    **dict.fromkeys(("site-rights", "site-login", "site-time"), ("", "site")),
    "rating-lists": ("lists", ""), "rating-list-columns": ("lists", "lists"),
    **dict.fromkeys(
        ("rating-list-file", "rating-list-part", "rating-list-answer", "rating-list-origin"), ("", "lists")
    ),
    "sign-up": ("signs up", "signs up"), "invitation": ("all", "logins"),
    "invitation-login": ("", "visitors"), "answer-invitation": ("", "invited"), "new-event": ("makes", "makes"),
    **dict.fromkeys(("load-copy", "load-copy-check"), ("loads", "loads")),
    **dict.fromkeys((
        "event", "kept-of", "section", "screen", "named-screen", "pairings", "names", "results", "standings", "sums",
        "aro", "crosstable", "manifest", "players", "fairness", "all-rounds", "player", "seat", "list-csv", "print",
        "list-xlsx", "embed", "feed", "calendar", "event-calendar", "boards-pgn", "news", "event-news",
        "explained", "explained-board", "work-out", "round-file", "round-engine", "rules", "statistics", "aro-edition",
        "hall-map", "published", "published-edition", "entry-list", "entry-list-file", "entry-list-workbook",
    ), ("sees", "")),
    "event-life": ("owns", ""), "archive-event": ("", "owns"), "delete-event": ("deletes", "deletes"),
    "next-year": ("next year", "next year"), "deleted-events": ("logins", "logins"),
    "people": ("sees people", "names"), "sections": ("works", ""), "overview": ("works", ""),
    "move-entry": ("", "enters"), "edit-entry": ("enters", "enters"), "link-for-player": ("enters", ""),
    "new-link-for-player": ("", "enters"),
    "late-players": ("enters", "runs"),
    **dict.fromkeys(("event-copy", "personal-file", "event-rating-lists"), ("owns", "")),
    "event-archive": ("queue", ""),
    **dict.fromkeys(("register", "registration-again", "own-registration", "new-address"), ("sees", "sees")),
    "registration-sent": ("sees", "sees"), "open-registration": ("sees", ""), "decide-registrations": ("", "queue"),
    **dict.fromkeys(("registrations", "registrations-file", "registrations-workbook"), ("sees queue", "")),
    **dict.fromkeys(("registration-desk", "desk-people", "not-ready", "not-ready-file"), ("desk", "")),
    **dict.fromkeys(("registration", "upload-registrations", "pay-chosen"), ("sees queue", "queue")),
    **dict.fromkeys((
        "edit-event", "rehearse", "programs", "webhooks", "new-section", "new-section-step", "new-section-from-report",
        "registration-settings", "registration-mail", "personal-data", "copy-section", "event-rating-list-columns",
    ), ("owns", "owns")),
    **dict.fromkeys((
        "password-link", "remove-person", "end-rehearsal", "take-away", "bring-back", "open-copy",
        "event-rating-list-file", "event-rating-list-answer",
    ), ("", "owns")),
    **dict.fromkeys(("invite-again", "end-role", "own-boards", "revoke-invitation"), ("", "names")),
    **dict.fromkeys((
        "other-sites", "transmission", "rating-changes", "norms", "older-format", "compare",
        "cockpit", "former-cockpit", "documents", "checklist", "rating-report", "report", "csv", "xlsx", "why",
        "why-player", "round-paper",
        "fairness-compare", "fairness-file", "fairness-sheet",
        "rehearsal-report", "prizes", "corrections", "log", "log-file", "screens", "log-check", "entries",
    ), ("staff", "")),
    "check-in": ("sees presence", ""),
    **dict.fromkeys(("copies", "copy-now", "kept-copy", "archive"), ("enters", "")),
    **dict.fromkeys((
        "byes", "lots", "absences", "absent", "by-hand", "hall-screens", "hall-screen", "by-hand-end", "rehearsal",
        "forbidden-pairs", "forbidden-pair", "apart-rule",
    ), ("staff", "runs")),
    **dict.fromkeys(
        ("enter-results", "board-result", "board-incident", "incident"), ("sees results", "results")
    ),
    "incidents": ("sees results", ""), "remove-incident": ("", "results"),
    **dict.fromkeys(
        ("add-entry", "import", "import-check", "equal-ratings", "leave", "chosen-entries"), ("staff", "enters")
    ),
    **dict.fromkeys((
        "ratings", "period-ratings", "section-lists", "settings", "tie-breaks", "tie-values", "fide-mode", "correct",
        "restore", "edit-prizes", "close", "decide-points",
    ), ("staff", "directs")),
    "undo": ("enters", "runs"),  # the pairing of a round
    **dict.fromkeys(("record-result", "confirm-result", "mark-over", "new-player-link"), ("", "results")),
    **dict.fromkeys(("withdraw", "readmit", "remove-entry", "keep-copy", "copy-elsewhere"), ("", "enters")),
    **dict.fromkeys(("schedule", "rating-periods", "reopen"), ("", "directs")),
    "check-in-player": ("", "presence"), "mark-at-desk": ("", "desk"), "not-ready-workbook": ("desk", ""),
    "undo-since": ("", "runs"), "erase-registration": ("", "owns"),
    **dict.fromkeys((
        "last-step", "draw-colour", "pair", "take-offer", "publish", "unpublish", "unpair", "pair-again",
        "draw-lots", "pair-all", "pair-ahead", "publish-all", "publish-lists", "cancel-bye",
        "open-check-in", "check-in-all", "close-check-in", "check-round", "forget-device", "leave-notice",
        "settle", "half-byes", "fixed-board", "by-hand-start", "by-hand-begin", "allow-pair", "end-rule", "countdown",
        "hall-message", "press-screen", "remove-screen",
    ), ("", "runs")),
}  # fmt: skip
BUTTONS = {name for name, (opens, _sends) in TABLE.items() if not opens}
ARBITERS = {name for name, who in TABLE.items() if who[0] in OF_EVENT - {"sees", "public"}}
OF_FIXED_ROUNDS = {
    *("all-rounds", "lots", "draw-lots", "pair-all", "publish-all", "published", "published-edition")
}
"""Pages that only a section has whose rounds are fixed."""
OF_CLOSED = {"statistics"}  # visitors see it when the section is closed, and that of the matrix is open
SENT = {"version": "0", "after_round": "2", "result": "1-0", "username": "arbiter", "rating": "2400"}


@dataclass(frozen=True)
class Address:
    name: str
    path: str


@cache
def routes() -> tuple[Address, ...]:
    """Every address of a page, with the names of its parts in braces. tests/api has the addresses of the API."""
    return tuple(_routes(get_resolver().url_patterns, "/"))


def _routes(patterns: list[URLPattern | URLResolver], base: str) -> Iterator[Address]:
    for pattern in patterns:
        path = base + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(pattern.pattern))
        if not isinstance(pattern, URLResolver):
            yield Address(pattern.name or "", path)
        elif pattern.app_name != "api":
            yield from _routes(pattern.url_patterns, path)


def walk(values: dict[str, object]) -> Iterator[Address]:
    """Yield every address with its parts filled in."""
    for route in routes():
        yield Address(route.name, route.path.format_map(values))


def section(event: Event) -> Section:
    """Two rounds: the first finished, the second running with open boards. The last two have the same rating."""
    periods = {"longer_than_30_days": True, "period_starts": [4]}
    section = section_of(6, event=event, name="A", slug="a", explained_to="everybody", **periods)
    section.participants.filter(tpn__gte=5).update(rating=2400)
    for game in paired(section).games.all():
        enter(game, "1/2")
    paired(section)
    entry = section.participants.get(tpn=1)
    Incident.objects.create(section=section, round_number=1, participant=entry, kind="phone", note=SECRET)
    return section


def _illegal_move(section: Section) -> Incident:
    return section.incidents.create(
        round_number=2, participant=section.participants.get(tpn=1), kind="illegal"
    )


def addresses(section: Section, *, bye_round: int = 5) -> list[Address]:
    """Every address of the program. bye_round: a round in which No. 1 has neither a game nor a bye."""
    bye = Bye.objects.create(participant=section.participants.get(tpn=1), round_number=bye_round, kind="H")
    _, token = invite_by_link(actor=Actor.command(), event=section.event, role="arbiter")
    UserFactory(username="invited")
    invited = invite_by_name(actor=Actor.command(), event=section.event, username="invited", role="arbiter")
    screen = Screen.objects.create(event=section.event, name="Left")
    Section.objects.filter(pk=section.pk).update(apart_rules=[EACH_CLUB_APART], hall_rooms="1-40 Hall")
    values = {
        "event": section.event.slug,
        "section": section.slug,
        "number": 2,
        "tpn": 1,
        "period": 2,
        "document": "standings",
        "step": "points",
        "taken": "prizes",
        "participant": section.participants.get(tpn=1).pk,
        "game": section.played_rounds.get(number=2).games.get(board=1).pk,
        "link": player_link(section.played_rounds.get(number=2).games.get(board=1), Colour.WHITE),
        "bye": bye.pk,
        "revision": section.log.latest("revision").revision,
        "kind": "csv",
        "name": take_copy(section, "asked").name,
        "listing": RatingList.objects.get_or_create(series="DWZ", table="rating_player_0", state="refused")[
            0
        ].pk,
        "event_list": RatingList.objects.get_or_create(
            event=section.event, series="Club", table="rating_player_1", state="refused"
        )[0].pk,
        "board": 1,
        "device": 1,
        "bracket": 1,
        "part": 1,
        "rule": 1,
        "incident": (section.incidents.first() or _illegal_move(section)).pk,
        "chapter": "results",
        "edition": 1,
        "trf": "16",
        "token": token,
        "invitation": invited.pk,
        "role": EventRoleFactory(event=section.event, role="viewer").pk,
        "screen": screen.pk,
        "code": screen.code,
        **registration_parts(section),
        "person": joined_page(ParticipantFactory(player__event__state="public")),
        "pair": ForbiddenPairFactory(
            section=section,
            first=section.participants.get(tpn=5),
            second=section.participants.get(tpn=6),
        ).pk,
    }
    found = list(walk(values))
    assert {address.name for address in found} == TABLE.keys()
    other = fixed(section.event)
    for one in (section, other):
        for kind in one.lists:
            published(one, kind, 1)
            published(one, kind, 2)
    here, there = f"/{section.event.slug}/{section.slug}/", f"/{section.event.slug}/{other.slug}/"
    return [
        replace(one, path=one.path.replace(here, there)) if one.name in OF_FIXED_ROUNDS else one
        for one in found
    ]


def published(section: Section, kind: str, after_round: int) -> None:
    """Publish an empty list after a round, unless there is one."""
    table = {} if kind == "aro" else {"tie_breaks": []}
    PublishedList.objects.get_or_create(
        section=section,
        kind=kind,
        after_round=after_round,
        edition=1,
        defaults={"of_revision": 1, "content": {"rows": [], "adjourned": [], **table}},
    )


def fixed(event: Event) -> Section:
    """A section whose rounds follow from the numbers, which are drawn."""
    made = section_of(4, event=event, name="Club", slug="club", system="round-robin")
    draw_lots(actor=Actor.command(), section_id=made.pk, seed="one")
    return made


@dataclass(frozen=True)
class Site:
    """An event with a section, every address of it, and the login of each person: None for the visitor. logged: the
    rows of all logs.
    """

    section: Section
    addresses: list[Address]
    logins: dict[str, User | None]
    logged: int

    def browser(self, person: str) -> Client:
        login = self.logins[person]
        return browser(login) if login else Client()


def site(*, public: bool) -> Site:
    here = section(EventFactory(slug="rijswijk", state="public" if public else "draft", public_pgn=True))
    found = addresses(here)  # makes the invited login too
    people = logins(here.event)
    return Site(here, found, people, ActionLog.objects.count())


@pytest.fixture(scope="module", params=[True, False], ids=["public", "private"])
def opened(request: pytest.FixtureRequest, shared_rows: SharedRows) -> Iterator[Site]:
    with shared_rows(lambda: site(public=request.param)) as made:
        yield made


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def working_on(event: Event, role: str, section: Section | None = None) -> Client:
    user = UserFactory(makes_logins=True)
    return browser(EventRoleFactory(event=event, role=role, section=section, user=user).user)


def logins(event: Event) -> dict[str, User | None]:
    elsewhere = EventRoleFactory(user=UserFactory(makes_events=True), role=EventRole.Role.OWNER).user
    owner = UserFactory(username="owner", makes_logins=True)
    EventRoleFactory(event=event, role=EventRole.Role.OWNER, user=owner)
    return {
        "visitor": None,
        "login": User.objects.get(username="invited"),
        "maker": elsewhere,
        "chief": EventRoleFactory(event=event, user=UserFactory(username="arbiter")).user,
        "owner": owner,
        "site owner": UserFactory(site_owner=True),
        "superuser": UserFactory(is_superuser=True),
    }


def outcome(client: Client, method: str, address: Address, seen: list[HttpResponse], *, logged: int) -> str:
    """Send a request, undo in the database what it did, and say how it was answered. seen: gets the answer. logged: the
    rows of all logs before it.

    No cache may keep a page of arbiters.
    """
    with transaction.atomic():
        answer = client.get(address.path) if method == "GET" else client.post(address.path, SENT)
        answered = _answered(answer, method, address)
        if answered != "done" and ActionLog.objects.count() != logged:
            answered += ", but logged"
        transaction.set_rollback(True)
    seen += [answer]
    if (method, answered) == ("GET", "done") and address.name in ARBITERS:
        return "done" if "no-store" in answer.get("Cache-Control", "") else "done, but kept by caches"
    return answered


def _answered(answer: HttpResponse, method: str, address: Address) -> str:
    match = resolve(address.path) if answer.status_code == 302 else None
    if answer.status_code == 405 or (
        method == "GET" and match and answer.url == page_of(match.url_name, match.kwargs)
    ):
        return "no such request"
    if answer.status_code == 302 and answer.url.startswith("/login/?next="):
        return "must log in"
    return {403: "refused", 404: "not there"}.get(answer.status_code, "done")


def expected(person: str, method: str, address: Address, *, public: bool) -> str:
    """Return what the table says."""
    who = TABLE[address.name][method == "POST"]
    works_here = person in WORKS
    if not who:
        return "no such request"
    if who in ("sees", "public") and (not public or address.name in OF_CLOSED):
        return "done" if works_here and who == "sees" else "not there"
    if person in MAY[who]:
        return "done"
    if address.name in NOT_THERE and (person != "visitor" or who in ("visitors", "monitors")):
        return "not there"
    if person == "visitor":
        return "must log in" if method == "GET" and who != "signs up" else "refused"
    return "not there" if who in OF_EVENT and not public and not works_here else "refused"


def is_asked(person: str, method: str, address: Address, *, public: bool) -> bool:
    """Return whether the walk sends this request.

    Which requests an address takes does not depend on the person. What everybody may open at a public event, a visitor,
    a login and the owner open. A private event answers otherwise only at its own addresses, and to persons who work
    there at those that everybody may open. The walk of roles tries all the others.
    """
    who = TABLE[address.name][method == "POST"]
    if not who:
        return public and person in ("visitor", "owner")
    if public and who in ("all", "sees", "public"):
        return person in ("visitor", "login", "owner")
    if public or address.name in NOT_THERE:
        return True
    return who in OF_EVENT and (person not in WORKS or who in ("sees", "public"))


@contextmanager
def nothing_drawn() -> Iterator[None]:
    """Leave every page empty: the view has decided who may open it before its template is drawn."""

    def drawn(*_values: object) -> SafeString:  # a Mock for each request would take longer
        return SafeString("")

    with mock.patch.object(Template, "_render", drawn):
        yield


@pytest.mark.parametrize(
    ("opened", "person"),
    [
        pytest.param(
            public,
            person,
            id=f"{'public' if public else 'private'}-{person}",
            marks=pytest.mark.both_databases if public and person == "owner" else (),
        )
        for public in (True, False)
        for person in PERSONS
    ],
    indirect=["opened"],
)
def test_each_person_may_do_what_the_table_says_at_every_address(opened: Site, person: str) -> None:
    client = opened.browser(person)
    # the last request ends the session
    addresses = sorted(opened.addresses, key=lambda address: address.name == "logout")
    public = opened.section.event.public
    requests = [
        (method, address)
        for method in ("GET", "POST")
        for address in addresses
        if is_asked(person, method, address, public=public)
    ]
    wanted = {each: expected(person, *each, public=public) for each in requests}
    with nullcontext() if person in DRAWN_FOR else nothing_drawn():
        answers: list[HttpResponse] = []
        found = {each: outcome(client, *each, answers, logged=opened.logged) for each in requests}
    assert found == wanted
    if person == "visitor":
        assert not [answer for answer in answers if SECRET.encode() in answer.getvalue()]


@pytest.mark.parametrize("opened", [True], ids=["public"], indirect=True)
def test_wrong_method_is_refused(opened: Site) -> None:
    client = opened.browser("owner")
    for address in opened.addresses:
        if TABLE[address.name][0] not in ("all", "public") and address.name != "logout":
            assert client.put(address.path).status_code == 405, address


@pytest.mark.parametrize("opened", [True], ids=["public"], indirect=True)
def test_form_without_a_token_changes_nothing(opened: Site) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(opened.logins["chief"])
    for address in opened.addresses:
        if TABLE[address.name] == ("", "runs"):
            answer = client.post(address.path, {"version": "0"})
            assert answer.status_code == 403, address
            assert "The form is out of date" in answer.content.decode()
    assert ActionLog.objects.count() == opened.logged


def test_htmx_of_somebody_who_was_logged_out_is_sent_to_the_log_in_page(opened: Site) -> None:
    cockpit = f"/{opened.section.event.slug}/{opened.section.slug}/cockpit/"
    answer = Client().get(cockpit, headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Redirect"]) == (200, "/login/")
    answer = Client().post(cockpit.replace("/cockpit/", "/pair/"), headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Redirect"]) == (403, "/login/")
