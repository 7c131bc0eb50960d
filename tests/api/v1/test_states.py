"""What a program reads about a section as a whole: the next step, its end, prizes, why a round is as it is."""

from __future__ import annotations

from api.v1.shapes import EventBody, SectionBody
from tests.api.v1.program import Program
from tests.web.staff.conftest import enter, paired
from tournaments.actions import events, sections
from tournaments.models import Event, Section


def test_a_section_says_what_comes_next(program: Program, section: Section):
    at = f"sections/{section.pk}/"
    state = program.get(f"{at}state/")
    assert (state["phase"], state["step"], state["next_round"]) == ("ready", "pair", 1)
    assert state["blockers"] == []
    row = paired(section)
    enter(row.games.get(board=1), "1-0")
    state = program.get(f"{at}state/")
    assert (state["phase"], state["step"], state["round"], state["missing"]) == (
        "running",
        "enter_results",
        1,
        [2, 3],
    )
    assert "boards 2 and 3" in next(
        one["sentence"] for one in state["blockers"] if one["code"] == "results_missing"
    )
    closing = program.get(f"{at}closing/")
    assert (closing["paired"], closing["games"], closing["finished"]) == (1, 3, 1)
    assert [one["code"] for one in closing["blockers"]] == ["results_missing"]
    for game in row.games.all():
        enter(game, "1-0")
    body = {"early": True, "reason": "Rain"}
    unread = program.send("POST", f"{at}close/", body, seen="*")
    assert (unread.status_code, unread.json()["code"]) == (422, "warnings_not_seen")
    assert program.agreed("POST", f"{at}close/", body, seen="*")["status"] == "closed"
    seals = program.get(f"{at}log/check/")
    assert (seals["section"]["holds"], seals["event"]["holds"]) == (True, True)
    assert seals["section"]["rows"] == section.log.count()


def test_a_draft_is_explained_to_those_who_work_on_it(program: Program, section: Section):
    at = f"sections/{section.pk}/"
    program.done("POST", f"{at}initial-colour/", {"colour": "w"})
    program.done("POST", f"{at}rounds/", {"after_round": 0})
    shown = program.get(f"{at}rounds/1/explained/")
    assert (shown["number"], shown["as_by_rules"], len(shown["boards"])) == (1, True, 3)
    assert all(one["why"] for one in shown["boards"])
    assert program.get(f"{at}fairness/")["measured_after"] == 0


def test_prizes_are_announced_and_won(program: Program, section: Section):
    at = f"sections/{section.pk}/prizes/"
    women = {"name": "Women", "prizes": [5_000], "sex": "w"}
    plan = {"categories": [{"name": "General", "prizes": [30_000, 20_000]}, women], "currency": "EUR"}
    tag = program.tag(at)
    shown = program.done("PUT", at, plan, seen=tag)
    assert [one["name"] for one in shown["categories"]] == ["General", "Women"]
    assert program.send("PUT", at, plan, seen=tag).json()["code"] == "stale"
    rising = {"categories": [{"name": "General", "prizes": [1_000, 2_000]}]}
    assert program.send("PUT", at, rising, seen="*").json()["code"] == "prizes_rise"
    juniors = {"name": "Below 1600", "prizes": [5_000], "rating_to": 1_599}
    asks = program.send("PUT", at, {"categories": [juniors]}, seen="*")
    assert asks.status_code == 422
    assert "Can players without a rating win this prize?" in asks.text
    answered = program.done("PUT", at, {"categories": [{**juniors, "unrated": "not"}]}, seen="*")
    assert answered["categories"][0]["unrated"] == "not"
    program.done("PUT", at, plan, seen="*")
    for game in paired(section).games.all():
        enter(game, "1-0")
    won = program.get(f"{at}winners/")
    general = won["results"][0]
    assert (won["started"], won["currency"], general["category"]) == (True, "EUR", "General")
    assert sum(one["amount"] for one in general["winners"]) + general["left"] == 50_000


def test_a_program_can_change_each_setting_of_a_form(event: Event):
    assert EventBody().fields.keys() == events._EDITABLE
    assert SectionBody().fields.keys() == sections.EDITABLE - {"longer_than_30_days"}  # rating-periods/
