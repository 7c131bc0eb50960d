"""Registrations of a program: the same decisions as in the queue."""

from __future__ import annotations

from typing import Any

import pytest

from entering.models import Registration
from tests.api.v1.program import Program
from tests.entering.factories import desk, section, sent
from tests.factories import EventRoleFactory, UserFactory
from tournaments.models import EventRole, Participant, Section

pytestmark = pytest.mark.django_db


def program_of(into: Section, role: str = EventRole.Role.OWNER) -> Program:
    return Program(EventRoleFactory(event=into.event, user=UserFactory(), role=role).user, into.event)


def changed(program: Program, one: Registration | int, what: str, body: Any) -> Any:
    path = f"registrations/{getattr(one, 'pk', one)}/"
    return program.done("POST", f"{path}{what}/", body, seen=program.tag(path))


def test_a_program_registers_decides_and_undoes_as_the_queue_does() -> None:
    into = desk(fee=2000)
    other = section(into.event, fee=3000)
    program, list_of = program_of(into), f"events/{into.event.pk}/registrations/"
    typed = {
        "section": into.pk,
        "name": "Lovelace, Ada",
        "rating": 1800,
        "email": "ada@example.org",
        "byes": [2],
    }
    key = {"key": "once"}
    made = program.done("POST", list_of, typed, **key)
    assert program.done("POST", list_of, typed, **key) == made
    assert (made["state"], made["balance"], made["byes"]) == (
        "pending",
        2000,
        [{"round": 2, "kind": "H", "state": "asked"}],
    )
    stale = program.send("POST", f"registrations/{made['id']}/state/", {"state": "accepted"}, seen='"old"')
    assert (stale.status_code, stale.json()["current"]["name"]) == (409, "Lovelace, Ada")
    moved = changed(program, made["id"], "section", {"section": other.pk})
    assert (moved["section"], moved["balance"]) == (other.pk, 3000)
    assert [(line["kind"], line["cents"]) for line in moved["account"]] == [("fee", 3000)]
    assert changed(program, made["id"], "undo", {})["balance"] == 2000
    assert (
        changed(program, made["id"], "state", {"state": "accepted"})["entry"] == Participant.objects.get().pk
    )
    assert changed(program, made["id"], "charges", {"kind": "payment", "cents": 2000})["balance"] == 0
    here = program.done("PUT", f"registrations/{made['id']}/presence/", {"here": True})
    assert here["present_at"]
    program.done("PUT", f"registrations/{made['id']}/label/", {"name": "VIP"})
    changed(program, made["id"], "notes", {"text": "Comes late"})
    path = f"registrations/{made['id']}/"
    kept = program.done("PATCH", path, {"club": "SK"}, seen=program.tag(path))
    assert (kept["club"], kept["labels"], kept["notes"][0]["text"]) == ("SK", ["VIP"], "Comes late")
    for found in ("label=VIP", "search=love", "state=accepted", "changed_since=2000-01-01T00:00:00Z"):
        assert [row["id"] for row in program.get(f"{list_of}?{found}")["results"]] == [made["id"]], found
    assert program.get(f"{list_of}?state=waiting")["results"] == []


def test_many_are_decided_with_an_answer_for_each() -> None:
    into = desk(capacity=2)
    ann, bob, elsewhere = sent(into, "A, X"), sent(into, "B, X", rating=None), sent(desk(), "C, X")
    program = program_of(into)
    asked = [{"id": one.pk, "revision": one.revision} for one in (ann, bob, elsewhere)]
    path = f"events/{into.event.pk}/registrations/decide/"
    answer = program.done("POST", path, {"registrations": asked, "state": "accepted"})
    assert answer["decided"] == 1
    assert [bool(one["code"]) for one in answer["registrations"]] == [False, True, True]
    assert "B, X needs a rating." in answer["registrations"][1]["detail"]
    to = section(into.event)
    answer = program.done("POST", path, {"registrations": asked, "section": to.pk})
    assert [one["code"] for one in answer["registrations"]] == ["registration_changed", "", "not_found"]
    assert program.send("POST", path, {"registrations": asked}).status_code == 422


def test_a_role_in_one_section_opens_no_registrations() -> None:
    into = desk()
    one = sent(into)
    user = EventRoleFactory(event=into.event, section=into, role=EventRole.Role.CHIEF).user
    program = Program(user, into.event)
    for path in (f"events/{into.event.pk}/registrations/", f"registrations/{one.pk}/"):
        assert program.send("GET", path).status_code == 404
