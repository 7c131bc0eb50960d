"""A round that the rules of 1997 cannot finish, on the pages: the offer, its explanation, and changes by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from evenboard_engine import ByeKind
from evenboard_engine.cli.command import main
from tests.answers import agreed, answers_in
from tests.systems.dubov1997.stuck_desks import (
    after_a_rise,
    after_all_have_met,
    after_example_10,
    draft,
    offered,
    played,
    take_over,
)
from tests.systems.dubov1997.test_pages import text
from tests.systems.toy_desk import Desk
from tournaments.actions.byes import request_bye
from tournaments.actions.ledger import Actor

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def desk() -> Desk:
    return after_example_10()


@pytest.fixture
def everybody_met() -> Desk:
    return after_all_have_met()


def begin_with_the_offer(desk: Desk) -> None:
    desk.done("by-hand/", after_round=1, **{"with": "proposal"})


def swap(desk: Desk, one: int, other: int) -> None:
    assert desk.by_hand(picked=desk.key(one), player=desk.key(other)).status_code in (200, 302)


def end(desk: Desk, **fields: object) -> int:
    return desk.post("round/2/by-hand/end/", version=draft(desk).version, **fields).status_code


def test_offer_stands_before_the_steps_which_are_folded(desk: Desk) -> None:
    html = offered(desk)
    main = html.partition("<main")[2]
    places = [
        main.index(words)
        for words in ("Take over the offer", "<table", "How the offer was made", "What was tried (")
    ]
    assert places == sorted(places)
    assert re.findall(r"<details class=\"more\"( open)?>", main) == ["", ""]
    rows = re.findall(r"<tr>(.*?)</tr>", main.partition("<tbody>")[2].partition("</tbody>")[0], re.DOTALL)
    cells = [
        [text(cell).strip() for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)]
        for row in rows
    ]
    assert [[cell.rpartition(" ")[0] or cell for cell in row] for row in cells] == [
        ["1", "2 Surname2,", "1", "1 Surname1,", "½"],
        ["2", "3 Surname3,", "½", "5 Surname5,", "1"],
    ]


def test_limitation_that_the_offer_breaks_is_told_with_the_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = after_a_rise()
    own = (
        "3 Surname3 may not be transferred up now: this happened in the last round too. In an offer this does not "
        "count: 3 Surname3 meets 4 Surname4, who has more points."
    )
    broken = f"The offer does not keep every limitation:{own}"
    before = desk.client.get(f"{desk.base}report.trf").content
    page = offered(desk, 2)
    assert broken in text(page.partition("<main")[2].partition("<details")[0])
    take_over(desk, 2)
    assert "The arbiters took over the offer." in text(desk.get("cockpit/"))
    assert broken in text(desk.get("round/3/why/").partition("<main")[2].partition("<details")[0])
    leads = {tpn: text(desk.get(f"round/3/why/{tpn}/").partition('class="why-lead"')[2]) for tpn in (1, 3, 4)}
    assert {tpn: own in lead for tpn, lead in leads.items()} == {1: False, 3: True, 4: True}
    file = tmp_path / "before.trf"
    file.write_bytes(before)
    assert main([str(file), "-p"]) == 1
    offer_lines = capsys.readouterr().err.partition("offered, if the arbiter takes it over:")[2]
    named = "3 Surname3 A may not be transferred up now: this happened in the last round too."
    assert [named in line for line in offer_lines.splitlines()].count(True) == 1


def test_player_of_an_offered_round_gets_an_answer_to_why_not_another(desk: Desk) -> None:
    take_over(desk)
    whole = text(desk.get("round/2/why/"))
    assert "This round has the pairs that were offered." in whole
    assert "This page explains the pairs that the rules give." not in whole
    assert (
        "2 pairs are offered, because the procedure cannot finish this round. 2 pairs have different scores."
        in whole
    )
    assert [
        words for words in ("one score group", "Bracket of", "Decided for the whole round") if words in whole
    ] == []
    assert "2 Surname2 meets the next one with whom all others can be paired: 1 Surname1." in text(
        desk.get("round/2/why/2/")
    )
    asked = {
        5: "If 2 Surname2 played 5 Surname5, the others could not all be paired.",
        3: "2 Surname2 meets the next one in the order of score, rating and number: 1 Surname1.",
    }
    assert [
        other
        for other, answer in asked.items()
        if answer not in text(desk.get(f"round/2/why/2/?other={other}"))
    ] == []


def test_offered_pairs_are_in_no_columns_and_the_chooser_is_named(desk: Desk) -> None:
    take_over(desk)
    whole = text(desk.get("round/2/why/"))
    assert [words for words in ("by ARO", "by rating", "White's side") if words in whole] == []
    assert re.search(r"Player *2.Surname2 ?5.Surname5 ?Opponent", whole)  # no ARO between them
    answer = text(desk.get("round/2/why/1/?other=5"))
    assert "2 Surname2 comes before 1 Surname1 and 5 Surname5, and meets 1 Surname1." in answer


def test_pairing_by_hand_that_keeps_the_offer_is_no_departure(desk: Desk) -> None:
    offered(desk)
    begin_with_the_offer(desk)
    page = desk.get("round/2/by-hand/")
    assert [pill for pill in ("against the rules", "unusual") if pill in page] == []
    assert "The round is as it was offered. The report file says nothing about pairing by hand." in text(
        desk.get("round/2/by-hand/end/")
    )
    assert desk.end_by_hand(2).status_code == 302
    row = draft(desk)
    assert (row.manual, row.manual_phase, desk.boards()) == (False, False, [(2, 1), (3, 5)])
    assert "Round 2: pairing by hand ended, same as the offer" in desk.get("log/")
    assert "This round has the pairs that were offered." in text(desk.get("round/2/why/"))
    assert "MPA" not in desk.client.get(f"{desk.base}report.trf").content.decode()


def test_what_the_offer_departs_from_is_no_warning_to_the_arbiter() -> None:
    """In round 3 without 4, the players 1 and 2 may have the bye before 3, but only they can meet."""
    desk = played((2002, 2001, 1999, 1998), ("0-1", "0-1"), ("1-0", "0-1"))
    assert desk.boards() == [(3, 2), (4, 1)]
    request_bye(actor=Actor.command(), participant_id=desk.key(4), round_number=3, kind=ByeKind.HALF)
    assert desk.post("pair/", after_round=2).status_code == 422
    desk.done("by-hand/", after_round=2, **{"with": "proposal"})
    page = text(desk.get("round/3/by-hand/"))
    assert "The bye goes to the lowest score that may have it: 2 Surname2, A has 1, 3 Surname3, A 2." in page
    assert "against the rules" not in page


def test_pairing_by_hand_is_compared_with_the_offer(desk: Desk) -> None:
    offered(desk)
    begin_with_the_offer(desk)
    swap(desk, 1, 5)
    page = text(desk.get("round/2/by-hand/end/"))
    assert "The rules cannot finish this round. The offer has other pairs." in page
    assert "Why the offer pairs them this way" in page
    assert "By the rules" not in page
    desk.end_by_hand(2, "They asked for it")
    assert (draft(desk).manual, desk.boards()) == (True, [(2, 5), (3, 1)])
    assert "Round 2: pairing by hand ended, different from the offer" in desk.get("log/")
    why = text(desk.get("round/2/why/"))
    left_over = "These players are left over: 1 Surname1, A and 3 Surname3, A. Reason: They asked for it"
    assert f"The rules could not finish this round. The arbiters paired the round by hand. {left_over}" in why
    assert "cannot finish" not in why.partition("What was tried (")[0]
    assert "Other pairs were offered: 2 Surname2 – 1 Surname1; 3 Surname3 – 5 Surname5." in why
    assert [words for words in ("How the offer was made", "What was tried (") if words not in why] == []
    desk.done("round/2/check/", version=draft(desk).version)
    cockpit = text(desk.get("cockpit/"))
    assert "Round 2 differs from the offer, checked" in cockpit
    assert "The rules cannot finish round 2. With today's data another round is offered" in cockpit
    assert "the rules give another round" not in cockpit


def test_offer_in_place_of_the_pairs_made_by_hand_ends_the_phase(desk: Desk) -> None:
    offered(desk)
    begin_with_the_offer(desk)
    swap(desk, 1, 5)
    assert "Use the offered pairs instead" in desk.get("round/2/by-hand/end/")
    answer = desk.post("round/2/by-hand/end/", version=draft(desk).version, do="engine")
    assert (answer.status_code, answer.url) == (302, f"{desk.base}cockpit/")
    row = draft(desk)
    assert (row.manual, row.manual_phase, desk.boards()) == (False, False, [(2, 1), (3, 5)])
    assert "Round 2 by hand: all pairs as they were offered" in desk.get("log/")


def test_round_that_was_taken_over_is_reopened_and_gets_the_offer_again(desk: Desk) -> None:
    take_over(desk)
    desk.done("round/2/by-hand/begin/", version=draft(desk).version)
    assert "This round has the pairs that were offered." in text(desk.get("round/2/why/"))
    swap(desk, 1, 5)
    assert "The arbiters are pairing the round by hand." in text(desk.get("round/2/why/"))
    page = text(desk.get("round/2/by-hand/"))
    assert ("As it was offered" in page, "As the rules pair it" in page) == (True, False)
    assert desk.by_hand(do="engine").status_code in (200, 302)
    assert (draft(desk).manual_phase, desk.boards()) == (True, [(2, 1), (3, 5)])


def test_report_with_an_offered_round_says_that_the_rules_cannot_finish_it(desk: Desk) -> None:
    take_over(desk)
    desk.publish()
    desk.results()
    data = desk.client.get(f"{desk.base}report.trf").content
    here = f"/{desk.section.event.slug}/-/report/"
    answer = desk.client.post(here, {"file": SimpleUploadedFile("offer.trf", data)}, follow=True)
    shown = text(answer.content.decode())
    assert "Rounds that the rules cannot finish" in shown
    assert "Round 2 has the pairs that the program offers for such a round." in shown
    assert "all follow the rules" not in shown


# --- a round for which nothing is offered


def test_proposal_where_nothing_is_offered_breaks_the_fewest_rules(everybody_met: Desk) -> None:
    answer = everybody_met.post("pair/", after_round=3)
    assert answer.status_code == 422
    page = text(answer.content.decode())
    assert "The proposal has the pairs that break the fewest rules." in page
    everybody_met.done("by-hand/", after_round=3, **{"with": "proposal"})
    assert len(everybody_met.boards()) == 2
    hand = text(everybody_met.get("round/4/by-hand/"))
    assert "players are not paired yet" not in hand
    assert hand.count("have met already, in round") == 2


def test_page_without_an_offer_says_what_was_tried(everybody_met: Desk) -> None:
    page = text(everybody_met.post("pair/", after_round=3).content.decode())
    assert "What was tried (" in page
    assert "After the last score these players have no opponent" in page


def test_round_by_hand_where_nothing_is_offered_is_compared_with_nothing(everybody_met: Desk) -> None:
    everybody_met.done("by-hand/", after_round=3, **{"with": "proposal"})
    row = everybody_met.section.played_rounds.get(number=4)
    page = everybody_met.client.get(everybody_met.base + "round/4/by-hand/end/")
    first = text(
        everybody_met.post(
            "round/4/by-hand/end/", version=row.version, reason="Wish", answer=answers_in(page)
        ).content.decode()
    )
    assert "The rules cannot finish this round. The arbiter decides." in first
    assert "Correct pairings" not in first
    assert everybody_met.end_by_hand(4, "Wish").status_code == 302
    row.refresh_from_db()
    everybody_met.done("round/4/check/", version=row.version)
    cockpit = text(everybody_met.get("cockpit/"))
    assert "The rules give no round 4, checked" in cockpit
    assert "With today's data the rules give no round 4, and none is offered." in cockpit
    assert "another round" not in cockpit
    assert "Round 4 checked: the rules give no round" in text(everybody_met.get("log/"))


def test_imported_round_that_the_rules_cannot_finish_says_what_was_tried(desk: Desk) -> None:
    offered(desk)
    begin_with_the_offer(desk)
    swap(desk, 1, 5)
    desk.end_by_hand(2, "They asked for it")
    desk.publish()
    desk.results()
    data = desk.client.get(f"{desk.base}report.trf").content
    start = f"/{desk.section.event.slug}/-/report/"
    answer = desk.client.post(start, {"file": SimpleUploadedFile("hand.trf", data)}, follow=True)
    upload = re.search(r'name="upload" value="(\w+)"', answer.content.decode())
    assert upload is not None
    agreed(desk.client, f"{start}?preview", {"upload": upload[1], "name": "Copy"})
    made = desk.section.event.sections.get(name="Copy")
    why = text(desk.client.get(f"/{made.event.slug}/{made.slug}/round/2/why/").content.decode())
    assert (
        "The rules could not finish this round. These players are left over: 1 Surname1, A and 3 Surname3, A."
        in why
    )
    assert "The round was imported with the pairs of the file." in why
    assert [words for words in ("How the offer was made", "What was tried (") if words not in why] == []
    assert "No explanation" not in why


def test_players_without_an_opponent_are_in_the_order_of_score(desk: Desk) -> None:
    offered(desk)
    desk.done("by-hand/", after_round=1, **{"with": "nothing"})
    html = desk.get("round/2/by-hand/")
    pool = html.partition('<ul class="pool">')[2].partition("</ul>")[0]
    number_of = {one.pk: one.tpn for one in desk.section.participants.all()}
    assert [number_of[int(key)] for key in re.findall(r'name="player"\s+value="(\d+)"', pool)] == [
        2,
        5,
        1,
        3,
        4,
    ]
    shown = text(html)
    assert "The colour after a name is due to the player." in shown
    assert "Pick two players. They become a pair." in shown
    assert "They change places." not in shown


def test_page_of_1997_has_score_groups_and_no_brackets(desk: Desk) -> None:
    take_over(desk)
    desk.publish()
    desk.results()
    desk.pair()
    pages = [text(desk.get(f"round/3/why/{rest}")) for rest in ("", "1/", "2/")]
    assert "Score group of" in pages[0]
    assert [page for page in pages if "bracket" in page.lower()] == []
