"""The description of the API is true: every answer to what it allows, and to what it does not, is as it says."""

from __future__ import annotations

import re
from os import environ
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests
import schemathesis
from django.db import transaction
from django.db.models import JSONField, TextField
from django.http import HttpResponse
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.validation import validate_schema
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.v1.bodies import ModelSerializer
from api.v1.operations import operation_of
from api.v1.reference import groups
from api.v1.schema import document
from api.v1.urls import operations
from api.v1.view import TokenThrottle
from tests.api.v1.program import Program
from tests.factories import EACH_CLUB_APART, ByeFactory, EventRoleFactory, ForbiddenPairFactory, UserFactory
from tests.registrations.factories import registration_parts
from tests.web.staff.conftest import enter, paired
from tournaments.actions.ledger import Actor
from tournaments.actions.people import invite_by_name
from tournaments.models import Event, Incident, Screen, Section, Title, Webhook, WebhookMessage
from tournaments.models.sections import MAX_ROUNDS

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
ROOT = Path(__file__).parents[3]
BY_COLUMN = {
    *ModelSerializer.serializer_field_mapping.values(),
    ModelSerializer.serializer_choice_field,
    ModelSerializer.serializer_related_field,
}
CHANGES = 2
"""Examples of an allowed request that changes something. One is enough to read, and of what is not allowed."""
MORE = int(environ.get("EXAMPLES", "1"))
"""How many times as many: EXAMPLES=20 takes some minutes. The limit of time follows from it."""
ROLE = environ.get("EXAMPLES_AS", "owner")
"""The role of whoever made the token."""
SECONDS = 1_200


def test_the_description_is_valid_and_complete():
    found = document()
    validate_schema(found)
    assert not GENERATOR_STATS
    assert all(operation.summary for _group, entries in groups(found) for operation in entries)
    assert not [group for group, _entries in groups(found) if "_" in group]


def test_what_a_column_says_comes_from_the_model():
    of_columns = {
        f"{kind.__name__}.{name}"
        for kind in shapes_of_models(ModelSerializer)
        for name, field in kind._declared_fields.items()
        if type(field) in BY_COLUMN and field.source in (None, name) and is_column(kind, name)
    }
    assert of_columns == {
        "EventBody.state",  # archiving has an address of its own
        "GameShape.rating_result",  # null, not "", for none
        "GameShape.result",
        "GameShape.second_result",
        "GameShape.white_pressed",
        "GameShape.black_pressed",
        "NewRegistrationBody.section",  # the number of a row
        "ScreenBody.section",
        "SectionBody.acceleration",  # one kind of it comes from files alone
        "SectionBody.system",  # choices of the engine
        "SectionSettingsBody.section",
        "SectionSettingsBody.titles",  # a list here, a text there
        "WishShape.kind",  # choices of the engine
    }
    described = document()["components"]["schemas"]
    entry, section = (described[name]["properties"] for name in ("EntryShape", "SectionShape"))
    assert entry["title"]["enum"] == described["NewEntryBody"]["properties"]["title"]["enum"] == Title.values
    assert section["explained_to"]["enum"] == Section.ExplainedTo.values
    assert described["SectionBody"]["properties"]["rounds"]["maximum"] == MAX_ROUNDS


def shapes_of_models(kind: type[ModelSerializer]) -> set[type[ModelSerializer]]:
    found = {each for one in kind.__subclasses__() for each in (one, *shapes_of_models(one))}
    return {each for each in found if hasattr(each, "Meta")}


def is_column(kind: type[ModelSerializer], name: str) -> bool:
    inherited = {name for base in kind.__bases__ for name in getattr(base, "_declared_fields", ())}
    columns = {
        column.name
        for column in kind.Meta.model._meta.fields
        if not isinstance(column, JSONField | TextField)
    }
    return name in columns - inherited


def test_the_document_names_each_change_that_needs_no_version():
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    found = {
        re.sub(r"<int:\w+>", "<id>", str(pattern.pattern))
        for pattern in operations
        for method in ("PUT", "PATCH", "DELETE")
        if (asked := operation_of(pattern.callback.view_class, method)) and not asked.matched
    }
    named = text.partition("where the last change simply counts:")[2].partition("\n- ")[0]
    assert found == set(re.findall(r"`(?:PUT |DELETE )?([^`]+)`", named))


@pytest.mark.timeout(SECONDS * MORE)
@pytest.mark.one_database
def test_answers_are_as_described(section: Section, program: Program, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(TokenThrottle, "rate", "100000/min")
    Event.objects.filter(pk=section.event_id).update(state="public")
    for game in paired(section).games.all():
        enter(game, "1/2")
    paired(section)
    one, other = section.participants.order_by("pk")[:2]
    Section.objects.filter(pk=section.pk).update(apart_rules=[EACH_CLUB_APART])
    invited = invite_by_name(actor=Actor.command(), event=section.event, username="nobody", role="viewer")
    section.event.roles.filter(user=program.made.made_by).update(role=ROLE)
    hook = Webhook.objects.create(event=section.event, address="https://hook.example/", nonce="1")
    real = {
        "event": section.event_id,
        "section": section.pk,
        "number": 2,
        "entry": section.participants.get(tpn=1).pk,
        "game": section.played_rounds.get(number=2).games.first().pk,
        "bye": ByeFactory(participant=section.participants.get(tpn=6), round_number=4).pk,
        "forbidden": ForbiddenPairFactory(section=section, first=one, second=other, first_round=3).pk,
        "rule": 1,
        "incident": Incident.objects.create(section=section, round_number=1, participant=one, kind="late").pk,
        "screen": Screen.objects.create(event=section.event, name="Hall").pk,
        "registration": registration_parts(section)["registration"],
        "role": EventRoleFactory(event=section.event, role="viewer").pk,
        "invitation": invited.pk,
        "webhook": hook.pk,
        "message": WebhookMessage.objects.create(
            webhook=hook, section=section, kind="results", revision=1
        ).pk,
        "token": Program(UserFactory(), section.event).made.pk,
        "table": "standings",
        "trf": "06",
        "kind": "accepted",
        "edition": 1,
    }
    statuses = set()
    described = schemathesis.openapi.from_dict(document())

    def ask(case: Case) -> None:
        """Send it about things that exist, and undo in the database what it did. Then send it again with a version that
        there never was.
        """
        case.path_parameters = {name: real[name] for name in case.path_parameters or {}}
        if "If-Match" in (case.headers or {}):
            case.headers["If-Match"] = "*"
        if "Idempotency-Key" in (case.headers or {}):
            case.headers["Idempotency-Key"] = "one"  # what was done with it is undone
        asked, answer = send(case)
        statuses.add(answer.status_code)
        lists = {name: [value] for name, value in answer.items()}
        case.validate_response(
            Response(answer.status_code, lists, answer.content, asked, 0.0, verify=False), checks=CHECKS
        )
        if (case.headers or {}).get("If-Match") == "*" and answer.status_code < 300:
            case.headers["If-Match"] = '"old"'
            _asked, stale = send(case)
            assert (stale.status_code, stale.json()["code"]) == (412, "stale"), case.path

    def send(case: Case) -> tuple[requests.PreparedRequest, HttpResponse]:
        asked = requests.Request(**case.as_transport_kwargs(base_url="http://testserver")).prepare()
        own = {"Authorization": f"Bearer {program.text}", "Accept-Encoding": "identity"}
        headers = {**asked.headers, **own}
        address = urlsplit(asked.url)
        with transaction.atomic():
            answer = made = program.client.generic(
                asked.method,
                address.path,
                asked.body or b"",
                headers.get("Content-Type", ""),
                query_string=address.query,
                headers=headers,
            )
            if answer.status_code == 201:
                made = program.send("GET", urlsplit(answer["Location"]).path.removeprefix("/api/v1/"))
            transaction.set_rollback(True)
        assert made.status_code < 300 or made is answer, asked.url
        return asked, answer

    for found in described.get_all_operations():
        operation = found.ok()
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            allowed = mode is GenerationMode.POSITIVE
            changes = operation.method.upper() != "GET"
            if not allowed and not [*operation.iter_parameters(), *operation.body]:
                continue  # nothing can be wrong

            @seed(1)
            @settings(
                max_examples=MORE * (CHANGES if allowed and changes else 1),
                deadline=None,
                database=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy(generation_mode=mode))
            def every(case: Case) -> None:
                ask(case)

            every()
    assert statuses >= ({200, 204, 422} if ROLE == "owner" else {200, 403})


def test_everybody_can_read_the_description(db: None, client: Client):
    assert client.get("/api/v1/openapi.json").json()["openapi"] == "3.1.0"
    page = client.get("/api/v1/").content.decode()
    assert "POST /api/v1/sections/{section}/rounds/" in page
