"""A round without a legal pairing is started by hand (VCL4THP.13 Q63)."""

from __future__ import annotations

import pytest

from pairing.by_hand import start_by_hand
from pairing.rounds import check_round, pair_next_round
from tests.actions.refusals import one_step, refused, unchanged
from tests.actions.test_by_hand import RATINGS, Hand, boards
from tests.factories import section_of
from tests.queries.sections import MadeSection, add_bye, make_section
from tournaments.actions.ledger import Actor
from tournaments.models import ForbiddenPair, Game
from tournaments.seating import SeatMove

pytestmark = pytest.mark.django_db


def everybody_met() -> MadeSection:
    """Return a section of four players who have all met in three rounds. Two more rounds are to play."""
    names = dict(list(RATINGS.items())[:4])
    return make_section(
        names,
        "Anna 1-0 Bert; Carl 1-0 Dora",
        "Carl 1/2 Anna; Dora 1/2 Bert",
        "Anna 1-0 Dora; Bert 0-1 Carl",
        planned=5,
    )


def test_round_without_a_legal_pairing_begins_empty(actor: Actor) -> None:
    made = everybody_met()
    section = made.row
    with refused("no_legal_pairing"):
        pair_next_round(actor=actor, section_id=section.pk, after_round=3)
    with one_step(section, "start_by_hand"):
        row = start_by_hand(actor=actor, section_id=section.pk, after_round=3, proposal=False)
    assert (row.number, row.manual_phase, row.games.count()) == (4, True, 0)
    assert section.played_rounds.get(number=3).is_finished
    hand = Hand(row, actor)
    with refused("by_hand_concerns"):
        hand.do(SeatMove.SWAP, 1, 2, confirmed=False)
    assert "rematch" in hand.do(SeatMove.SWAP, 1, 2)
    hand.do(SeatMove.SWAP, 3, 4)
    row = hand.end(reason="All have met", confirmed=True)
    assert (row.manual, row.engine_pairing) == (True, {})
    compared = check_round(actor=actor, round_id=row.pk, seen_version=row.version)
    assert compared == {
        "version": row.version,
        "same": False,
        "boards": [1, 2],
        "bye": False,
        "nothing": True,
    }


def test_round_without_a_legal_pairing_begins_with_the_least_serious_violations(actor: Actor) -> None:
    section = everybody_met()
    with one_step(section.row, "start_by_hand") as logged:
        row = start_by_hand(actor=actor, section_id=section.row.pk, after_round=3, proposal=True)
    assert [logged[0].after["boards"], logged[0].after["pool"]] == [list(map(list, boards(row))), []]
    assert row.games.count() == 2


def test_proposal_breaks_only_the_rules_that_it_must(actor: Actor) -> None:
    """Six players have all met each other in five rounds, so each pair is a rematch."""
    names = {name: 2400 - 10 * n for n, name in enumerate("ABCDEF")}
    section = make_section(
        names,
        "A 1-0 B; C 1-0 D; E 1-0 F",
        "C 1-0 A; B 1-0 E; F 1-0 D",
        "A 1-0 D; E 1-0 C; B 1-0 F",
        "E 1-0 A; F 1-0 C; D 1-0 B",
        "A 1-0 F; C 1-0 B; D 1-0 E",
        planned=6,
    )
    row = start_by_hand(actor=actor, section_id=section.row.pk, after_round=5, proposal=True)
    assert row.games.count() == 3


def test_proposal_pairs_the_others_by_the_rules(actor: Actor) -> None:
    """Four players have all met. Two others have met only each other, so one pair is a rematch."""
    names = {name: 2400 - 10 * n for n, name in enumerate("ABCDEF")}
    section = make_section(
        names,
        "A 1-0 B; C 1-0 D; E 1-0 F",
        "C 1-0 A; D 1-0 B; E H; F H",
        "A 1-0 D; C 1-0 B; E H; F H",
        planned=7,
    )
    for one, other in (("E", "A"), ("E", "B"), ("E", "C"), ("F", "B"), ("F", "C"), ("F", "D")):
        keys = sorted((section.people[one].pk, section.people[other].pk))
        ForbiddenPair.objects.create(section=section.row, first_id=keys[0], second_id=keys[1], reason="x")
    row = start_by_hand(actor=actor, section_id=section.row.pk, after_round=3, proposal=True)
    assert sorted(sorted(pair[1:]) for pair in boards(row)) == [[1, 6], [2, 3], [4, 5]]


def test_requested_byes_stay_in_a_round_started_by_hand(actor: Actor) -> None:
    section = everybody_met()
    add_bye(section, "Anna", 4, "H")
    row = start_by_hand(actor=actor, section_id=section.row.pk, after_round=3, proposal=True)
    assert row.games.count() == 1
    assert Game.objects.filter(round=row, white=section.people["Anna"]).count() == 0


def test_start_by_hand_needs_two_players_and_an_up_to_date_page(actor: Actor) -> None:
    section = section_of(1)
    with refused("too_few_players", present=1):
        start_by_hand(actor=actor, section_id=section.pk, after_round=0, proposal=False)
    with refused("stale_round"):
        start_by_hand(actor=actor, section_id=section.pk, after_round=1, proposal=False)


def test_round_that_the_rules_can_pair_does_not_start_by_hand(actor: Actor) -> None:
    """No page offers it, but a form of an old page can ask for it."""
    section = section_of(4)
    with refused("rules_allow_a_pairing", round=1), unchanged():
        start_by_hand(actor=actor, section_id=section.pk, after_round=0, proposal=True)
    assert not section.played_rounds.exists()
