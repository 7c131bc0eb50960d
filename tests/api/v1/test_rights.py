"""Every operation of the API, sent with tokens of every scope, of people with every role.

An operation that is not in the table below fails the test. A new one needs a line that says what it asks for.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from entering.actions.changing import label_many
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
from tournaments.actions.invitations import invite_by_name
from tournaments.actions.ledger import Actor
from tournaments.api.v1 import urls
from tournaments.api.v1.operations import operation_of
from tournaments.api.v1.tokens import TokenThrottle
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

RUNS, OWNS, MAKES = "arbiter", "organiser", "may make events"
# For each operation: the scope of the token, and what its maker must be at this moment.
TABLE: dict[str, dict[str, tuple[str, str]]] = {
    "token": {"GET": ("", "")},
    "events": {"GET": ("lists:read", ""), "POST": ("settings:write", MAKES)},
    "event": {"GET": ("lists:read", RUNS), "PATCH": ("settings:write", OWNS)},
    "sections": {"GET": ("lists:read", RUNS), "POST": ("settings:write", OWNS)},
    "section": {"GET": ("lists:read", RUNS), "PATCH": ("settings:write", RUNS)},
    **{key: {"POST": ("settings:write", RUNS)} for key in ("close", "reopen")},
    **{key: {"POST": ("rounds:write", RUNS)} for key in ("initial-colour", "undo", "publish", "unpublish")},
    **{
        key: {"POST": ("entries:write", RUNS)}
        for key in ("check-in", "entry-section", "withdraw", "readmit", "presence", "entry-byes")
    },
    **{key: {"GET": ("lists:read", RUNS)} for key in ("log", "standings", "list", "byes", "games", "game")},
    **{
        key: {"GET": ("lists:read", RUNS)}
        for key in ("state", "closing", "explained", "fairness", "log-check", "prize-winners")
    },
    "prizes": {"GET": ("lists:read", RUNS), "PUT": ("settings:write", RUNS)},
    "entries": {"GET": ("lists:read", RUNS), "POST": ("entries:write", RUNS)},
    "entry": {
        "GET": ("lists:read", RUNS),
        "PATCH": ("entries:write", RUNS),
        "DELETE": ("entries:write", RUNS),
    },
    "bye": {"GET": ("lists:read", RUNS), "DELETE": ("entries:write", RUNS)},
    "rounds": {"GET": ("lists:read", RUNS), "POST": ("rounds:write", RUNS)},
    "round": {"GET": ("lists:read", RUNS), "DELETE": ("rounds:write", RUNS)},
    **{
        key: {"PUT": ("results:write", RUNS)} for key in ("result", "round-results", "second-reading", "over")
    },
    **{key: {"POST": ("results:write", RUNS)} for key in ("absent", "correction")},
    **{
        key: {"POST": ("rounds:write", RUNS)}
        for key in (
            *("pair-all", "publish-all", "pair-again", "pair-without", "check", "publish-lists"),
            *("start-by-hand", "begin-by-hand", "end-by-hand", "undo-since", "restore"),
        )
    },
    "lots": dict.fromkeys(("POST", "PUT"), ("rounds:write", RUNS)),
    **{key: {"GET": ("lists:read", RUNS), "POST": ("rounds:write", RUNS)} for key in ("by-hand", "offer")},
    **{
        key: {"GET": ("lists:read", RUNS), "POST": ("rounds:write", RUNS)}
        for key in ("forbidden-pairs", "screens")
    },
    **{
        key: {
            "GET": ("lists:read", RUNS),
            "PATCH": ("rounds:write", RUNS),
            "DELETE": ("rounds:write", RUNS),
        }
        for key in ("forbidden-pair", "screen")
    },
    "presences": {"GET": ("lists:read", RUNS)},
    **{key: {"POST": ("entries:write", RUNS)} for key in ("check-in-all", "absences")},
    **{key: {"PUT": ("entries:write", RUNS)} for key in ("half-byes", "equal-ratings")},
    **{key: {"PUT": ("rounds:write", RUNS)} for key in ("countdown", "hall-message")},
    **{
        key: {"PUT": ("settings:write", RUNS)}
        for key in (
            "tie-breaks",
            "tie-values",
            "rating-method",
            "rating-periods",
            "period-ratings",
            "schedule",
        )
    },
    "leave-fide-mode": {"POST": ("settings:write", RUNS)},
    **{key: {"POST": ("settings:write", OWNS)} for key in ("hide", "show", "section-like")},
    "rating-lists": {
        "GET": ("lists:read", RUNS),
        "PUT": ("settings:write", RUNS),
        "PATCH": ("settings:write", RUNS),
    },
    "listed-players": {"GET": ("lists:read", RUNS)},
    "comparison": {"GET": ("lists:read", RUNS), "POST": ("settings:write", RUNS)},
    **{key: {"GET": ("settings:write", OWNS)} for key in ("webhooks", "webhook-messages", "tokens", "roles")},
    **{
        key: {"DELETE": ("settings:write", OWNS)}
        for key in ("webhook", "end-token", "end-role", "invitation")
    },
    "invitations": {"GET": ("settings:write", OWNS), "POST": ("settings:write", OWNS)},
    "send-again": {"POST": ("settings:write", OWNS)},
    **{key: {"POST": ("entries:read", RUNS)} for key in ("preview-list", "preview-report")},
    **{key: {"POST": ("entries:write", RUNS)} for key in ("import-list", "import-report")},
    "preview-section-report": {"POST": ("entries:read", RUNS)},
    "section-report": {"POST": ("settings:write", OWNS)},
    **{
        key: {"GET": ("entries:read", RUNS)} for key in ("table", "report", "older-report", "archive", "copy")
    },
    "lost": {"GET": ("lists:read", RUNS)},
    "registrations": {"GET": ("registrations:read", RUNS), "POST": ("registrations:write", RUNS)},
    "registration": {"GET": ("registrations:read", RUNS), "PATCH": ("registrations:write", RUNS)},
    **{f"{key}-registrations": {"POST": ("registrations:write", RUNS)} for key in ("decide", "order")},
    **{
        f"registration-{key}": {"POST": ("registrations:write", RUNS)}
        for key in (
            *("state", "section", "undo", "changes", "byes", "charges", "notes"),
            *("payment", "link", "mails"),
        )
    },
    **{f"registration-{key}": {"GET": ("registrations:read", RUNS)} for key in ("places", "mail-texts")},
    "registration-settings": {"GET": ("registrations:read", RUNS), "PATCH": ("settings:write", OWNS)},
    "registration-mail-text": {"PUT": ("settings:write", OWNS)},
    **{f"registration-{key}": {"PUT": ("registrations:write", RUNS)} for key in ("presence", "label")},
}
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


def paths(section: Section) -> dict[str, str]:
    """The address of each operation, about things that exist."""
    row = section.played_rounds.get(number=1)
    parts = {
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
    found = {}
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
    at = paths(played)
    programs = {scope: Program(owner, event, [scope]) for scope in Scope.values}
    programs["of all events"] = Program(owner, None, [Scope.ENTRIES_READ])
    for scope, program in programs.items():
        held = set(program.made.scopes)
        wrong = {
            (name, method, found)
            for name, method in operations()
            if name != "list"  # 404: nothing is published yet
            and (found := outcome(program, method, at[name]))
            != ("done" if TABLE[name][method][0] in {"", *held} else "refused")
        }
        assert not wrong, scope
    made = {"name": "Another", "start": "2026-10-17", "end": "2026-10-18"}
    refused = Program(owner, event).send("POST", "events/", made)
    assert (refused.status_code, refused.json()["code"]) == (403, "token_of_one_event")


def test_a_token_has_no_more_than_the_rights_of_its_maker_now(played: Section, owner: User, event: Event):
    at = paths(played)
    other = EventRoleFactory(user=UserFactory(makes_events=True), role=EventRole.Role.OWNER)
    programs = {
        "stranger": Program(other.user, None),
        "of another event": Program(owner, EventRoleFactory(user=owner, role=EventRole.Role.OWNER).event),
        "own": Program(owner, event),
        "for all events": Program(owner, None),
    }
    event.roles.filter(user=owner).update(role=EventRole.Role.CHIEF)
    for name, method in operations():
        asks = TABLE[name][method][1]
        if asks in ("", MAKES) or name == "list":
            continue
        found = {who: outcome(program, method, at[name]) for who, program in programs.items()}
        refused = "refused" if asks == OWNS else "done"
        others = dict.fromkeys(("stranger", "of another event", "for all events"), "not there")
        assert found == {**others, "own": refused}, (name, method)
    event.roles.filter(user=owner).delete()
    for name, method in operations():
        if TABLE[name][method][1] in (RUNS, OWNS):
            assert outcome(programs["own"], method, at[name]) == "not there", (name, method)
    assert programs["stranger"].get("events/")["results"][0]["id"] == other.event_id
    UserFactory._meta.model.objects.filter(pk=owner.pk).update(makes_events=False)
    assert outcome(programs["for all events"], "POST", "events/") == "refused"


def test_without_a_token_nothing_opens_not_even_with_a_login(played: Section, owner: User, program: Program):
    at = paths(played)
    program.client.force_login(owner)
    for text in ("", "evb_unknown", "\x01" * 10, "x" * 10_000):
        program.text = text
        wrong = {
            (name, method) for name, method in operations() if outcome(program, method, at[name]) != "unknown"
        }
        assert not wrong


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
        label_many(event=played.event, keys=[one.pk], name="VIP")
    assert queries() == few
    assert max(few.values()) <= 8, few
