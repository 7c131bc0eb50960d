"""A program runs a tournament, from making the event to closing its section, and everything is in the log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.api.v1.program import Program
from tests.web.staff.conftest import paired
from tournaments.models import ActionLog, Section, User

pytestmark = pytest.mark.one_database


def test_a_whole_tournament(owner: User):
    program = Program(owner, None)
    event = program.done(
        "POST", "events/", {"name": "Rijswijk Open", "start": "2026-10-17", "end": "2026-10-18"}
    )
    section = program.done("POST", f"events/{event['id']}/sections/", {"name": "A", "rounds": 2})
    at = f"sections/{section['id']}"
    entries = [
        program.done(
            "POST", f"{at}/entries/", {"name": f"Player{n}, Ada", "rating": 2400 - n, "federation": "NED"}
        )
        for n in range(6)
    ]
    last = f"entries/{entries[-1]['id']}/"
    changed = program.done("PATCH", last, {"club": "SV Rijswijk"}, seen=program.tag(last))
    assert (changed["club"], changed["rating"], changed["tpn"]) == ("SV Rijswijk", 2395, 6)
    program.done("POST", f"{at}/initial-colour/", {"colour": "w"})
    bye = program.done("POST", f"{last}byes/", {"round": 1, "kind": "H"})
    assert bye["kind"] == "H"
    program.done("POST", f"{at}/check-in/", {"open": True, "after_round": 0})
    for entry in entries[:-1]:
        program.done("POST", f"entries/{entry['id']}/presence/", {"round": 1, "here": True})
    for number in (1, 2):
        drawn = program.done("POST", f"{at}/rounds/", {"after_round": number - 1})
        here = f"{at}/rounds/{number}/"
        assert drawn["state"] == "draft"
        published = program.done("POST", f"{here}publish/", seen=program.tag(here))
        assert published["state"] == "published"
        for game in published["games"]:
            tag = program.tag(f"games/{game['id']}/")
            program.done("PUT", f"games/{game['id']}/result/", {"result": "1-0"}, seen=tag)
        assert program.get(f"{at}/games/?round={number}&open=true")["results"] == []
    program.done("POST", f"{last}withdraw/", {"reason": "ill"}, seen=program.tag(last))
    log = program.get(f"{at}/log/?after=0&page_size=200")["results"]
    withdrawn = log[-1]
    assert withdrawn["action"] == "withdraw_participant"
    program.done("POST", f"{at}/undo/", {"revision": withdrawn["revision"]})
    assert program.get(last)["status"] == "active"
    closed = program.agreed("POST", f"{at}/close/", {}, seen=program.tag(f"{at}/"))
    assert closed["status"] == "closed"
    rows = program.get(f"{at}/standings/")["results"]
    assert [row["place"] for row in rows][:1] == [1]
    assert sum(row["points"] for row in rows) == 65  # two games, two byes; three games
    origins = set(ActionLog.objects.filter(section=section["id"]).values_list("user", "origin"))
    assert origins == {(owner.pk, f"127.0.0.1 {program.made.prefix}…")}


def test_a_setting_that_stands_changes_only_with_a_reason(program: Program, section: Section):
    paired(section)
    path = f"sections/{section.pk}/"
    change = {"half_bye_limit": 1}
    refused = program.send("PATCH", path, change, seen=program.tag(path))
    assert (refused.status_code, refused.json()["code"]) == (422, "departure_to_confirm")
    assert refused.json()["params"]["fields"] == ["half_bye_limit"]
    reason = {**change, "asked": True, "reason": "typed wrongly"}
    changed = program.done("PATCH", path, {**reason, "rules_text": "No phones"}, seen=program.tag(path))
    assert (changed["half_bye_limit"], changed["rules_text"], changed["fide_mode"]) == (1, "No phones", True)


def test_the_requests_of_the_document_lead_from_an_event_to_its_standings(root: Path, owner: User):
    """A developer who sends what docs/api.md shows, in this order, plays a round."""
    text = (root / "docs/api.md").read_text("utf-8").split("From an event to its standings", 1)[1]
    lines = text.split("```\n")[1].splitlines()
    seen = {
        "sections/SECTION/rounds/1/publish/": "sections/SECTION/rounds/1/",
        "games/GAME/result/": "games/GAME/",
    }
    program = Program(owner, None)
    numbers: dict[str, str] = {}

    def here(path: str) -> str:
        for name, number in numbers.items():
            path = path.replace(name, number)
        return path

    answers = {}
    for line in lines:
        method, path, *body = line.split(maxsplit=2)
        tag = program.tag(here(seen[path])) if path in seen else ""
        answer = program.send(method, here(path), json.loads(body[0]) if body else None, seen=tag)
        assert answer.status_code in (200, 201), (line, answer.content)
        found = answers[path] = answer.json()
        match path:
            case "events/":
                numbers["EVENT"] = str(found["id"])
            case "events/EVENT/sections/":
                numbers["SECTION"] = str(found["id"])
            case "sections/SECTION/games/?round=1":
                numbers["GAME"] = str(found["results"][0]["id"])
    assert [row["points"] for row in answers["sections/SECTION/standings/"]["results"]] == [10, 0]
