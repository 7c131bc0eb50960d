"""A program changes only what it has seen, and what it sends twice is done once."""

from __future__ import annotations

from base64 import b64encode
from urllib.parse import quote

import pytest
from django.http import HttpResponse

from api.v1.view import TokenThrottle
from tests.api.v1.program import Program
from tournaments.actions.ledger import Actor
from tournaments.actions.personal_data import erase_player
from tournaments.actions.programs import end_token
from tournaments.models import Event, KeptAnswer, Participant, Section, User


def code(answer: HttpResponse) -> tuple[int, str]:
    assert answer["Content-Type"] == "application/problem+json"
    return answer.status_code, answer.json()["code"]


def test_a_stale_version_is_refused_with_the_current_state(program: Program, section: Section):
    entry = f"entries/{section.participants.get(tpn=1).pk}/"
    tag = program.tag(entry)
    assert code(program.send("PATCH", entry, {"club": "Old"})) == (428, "version_missing")
    assert program.send("PATCH", entry, {"club": "Old"}, seen=tag).status_code == 200
    stale = program.send("PATCH", entry, {"club": "New"}, seen=tag)
    assert code(stale) == (412, "stale")
    assert stale.json()["current"]["club"] == "Old"
    assert program.send("PATCH", entry, {"club": "New"}, seen=f"W/{stale['ETag']}").status_code == 200
    assert section.participants.get(tpn=1).club == "New"


def test_what_is_not_changed_is_not_sent_again(program: Program, section: Section):
    for path in (f"sections/{section.pk}/", f"sections/{section.pk}/entries/"):
        again = program.send("GET", path, **{"If-None-Match": program.tag(path)})
        assert (again.status_code, again.content) == (304, b"")


def test_a_request_that_is_sent_twice_is_done_once(program: Program, section: Section):
    path, body = f"sections/{section.pk}/entries/", {"name": "Ek, Ada", "rating": 2000}
    first = program.send("POST", path, body, key="one")
    again = program.send("POST", path, body, key="one")
    assert (again.status_code, again.content, again["ETag"]) == (201, first.content, first["ETag"])
    assert again["Idempotency-Replayed"] == "true"
    assert Participant.objects.filter(player__name="Ek, Ada").count() == 1
    other = program.send("POST", path, {**body, "name": "Ek, Bo"}, key="one")
    assert code(other) == (422, "idempotency_key_used")
    no_key = program.client.post(
        f"/api/v1/{path}",
        body,
        content_type="application/json",
        headers={"Authorization": f"Bearer {program.text}"},
    )
    assert code(no_key) == (400, "idempotency_key_missing")


def test_a_change_with_a_key_is_done_once_too(program: Program, section: Section):
    entry = f"entries/{section.participants.get(tpn=1).pk}/"
    asked = {"seen": program.tag(entry), "Idempotency-Key": "one"}
    first = program.send("PATCH", entry, {"club": "SK"}, **asked)
    again = program.send("PATCH", entry, {"club": "SK"}, **asked)
    assert (first.status_code, again.status_code, again["ETag"]) == (200, 200, first["ETag"])
    assert (again["Idempotency-Replayed"], section.log.count()) == ("true", 1)


def test_an_erased_player_is_in_no_kept_answer(program: Program, section: Section, owner: User):
    path, body = f"sections/{section.pk}/entries/", {"name": "Ek, Ada", "rating": 2000}
    made = program.done("POST", path, body, key="one")
    player = Participant.objects.get(pk=made["id"]).player_id
    erase_player(actor=Actor(owner), event=section.event, player_id=player, typed="Ek, Ada")
    assert "Ek" not in str(KeptAnswer.objects.values())
    again = program.send("POST", path, body, key="one")
    assert (again.status_code, again["Idempotency-Replayed"], again.json()) == (201, "true", {})
    assert section.participants.count() == 7


def test_problems_are_those_of_rfc_9457(program: Program, section: Section):
    path = f"sections/{section.pk}/rounds/"
    answer = program.send("POST", path, {"after_round": 3}, Accept="application/problem+json").json()
    assert {name: answer[name] for name in ("type", "title", "status", "instance")} == {
        "type": "about:blank",
        "title": "Conflict",
        "status": 409,
        "instance": f"/api/v1/{path}",
    }
    assert program.send("GET", f"sections/{section.pk}/tables/entries/", Accept="text/csv").status_code == 200


def test_a_token_that_runs_wild_waits(
    program: Program, owner: User, event: Event, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(TokenThrottle, "rate", "2/day")
    answers = [program.send("GET", f"events/{event.pk}/") for _ in range(3)]
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert code(answers[2]) == (429, "throttled")
    assert 0 < int(answers[2]["Retry-After"]) <= 86_400
    assert {one["RateLimit-Policy"] for one in answers} == {'"token";q=2;w=86400'}
    assert [one["RateLimit"].partition(";t=")[0] for one in answers] == [f'"token";r={r}' for r in (1, 0, 0)]
    assert Program(owner, event).send("GET", f"events/{event.pk}/").status_code == 200


@pytest.mark.parametrize(
    "place", [b"p=%00", b"p=-1", b"p=1e5", b"p=" + b"9" * 40, b"p=%D9%A1", b"x", b"o=-1"]
)
def test_a_cursor_that_no_answer_has_given_is_refused(program: Program, section: Section, place: bytes):
    cursor = quote(b64encode(place).decode())
    for path in ("events/", f"sections/{section.pk}/entries/", f"sections/{section.pk}/log/"):
        answer = program.send("GET", f"{path}?cursor={cursor}")
        if answer.status_code != 200:
            assert code(answer) == (422, "invalid")
            assert answer.json()["errors"][0]["parameter"] == "cursor"


def test_rows_are_counted_only_if_asked(program: Program, section: Section):
    path = f"sections/{section.pk}/entries/?page_size=2"
    assert "count" not in program.get(path)
    assert program.get(f"{path}&count=1")["count"] == 6


def test_a_refused_request_keeps_no_answer_and_writes_nothing(program: Program, section: Section):
    path = f"sections/{section.pk}/rounds/"
    refused = program.send("POST", path, {"after_round": 3}, key="one")
    assert code(refused) == (409, "stale_round")
    assert refused.json()["params"] == {"after_round": 3, "last_round": 0}
    assert not KeptAnswer.objects.exists()
    assert program.send("POST", path, {"after_round": 0}, key="one").status_code == 201


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"{", (400, "not_json")),
        (b"\xff", (400, "not_json")),
        (b"[" * 100_000, (400, "not_json")),
        (b'{"rating": NaN}', (400, "not_json")),
        (b'{"rating": ' + b"9" * 5_000 + b"}", (400, "not_json")),
        (b"null", (400, "not_an_object")),
        (b'{"name": "a\\u0000b", "rating": 1}', (422, "invalid")),
        (b'{"name": "\\ud800", "rating": 1}', (422, "invalid")),
        (b'{"name": "Ek, Ada", "rating": 99999999999999999999}', (422, "invalid")),
        (b'{"name": null, "rating": 1}', (422, "invalid")),
        (b'{"name": "Ek, Ada", "rating": 1, "x": 1}', (422, "invalid")),
        (b'{"name": "' + b"a" * 3_000_000 + b'"}', (413, "too_large")),
    ],
    ids=lambda value: str(value)[:24],
)
def test_what_cannot_be_kept_is_refused(
    program: Program, section: Section, body: bytes, expected: tuple[int, str]
):
    assert code(program.send("POST", f"sections/{section.pk}/entries/", body)) == expected


def test_errors_point_to_their_values(program: Program, section: Section):
    wrong = program.send("POST", f"sections/{section.pk}/entries/", {"name": "", "rating": 4000, "x": 1})
    assert [error["pointer"] for error in wrong.json()["errors"]] == ["/x"]
    wrong = program.send("POST", f"sections/{section.pk}/entries/", {"name": "", "rating": 4000})
    assert [error["pointer"] for error in wrong.json()["errors"]] == ["/name", "/rating"]
    for path, names in (
        (f"sections/{section.pk}/entries/?status=gone&page_size=201&x=1", ["x"]),
        (f"sections/{section.pk}/entries/?status=gone&page_size=201", ["page_size", "status"]),
        (f"sections/{section.pk}/?status=active", ["status"]),
    ):
        errors = program.send("GET", path).json()["errors"]
        assert [error["parameter"] for error in errors] == names
        assert all("pointer" not in error for error in errors)


def test_a_token_ends(program: Program, section: Section, owner: User, event: Event):
    path = f"sections/{section.pk}/"
    assert program.send("GET", path).status_code == 200
    owner.is_active = False
    owner.save()
    assert code(program.send("GET", path)) == (401, "authentication_failed")
    owner.is_active = True
    owner.save()
    end_token(actor=Actor(owner), event=event, token_id=program.made.pk)
    refused = program.send("GET", path)
    assert code(refused) == (401, "authentication_failed")
    assert refused["WWW-Authenticate"] == 'Bearer realm="Evenboard", error="invalid_token"'
    nobody = program.client.get(f"/api/v1/{path}")
    assert code(nobody) == (401, "not_authenticated")
    assert nobody["WWW-Authenticate"] == 'Bearer realm="Evenboard"'  # RFC 6750: no error without a token


def test_a_token_for_something_else_hears_which_scope_it_needs(owner: User, event: Event, section: Section):
    reader = Program(owner, event, ["lists:read"])
    refused = reader.send("POST", f"sections/{section.pk}/rounds/", {"after_round": 0})
    assert code(refused) == (403, "scope_missing")
    assert refused["WWW-Authenticate"].endswith('error="insufficient_scope", scope="rounds:write"')


def test_personal_data_needs_its_scope(program: Program, section: Section, owner: User, event: Event):
    shy = section.participants.get(tpn=1)
    shy.player.by_initials, shy.player.birth_date = True, "2010/05/06"
    shy.player.save()
    known = program.get(f"entries/{shy.pk}/")
    assert (known["name"], known["personal"]["birth_date"]) == (shy.player.name, "2010-05-06")
    reader = Program(owner, event, ["lists:read"])
    pages = [
        f"entries/{shy.pk}/",
        *(f"sections/{section.pk}/{page}/" for page in ("entries", "standings", "log")),
    ]
    for path in pages:
        text = reader.send("GET", path).content.decode()
        assert shy.player.name not in text, path
        assert "2010/05/06" not in text, path
    found = reader.send("GET", f"sections/{section.pk}/entries/?search=Sur")
    assert code(found) == (403, "scope_missing")
    elsewhere = reader.send("GET", "nothing/at/all/")
    assert code(elsewhere) == (404, "not_found")


def test_a_key_is_that_of_its_token(program: Program, owner: User, event: Event, section: Section):
    """Two programs that choose the same key do not get each other's answers."""
    path, body = f"sections/{section.pk}/entries/", {"name": "Ek, Ada", "rating": 2000}
    other = Program(owner, event)
    first = program.done("POST", path, body, key="one")
    second = other.send("POST", path, {**body, "name": "Ek, Bo"}, key="one")
    assert (second.status_code, "Idempotency-Replayed" in second) == (201, False)
    assert second.json()["id"] != first["id"]
    assert other.send("POST", path, {**body, "name": "Ek, Bo"}, key="one")["Idempotency-Replayed"] == "true"


def test_pages_stay_in_order_while_rows_come_and_go(program: Program, section: Section):
    """No entry that was there all the time is missing or comes twice, whatever others do between two pages."""
    path = f"sections/{section.pk}/entries/?page_size=2"
    keys = list(section.participants.order_by("pk").values_list("pk", flat=True))
    page = program.get(path)
    seen = [row["id"] for row in page["results"]]
    for key in (keys[0], keys[2]):  # one that was shown, and the first of the next page
        program.agreed("DELETE", f"entries/{key}/", seen="*")
    added = program.done("POST", f"sections/{section.pk}/entries/", {"name": "Ek, Ada", "rating": 1000})
    while page["next"]:
        page = program.get(page["next"].partition("/api/v1/")[2])
        seen += [row["id"] for row in page["results"]]
    assert seen == [key for key in keys if key != keys[2]] + [added["id"]]


@pytest.mark.parametrize("key", ["x" * 256, "\x7f", "", "é\u2028"], ids=["long", "control", "empty", "line"])
def test_a_key_that_is_no_plain_text_is_refused(program: Program, section: Section, key: str):
    headers = {"Authorization": f"Bearer {program.text}", "Idempotency-Key": key}
    answer = program.client.post(
        f"/api/v1/sections/{section.pk}/entries/",
        {"name": "Ek, Ada", "rating": 2000},
        content_type="application/json",
        headers=headers,
    )
    assert code(answer)[0] == 400
