"""What an arbiter does besides pairing and typing results, through the API."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.api.v1.program import Program
from tests.factories import section_of
from tests.web.staff.conftest import enter, paired
from tournaments.actions.waiting_on_devices import note_waiting
from tournaments.models import ActionLog, Event, Round, Section, User, WaitingOnDevice

pytestmark = pytest.mark.one_database


@pytest.fixture
def at(section: Section) -> str:
    return f"sections/{section.pk}/"


def refusal(program: Program, method: str, path: str, body: object, seen: str = "*") -> tuple[int, str]:
    answer = program.send(method, path, body, seen=seen)
    return answer.status_code, answer.json()["code"]


def test_results_of_many_boards_are_written_all_or_none(program: Program, section: Section, at: str):
    paired(section)
    here = f"{at}rounds/1/"
    tag = program.tag(here)
    typed = [{"board": 3, "result": "1-0"}, {"board": 1, "result": "1/2"}, {"board": 9, "result": "0-1"}]
    wrong = program.send("PUT", f"{here}results/", {"results": typed}, seen=tag)
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/results/2/board")
    played = [{"board": 1, "result": "1/2"}, {"board": 3, "result": "W-L"}, {"board": 2, "result": "adj"}]
    found = program.done("PUT", f"{here}results/", {"results": played}, seen=tag)
    assert [game["result"] for game in found["games"]] == ["1/2", "adj", "W-L"]
    assert section.log.filter(action="record_result").count() == 3
    assert refusal(program, "PUT", f"{here}results/", {"results": played}, tag) == (412, "stale")
    game = f"games/{found['games'][0]['id']}/"
    read = program.done("PUT", f"{game}second-reading/", {"result": "1-0"}, seen="*")
    assert (read["result"], read["second_result"]) == ("1/2", "1-0")
    assert refusal(program, "PUT", f"{game}over/", {"over": True}) == (422, "game_has_result")


def test_a_player_did_not_come(program: Program, section: Section, at: str):
    game = paired(section).games.get(board=1)
    body = {"absent": "white", "withdraw": True, "reason": "absent in round 1"}
    shown = program.done("POST", f"games/{game.pk}/absent/", body, seen="*")
    assert shown["result"] == "-:+"
    assert program.get(f"entries/{game.white_id}/")["status"] == "withdrawn"


def test_corrections_of_an_earlier_round(program: Program, section: Section, at: str):
    games = list(paired(section).games.order_by("board"))
    for game in games:
        enter(game, "1-0")
    paired(section)
    path = f"games/{games[0].pk}/correction/"
    asked = {"result": "0-1", "turned": True, "reason": "The colours were exchanged."}
    assert refusal(program, "POST", path, asked) == (422, "correction_unconfirmed")
    shown = program.agreed("POST", path, asked, seen="*")
    assert (shown["white"]["entry"], shown["result"]) == (games[0].black_id, "0-1")
    path = f"games/{games[1].pk}/correction/"
    both = {"result": "1/2", "rating_only": True, "turned": True, "reason": "x"}
    assert refusal(program, "POST", path, both) == (422, "invalid")
    rated = {"result": "1/2", "rating_only": True, "reason": "The slip says so."}
    shown = program.agreed("POST", path, rated, seen="*")
    assert (shown["result"], shown["rating_result"]) == ("1-0", "1/2")


def test_a_round_paired_by_hand(program: Program, section: Section, at: str):
    paired(section, published=False)
    here = f"{at}rounds/1/"
    first, second = program.get(here)["games"][:2]
    one, other = first["white"]["entry"], second["white"]["entry"]
    assert refusal(program, "POST", f"{here}by-hand/", {"move": "colours", "entry": one}) == (
        422,
        "manual_phase_closed",
    )
    assert program.done("POST", f"{here}by-hand/begin/", {}, seen=program.tag(here))["manual_phase"]
    missing = program.send("POST", f"{here}by-hand/", {"move": "swap", "entry": one}, seen="*")
    assert missing.json()["errors"][0]["pointer"] == "/other"
    program.done("POST", f"{here}by-hand/", {"move": "unpair", "entry": one}, seen="*")
    hand = program.get(f"{here}by-hand/")
    assert (hand["open"], sorted(hand["unpaired"])) == (True, sorted((one, first["black"]["entry"])))
    assert refusal(program, "POST", f"{here}by-hand/end/", {}) == (422, "players_unpaired")
    program.agreed("POST", f"{here}by-hand/", {"move": "swap", "entry": one, "other": other}, seen="*")
    program.agreed(
        "POST",
        f"{here}by-hand/",
        {"move": "swap", "entry": other, "other": first["black"]["entry"]},
        seen="*",
    )
    assert program.get(f"{here}by-hand/")["rules"]
    assert refusal(program, "POST", f"{here}by-hand/end/", {"reason": "A fire alarm."}) == (
        422,
        "differs_from_engine",
    )
    done = program.agreed("POST", f"{here}by-hand/end/", {"reason": "A fire alarm."}, seen="*")
    assert (done["manual_phase"], done["manual"]) == (False, True)
    assert program.done("POST", f"{here}check/", seen="*")["same"] is False
    assert program.done("POST", f"{here}pair-again/", seen="*")["manual"] is False
    assert program.get(f"{at}offer/")["stopped"] is False


def test_who_is_here_for_the_next_round(program: Program, section: Section, at: str):
    program.done("POST", f"{at}check-in/", {"open": True, "after_round": 0})
    late, gone, *_rest = (row["entry"] for row in program.get(f"{at}presence/")["results"])
    noted = {"absences": [{"entry": late, "choice": "H"}, {"entry": gone, "choice": "W"}], "round": 1}
    assert program.done("POST", f"{at}absences/", noted) == {"byes": 1, "withdrawn": 1, "left_out": 0}
    program.done("POST", f"{at}check-in/all/", {"round": 1}, seen="*")
    rows = program.get(f"{at}presence/")["results"]
    assert {(row["here"], row["bye"]) for row in rows} == {(True, None), (False, "H")}
    assert not program.done("PUT", f"entries/{late}/half-byes/", {"allowed": False}, seen="*")[
        "half_bye_allowed"
    ]


def test_a_program_closes_a_check_in_for_the_absent_players_that_it_has_read(
    program: Program, section: Section, at: str
):
    here, asked = f"{at}check-in/", {"open": False, "after_round": 0}
    program.done("POST", here, {"open": True, "after_round": 0})
    first = program.send("POST", here, asked).json()
    assert first["code"] == "absent_to_confirm"
    entry = section.participants.first().pk
    program.done("POST", f"entries/{entry}/presence/", {"round": 1, "here": True})
    assert program.send("POST", here, {**asked, "confirm": [first["confirm"]]}).status_code == 422
    assert program.get(at)["check_in_round"] == 1
    assert program.agreed("POST", here, asked)["check_in_round"] is None


def test_forbidden_pairs_and_a_withdrawal_after_the_pairing(program: Program, section: Section, at: str):
    one, other, *_rest = section.participants.order_by("pk").values_list("pk", flat=True)
    body = {"entries": [other, one], "reason": "Brothers"}
    pair = program.done("POST", f"{at}forbidden-pairs/", body)
    changed = program.done("PATCH", f"forbidden-pairs/{pair['id']}/", {"last_round": 2}, seen="*")
    assert (changed["entries"], changed["last_round"], changed["reason"]) == ([one, other], 2, "Brothers")
    reader = Program(program.made.made_by, section.event, ["lists:read"])
    assert reader.get(f"forbidden-pairs/{pair['id']}/")["reason"] is None
    program.done("DELETE", f"forbidden-pairs/{pair['id']}/", seen="*")
    family = {
        "kind": "players",
        "value": "Family",
        "players": [one, other],
        "strict": False,
        "reason": "Brothers",
    }
    rule = program.done("POST", f"{at}apart-rules/", family)
    assert (rule["number"], rule["value"], rule["last_round"]) == (1, "Family", None)
    assert reader.get(f"{at}apart-rules/")["results"] == [{**rule, "value": None, "reason": None}]
    asked = f"{at}apart-rules/preview/?kind=players&value=Family&players={one}&players={other}"
    assert reader.get(asked)["pairs"] == 1
    change = {"strict": True, "last_round": 2}
    assert program.done("PATCH", f"{at}apart-rules/1/", change, seen="*") == {**rule, **change}
    assert refusal(program, "DELETE", f"{at}apart-rules/2/", None)[0] == 404
    program.done("DELETE", f"{at}apart-rules/1/", seen="*")
    paired(section)
    stranger = section_of(2, event=section.event).participants.first().pk
    path = f"{at}rounds/1/pair-without/"
    assert refusal(program, "POST", path, {"entry": stranger}) == (404, "not_found")
    assert len(program.done("POST", path, {"entry": one}, seen="*")["games"]) == 2


def test_settings_with_pages_of_their_own(program: Program, section: Section, event: Event, at: str):
    paired(section)
    assert refusal(program, "PUT", f"{at}tie-breaks/", {"tie_breaks": ["NONE"]}) == (
        422,
        "tie_breaks_unknown",
    )
    listed = {"tie_breaks": ["BH", "OTHER_PLAY"]}
    assert refusal(program, "PUT", f"{at}tie-breaks/", listed) == (422, "tie_breaks_to_confirm")
    sure = {**listed, "reason": "The rules say so."}
    codes = program.agreed("PUT", f"{at}tie-breaks/", sure, seen="*")["tie_breaks"]
    entry = section.participants.first().pk
    values = {"code": codes[-1], "values": [{"entry": entry, "value": "1.5"}]}
    program.done("PUT", f"{at}tie-values/", values, seen="*")
    starts = [{"round": 1, "start": "2026-10-17T14:00"}, {"round": 2, "start": "2026-10-18"}]
    assert program.done("PUT", f"{at}schedule/", {"starts": starts}, seen="*")["schedule"][:2] == [
        "2026-10-17T14:00",
        "2026-10-18",
    ]
    no_day = {"starts": [{"round": 1, "start": "2026-02-30"}]}
    assert refusal(program, "PUT", f"{at}schedule/", no_day) == (422, "invalid")
    soon = (timezone.now() + timedelta(hours=1)).isoformat()
    assert program.done("PUT", f"{at}countdown/", {"to": soon})["countdown_to"]
    assert (
        program.done("PUT", f"{at}hall-message/", {"message": "Phones off"})["hall_message"] == "Phones off"
    )
    (notice,) = [
        one
        for one in program.get(f"{at}state/")["notices"]
        if one["code"] == "no_fide_id" and not one["left"]
    ]
    for left in (True, False):
        state = program.done("PUT", f"{at}notices/", {"notice": notice["key"], "left": left})
        (now,) = [one for one in state["notices"] if one["key"] == notice["key"]]
        assert bool(now["left"]) == left
    long = {"longer_than_30_days": True, "period_starts": [3]}
    assert program.done("PUT", f"{at}rating-periods/", long, seen="*")["period_starts"] == [3]
    rated = {"period": 2, "ratings": [{"entry": entry, "rating": 2111}]}
    program.done("PUT", f"{at}period-ratings/", rated, seen="*")
    assert section.participants.get(pk=entry).period_ratings == {"2": 2111}
    left = program.agreed("POST", f"{at}leave-fide-mode/", {"reason": "Two games a day."}, seen="*")
    assert left["fide_mode"] is False
    like = program.done("POST", f"events/{event.pk}/sections/like/", {"source": section.pk, "name": "B"})
    assert like["tie_breaks"] == codes
    elsewhere = {"source": section_of(2).pk, "name": "C"}
    assert refusal(program, "POST", f"events/{event.pk}/sections/like/", elsewhere) == (422, "invalid")
    hidden = f"sections/{like['id']}/"
    assert program.done("POST", f"{hidden}hide/", seen="*")["hidden"] is True
    assert program.done("POST", f"{hidden}show/", seen="*")["hidden"] is False
    moved = ActionLog.objects.get(section=section, action="set_hall_message").revision
    back = program.done("POST", f"{at}undo-since/", {"revision": moved}, seen="*")
    assert (back["hall_message"], back["period_starts"]) == ("", [])
    program.done("POST", f"{at}restore/", {"round": 1, "reason": "All over again."}, seen="*")
    assert program.get(f"{at}rounds/")["results"] == []


def test_rounds_that_follow_from_the_numbers(program: Program, event: Event):
    table = section_of(4, event=event, name="RR", slug="rr", system="round-robin", rounds=3)
    at = f"sections/{table.pk}/"
    drawn = program.done("POST", f"{at}lots/", {"seed": "2026"}, seen="*")
    assert (drawn["seed"], drawn["section"]["rounds"]) == ("2026", 3)
    order = [row["id"] for row in program.get(f"{at}entries/")["results"]]
    by_lot = sorted(order, key=lambda entry: program.get(f"entries/{entry}/")["tpn"], reverse=True)
    assert refusal(program, "PUT", f"{at}lots/", {"order": by_lot}) == (422, "lots_to_confirm")
    program.agreed("PUT", f"{at}lots/", {"order": by_lot}, seen="*")
    assert program.get(f"entries/{by_lot[0]}/")["tpn"] == 1
    made = program.done("POST", f"{at}rounds/all/", {"after_round": 0})["results"]
    assert [row["number"] for row in made] == [1, 2, 3]
    shown = program.done("POST", f"{at}rounds/all/publish/")["results"]
    assert {row["state"] for row in shown} == {"published"}


def test_a_screen_and_the_order_of_equal_players(program: Program, section: Section, event: Event, at: str):
    screen = program.done("POST", f"events/{event.pk}/screens/", {"name": "Left"})
    path = f"screens/{screen['id']}/"
    change = {"show": "standings", "section": section.pk, "paused": True, "turn": 1}
    shown = program.done("PATCH", path, change, seen="*")
    assert (shown["show"], shown["section"], shown["paused"]) == ("standings", section.pk, True)
    stranger = {"section": section_of(2).pk}
    assert refusal(program, "PATCH", path, stranger) == (404, "not_found")
    program.done("DELETE", path, seen="*")
    section.participants.update(rating=2000)
    order = list(section.participants.order_by("tpn").values_list("pk", flat=True))
    turned = [order[1], order[0], *order[2:]]
    assert refusal(program, "PUT", f"{at}equal-ratings/", {"order": turned}) == (422, "equals_to_confirm")
    program.agreed("PUT", f"{at}equal-ratings/", {"order": turned}, seen="*")
    assert program.get(f"entries/{order[1]}/")["tpn"] == 1


def results_of(row: Round, count: int) -> WaitingOnDevice:
    return WaitingOnDevice(
        section=row.section, number=row.number, round=row, kind=WaitingOnDevice.Kind.RESULTS, count=count
    )


def test_marks_that_wait_on_a_device_are_asked_about_before_the_check_in_is_closed(
    program: Program, owner: User, section: Section, at: str
):
    row = paired(section)
    for game in row.games.all():
        enter(game, "1-0")
    program.done("POST", f"{at}check-in/", {"open": True, "after_round": 1})
    program.done("POST", f"{at}check-in/all/", {"round": 2}, seen="*")
    marks = WaitingOnDevice(section=section, number=2, kind=WaitingOnDevice.Kind.AWAY, count=3)
    note_waiting(user=owner, device="1-2", rows=[results_of(row, 4), marks])
    close = {"open": False, "after_round": 1}
    refused = program.send("POST", f"{at}check-in/", close)
    assert (refused.status_code, refused.json()["code"]) == (409, "results_waiting")
    assert "3 players are marked as not here only on a device of olga" in refused.json()["detail"]
    assert "4 results" not in refused.json()["detail"]
    assert program.agreed("POST", f"{at}check-in/", close)["check_in_round"] is None


def test_results_that_wait_on_a_device_are_asked_about_before_a_round_is_paired_or_published(
    program: Program, owner: User, section: Section, at: str
):
    row = paired(section)
    for game in row.games.all():
        enter(game, "1-0")
    note_waiting(user=owner, device="1-2", rows=[results_of(row, 5)])
    pair = program.send("POST", f"{at}rounds/", {"after_round": 1})
    assert (pair.status_code, pair.json()["code"]) == (409, "results_waiting")
    assert "5 results wait on a device of olga" in pair.json()["detail"]
    note_waiting(user=owner, device="1-2", rows=[results_of(row, 4)])
    yes = {"after_round": 1, "confirm": [pair.json()["confirm"]]}
    assert refusal(program, "POST", f"{at}rounds/", yes) == (409, "results_waiting")
    program.agreed("POST", f"{at}rounds/", {"after_round": 1})
    for path in ("publish/", "pair-again/", "lists/"):
        assert refusal(program, "POST", f"{at}rounds/2/{path}", {}) == (409, "results_waiting"), path
    for path in ("rounds/all/publish/", "close/"):
        assert refusal(program, "POST", f"{at}{path}", {}) == (409, "results_waiting"), path
    shown = program.agreed("POST", f"{at}rounds/2/publish/", {}, seen="*")
    assert shown["state"] == "published"
