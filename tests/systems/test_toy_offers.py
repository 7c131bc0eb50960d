"""The toy system offers a round where its rules cannot finish one: the page, pairing by hand, and undo."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.tests.systems.toy import ladder_known
from evenboard_engine.trf import read_report
from tests.systems.toy_desk import OWN, SETTINGS, Desk
from tournaments.actions.ledger import Actor
from tournaments.actions.undo import undo

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture(autouse=True)
def ladder() -> Iterator[None]:
    with ladder_known():
        yield


def stuck_desk() -> Desk:
    """Four players who reach one rung. In round 2 the second and the third could meet, but not the others."""
    made = Desk()
    made.done("settings/", **{**SETTINGS, **OWN, "start": "top", "reach": "1", "far": "1"})
    made.enter(4)
    made.done("initial-colour/", colour="w")
    made.pair()
    made.publish()
    made.results("1/2")
    return made


def test_page_says_what_was_tried_and_which_round_is_offered() -> None:
    desk = stuck_desk()
    answer = desk.post("pair/", after_round=1)
    html = answer.content.decode()
    assert (answer.status_code, desk.section.played_rounds.count()) == (422, 1)
    assert "The rules cannot finish round 2" in html
    assert "Each player takes an opponent within 1 rung." in html
    assert "Without an opponent within reach:" in html
    assert "are out of reach." in html
    boards = re.findall(r'name="board" value="([0-9-]+)"', html)
    assert len(boards) == 2
    assert re.search(r'<button class="btn go" data-key="Enter">\s*Take over the offer', html)
    wrong = desk.post("take-offer/", after_round=1, board=boards[:1])
    assert (wrong.status_code, desk.section.played_rounds.count()) == (409, 1)
    desk.done("take-offer/", after_round=1, board=boards)
    row = desk.section.played_rounds.get(number=2)
    assert row.is_draft
    assert not row.manual
    keys = [f"{game.white_id}-{game.black_id}" for game in row.games.order_by("board")]
    assert keys == boards
    log = desk.get("log/")
    assert "Round 2 paired as offered, because the rules could not finish it: 2 boards" in log
    why = desk.get("round/2/why/")
    assert "Without an opponent within reach:" in why
    assert "This round has the pairs that were offered." in why
    assert desk.get("round/2/why/1/")
    desk.done("round/2/check/", version=row.version)
    assert desk.section.log.get(action="check_round").after["same"] is True
    assert "Round 2 is the same as the offer, checked" in desk.get("cockpit/")
    log = desk.get("log/")
    assert "Round 2 checked: same as the offer" in log
    assert "same as the pairing by the rules" not in log
    desk.publish()
    desk.results("1/2")
    report = read_report(desk.client.get(f"{desk.base}report.trf").content)
    assert [check.differences for check in check_rounds(report, system="ladder")] == [()] * 2


def test_offer_is_where_pairing_by_hand_begins() -> None:
    desk = stuck_desk()
    boards = re.findall(r'name="board" value="([0-9-]+)"', desk.post("pair/", after_round=1).content.decode())
    desk.done("by-hand/", after_round=1, **{"with": "proposal"})
    row = desk.section.played_rounds.get(number=2)
    pairs = [f"{game.white_id}-{game.black_id}" for game in row.games.order_by("board")]
    assert (row.manual_phase, pairs) == (True, boards)


def test_round_that_is_being_paired_by_hand_from_an_offer_is_not_explained_as_the_offer() -> None:
    desk = stuck_desk()
    desk.done("by-hand/", after_round=1, **{"with": "proposal"})
    why = desk.get("round/2/why/")
    assert (
        "This round has the pairs that were offered." in why,
        "The arbiters are pairing the round by hand." in why,
    ) == (
        False,
        True,
    )
    page = desk.get("round/2/by-hand/")
    assert "The rules cannot finish this round." in page
    assert "pairing by hand started, because the rules could not finish it" in desk.get("log/")
    assert "The rules allow no pairing" not in page + why


def test_offer_taken_over_is_undone_like_a_pairing() -> None:
    desk = stuck_desk()
    shown = desk.post("pair/", after_round=1).content.decode()
    desk.done("take-offer/", after_round=1, board=re.findall(r'name="board" value="([0-9-]+)"', shown))
    desk.section.refresh_from_db()
    undo(actor=Actor.command(), section_id=desk.section.pk, revision=desk.section.revision)
    assert desk.section.played_rounds.count() == 1
