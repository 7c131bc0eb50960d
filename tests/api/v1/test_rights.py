"""Every operation of the API, sent with tokens of every scope, of people with every role.

An operation that is not in the table below fails the test. A new one needs a line that says what it asks for.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import Http404
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from entering.actions.labelling import label_many
from tests.api.v1.program import Program
from tests.entering.factories import ORGANISER, registration_parts, sent
from tests.factories import (
    ByeFactory,
    EventRoleFactory,
    ForbiddenPairFactory,
    ParticipantFactory,
    UserFactory,
    section_of,
)
from tests.web.staff.conftest import paired
from tests.web.test_access import MAY as ON_PAGES
from tournaments.actions.invitations import invite_by_name
from tournaments.actions.ledger import Actor
from tournaments.api.v1 import urls
from tournaments.api.v1.operations import operation_of
from tournaments.api.v1.problems import Problem
from tournaments.api.v1.subjects import Subject, allow
from tournaments.api.v1.tokens import TokenThrottle
from tournaments.api.v1.view import View
from tournaments.models import (
    AccessToken,
    Event,
    EventRole,
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
            " explained offer by-hand forbidden-pairs forbidden-pair screens screen prizes"
            " prize-winners rating-lists listed-players comparison lost"
        ),
    ),
    ("GET", "entries:read", "staff", "table report older-report"),
    ("GET", "entries:read", "enters", "archive copy"),
    ("GET", "entries:read", "queue", "event-archive"),
    ("POST", "entries:read", "enters", "preview-list preview-report"),
    ("POST", "entries:read", "owns", "preview-section-report"),
    ("POST", "entries:write", "enters", "entries entry-section withdraw readmit import-list import-report"),
    ("PATCH", "entries:write", "enters", "entry"),
    ("PUT", "entries:write", "enters", "equal-ratings"),
    ("DELETE", "entries:write", "enters", "entry"),
    ("POST", "entries:write", "presence", "presence"),
    ("POST", "entries:write", "runs", "check-in entry-byes check-in-all absences"),
    ("PUT", "entries:write", "runs", "half-byes"),
    ("DELETE", "entries:write", "runs", "bye"),
    ("PUT", "results:write", "results", "result round-results second-reading over"),
    ("POST", "results:write", "runs", "absent"),
    ("POST", "results:write", "directs", "correction entry-points"),
    (
        *("POST", "rounds:write", "runs"),
        (
            "initial-colour rounds publish unpublish pair-all publish-all pair-again pair-without check publish-lists"
            " lots start-by-hand offer by-hand begin-by-hand end-by-hand forbidden-pairs screens"
        ),
    ),
    ("PUT", "rounds:write", "runs", "lots countdown hall-message"),
    ("PATCH", "rounds:write", "runs", "forbidden-pair screen"),
    ("DELETE", "rounds:write", "runs", "round forbidden-pair screen"),
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
        "sections hide show section-like send-again section-report",
    ),
    ("POST", "settings:write", "names", "invitations"),
    ("PUT", "settings:write", "owns", "registration-mail-text"),
    ("PATCH", "settings:write", "owns", "event registration-settings"),
    ("DELETE", "settings:write", "owns", "webhook end-token"),
    ("DELETE", "settings:write", "names", "end-role invitation"),
    ("PUT", "settings:write", "names", "end-role"),
    ("GET", "settings:write", "owns", "webhooks webhook-messages tokens"),
    ("GET", "settings:write", "names", "invitations"),
    ("GET", "settings:write", "sees people", "roles open-pages"),
    (
        *("GET", "registrations:read", "sees queue"),
        "registrations registration registration-settings registration-places registration-mail-texts",
    ),
    (
        *("POST", "registrations:write", "queue"),
        (
            "registrations decide-registrations order-registrations registration-mails registration-state"
            " registration-section registration-undo registration-changes registration-byes registration-charges"
            " registration-link registration-notes"
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
    Screen.objects.create(event=section.event, name="Hall")
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
        "screen": section.event.screens.get().pk,
        "registration": section.registrations.first().pk,
        "role": section.event.roles.get(role="viewer").pk,
        "invitation": section.event.invitations.get().pk,
        "webhook": section.event.webhooks.get().pk,
        "message": WebhookMessage.objects.get().pk,
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
    for name, method in operations():
        if TABLE[name][method][1] in OF_EVENT:
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
    at = paths(played)
    for name, path in at.items():
        for method in (*METHODS, "OPTIONS", "TRACE"):
            if method not in TABLE[name]:
                answer = program.send(method, path)
                assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json"), name


def test_queries_of_a_list_do_not_depend_on_its_length(played: Section, program: Program):
    at = paths(played)

    def queries() -> dict[str, int]:
        counts = {}
        for name in LISTS:
            with CaptureQueriesContext(connection) as made:
                program.get(f"{at[name]}?page_size=200")
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
