"""The pages of undo: what they say, and what they do."""

from __future__ import annotations

import csv
import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from pairing.rounds import unpair_round
from tests.factories import UserFactory, entry_data, section_of
from tests.web.staff.conftest import address, enter, paired
from tests.web.staff.conftest import played_and_logged as played
from tournaments.actions.copies import load_copy
from tournaments.actions.entries import add_participant, withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import open_check_in
from tournaments.actions.results import confirm_result, record_result
from tournaments.actions.sections import leave_fide_mode
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_file
from tournaments.models import Event, Participant, Section, User


def key(section: Section, tpn: int) -> int:
    return section.participants.get(tpn=tpn).pk


def body(page: Client, path: str) -> str:
    answer = page.get(path)
    assert answer.status_code == 200, answer.content.decode()
    return answer.content.decode()


def newest(section: Section) -> int:
    return section.log.latest("revision").revision


def test_undo_page_shows_the_action_and_undoes_it(page: Client, section: Section) -> None:
    game = paired(section).games.get(board=1)
    enter(game, "1-0")
    path = address(section, f"log/{newest(section)}/undo/")
    html = body(page, path)
    assert "Round 1, board 1" in html
    assert "<dd>1–0 → <b>–</b></dd>" in html
    answer = page.post(path, {"reason": "wrong slip"})
    assert (answer.status_code, answer["Location"]) == (302, address(section, "log/"))
    game.refresh_from_db()
    assert (game.result, game.version) == ("", 2)
    row = section.log.latest("revision")
    assert (row.action, row.undoes, row.reason, row.who) == ("undo", newest(section) - 1, "wrong slip", "ada")
    log = body(page, address(section, "log/"))
    assert "<del>Round 1, board 1" in log
    assert f"undone by ada (no. {row.revision})" in log
    assert "<td>Undone: Round 1, board 1" in log


def test_undo_of_a_second_reading_says_that_the_result_stays(page: Client, section: Section) -> None:
    game = paired(section).games.get(board=1)
    enter(game, "1-0")
    game.refresh_from_db()
    arbiter = Actor(user=UserFactory(username="zoe"))
    confirm_result(actor=arbiter, game_id=game.pk, result="0-1", seen_version=game.version)
    path = address(section, f"log/{newest(section)}/undo/")
    html = body(page, path)
    assert "<dd>0–1 → <b>–</b></dd>" in html
    assert "<dd>1–0 →" not in html
    page.post(path)
    assert "1–0 → –" not in body(page, address(section, "log/"))
    game.refresh_from_db()
    assert (game.result, game.second_result) == ("1-0", "")


def test_undone_action_is_not_undone_twice(page: Client, section: Section) -> None:
    enter(paired(section).games.get(board=1), "1-0")
    path = address(section, f"log/{newest(section)}/undo/")
    assert page.post(path).status_code == 302
    assert page.post(path).status_code == 422
    assert page.get(path).status_code == 422
    again = page.post(address(section, f"log/{newest(section)}/undo/"))  # the undo itself
    assert again.status_code == 302
    assert paired_results(section) == ["1-0", "", "", ""]


def test_only_an_undo_of_an_undo_counts_actions_that_come_back_or_are_undone_again(
    page: Client, section: Section
) -> None:
    draft = paired(section, published=False)
    pairing = body(page, address(section, f"log/{newest(section)}/undo/"))
    unpair_round(actor=Actor.command(), round_id=draft.pk, seen_version=draft.version)
    unpairing = body(page, address(section, f"log/{newest(section)}/undo/"))
    assert [body_of.count("0 actions") for body_of in (pairing, unpairing)] == [0, 0]


def paired_results(section: Section) -> list[str]:
    return list(section.played_rounds.get(number=1).games.order_by("board").values_list("result", flat=True))


def test_later_actions_that_depend_on_it_are_listed_and_undone_together(
    page: Client, section: Section
) -> None:
    row = paired(section)
    pairing = newest(section) - 1
    enter(row.games.get(board=2), "0-1")
    path = address(section, f"log/{pairing}/undo/")
    html = body(page, path)
    assert "2 later actions depend on it" in html
    assert "Round 1, board 2" in html
    assert "are undone, 3 in all: round 1 paired and published, 1 entry of a result." in html
    assert page.post(path).status_code == 422
    section.refresh_from_db()
    since = address(section, f"log/{pairing}/undo-since/")
    assert page.post(since, {"seen": section.revision - 1}).status_code == 409
    assert page.post(since, {"seen": section.revision}).status_code == 302
    assert section.played_rounds.count() == 0


def test_section_goes_back_to_before_a_round(page: Client, section: Section) -> None:
    played(section)
    played(section)
    section.refresh_from_db()
    path = address(section, "restore/2/")
    html = body(page, path)
    assert "6 actions will be undone: round 2 paired and published, 4 entries of results." in html
    assert page.post(path, {"seen": section.revision}).status_code == 422
    answer = page.post(path, {"seen": section.revision, "reason": "the wrong list"})
    assert (answer.status_code, answer["Location"]) == (302, address(section, "cockpit/"))
    assert section.played_rounds.get().is_published
    log = body(page, address(section, "log/"))
    assert "<td>Section restored to before round 2: 6 actions undone" in log
    assert page.get(path).status_code == 422


def test_log_offers_to_go_back_to_before_each_round(page: Client, section: Section) -> None:
    played(section)
    paired(section)
    log = body(page, address(section, "log/"))
    assert [f"restore/{number}/" in log for number in (1, 2, 3)] == [True, True, False]


def test_rounds_whose_pairing_the_log_does_not_hold_are_not_offered(
    page: Client, section: Section, event: Event
) -> None:
    """The log of a copy says that round 1 was paired here, but not which rows that wrote."""
    played(section)
    copy = read_copy(copy_file(section))
    loaded = load_copy(actor=Actor.command(), event=event, copy=copy, name="Again")
    paired(loaded)
    log = body(page, address(loaded, "log/"))
    offered = {number: f"restore/{number}/" in log for number in (1, 2)}
    answers = {number: page.get(address(loaded, f"restore/{number}/")).status_code for number in (1, 2)}
    assert (offered, answers) == ({1: False, 2: True}, {1: 422, 2: 200})


def test_earlier_way_back_is_not_counted_among_the_lost_actions(page: Client, section: Section) -> None:
    """Going back from round 2 is only a way back: it is not an action that is lost itself."""
    played(section)
    paired(section)
    section.refresh_from_db()
    first = section.log.get(action="pair_next_round", round_number=2).revision
    seen = {"seen": section.revision, "reason": "the wrong list"}
    page.post(address(section, f"log/{first}/undo-since/"), seen)
    assert "6 actions will be undone: round 1 paired and published, 4 entries of results." in body(
        page, address(section, "restore/1/")
    )
    section.refresh_from_db()
    page.post(address(section, "restore/1/"), {"seen": section.revision, "reason": "x"})
    assert section.log.latest("pk").after["actions"] == 6


def test_log_is_searched_by_person_action_round_and_day(page: Client, section: Section) -> None:
    played(section)
    entry = Participant.objects.filter(section=section).first()
    zoe = Actor(user=UserFactory(username="zoe"), origin="192.0.2.7")
    withdraw_participant(actor=zoe, participant_id=entry.pk, reason="ill")
    tomorrow = (timezone.now() + timedelta(days=1)).date().isoformat()
    counted = {
        query: body(page, address(section, f"log/?{query}")).count("<td class=\"when\">")
        for query in (
            "who=zoe", "action=record_result", "round=1", "round=7", f"first={tomorrow}", f"last={tomorrow}",
            "q=192.0.2.7", "q=published", "q=1%2F2", "who=nobody", "first=x", "q=ill+zoe",
        )
    }  # fmt: skip
    assert counted == {
        "who=zoe": 1,
        "action=record_result": 4,
        "round=1": 6,
        "round=7": 7,  # the log has no such round, so the form ignores it
        f"first={tomorrow}": 0,
        f"last={tomorrow}": 7,
        "q=192.0.2.7": 1,
        "q=published": 1,
        "q=1%2F2": 4,
        "who=nobody": 7,
        "first=x": 7,
        "q=ill+zoe": 1,
    }


def test_log_as_a_file_holds_the_rows_that_were_found(page: Client, section: Section) -> None:
    enter(paired(section).games.get(board=3), "1-0")
    page.post(address(section, f"log/{newest(section)}/undo/"))
    table = page.get(address(section, "log/file/csv/")).content.decode("utf-8-sig")
    lines = list(csv.reader(table.splitlines(), delimiter=";"))
    assert lines[0][:6] == ["Number", "Time", "Who", "From", "Action", "What"]
    assert [(line[0], line[4], line[12], line[14]) for line in lines[1:]] == [
        ("4", "undo", "3", ""),
        ("3", "record_result", "", "4"),
        ("2", "publish_round", "", ""),
        ("1", "pair_next_round", "", ""),
    ]
    rows = json.loads(page.get(address(section, "log/file/json/?action=record_result")).content)
    assert [(row["number"], row["after"]["result"], row["undone_by"]) for row in rows] == [(3, "1-0", 4)]
    assert page.get(address(section, "log/file/pdf/")).status_code == 404


def test_unknown_revisions_and_rounds_are_not_found(page: Client, section: Section) -> None:
    paired(section)
    assert page.get(address(section, "log/99/undo/")).status_code == 404
    assert page.get(address(section, f"log/{10**30}/undo/")).status_code == 404
    assert page.get(address(section, "restore/9/")).status_code == 422
    assert page.get(address(section, f"restore/{10**30}/")).status_code == 422


def test_toast_leads_back_only_to_a_page_of_this_server(page: Client, section: Section) -> None:
    paired(section)
    for back, leads in ((address(section, "byes/"), address(section, "byes/")), ("//evil.example/", "log/")):
        answer = page.post(address(section, f"log/{newest(section)}/undo/"), {"back": back})
        assert answer["Location"].endswith(leads)
        assert "evil" not in answer["Location"]


@pytest.fixture
def offered(page: Client, section: Section) -> Section:
    """The arbiter has given a bye, and opened the page that follows."""
    entry = section.participants.get(tpn=3)
    page.post(address(section, "byes/"), {"participant": entry.pk, "rounds": [2], "kind": "H"})
    html = body(page, address(section, "byes/"))
    assert f'action="{address(section, "log/1/undo/")}"' in html
    assert f'name="back" value="{address(section, "byes/")}"' in html
    return section


def offers(page: Client, section: Section, *pages: str) -> list[bool]:
    return ["data-toast" in body(page, address(section, rest)) for rest in pages]


def test_toast_stays_on_all_pages_until_the_person_acts_again(
    page: Client, owners_page: Client, offered: Section
) -> None:
    pages = ("byes/", "byes/", "entries/", "settings/", "log/", "standings/")
    other = section_of(4, event=offered.event, name="B & C", slug="b")
    assert [offers(page, offered, *pages), offers(owners_page, offered, *pages[:1])] == [[True] * 6, [False]]
    assert offers(page, other, "entries/", "cockpit/") == [False, False]  # another tab
    assert 'data-key="u">Undo' in body(page, address(offered, "cockpit/"))
    assert "<b>Section A</b>&ensp;Round 2: half-point bye" in body(page, "/rijswijk/")
    owners_page.post(address(offered, "byes/"), {"participant": key(offered, 4), "rounds": [3], "kind": "H"})
    assert offers(page, offered, "byes/", "entries/") == [True, True]
    assert "log/1/undo/" not in body(owners_page, address(offered, "byes/"))
    page.post(address(offered, "log/1/undo/"), {"back": address(offered, "byes/")})
    assert not offered.participants.get(tpn=3).byes.exists()
    assert "Undone: Round 2: half-point bye" in body(page, address(offered, "cockpit/"))


def test_toast_goes_when_its_step_can_no_longer_be_undone_or_another_step_follows(
    page: Client, owners_page: Client, offered: Section, arbiter: User
) -> None:
    open_check_in(actor=Actor(user=arbiter), section_id=offered.pk, after_round=0)  # on another device
    assert offers(page, offered, "entries/") == [False]
    page.post(address(offered, "byes/"), {"participant": key(offered, 5), "rounds": [3], "kind": "H"})
    assert offers(page, offered, "entries/") == [True]
    owners_page.post(address(offered, f"log/{newest(offered)}/undo/"))
    assert offers(page, offered, "entries/") == [False]


def test_toast_is_closed_without_an_undo(page: Client, offered: Section) -> None:
    back = address(offered, "entries/")
    answer = page.post(address(offered, "log/1/undo/"), {"back": back, "close": "1"})
    assert (answer["Location"], offers(page, offered, "byes/", "entries/")) == (back, [False, False])
    assert offered.participants.get(tpn=3).byes.exists()


def test_page_of_an_unpaired_round_leads_to_the_cockpit(page: Client, section: Section) -> None:
    played(section)
    paired(section)
    section.refresh_from_db()
    results = address(section, "round/2/results/")
    page.post(address(section, "restore/2/"), {"seen": section.revision, "reason": "the wrong list"})
    answer = page.get(results)
    assert (answer.status_code, answer["Location"]) == (302, address(section, "cockpit/"))
    html = body(page, address(section, "cockpit/"))
    assert "Round 2 is no longer paired. Section restored to before round 2: 2 actions undone (ada, " in html
    assert "Reason: the wrong list" in html
    assert page.get(address(section, "round/3/results/")).status_code == 404
    assert page.get(address(section, f"round/{10**30}/results/")).status_code == 404


def test_undo_of_going_back_says_what_comes_back(page: Client, section: Section) -> None:
    played(section)
    paired(section)
    section.refresh_from_db()
    page.post(address(section, "restore/2/"), {"seen": section.revision, "reason": "the wrong list"})
    path = address(section, f"log/{newest(section)}/undo/")
    asked = body(page, path).partition("<main")[2]
    assert "revision" not in asked.partition("<form")[0]
    assert "2 actions come back: round 2 paired and published." in asked
    back = asked.partition("Actions that come back, newest first")[2]
    assert back.index("Round 2 published") < back.index("Round 2 paired")
    assert "undone again" not in asked
    page.post(path)
    html = body(page, address(section, "log/"))
    assert "Going back to before round 2 undone: 2 actions came back" in html
    asked = body(page, address(section, f"log/{newest(section)}/undo/"))
    assert "2 actions will be undone again: round 2 paired and published." in asked
    assert "What comes back" not in asked
    assert "Round 2 paired" in asked.partition("What is undone, newest first")[2]


def test_restore_names_other_actions_that_are_undone(page: Client, section: Section) -> None:
    played(section)
    row = paired(section)
    withdraw_participant(
        actor=Actor.command(), participant_id=section.participants.get(tpn=8).pk, reason="ill"
    )
    enter(row.games.get(board=1), "1-0")
    html = body(page, address(section, "restore/2/"))
    besides = html.partition("These actions are undone too")[2].partition("</section>")[0]
    assert besides.count("<li>") == 1
    assert "withdrawn" in besides


def test_restore_names_the_result_of_an_earlier_round_that_is_undone(page: Client, section: Section) -> None:
    """An adjourned game of round 1 gets its result while round 2 is being played."""
    adjourned = enter(played(section).games.get(board=2), "adj")
    paired(section)
    record_result(
        actor=Actor.command(),
        game_id=adjourned.pk,
        result="0-1",
        seen_version=adjourned.version,
        confirmed=True,
    )
    html = body(page, address(section, "restore/2/"))
    besides = html.partition("These actions are undone too")[2].partition("</section>")[0]
    assert besides.count("<li>") == 1
    assert "Round 1, board 2" in besides
    assert "changed to 0–1" in besides


def test_undo_of_an_undo_names_the_action(page: Client, section: Section) -> None:
    game = enter(played(section).games.get(board=2), "1-0")
    done = section.log.latest("revision").revision
    assert "comes back" not in body(page, address(section, f"log/{done}/undo/"))
    for revision in (done, done + 1):
        if revision > done:
            asked = body(page, address(section, f"log/{revision}/undo/"))
            assert "1 action comes back: 1 entry of a result." in asked
        page.post(address(section, f"log/{revision}/undo/"))
    html = body(page, address(section, "log/"))
    assert f"Undo of action {done} undone: 2: {game.white} - {game.black}" in html


def test_rounds_of_another_section_prevent_no_undo(page: Client, section: Section) -> None:
    other = section_of(6, event=section.event, name="Section B", slug="b")
    game = played(section).games.get(board=1)
    result = newest(section)
    played(other)
    paired(section)
    section.refresh_from_db()
    assert "Section B" not in body(page, address(section, f"log/{newest(section)}/undo/"))
    assert "Section B" not in body(page, address(section, "restore/2/"))
    answer = page.post(address(section, "restore/2/"), {"seen": section.revision, "reason": "wrong result"})
    assert answer.status_code == 302
    assert page.post(address(section, f"log/{result}/undo/")).status_code == 302
    game.refresh_from_db()
    assert (game.round.number, section.played_rounds.count(), other.played_rounds.count()) == (1, 1, 1)


def test_going_back_does_not_restore_fide_mode(page: Client, section: Section) -> None:
    paired(section)
    leave_fide_mode(actor=Actor.command(), section_id=section.pk, reason="odd points", asked=True)
    section.refresh_from_db()
    path = address(section, "restore/1/")
    html = body(page, path)
    assert "2 actions will be undone: round 1 paired and published." in html
    assert "Section left FIDE mode in round" not in html.partition("What is undone, newest first")[2]
    page.post(path, {"seen": section.revision, "reason": "again"})
    log = body(page, address(section, "log/"))
    assert "2 actions undone" in log
    assert log.count("<del>") == 2
    assert "<del>Section left FIDE mode" not in log
    assert "Section left FIDE mode in round" in log


def test_action_of_another_section_that_depends_on_it_is_named_with_its_way_out(
    page: Client, section: Section
) -> None:
    other = section_of(6, event=section.event, name="Section B", slug="b")
    entry = add_participant(
        actor=Actor.command(), section_id=section.pk, entry=entry_data("New, Nora", 2700, fide_id=77)
    )
    made = newest(section)
    add_participant(
        actor=Actor.command(),
        section_id=other.pk,
        entry=entry_data("New, Nora", 2700, fide_id=77),
        both=True,
    )
    html = body(page, address(section, f"log/{made}/undo/"))
    assert f"<b>Section B</b>: {entry} entered" in html
    assert f'href="{address(other, f"log/{newest(other)}/undo/")}"' in html
    answer = page.post(address(section, f"log/{made}/undo/"))
    assert answer.status_code == 422
    assert "An action in another section of the event depends on this." in answer.content.decode()
    section.refresh_from_db()
    html = body(page, address(section, f"log/{made}/undo/"))
    assert "undo-since" not in html


def test_results_and_publication_belong_to_the_round_that_is_undone(page: Client, section: Section) -> None:
    row = paired(section)
    enter(row.games.get(board=2), "0-1")
    html = body(page, address(section, f"log/{newest(section) - 2}/undo/"))
    resting = html.partition('<ul class="resting">')[2].partition("</ul>")[0]
    assert (resting.count("<li>"), resting.count("; it belongs to this round</span>")) == (2, 2)


def test_change_of_an_entry_depends_on_the_entry(page: Client, section: Section) -> None:
    add_participant(actor=Actor.command(), section_id=section.pk, entry=entry_data("Zed, Zoe", 1500))
    added = newest(section)
    entry = section.participants.get(player__name="Zed, Zoe")
    withdraw_participant(actor=Actor.command(), participant_id=entry.pk, reason="ill")
    assert "; it changed something that this action made</span>" in body(
        page, address(section, f"log/{added}/undo/")
    )
