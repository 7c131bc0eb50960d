"""Every operation of the API, sent with tokens of every scope, of people with every role.

An operation that is not in the table below fails the test. A new one needs a line that says what it asks for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from api.v1 import urls
from api.v1.operations import TO_UNDO, operation_of
from api.v1.problems import Problem
from api.v1.subjects import Subject, allow
from api.v1.view import TokenThrottle, View
from registrations.actions.edits import label_many
from tests.api.v1.program import Program
from tests.factories import (
    EACH_CLUB_APART,
    ByeFactory,
    EventRoleFactory,
    ForbiddenPairFactory,
    ParticipantFactory,
    UserFactory,
    section_of,
)
from tests.registrations.factories import ORGANISER, registration_parts, sent
from tests.web.staff.conftest import paired
from tests.web.test_access import MAY as ON_PAGES
from tournaments.actions.ledger import Actor
from tournaments.actions.people import invite_by_name
from tournaments.actions.sections import edit_section
from tournaments.declarations import SECTION_ACTIONS
from tournaments.models import (
    AccessToken,
    Event,
    EventRole,
    Incident,
    Scope,
    Screen,
    Section,
    User,
    Webhook,
    WebhookMessage,
)

pytestmark = pytest.mark.one_database  # the same code of rights; its statements have tests on both
# Of each operation the method, the scope of the token, and what its maker must be now, in the words of the pages.
RULES = [
    ("GET", "", "", "token"),
    ("GET", "lists:read", "", "events"),
    ("GET", "lists:read", "works", "event sections section"),
    ("GET", "lists:read", "sees results", "rounds round games game"),
    ("GET", "lists:read", "sees presence", "presences"),
    (
        *("GET", "lists:read", "staff"),
        (
            "state closing log log-check fairness standings list entries byes entry bye"
            " explained offer by-hand forbidden-pairs forbidden-pair apart-rules apart-rule apart-rule-preview screens"
            " screen prizes"
            " prize-winners rating-lists listed-players comparison lost"
        ),
    ),
    ("GET", "entries:read", "sees results", "incidents"),
    ("POST", "results:write", "results", "incidents"),
    ("PATCH", "results:write", "results", "incident"),
    ("DELETE", "results:write", "results", "incident"),
    ("GET", "entries:read", "staff", "table report older-report"),
    ("GET", "entries:read", "enters", "archive copy"),
    ("GET", "entries:read", "queue", "event-archive"),
    ("GET", "registrations:read", "enters", "late-players"),
    ("POST", "registrations:write", "runs", "late-players"),
    ("POST", "entries:read", "enters", "preview-list preview-report"),
    ("POST", "entries:read", "owns", "preview-section-report"),
    ("POST", "entries:write", "enters", "entries entry-section withdraw readmit import-list import-report"),
    ("PATCH", "entries:write", "enters", "entry"),
    ("PUT", "entries:write", "enters", "equal-ratings"),
    ("DELETE", "entries:write", "enters", "entry"),
    ("POST", "entries:write", "presence", "presence"),
    ("POST", "entries:write", "runs", "check-in entry-byes check-in-all absences"),
    ("PUT", "entries:write", "runs", "half-byes fixed-board"),
    ("DELETE", "entries:write", "runs", "bye"),
    ("PUT", "results:write", "results", "result round-results second-reading over"),
    ("POST", "results:write", "results", "player-link"),
    ("POST", "results:write", "runs", "absent"),
    ("POST", "results:write", "directs", "correction entry-points"),
    (
        *("POST", "rounds:write", "runs"),
        (
            "initial-colour rounds publish unpublish pair-all publish-all pair-again pair-without check publish-lists"
            " pair-ahead lots start-by-hand offer by-hand begin-by-hand end-by-hand forbidden-pairs apart-rules screens"
        ),
    ),
    ("PUT", "rounds:write", "runs", "lots countdown hall-message section-notices"),
    ("PATCH", "rounds:write", "runs", "forbidden-pair apart-rule screen"),
    ("DELETE", "rounds:write", "runs", "round pair-ahead forbidden-pair apart-rule screen"),
    ("POST", "rounds:write", "staff", "undo undo-since"),  # what is undone decides
    ("POST", "rounds:write", "directs", "restore"),
    ("POST", "settings:write", "makes", "events"),
    ("POST", "settings:write", "directs", "close reopen leave-fide-mode comparison"),
    (
        *("PUT", "settings:write", "directs"),
        "tie-breaks tie-values rating-method rating-periods period-ratings prizes schedule rating-lists",
    ),
    ("PATCH", "settings:write", "directs", "section rating-lists"),
    (
        "POST",
        "settings:write",
        "owns",
        "sections hide show section-like section-report",
    ),
    ("POST", "programs:write", "owns", "send-again test-webhook"),
    ("POST", "people:write", "names", "invitations"),
    ("PUT", "settings:write", "owns", "registration-mail-text archived"),
    ("PATCH", "settings:write", "owns", "event registration-settings"),
    ("DELETE", "programs:write", "owns", "webhook end-token"),
    ("PUT", "programs:write", "owns", "webhook"),
    ("DELETE", "people:write", "names", "end-role invitation"),
    ("PUT", "people:write", "names", "end-role"),
    ("GET", "programs:read", "owns", "webhooks webhook-messages tokens"),
    ("GET", "people:read", "names", "invitations"),
    ("GET", "people:read", "sees people", "roles"),
    (
        *("GET", "registrations:read", "sees queue"),
        "registrations registration registration-settings registration-places registration-mail-texts",
    ),
    ("POST", "registrations:read", "queue", "preview-registrations"),
    (
        *("POST", "registrations:write", "queue"),
        (
            "registrations import-registrations decide-registrations order-registrations registration-mails"
            " registration-state registration-section registration-undo registration-changes registration-byes"
            " registration-charges registration-link registration-notes"
        ),
    ),
    ("PATCH", "registrations:write", "queue", "registration"),
    ("PUT", "registrations:write", "queue", "registration-label"),
    ("POST", "registrations:write", "desk", "registration-payment"),
    ("PUT", "registrations:write", "desk", "registration-presence"),
]
MAY = {**ON_PAGES, "works": {"organiser", "chief", "arbiter", "clerk", "check-in", "viewer", "owner"}}
TABLE: dict[str, dict[str, tuple[str, str]]] = {}
for _method, _scope, _who, _names in RULES:
    for _name in _names.split():
        TABLE.setdefault(_name, {})[_method] = (_scope, _who)
OF_EVENT = {who for _method, _scope, who, _names in RULES} - {"", "makes"}
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
LISTS = (
    *("events", "sections", "entries", "byes", "rounds", "games", "log", "forbidden-pairs", "screens"),
    *(
        "presences",
        "registrations",
        "rating-lists",
        "comparison",
        "webhooks",
        "webhook-messages",
        "tokens",
        "roles",
        "invitations",
    ),
)

WHOLE = ("presences", "rating-lists", "comparison")  # they have no pages


# What the sentence of each scope says about its operations.
WORDS: dict[str, dict[str, str]] = {
    "lists:read": {
        "events": "GET.events GET.event",
        "sections with their settings": "GET.sections GET.section GET.state GET.closing",
        "entries": "GET.entries GET.entry",
        "byes": "GET.byes GET.bye",
        "who is here": "GET.presences",
        "rounds": "GET.rounds GET.round GET.by-hand GET.offer",
        "games": "GET.games GET.game",
        "explanations": "GET.explained",
        "fairness": "GET.fairness",
        "standings": "GET.standings",
        "lists": "GET.list GET.lost",
        "prizes": "GET.prizes GET.prize-winners",
        "rating lists": "GET.rating-lists GET.listed-players GET.comparison",
        "forbidden pairs": (
            "GET.forbidden-pairs GET.forbidden-pair GET.apart-rules GET.apart-rule GET.apart-rule-preview"
        ),
        "screens": "GET.screens GET.screen",
        "the log": "GET.log GET.log-check",
    },
    "entries:read": {
        "tables": "GET.table",
        "incidents": "GET.incidents",
        "report files": "GET.report GET.older-report",
        "archives": "GET.archive GET.event-archive",
        "copies": "GET.copy",
        "look at a file before it is imported": (
            "POST.preview-list POST.preview-report POST.preview-section-report"
        ),
    },
    "entries:write": {
        "Enter": "POST.entries",
        "change": "PATCH.entry PUT.half-byes PUT.fixed-board",
        "move": "POST.entry-section",
        "withdraw, expel": "POST.withdraw",
        "readmit": "POST.readmit",
        "remove": "DELETE.entry",
        "import lists of entries": "POST.import-list",
        "report files with rounds and results": "POST.import-report",
        "give and cancel byes": "POST.entry-byes DELETE.bye",
        "check-in": "POST.check-in POST.check-in-all POST.presence",
        "absences": "POST.absences",
        "order equal players": "PUT.equal-ratings",
    },
    "registrations:read": {
        "Read registrations": (
            "GET.registrations GET.registration GET.late-players POST.preview-registrations"
        ),
        "places": "GET.registration-places",
        "settings": "GET.registration-settings",
        "mail texts": "GET.registration-mail-texts",
    },
    "registrations:write": {
        "Register players": "POST.registrations POST.import-registrations",
        "change registrations": "PATCH.registration POST.registration-changes",
        "decide about them": "POST.registration-state POST.decide-registrations POST.late-players",
        "sends mails": "POST.registration-mails",
        "sections": "POST.registration-section",
        "byes": "POST.registration-byes",
        "waiting list": "POST.order-registrations",
        "payments": "POST.registration-charges POST.registration-payment",
        "presence": "PUT.registration-presence",
        "labels": "PUT.registration-label",
        "notes": "POST.registration-notes",
        "personal links": "POST.registration-link",
        "undo": "POST.registration-undo",
    },
    "results:write": {
        "Enter, change, confirm": "PUT.result PUT.round-results PUT.second-reading",
        "correct": "POST.correction",
        "forfeit the game": "POST.absent",
        "mark games as over": "PUT.over",
        "make links of players worthless": "POST.player-link",
        "points": "POST.entry-points",
        "note incidents": "POST.incidents PATCH.incident DELETE.incident",
    },
    "rounds:write": {
        "initial-colour": "POST.initial-colour",
        "draw lots": "POST.lots PUT.lots",
        "pair, check": (
            "POST.rounds POST.pair-all POST.pair-again POST.check POST.offer PUT.section-notices"
            " POST.pair-ahead DELETE.pair-ahead"
        ),
        "publish, unpublish": "POST.publish POST.publish-all POST.unpublish",
        "unpair": "DELETE.round",
        "by hand": "POST.start-by-hand POST.by-hand POST.begin-by-hand POST.end-by-hand",
        "without a player": "POST.pair-without",
        "publish lists": "POST.publish-lists",
        "forbid pairs": (
            "POST.forbidden-pairs PATCH.forbidden-pair DELETE.forbidden-pair"
            " POST.apart-rules PATCH.apart-rule DELETE.apart-rule"
        ),
        "screens": "POST.screens PATCH.screen DELETE.screen",
        "message": "PUT.hall-message",
        "countdown": "PUT.countdown",
        "undo and go back": "POST.undo POST.undo-since POST.restore",
    },
    "settings:write": {
        "Make events": "POST.events",
        "and sections": "POST.sections POST.section-like",
        "report files": "POST.section-report",
        "change events and sections": "PATCH.event PUT.archived PATCH.section",
        "hide": "POST.hide POST.show",
        "close and reopen": "POST.close POST.reopen",
        "FIDE mode": "POST.leave-fide-mode",
        "tie-breaks": "PUT.tie-breaks PUT.tie-values",
        "prizes": "PUT.prizes",
        "rating lists": "PUT.rating-lists PATCH.rating-lists PUT.rating-method",
        "ratings taken from them": "POST.comparison",
        "rating periods": "PUT.rating-periods PUT.period-ratings",
        "dates of rounds": "PUT.schedule",
        "settings and mail texts of the registration": (
            "PATCH.registration-settings PUT.registration-mail-text"
        ),
    },
    "people:read": {"role": "GET.roles", "invited": "GET.invitations"},
    "people:write": {
        "Invite": "POST.invitations",
        "boards": "PUT.end-role",
        "end roles and invitations": "DELETE.end-role DELETE.invitation",
    },
    "programs:read": {
        "access tokens": "GET.tokens",
        "webhooks": "GET.webhooks",
        "messages": "GET.webhook-messages",
    },
    "programs:write": {
        "access tokens": "DELETE.end-token",
        "webhooks": "DELETE.webhook",
        "choose the messages": "PUT.webhook",
        "test": "POST.test-webhook",
        "again": "POST.send-again",
    },
}


def operations() -> Iterator[tuple[str, str]]:
    for pattern in urls.operations:
        for method in METHODS:
            if operation_of(pattern.callback.view_class, method):
                yield pattern.name, method


@pytest.fixture
def played(section: Section) -> Section:
    paired(section)
    ByeFactory(participant=section.participants.get(tpn=6), round_number=3)
    one, other = section.participants.order_by("pk")[:2]
    ForbiddenPairFactory(section=section, first=one, second=other, first_round=2)
    Section.objects.filter(pk=section.pk).update(apart_rules=[EACH_CLUB_APART])
    Screen.objects.create(event=section.event, name="Hall")
    Incident.objects.create(section=section, round_number=1, participant=one, kind="phone")
    registration_parts(section)
    EventRoleFactory(event=section.event, user=UserFactory(), role=EventRole.Role.VIEWER)
    invite_by_name(actor=Actor.command(), event=section.event, username="nobody", role="viewer")
    hook = Webhook.objects.create(event=section.event, address="https://hook.example/", nonce="1")
    WebhookMessage.objects.create(webhook=hook, section=section, kind="results", revision=1)
    other = Program(UserFactory(), section.event).made
    AccessToken.objects.filter(pk=other.pk).update(name="another one")
    return section


def parts_of(section: Section) -> dict[str, Any]:
    """The parts of addresses, of things that exist."""
    row = section.played_rounds.get(number=1)
    return {
        "event": section.event_id,
        "section": section.pk,
        "number": 1,
        "entry": section.participants.get(tpn=1).pk,
        "game": row.games.first().pk,
        "bye": section.participants.get(tpn=6).byes.first().pk,
        "forbidden": section.forbidden_pairs.get().pk,
        "rule": 1,
        "incident": section.incidents.get().pk,
        "screen": section.event.screens.get().pk,
        "registration": section.registrations.first().pk,
        "role": section.event.roles.get(role="viewer").pk,
        "invitation": section.event.invitations.get().pk,
        "webhook": section.event.webhooks.get().pk,
        "message": WebhookMessage.objects.order_by("pk")[0].pk,
        "token": AccessToken.objects.get(name="another one").pk,
        "table": "entries",
        "trf": "16",
        "kind": "accepted",
    }


def paths(section: Section) -> dict[str, str]:
    """The address of each operation."""
    parts, found = parts_of(section), {}
    for pattern in urls.operations:
        named = {name: parts[name] for name in pattern.pattern.converters}
        found[pattern.name] = reverse(f"api:v1:{pattern.name}", kwargs=named).removeprefix("/api/v1/")
    return found


def outcome(program: Program, method: str, path: str) -> str:
    status = program.send(method, path, {} if method != "GET" else None).status_code
    assert status < 500, (method, path)
    return {401: "unknown", 403: "refused", 404: "not there", 405: "no such request"}.get(status, "done")


def test_the_table_has_every_operation():
    assert set(operations()) == {(name, method) for name, asked in TABLE.items() for method in asked}


def test_only_the_scope_of_an_operation_opens_it(played: Section, owner: User, event: Event):
    tokens = {scope: Program(owner, event, [scope]).made for scope in Scope.values}
    tokens["of all events"] = Program(owner, None, [Scope.ENTRIES_READ]).made
    subjects = subjects_of(played)
    for scope, token in tokens.items():
        held = {"", *token.scopes}
        wrong = {
            (name, method, found)
            for name, method in operations()
            if (found := checked(token, method, *subjects[name]))
            != ("done" if TABLE[name][method][0] in held else "refused")
        }
        assert not wrong, scope
    made = {"name": "Another", "start": "2026-10-17", "end": "2026-10-18"}
    refused = Program(owner, event).send("POST", "events/", made)
    assert (refused.status_code, refused.json()["code"]) == (403, "token_of_one_event")


def test_people_who_make_a_token_read_all_that_each_scope_opens():
    """A route without words below fails: whoever adds one says in the sentence of its scope what it does."""
    routes = {(name, method) for name, method in operations() if TABLE[name][method][0]}
    assert {found for kinds in WORDS.values() for found in routes_of(kinds)} == routes
    for scope, kinds in WORDS.items():
        sentence = Scope(scope).label
        assert {TABLE[name][method][0] for name, method in routes_of(kinds)} == {scope}
        assert [word for word in kinds if word not in sentence] == [], scope
    api = Path("docs/api.md").read_text()
    assert [scope for scope in Scope if f"| `{scope.value}` | {scope.label} |" not in api] == []


def routes_of(kinds: dict[str, str]) -> list[tuple[str, str]]:
    found = [route.split(".") for names in kinds.values() for route in names.split()]
    return [(name, method) for method, name in found]


def test_settings_alone_reach_no_people_and_no_programs(played: Section, owner: User, event: Event):
    """A copy of such a token made an owner, ended the roles of the others, their tokens and webhooks."""
    program = Program(owner, event, [Scope.LISTS_READ, Scope.SETTINGS_WRITE])
    at = paths(played)
    for name in ("roles", "invitations", "tokens", "webhooks", "webhook-messages"):
        assert program.send("GET", at[name]).status_code == 403, name
    for name in ("end-role", "invitation", "end-token", "webhook"):
        assert program.send("DELETE", at[name]).status_code == 403, name
    asked = {"username": "nia", "role": "viewer"}
    assert program.send("POST", at["invitations"], asked).json()["scope"] == "people:write"
    assert program.send("POST", at["send-again"], {}).json()["scope"] == "programs:write"


@pytest.mark.parametrize("scopes", [[scope] for scope in Scope.values] + [Scope.values])
def test_no_token_makes_an_owner_or_ends_one(event: Event, owner: User, scopes: list[str]):
    program = Program(owner, event, scopes)
    other = EventRoleFactory(event=event, user=UserFactory(), role=EventRole.Role.OWNER)
    helper = EventRoleFactory(event=event, user=UserFactory(), role=EventRole.Role.ARBITER)
    for name in ("nobody", helper.user.username):
        asked = {"username": name, "role": "owner"}
        refused = program.send("POST", f"events/{event.pk}/invitations/", asked)
        assert refused.json()["code"] in ("scope_missing", "role_only_by_owner")
    refused = program.send("DELETE", f"events/{event.pk}/roles/{other.pk}/")
    assert refused.json()["code"] in ("scope_missing", "role_of_owner")
    weaker = {"username": other.user.username, "role": "viewer"}
    assert program.send("POST", f"events/{event.pk}/invitations/", weaker).status_code >= 400
    assert event.roles.filter(role=EventRole.Role.OWNER).count() == 2
    assert not event.invitations.filter(role=EventRole.Role.OWNER).exists()


def test_an_undo_needs_the_scope_of_what_it_undoes(played: Section, owner: User, event: Event):
    actor, here = Actor(owner), f"sections/{played.pk}/"
    edit_section(actor=actor, section_id=played.pk, name="Open A")
    bare = Program(owner, event, [Scope.LISTS_READ, Scope.ROUNDS_WRITE])
    last = Section.objects.get(pk=played.pk).revision
    body = {"revision": last, "reason": "slip"}
    for name in ("undo", "undo-since"):
        refused = bare.send("POST", f"{here}{name}/", body, seen="*")
        assert (refused.status_code, refused.json()["scope"]) == (403, "settings:write"), name
    back = bare.send("POST", f"{here}restore/", {"round": 1, "reason": "slip"}, seen="*")
    assert back.json()["code"] == "scope_missing"
    both = Program(owner, event, [Scope.LISTS_READ, Scope.ROUNDS_WRITE, Scope.SETTINGS_WRITE])
    both.done("POST", f"{here}undo/", body)
    again = bare.send("POST", f"{here}undo/", {**body, "revision": last + 1})
    assert again.json()["scope"] == "settings:write"


def test_each_action_is_undone_with_the_scope_that_does_it():
    from tests.api.v1.test_every_action import ARBITER  # which reads the table of this file

    routes = {name: to for name, to in ARBITER.items() if isinstance(to, tuple) and name in SECTION_ACTIONS}
    wanted = {name: TABLE[to[0]][to[1]][0] for name, to in routes.items()}
    assert {name: TO_UNDO.get(name, Scope.ROUNDS_WRITE) for name in wanted} == wanted


def test_the_archive_of_an_event_has_its_people_for_their_scope_alone(
    section: Section, owner: User, event: Event
):
    for scopes, there in (([Scope.ENTRIES_READ], False), ([Scope.ENTRIES_READ, Scope.PEOPLE_READ], True)):
        answer = Program(owner, event, scopes).send("GET", f"events/{event.pk}/archive/")
        with ZipFile(BytesIO(answer.content)) as file:
            assert ("event.json" in file.namelist()) is there


def test_a_token_has_no_more_than_the_rights_of_its_maker_now(played: Section, owner: User, event: Event):
    at, subjects = paths(played), subjects_of(played)
    other = EventRoleFactory(user=UserFactory(makes_events=True), role=EventRole.Role.OWNER)
    programs = {
        "stranger": Program(other.user, None),
        "of another event": Program(owner, EventRoleFactory(user=owner, role=EventRole.Role.OWNER).event),
        "own": Program(owner, event),
        "for all events": Program(owner, None),
    }
    tokens = {who: program.made for who, program in programs.items() if who != "own"}
    event.roles.filter(user=owner).update(role=EventRole.Role.CHIEF)
    for name, method in operations():
        asks = TABLE[name][method][1]
        if asks not in OF_EVENT or name == "list":  # 404: nothing is published yet
            continue
        found = {who: checked(token, method, *subjects[name]) for who, token in tokens.items()}
        assert set(found.values()) == {"not there"}, (name, method)
        allowed = "done" if "chief" in MAY[asks] else "refused"
        assert outcome(programs["own"], method, at[name]) == allowed, (name, method)
    event.roles.filter(user=owner).delete()
    own = AccessToken.objects.get(pk=programs["own"].made.pk)
    for name, method in operations():
        if TABLE[name][method][1] in OF_EVENT:
            assert checked(own, method, *subjects[name]) == "not there", (name, method)
    for method, name in (("GET", "section"), ("POST", "rounds"), ("PUT", "result"), ("DELETE", "entry")):
        assert outcome(programs["own"], method, at[name]) == "not there", (name, method)
    assert programs["stranger"].get("events/")["results"][0]["id"] == other.event_id
    UserFactory._meta.model.objects.filter(pk=owner.pk).update(makes_events=False)
    assert outcome(programs["for all events"], "POST", "events/") == "refused"


def test_each_role_may_do_what_it_may_do_on_the_pages(played: Section, owner: User, event: Event):
    token, subjects = Program(owner, event).made, subjects_of(played)
    differing = {}
    for role in EventRole.Role.values:
        event.roles.filter(user=owner).update(role=role)
        token.made_by = User.objects.get(pk=owner.pk)
        for name, method in operations():
            if (who := TABLE[name][method][1]) not in OF_EVENT:
                continue
            wanted = "done" if role in MAY[who] else "refused"
            if (found := checked(token, method, *subjects[name])) != wanted:
                differing[role, method, name] = (found, wanted)
    assert differing == {}


def subjects_of(section: Section) -> dict[str, tuple[View, Subject]]:
    """The view of each address, with what it is about. A thousand requests would take half a minute."""
    parts, found = parts_of(section), {}
    for pattern in urls.operations:
        view = pattern.callback.view_class()
        view.kwargs = {name: parts[name] for name in pattern.pattern.converters}
        found[pattern.name] = view, view.find()
    return found


def checked(token: AccessToken, method: str, view: View, subject: Subject) -> str:
    """What the check of rights says, which each request passes."""
    operation = operation_of(view, method)
    assert operation is not None
    try:
        allow(token, operation, subject)
    except Http404:
        return "not there"
    except (PermissionDenied, Problem):
        return "refused"
    return "done"


def test_a_role_that_has_ended_gives_its_token_nothing(played: Section, owner: User, event: Event):
    program = Program(owner, event)
    event.roles.filter(user=owner).update(role=EventRole.Role.CHIEF, until=timezone.localdate())
    assert program.send("GET", f"sections/{played.pk}/").status_code == 200
    event.roles.filter(user=owner).update(until=timezone.localdate() - timedelta(days=2))
    assert program.send("GET", f"sections/{played.pk}/").status_code == 404


def test_without_a_token_nothing_opens_not_even_with_a_login(played: Section, owner: User, program: Program):
    at, known = paths(played), program.text
    program.client.force_login(owner)
    program.text = "evb_unknown"
    wrong = {
        (name, method) for name, method in operations() if outcome(program, method, at[name]) != "unknown"
    }
    assert not wrong
    for program.text in ("", "\x01" * 10, "x" * 10_000, known[:-1], f"{known} "[1:]):
        assert outcome(program, "GET", at["section"]) == "unknown", program.text


def test_other_methods_are_refused(played: Section, program: Program, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(TokenThrottle, "rate", "100000/min")
    turns = Counter[str]()
    # for each address, of the methods that the table does not have the one that was sent least
    for name, path in paths(played).items():
        method = min({*METHODS, "OPTIONS", "TRACE"} - {*TABLE[name]}, key=lambda one: (turns[one], one))
        turns[method] += 1
        answer = program.send(method, path)
        assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json"), name
    assert min(turns.values()) > 10, turns


def test_queries_of_a_list_do_not_depend_on_its_length(played: Section, program: Program):
    at = paths(played)

    def queries() -> dict[str, int]:
        counts = {}
        for name in LISTS:
            with CaptureQueriesContext(connection) as made:
                program.get(at[name] if name in WHOLE else f"{at[name]}?page_size=200")
            counts[name] = len(made)
        return counts

    program.get("token/")  # notes the use of the token
    few = queries()
    section_of(3, event=played.event)
    for entry in ParticipantFactory.create_batch(20, section=played):
        ByeFactory(participant=entry, round_number=4)
        one = sent(played, by=ORGANISER, byes=(4,))
        label_many(event=played.event, keys=[one.pk], name="VIP", by=ORGANISER)
    assert queries() == few
    assert max(few.values()) <= 8, few
