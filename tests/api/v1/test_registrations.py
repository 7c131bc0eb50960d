"""Registrations of a program: the same decisions as in the queue."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone

from registrations.actions.edits import add_note
from registrations.actions.transitions import move_registration
from registrations.api.shapes import DECISIONS
from registrations.models import HistoryLine, Label, Mail, Registration
from registrations.queries.places import waiting_list
from registrations.states import RegistrationState
from tests.api.v1.program import Program
from tests.factories import EventFactory, EventRoleFactory, SectionFactory, UserFactory
from tests.registrations.factories import ORGANISER, desk, section, sent
from tests.workbooks import xls
from tournaments.actions.entries import remove_participant
from tournaments.actions.ledger import Actor
from tournaments.models import EventRole, Participant, Section
from tournaments.models.entries import initials

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


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
    assert (stale.status_code, stale.json()["current"]["name"]) == (412, "Lovelace, Ada")
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
    for conditions, count in {
        "label.VIP&conditions=!title.GM": 1,
        "label.gone": 0,
        "!label.VIP": 0,
        "label.gone&conditions=club=sk&any=1": 1,
        "state.refused&conditions=label.VIP": 0,
        "club=s%3Bk": 0,
    }.items():
        assert len(program.get(f"{list_of}?conditions={conditions}")["results"]) == count, conditions
    assert program.send("GET", f"{list_of}?conditions=dance").status_code == 422


def test_many_are_decided_with_an_answer_for_each() -> None:
    into = desk(capacity=2)
    ann, bob, elsewhere = sent(into, "A, X"), sent(into, "B, X", rating=None), sent(desk(), "C, X")
    program = program_of(into)
    asked = [{"id": one.pk, "revision": one.revision} for one in (ann, bob, elsewhere)]
    path = f"events/{into.event.pk}/registrations/decide/"
    answer = program.done("POST", path, {"registrations": asked, "state": "accepted"})
    assert answer["decided"] == 1
    assert [bool(one["code"]) for one in answer["results"]] == [False, True, True]
    assert "B, X needs a rating." in answer["results"][1]["detail"]
    to = section(into.event)
    answer = program.done("POST", path, {"registrations": asked, "section": to.pk})
    assert [one["code"] for one in answer["results"]] == ["registration_changed", "", "not_found"]
    current = [one["current"] and one["current"]["state"] for one in answer["results"]]
    assert current == ["accepted", None, None]
    assert program.send("POST", path, {"registrations": asked}).status_code == 422


def test_a_role_in_one_section_opens_no_registrations() -> None:
    into = desk()
    one = sent(into)
    user = EventRoleFactory(event=into.event, section=into, role=EventRole.Role.CHIEF).user
    program = Program(user, into.event)
    for path in (f"events/{into.event.pk}/registrations/", f"registrations/{one.pk}/"):
        assert program.send("GET", path).status_code == 403


def test_to_write_is_less_than_to_read_contacts() -> None:
    into = desk()
    one = sent(into)
    add_note(event=into.event, registration_id=one.pk, by=ORGANISER, text="Comes late")
    owner = EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user
    writer = Program(owner, into.event, ["registrations:write"])
    shown = writer.done("PUT", f"registrations/{one.pk}/label/", {"name": "VIP"})
    refused = writer.send("POST", f"registrations/{one.pk}/state/", {"state": "accepted"}, seen='"old"')
    for found in (shown, refused.json()["current"]):
        assert found["name"] == one.name
        assert {found[name] for name in ("email", "phone", "birth_date", "guardian", "message")} == {""}
        assert found["notes"] == found["account"] == found["answers"] == []


def test_the_desk_notes_payments_and_the_queue_orders_and_writes() -> None:
    into = desk(fee=2000, capacity=1)
    ann, bob, cy = (sent(into, by=ORGANISER) for _ in range(3))
    program = program_of(into)
    at = f"events/{into.event.pk}/registrations/"
    paid = program.done("POST", f"registrations/{ann.pk}/payment/")
    assert (paid["balance"], [line["cents"] for line in paid["account"]]) == (0, [2000, -2000])
    assert program.done("POST", f"{at}order/", {"registrations": [cy.pk], "number": 1}) == {"count": 1}
    assert list(waiting_list(into.registration)) == [cy, bob]
    assert program.send("POST", f"{at}order/", {"registrations": [ann.pk], "number": 1}).status_code == 422
    program.done("POST", f"registrations/{ann.pk}/link/")
    assert Registration.objects.get(pk=ann.pk).link_counter == 1
    Mail.objects.filter(registration=ann).update(state=Mail.State.FAILED)
    asked = {"registrations": [{"id": ann.pk, "revision": 0}], "which": "failed"}
    assert program.done("POST", f"{at}mails/", asked)["count"] >= 1
    assert program.done("POST", f"{at}mails/", {**asked, "which": "first"}) == {"count": 0}
    assert program.get(f"events/{into.event.pk}/registration/places/")["results"] == [
        {
            "section": into.pk,
            "capacity": 1,
            "taken": 1,
            "accepted": 0,
            "offered": 0,
            "free": 0,
            "over": 0,
            "waiting": 2,
        }
    ]


def test_settings_of_the_registration_and_texts_of_its_mails() -> None:
    into = desk(capacity=1)
    sent(into, by=ORGANISER)
    waits = sent(into, by=ORGANISER)
    program = program_of(into)
    at = f"events/{into.event.pk}/registration/"
    changed = {
        "intro": "Welcome",
        "questions": ["Chess club?"],
        "sections": [{"section": into.pk, "capacity": 2}],
    }
    asked = program.send("PATCH", at, changed, seen=program.tag(at))
    assert (asked.status_code, asked.json()["code"]) == (422, "offers_to_confirm")
    assert asked.json()["params"]["registrations"] == [waits.pk]
    assert program.get(at)["intro"] == ""
    shown = program.agreed("PATCH", at, changed, seen=program.tag(at))
    assert (shown["intro"], shown["questions"], shown["sections"][0]["capacity"]) == (
        "Welcome",
        ["Chess club?"],
        2,
    )
    assert Registration.objects.get(pk=waits.pk).state == "offered"
    titled = program.done(
        "PATCH", at, {"sections": [{"section": into.pk, "titles": ["GM", "WGM"]}]}, seen="*"
    )
    assert (titled["sections"][0]["titles"], titled["intro"]) == (["GM", "WGM"], "Welcome")
    wrong = [
        ({"opens_at": "2090-01-02T00:00:00Z", "closes_at": "2090-01-01T00:00:00Z"}, "/closes_at"),
        ({"sections": [{"section": desk().pk}]}, "/sections/0/section"),
        ({"sections": [{"section": into.pk, "capacity": 0}]}, "/sections/0/capacity"),
    ]
    for body, pointer in wrong:
        refused = program.send("PATCH", at, body, seen="*")
        assert [one["pointer"] for one in refused.json()["errors"]] == [pointer]
    text = {"subject": "You are in", "body": "Keep this: {link}"}
    mails = program.done("PUT", f"{at}mails/accepted/", text, seen="*")["results"]
    assert {"kind": "accepted", **text} in mails
    refused = program.send("PUT", f"{at}mails/submitted/", {"subject": "x", "body": "no link"}, seen="*")
    assert (refused.status_code, refused.json()["code"]) == (422, "mail_without_link")
    assert program.send("PUT", f"{at}mails/nothing/", text, seen="*").status_code == 404


def test_an_event_without_registration_can_be_opened_by_a_program() -> None:
    of = SectionFactory(event=EventFactory())
    program = program_of(of)
    at = f"events/{of.event.pk}/registration/"
    assert program.get(at)["sections"] == []
    program.done("PATCH", at, {"sections": [{"section": of.pk, "fee": 1500}]}, seen=program.tag(at))
    public = Client().get(f"/api/v1/public/events/{of.event.pk}/places/").json()
    assert [(one["section"], one["free"]) for one in public["results"]] == [(of.pk, None)]
    assert of.event.registration.address.startswith("http")


def test_everybody_reads_how_many_are_registered_and_who_agreed_to_be_named() -> None:
    into = desk(capacity=3)
    for name, consent in (("Ek, Ada", True), ("Ås, Bo", False)):
        one = sent(into, name, by=ORGANISER, consent=consent, rating=2000)
        move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    places = Client().get(f"/api/v1/public/events/{into.event.pk}/places/").json()["results"]
    assert [(one["accepted"], one["free"], one["waiting"]) for one in places] == [(2, 1, 0)]
    listed = Client().get(f"/api/v1/public/sections/{into.pk}/registered/").json()
    assert ([one["name"] for one in listed["results"]], listed["next"]) == (
        ["Ek, Ada", initials("Ås, Bo")],
        None,
    )
    into.event.registration.shown = "numbers"
    into.event.registration.save()
    assert Client().get(f"/api/v1/public/sections/{into.pk}/registered/").status_code == 404
    type(into.event).objects.update(state="draft")
    assert Client().get(f"/api/v1/public/events/{into.event.pk}/places/").status_code == 404


def test_many_are_entered_again_labelled_and_undone_with_an_answer_for_each() -> None:
    into = desk(acceptance="complete")
    ann, bob = sent(into, "A, X"), sent(into, "B, X")
    arbiter = Actor(user=UserFactory(), origin="test")
    remove_participant(
        actor=arbiter, participant_id=Participant.objects.get(player__name="A, X").pk, asked=True
    )
    program, path = program_of(into), f"events/{into.event.pk}/registrations/decide/"

    def decided(**what: Any) -> tuple[int, list[str]]:
        asked = [
            {"id": one.pk, "revision": Registration.objects.get(pk=one.pk).revision} for one in (ann, bob)
        ]
        answer = program.done("POST", path, {"registrations": asked, **what})
        return answer["decided"], [one["code"] for one in answer["results"]]

    assert decided(again="entry") == (1, ["", "registration_move"])
    assert Participant.objects.filter(registration=ann.pk).exists()
    assert decided(undo=True) == (1, ["", "registration_not_undone"])
    assert not Participant.objects.filter(registration=ann.pk).exists()
    assert decided(label={"name": "VIP", "colour": "red"}) == (2, ["", ""])
    assert Registration.objects.filter(labels__name="VIP").count() == 2
    assert decided(undo=True) == (2, ["", ""])
    assert not Label.objects.exists()
    stale = {"registrations": [{"id": bob.pk, "revision": 99}], "undo": True}
    [answer] = program.done("POST", path, stale)["results"]
    assert answer["code"] == "registration_changed"
    for wrong in ({"undo": False}, {"undo": True, "again": "fee"}):
        refused = program.send("POST", path, {"registrations": [{"id": bob.pk, "revision": 1}], **wrong})
        assert refused.status_code == 422


def test_many_get_the_current_fee_and_are_checked_again() -> None:
    into = desk(fee=1000)
    one = sent(into)
    program, path = program_of(into), f"events/{into.event.pk}/registrations/decide/"
    into.registration.fee = 1500
    into.registration.save()
    Registration.objects.update(problems=" not_in_list ")
    for again, fact in (("fee", ("balance", 1500)), ("problems", ("problems", ""))):
        one.refresh_from_db()
        asked = {"registrations": [{"id": one.pk, "revision": one.revision}], "again": again}
        assert program.done("POST", path, asked)["decided"] == 1
        one.refresh_from_db()
        assert getattr(one, fact[0]) == fact[1]
    assert changed(program, one, "undo", {})["balance"] == 1000


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("state", DECISIONS)
def test_every_state_of_the_api_can_be_asked_for(state: str, many: bool) -> None:
    into = desk(capacity=2)
    one, program = sent(into), program_of(into)
    start = {"pending": RegistrationState.WITHDRAWN, "offered": RegistrationState.WAITING}.get(state)
    if start:
        move_registration(registration_id=one.pk, to=start, by=ORGANISER)
        one.refresh_from_db()
    asked = {"state": state, "reason": "Read the rules."}
    if many:
        wanted = [{"id": one.pk, "revision": one.revision}]
        path = f"events/{into.event.pk}/registrations/decide/"
        assert program.done("POST", path, {"registrations": wanted, **asked})["decided"] == 1
    else:
        changed(program, one, "state", asked)
    one.refresh_from_db()
    assert one.state == state


def test_labels_notes_and_order_are_among_what_has_changed() -> None:
    into = desk()
    one, _other = sent(into), sent(into)
    program, yesterday = program_of(into), timezone.now() - timedelta(days=1)
    QuerySet(HistoryLine).update(at=yesterday)
    Registration.objects.update(created_at=yesterday)
    program.done("PUT", f"registrations/{one.pk}/label/", {"name": "VIP"})
    mark = (timezone.now() - timedelta(seconds=30)).isoformat().replace("+00:00", "Z")
    rows = program.get(f"events/{into.event.pk}/registrations/?changed_since={mark}")["results"]
    assert [row["id"] for row in rows] == [one.pk]


def test_a_program_says_what_the_columns_of_a_list_are_and_sends_the_list() -> None:
    into = desk()
    other = section(into.event)
    program = program_of(into)
    at = f"events/{into.event.pk}/registrations/import-list/"
    rows = (
        f"Ada Ek;1850;ada@example.org;\nBo, Eve;1700;;{other.name}\nCe, Ann;1600;;Nowhere\nDo, Ida;99999;;\n"
    ).encode()
    refused = program.send("POST", f"{at}preview/?section={into.pk}", rows)
    assert (refused.status_code, refused.json()["reason"]) == (422, "headless")
    query = f"?section={into.pk}&heading=0&columns=name&columns=rating&columns=email&columns=section"
    found = program.done("POST", f"{at}preview/{query}", rows)
    assert found["rows"] == [
        {"row": 1, "section": into.pk, "name": "Ek, Ada", "written": "Ada Ek"},
        {"row": 2, "section": other.pk, "name": "Bo, Eve", "written": ""},
    ]
    assert found["sections"] == [
        {"section": into.pk, "rows": 1, "waiting": 0},
        {"section": other.pk, "rows": 1, "waiting": 0},
    ]
    assert [one["row"] for one in found["refused"]] == [3, 4]
    assert "No section that takes registrations is called “Nowhere”." in found["refused"][0]["detail"]
    assert not Registration.objects.exists()
    taken = program.done("POST", f"{at}{query}&consent=true", rows, key="list")
    assert program.done("POST", f"{at}{query}&consent=true", rows, key="list") == taken
    assert [(one["name"], one["state"]) for one in taken["made"]] == [
        ("Ek, Ada", "pending"),
        ("Bo, Eve", "pending"),
    ]
    assert [one["row"] for one in taken["refused"]] == [3, 4]
    assert list(Registration.objects.order_by("pk").values_list("email", "consent", "section")) == [
        ("ada@example.org", True, into.pk),
        ("", True, other.pk),
    ]
    again = program.done("POST", f"{at}{query}", rows, key="another")
    assert (again["made"], again["known"], Mail.objects.exists()) == ([], 2, False)


def test_a_program_sends_old_workbooks_in_parts_to_sections_that_take_registrations() -> None:
    into = desk()
    program = program_of(into)
    at = f"events/{into.event.pk}/registrations/import-list/preview/"
    found = program.done("POST", f"{at}?section={into.pk}", xls([["Name", "Elo"], ["Ek, Ada", 1850.0]]))
    assert (found["sheet"], [one["name"] for one in found["rows"]]) == ("List", ["Ek, Ada"])
    many = program.send("POST", f"{at}?section={into.pk}", b"Name;Elo\n" + b"Ek, Ada;1850\n" * 501)
    assert [one["code"] for one in many.json()["errors"]] == ["too_many_rows"]
    shut = SectionFactory(event=into.event)
    refused = program.send("POST", f"{at}?section={shut.pk}", b"Name;Elo\nEk, Ada;1850\n")
    assert [(one["parameter"], one["code"]) for one in refused.json()["errors"]] == [("section", "unknown")]
