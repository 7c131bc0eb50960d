"""Answers of all addresses have one form: lists their envelope, days and times ISO 8601, answers their questions."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rest_framework
from rest_framework import serializers

from api.v1.problems import OWN_WORDS
from api.v1.reference import _shape
from api.v1.schema import document
from tests.api.v1.program import Program
from tests.api.v1.test_rights import operations, paths, played  # noqa: F401 - a fixture
from tests.factories import EventRoleFactory
from tests.registrations.factories import desk
from tournaments.models import EventRole, Section

pytestmark = pytest.mark.one_database

THINGS = {
    *(
        "Event",
        "PublicEvent",
        "Section",
        "PublicSection",
        "Round",
        "PublicRound",
        "Registration",
        "Forbidden",
        "Rule",
        "Token",
        "Webhook",
    ),
    *("Settings", "Prizes", "RatingLists"),  # settings that are changed as a whole
    *(
        "State",
        "Closing",
        "Fairness",
        "Explained",
        "RoundWhy",
        "Hand",
        "Offer",
        "Check",
        "RegistrationRows",
        "TakenRegistrations",
        "Comparison",
    ),  # findings
    *("ReportFacts", "Rows", "TakenRows"),  # what a file does
}
"""Shapes that are one thing which has lists, and no list themselves."""
NOT_ISO = re.compile(
    r"""\d{4}/\d\d?/\d\d?         # 1990/02/28
    | \d\d?[./]\d\d?[./]\d{4}     # 28.02.1990
    | \d{4}-\d\d-\d\d\ \d\d:      # 2026-10-17 14:00, as Python writes it
    """,
    re.VERBOSE,
)


def test_every_list_has_the_same_envelope():
    described = document()
    lists = 0
    for address, methods in described["paths"].items():
        for method, operation in methods.items():
            answer = next(iter(operation["responses"].values()))
            shape = _shape(described, answer)
            fields = shape.get("properties", {})
            if "results" in fields:
                lists += 1
                assert {"next", "previous", "results"} <= set(shape["required"]), (method, address)
            elif any("array" in field.get("type", "") for field in fields.values()):
                name = answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
                assert name.removesuffix("Shape") in THINGS, (method, address)
    assert lists > 30


def texts(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield each text of an answer with its place; no object may have numbers as names, because it is a list."""
    if isinstance(value, dict):
        assert not value or not all(name.isdigit() for name in value), place
        for name, inner in value.items():
            yield from texts(inner, f"{place}/{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner, f"{place}/-")
    elif isinstance(value, str):
        yield place, value


def test_days_and_times_are_iso_everywhere(played: Section, program: Program):  # noqa: F811
    entry = f"entries/{played.participants.get(tpn=1).pk}/"
    for born in ("1990-02-28", "1991-02", "1992"):
        changed = program.done("PATCH", entry, {"birth_date": born}, seen="*")
        assert changed["personal"]["birth_date"] == born
    for wrong in ("1990/02/28", "28.02.1990", "90", "1990-2-28", "1990-02-"):
        refused = program.send("PATCH", entry, {"birth_date": wrong}, seen="*").json()
        assert [one["pointer"] for one in refused["errors"]] == ["/birth_date"], wrong
    played.registrations.update(birth_date="2012/11/05", proposed={"birth_date": "2012/11/06"})
    at, seen = paths(played), 0
    for name, method in operations():
        if method != "GET":
            continue
        answer = program.send("GET", at[name])
        if answer.status_code == 200 and answer["Content-Type"] == "application/json":
            for place, text in texts(answer.json()):
                seen += 1
                assert not NOT_ISO.search(text), (name, place, text)
    assert seen > 400


def test_what_has_several_values_is_a_list(program: Program, section: Section):
    at = f"events/{section.event_id}/"
    sent = {
        "deputy_arbiters": ["FA Ilves, Karl", "NA Costa, Beatriz"],
        "embed_sites": ["https://club.example"],
    }
    shown = program.done("PATCH", at, sent, seen="*")
    assert {name: shown[name] for name in sent} == sent
    refused = program.send("PATCH", at, {"deputy_arbiters": "FA Ilves, Karl"}, seen="*").json()
    assert [one["pointer"] for one in refused["errors"]] == ["/deputy_arbiters"]
    rows = "Name;Rating\nEk, Ada;2000\nEk, Ada;2100\nÅs, Bo;1900\nÅs, Bo;1800\n".encode()
    preview = f"sections/{section.pk}/import-list/preview/?choices=keep-2&choices=keep-5"
    assert [row["row"] for row in program.done("POST", preview, rows)["added"]] == [2, 5]


def test_answers_of_a_registration_carry_their_questions(db: None):
    into = desk()
    registration = into.event.registration
    registration.questions = ["Diet?", "Arrival?"]
    registration.save()
    program = Program(EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user, into.event)
    body = {"section": into.pk, "name": "Ek, Ada", "answers": [{"question": "Arrival?", "answer": "Friday"}]}
    made = program.done("POST", f"events/{into.event.pk}/registrations/", body)
    friday = [{"question": "Diet?", "answer": ""}, {"question": "Arrival?", "answer": "Friday"}]
    assert made["answers"] == friday
    at = f"registrations/{made['id']}/"
    diet = {"answers": [{"question": "Diet?", "answer": "vegan"}]}
    changed = program.done("PATCH", at, diet, seen=program.tag(at))
    assert changed["answers"] == [*diet["answers"], friday[1]]
    [listed] = program.get(f"events/{into.event.pk}/registrations/")["results"]
    assert listed["answers"] == changed["answers"]
    refused = program.send("PATCH", at, {"answers": [{"question": "Shirt?", "answer": "L"}]}, seen="*").json()
    assert [one["pointer"] for one in refused["errors"]] == ["/answers/0/question"]


def test_german_readers_are_addressed_in_one_form():
    """The framework says "Stelle sicher, dass", also on pages. Our catalogues have these sentences and come first."""
    place = Path(rest_framework.__file__).parent / "locale" / "de" / "LC_MESSAGES" / "django.mo"
    with place.open("rb") as file:
        theirs = gettext.GNUTranslations(file)
    as_a_friend = {
        one for one in every_message() if re.search(r"\b(Stelle|Gib|Du|Dein|Wähle)\b", theirs.gettext(one))
    }
    assert len(as_a_friend) > 3
    assert as_a_friend <= set(OWN_WORDS)


def every_message() -> Iterator[str]:
    """Yield the messages of each kind of field that our serializers use, in English."""
    for kind in vars(serializers).values():
        if isinstance(kind, type) and issubclass(kind, serializers.Field) and kind not in UNUSED:
            for message in getattr(kind, "default_error_messages", {}).values():
                yield str(message)


UNUSED = (serializers.DecimalField, serializers.SlugField, serializers.FileField, serializers.FilePathField)
